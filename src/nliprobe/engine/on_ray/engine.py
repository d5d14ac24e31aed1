"""The engine that asks systems on a Ray cluster. It follows the contract of an executor in :mod:`engine.stages`.

1. The driver generates shards in order; it represents, looks up and writes them, in a second thread.
2. A question is cut into pieces, which workers answer in any order; what a lost worker did not answer is asked again.
   The answers of a shard are written when all have come.
3. :class:`nliprobe.engine.on_ray.floor.Floor` settles questions that are open at the same time.
4. The driver prepares a system before it sends it; each worker builds its own copy of the model.
5. Workers are told how many inputs failed before; the driver counts failures in the order in which answers come.
6. The driver writes answers to the journal or to the cache as they come.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from functools import cached_property
from types import TracebackType
from typing import TYPE_CHECKING, Self

from nliprobe.base.registry import loaded_plugins
from nliprobe.engine.ask import Answers, Caches, Failures
from nliprobe.engine.on_ray.connect import connected, nodes, seats
from nliprobe.engine.on_ray.parcel import cut, setting
from nliprobe.engine.on_ray.pool import Pool
from nliprobe.engine.on_ray.spread import Spread, add_counts
from nliprobe.engine.on_ray.stand_in import StandIn, is_away
from nliprobe.engine.stages import SuiteLike
from nliprobe.engine.steps import Progress, RunTally
from nliprobe.models.system import System
from nliprobe.store.run import RunFolder
from nliprobe.task.case import Input, Prediction

if TYPE_CHECKING:
    from nliprobe.engine.choice import EngineChoice

# Inputs per piece of a model on CPUs: small enough that workers end together and little is lost with one of them, large
# enough that sending them takes no time that counts. On a GPU it is the batch of the model.
PIECE = 512
_SECONDS = 0.2


class RayEngine:
    """Asks systems on workers; the cluster is used only when there is something to ask.

    Models that look answers up, and models that wait for a service, are asked in the driver: workers would not make
    them faster, and limits on requests hold in one place.
    """

    def __init__(self, choice: EngineChoice, systems: Sequence[System], say: Callable[[str], None]) -> None:
        self._choice = choice
        self._systems = list(systems)
        self._say = say
        self._stack = ExitStack()
        self._pool: Pool | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._pool = None
        self._stack.close()

    def asking(self, system: System) -> System:
        """Return a system that is asked by workers and is otherwise the same."""
        # What learns here is loaded here, too.
        return system if system.model.keyed or system.model.trainable else StandIn(system, self._ask)

    def execute(
        self,
        run: RunFolder,
        suite: SuiteLike,
        systems: Sequence[System],
        prepare: Callable[[System], None],
        *,
        shard_size: int,
        progress: Progress | None = None,
        caches: Caches | None = None,
    ) -> RunTally:
        """Ask every system about every case of a suite, as :func:`nliprobe.engine.local.execute` does."""
        spread = Spread(run, suite, systems, prepare, self.pool, self.piece, shard_size, progress, caches)
        return spread.run()

    def pool(self) -> Pool:
        """Return the workers; the first call hires them."""
        if self._pool is None:
            self._stack.enter_context(connected(self._choice.address))
            gpus = self._gpus
            divided = seats(nodes(), self._choice.workers, gpus)
            self._pool = Pool(divided, gpus, setting(loaded_plugins()), self._say)
            self._stack.callback(self._pool.close)
        return self._pool

    def piece(self, system: System) -> int:
        """Return how many inputs of a system are sent at a time."""
        return system.model.batch if self._gpus else min(PIECE, system.model.batch)

    @cached_property
    def _gpus(self) -> float:
        if self._choice.gpus is not None:
            return self._choice.gpus
        return 1.0 if any(uses_gpu(system) and is_away(system) for system in self._systems) else 0.0

    def _ask(self, system: System, inputs: Sequence[Input]) -> list[Prediction]:
        """Ask a few inputs, and wait for the answers."""
        pool = self.pool()
        pool.introduce(system, Failures())
        # In one batch, as they were given: the doctor looks at what batches change.
        pool.add(cut(system.name, 0, inputs, len(inputs)))
        answers: Answers = {}
        while pool.busy:
            for came in pool.collect(_SECONDS):
                if came.reply.refusal is not None:
                    raise came.reply.refusal.error()
                answers.update(came.reply.answers)
                add_counts(system, came.reply.counts)
        return [answers[item.id] for item in inputs]


def uses_gpu(system: System) -> bool:
    """Tell whether a system's model has a device, and this is a GPU where the run was started."""
    device = getattr(getattr(system.model, "params", None), "device", None)
    if not isinstance(device, str) or device == "cpu":
        return False
    from nliprobe.models.batches import is_gpu

    return device.startswith("cuda") or is_gpu(device)
