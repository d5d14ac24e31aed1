"""Which engine asks the systems of a run: this process, or the workers of a Ray cluster."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from nliprobe.base.errors import UsageError, did_you_mean, option
from nliprobe.engine import local
from nliprobe.engine.ask import Caches
from nliprobe.engine.stages import SuiteLike
from nliprobe.engine.steps import Progress, RunTally
from nliprobe.models.system import System
from nliprobe.store.run import RunFolder

ENGINES = ("local", "ray")


@dataclass(frozen=True)
class EngineChoice:
    """What a user says about the engine.

    Attributes:
        name: ``local`` or ``ray``.
        address: of a Ray cluster; see :func:`nliprobe.engine.on_ray.connect.connected`.
        workers: how many processes ask; by default one per GPU, or one per 4 CPUs.
        gpus: GPUs per worker; by default one if the device of a model is a GPU.
    """

    name: str = "local"
    address: str = ""
    workers: int | None = None
    gpus: float | None = None

    def __post_init__(self) -> None:
        if self.name not in ENGINES:
            raise UsageError(f"There is no engine '{self.name}'. {did_you_mean(self.name, ENGINES)}")
        given = {"address": self.address, "workers": self.workers, "worker-gpus": self.gpus}
        if self.name == "local":
            for name, value in given.items():
                if value not in ("", None):
                    raise UsageError(f"{option(name)} is for clusters: use it with {option('engine', 'ray')}.")
        if self.workers is not None and self.workers < 1:
            raise UsageError(f"{option('workers')} should be a number from 1 up, not {self.workers}.")
        if self.gpus is not None and not 0 <= self.gpus < float("inf"):
            raise UsageError(f"{option('worker-gpus')} should be a number from 0 up, not {self.gpus}.")


LOCAL = EngineChoice()


class Engine(Protocol):
    """Asks systems about a suite, somewhere."""

    def asking(self, system: System) -> System:
        """Return a system that is asked where the engine asks, and is otherwise the same."""
        ...

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
        """Ask every system about every case of a suite; see :func:`nliprobe.engine.local.execute`."""
        ...


class LocalEngine:
    """Asks in this process."""

    execute = staticmethod(local.execute)

    def asking(self, system: System) -> System:
        """Return the system itself."""
        return system
