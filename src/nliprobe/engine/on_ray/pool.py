"""The workers of a run: gives them pieces of questions, collects answers, and replaces workers that are lost."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from time import monotonic
from typing import TYPE_CHECKING, NamedTuple

from nliprobe.base.errors import ModelError
from nliprobe.engine.ask import Failures
from nliprobe.engine.on_ray.connect import Seats, environment
from nliprobe.engine.on_ray.parcel import Piece, Reply, Setting, pack
from nliprobe.engine.on_ray.worker import Greeting, Worker
from nliprobe.models.system import System

if TYPE_CHECKING:
    from ray import ObjectRef, ObjectRefGenerator
    from ray.actor import ActorHandle

# Pieces that a worker has at a time: it answers one while the next is on its way.
AT_ONCE = 2
# The run stops when so many workers were lost with the same piece: then the cause is the piece.
TRIES = 4
# Seconds that workers have to release what their models hold.
FAREWELL = 3.0
# Seconds without any worker until the user is told.
_WAIT = 15.0


class Came(NamedTuple):
    """Answers to some inputs of a piece; the last of them have ``reply.last``."""

    piece: Piece
    reply: Reply


@dataclass(eq=False)
class _Hand:
    """A worker as the driver sees it; ``greeting`` is none once it has greeted."""

    actor: ActorHandle[Worker]
    greeting: ObjectRef | None
    place: str = ""
    knows: set[str] = field(default_factory=set)
    tasks: deque[tuple[Piece, ObjectRefGenerator]] = field(default_factory=deque)
    came: set[str] = field(default_factory=set)


class Pool:
    """Workers on a connected cluster. Only one thread may use it.

    Args:
        seats: how many workers, with how many CPUs each.
        gpus: GPUs of each worker.
        given: what they take over from this process.
        say: is told when a worker was lost.
    """

    def __init__(self, seats: Seats, gpus: float, given: Setting, say: Callable[[str], None]) -> None:
        self._seats = seats
        self._gpus = gpus
        self._given = given
        self._say = say
        self._parcels: dict[str, ObjectRef] = {}
        self._failures: dict[str, Failures] = {}
        self._queue: deque[Piece] = deque()
        self._lost_at_start = 0
        self._idle_since = monotonic()
        self._told = False
        self._hands = [self._hire() for _ in range(seats.workers)]

    @property
    def waiting(self) -> int:
        """How many pieces no worker has yet."""
        return len(self._queue)

    @property
    def hungry(self) -> bool:
        """Whether more pieces are needed to keep all workers busy."""
        return len(self._queue) < AT_ONCE * self._seats.workers

    @property
    def busy(self) -> bool:
        """Whether answers to some pieces are still to come."""
        return bool(self._queue) or any(hand.tasks for hand in self._hands)

    def knows(self, name: str) -> bool:
        """Tell whether a system was introduced."""
        return name in self._parcels

    def introduce(self, system: System, failures: Failures) -> None:
        """Let workers know a system that is prepared; ``failures`` counts those of the run from now on."""
        import ray

        if system.name not in self._parcels:
            self._parcels[system.name] = ray.put(pack(system))
        self._failures[system.name] = failures

    def add(self, pieces: list[Piece]) -> None:
        """Hand over pieces whose system was introduced."""
        self._queue.extend(pieces)
        self._serve()

    def drop(self) -> None:
        """Forget the pieces that no worker has yet."""
        self._queue.clear()

    def collect(self, seconds: float) -> list[Came]:
        """Return what has come; wait for it at most some seconds."""
        import ray

        refs = {self._awaited(hand): hand for hand in self._hands if hand.greeting is not None or hand.tasks}
        if not refs:
            return []
        ready, _ = ray.wait(list(refs), num_returns=1, timeout=seconds, fetch_local=False)
        if ready and len(refs) > 1:
            ready, _ = ray.wait(list(refs), num_returns=len(refs), timeout=0, fetch_local=False)
        came: list[Came] = []
        for ref in ready:
            self._receive(refs[ref], came)
        self._serve()
        self._watch()
        return came

    def notes(self, name: str) -> list[str]:
        """Return the notes of a system's models, each once."""
        import ray

        asked = [hand.actor.notes.remote(name) for hand in self._hands if name in hand.knows]
        gathered: dict[str, None] = {}
        for ref in asked:
            with suppress(ray.exceptions.RayError):
                gathered.update(dict.fromkeys(ray.get(ref, timeout=FAREWELL)))
        return list(gathered)

    def close(self) -> None:
        """Let workers release what they hold, and end them; those that are still answering are ended at once."""
        import ray

        idle = [hand.actor.close.remote() for hand in self._hands if hand.greeting is None and not hand.tasks]
        if idle:
            ray.wait(idle, num_returns=len(idle), timeout=FAREWELL)
        for hand in self._hands:
            with suppress(ray.exceptions.RayError):  # the cluster may be gone
                ray.kill(hand.actor)
        self._hands = []

    def _hire(self) -> _Hand:
        import ray

        remote = ray.remote(Worker).options(
            num_cpus=self._seats.cpus,
            num_gpus=self._gpus,
            max_restarts=0,
            scheduling_strategy="SPREAD",
            runtime_env={"env_vars": environment(self._seats.cpus)},
        )
        actor = remote.remote(self._given)
        return _Hand(actor, actor.meet.remote())

    @staticmethod
    def _awaited(hand: _Hand) -> ObjectRef | ObjectRefGenerator:
        return hand.greeting if hand.greeting is not None else hand.tasks[0][1]

    def _receive(self, hand: _Hand, came: list[Came]) -> None:
        """Take one greeting or one reply of a worker; if it is lost, replace it."""
        import ray

        try:
            if hand.greeting is not None:
                self._greeted(hand, ray.get(hand.greeting))
                return
            piece, replies = hand.tasks[0]
            reply: Reply = ray.get(next(replies))
        except ray.exceptions.RayTaskError as error:  # raised by its code, not by its end
            raise ModelError(f"A worker failed: {error.cause!r}.") from error
        except (ray.exceptions.RayError, StopIteration) as error:
            self._replace(hand, error)
            return
        hand.came.update(reply.answers)
        if reply.last:
            hand.tasks.popleft()
            hand.came = set()
            self._lost_at_start = 0
        came.append(Came(piece, reply))

    @staticmethod
    def _greeted(hand: _Hand, greeting: Greeting) -> None:
        if greeting.refusal is not None:
            raise greeting.refusal.error()
        hand.greeting = None
        hand.place = f"{greeting.host}, process {greeting.pid}"

    def _replace(self, hand: _Hand, error: Exception) -> None:
        """Hire another worker in the place of a lost one, and ask again what it did not answer."""
        import ray

        with suppress(Exception):  # it may be only out of reach
            ray.kill(hand.actor)
        place = hand.place or "a node"
        pieces = [piece for piece, _ in hand.tasks]
        if pieces:
            first = pieces[0]
            left = tuple(item for item in first.inputs if item.id not in hand.came)
            pieces[0] = first._replace(inputs=left, losses=first.losses + 1)
            self._say(
                f"a worker ({place}) was lost while {first.system} answered shard {first.shard + 1}; asking again"
            )
            if pieces[0].losses == TRIES:
                raise ModelError(self._poisoned(pieces[0], error))
        else:
            self._lost_at_start += hand.greeting is not None
            if self._lost_at_start == TRIES:
                raise ModelError(
                    f"{TRIES} workers were lost while they started, the last with: {_said(error)}. Look at Ray's logs "
                    "on the nodes of the cluster, in /tmp/ray/session_latest/logs."
                )
        self._queue.extendleft(reversed(pieces))
        self._hands[self._hands.index(hand)] = self._hire()

    @staticmethod
    def _poisoned(piece: Piece, error: Exception) -> str:
        first = f" (the first is {piece.inputs[0].id})" if piece.inputs else ""
        return (
            f"The model {piece.system} ended {TRIES} workers, each time with the same {len(piece.inputs)} inputs of "
            f"shard {piece.shard + 1}{first}: {_said(error)}. Memory may not suffice, or "
            "one of the inputs makes the process crash. What was finished before is kept: fix this and repeat the "
            "command to continue."
        )

    def _serve(self) -> None:
        """Give pieces to workers that have room, to each in turn."""
        for room in range(AT_ONCE):
            for hand in self._hands:
                if self._queue and hand.greeting is None and len(hand.tasks) == room:
                    self._give(hand, self._queue.popleft())

    def _give(self, hand: _Hand, piece: Piece) -> None:
        if piece.system not in hand.knows:
            hand.knows.add(piece.system)
            hand.actor.open.remote(piece.system, self._parcels[piece.system])
        known = self._failures[piece.system]
        # Pieces are answered side by side: only the driver knows which failure came after which.
        before = Failures(known.failed, 0, known.reason)
        replies = hand.actor.ask.options(num_returns="streaming").remote(piece, before)
        hand.tasks.append((piece, replies))

    def _watch(self) -> None:
        """Tell the user, once, that nothing goes on because no worker can be placed."""
        if any(hand.greeting is None for hand in self._hands):
            self._idle_since, self._told = monotonic(), False
        elif monotonic() - self._idle_since > _WAIT and not self._told:
            self._told = True
            needs = f"{self._seats.cpus} CPUs" + (f" and {self._gpus:g} GPUs" if self._gpus else "")
            self._say(f"waiting for a node of the cluster with {needs} free")


def _said(error: Exception) -> str:
    """Return the sentence that names the cause in what Ray says about a loss."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()] or [type(error).__name__]
    # An error in the first code that a process runs, such as a package that is missing, is the last line of its trace.
    first = lines[-1] if "creation task" in lines[0] else lines[0]
    reason = next((line for line in lines if line.startswith("The actor is dead")), first)
    return reason.split(". ")[0].rstrip(".")
