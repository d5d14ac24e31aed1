"""The work of one run that is spread over workers: what the driver does, and when."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from time import monotonic
from typing import TYPE_CHECKING

from nliprobe.base.interrupts import Interrupts
from nliprobe.engine import stages
from nliprobe.engine.ask import KEEP_SECONDS, Answers, Caches, answered
from nliprobe.engine.local import Beside
from nliprobe.engine.on_ray.floor import Floor, Open, Taken, kept
from nliprobe.engine.on_ray.parcel import cut
from nliprobe.engine.on_ray.pool import Came, Pool
from nliprobe.engine.on_ray.stand_in import is_away
from nliprobe.engine.stages import SuiteLike
from nliprobe.engine.steps import (
    Desk,
    Done,
    Progress,
    RunTally,
    Silent,
    Step,
    ask_desk,
    count_done,
    desk_of,
    expected_pairs,
    steps_of,
)
from nliprobe.models.system import System
from nliprobe.store.journal import Journal
from nliprobe.store.run import RunFolder
from nliprobe.task.case import Input

if TYPE_CHECKING:
    from concurrent.futures import Future

# Seconds between two looks at whether the next question is ready or the user wants to stop.
_SECONDS = 0.1


class Spread:
    """One call of :meth:`nliprobe.engine.on_ray.engine.RayEngine.execute`."""

    def __init__(
        self,
        run: RunFolder,
        suite: SuiteLike,
        systems: Sequence[System],
        prepare: Callable[[System], None],
        pool: Callable[[], Pool],
        piece: Callable[[System], int],
        shard_size: int,
        progress: Progress | None,
        caches: Caches | None,
    ) -> None:
        self._run = run
        self._suite = suite
        self._prepare = prepare
        self._hire = pool
        self._pool: Pool | None = None
        self._piece = piece
        self._size = shard_size
        self._watcher: Progress = progress or Silent()
        caches = caches or Caches()
        self._desks = [desk_of(run, system, caches.of(system)) for system in systems]
        self._tally = RunTally()
        self._floor = Floor()
        self._shown: Open | None = None
        self._ready: set[str] = set()
        self._begun = 0
        # Shards whose last question was admitted, and how many questions of each shard are open.
        self._ending: dict[int, Done] = {}
        self._left: Counter[int] = Counter()
        self._kept_at = monotonic()
        self._writes: list[Future[None]] = []

    def run(self) -> RunTally:
        """Ask everything; return what was done."""
        for desk in self._desks:
            self._tally.damaged.extend(desk.cache.damaged if desk.cache is not None else [])
        self._watcher.begin(expected_pairs(self._suite))
        with Interrupts("the inputs that workers have now") as interrupts, Beside() as beside:
            self._interrupts, self._beside = interrupts, beside
            try:
                self._ask_all()
            finally:
                # Whatever ended the work, what was answered is not asked again.
                self._keep()
                self._finish_writes()
            self._gather_notes()
        return self._tally

    def _ask_all(self) -> None:
        interrupts, beside = self._interrupts, self._beside
        steps = steps_of(self._run, self._suite, self._desks, self._size, interrupts, beside.watch)
        upcoming: Future[Step | None] | None = self._ahead(steps)
        exhausted = False
        while upcoming is not None or self._busy:
            if interrupts.wanted and not self._tally.interrupted:
                self._tally.interrupted, upcoming = True, None
                beside.stop()
                if self._pool is not None:
                    self._pool.drop()
            if upcoming is not None and upcoming.done() and self._hungry:
                step = upcoming.result()
                upcoming, exhausted = None, step is None
                if step is not None:
                    upcoming = self._start(step, steps)
            elif self._pool is not None and self._busy:
                for came in self._pool.collect(_SECONDS):
                    self._take(came)
            elif upcoming is not None:
                _wait(upcoming)
            if monotonic() - self._kept_at > KEEP_SECONDS:
                self._keep()
        self._tally.interrupted &= not exhausted or len(self._floor) > 0

    @property
    def _busy(self) -> bool:
        return self._pool is not None and self._pool.busy

    @property
    def _hungry(self) -> bool:
        return self._pool is None or self._pool.hungry

    def _ahead(self, steps: Iterator[Step]) -> Future[Step | None]:
        self._begun += 1
        return self._beside.ahead(partial(_next, steps))

    def _start(self, step: Step, steps: Iterator[Step]) -> Future[Step | None]:
        """Ask the question of a step, if it has one, while the next step is made."""
        number, question, system = self._begun, step.question, step.desk.system
        if question is not None and question.missing and system.name not in self._ready:
            # Before the next step is made: the model may learn, and reads by the same representation.
            self._prepare(system)
            self._ready.add(system.name)
            if is_away(system):
                self._pool = self._hire()
                self._pool.introduce(system, step.desk.failures)
        upcoming = self._ahead(steps)
        if question is not None:
            self._left[question.shard] += 1
            self._admit(step.desk, question, number)
        if step.done is not None:
            self._ending[step.done.shard] = step.done
            self._end(step.done.shard)
        return upcoming

    def _admit(self, desk: Desk, question: stages.Question, number: int) -> None:
        entry = self._floor.admit(desk, question, number)
        if entry.complete:
            self._close(entry)
        elif is_away(desk.system):
            self._send(entry, entry.asked)
        else:
            asked = ask_desk(desk, question._replace(missing=entry.asked), self._interrupts, self._watcher, self._tally)
            entry.answers, entry.unkept = dict(asked.answers), dict(asked.unkept)
            self._shown = entry
            self._write(entry)
        self._show()

    def _send(self, entry: Open, inputs: Sequence[Input]) -> None:
        assert self._pool is not None  # the system was introduced
        system = entry.desk.system
        self._pool.add(cut(system.name, entry.question.shard, inputs, self._piece(system)))

    def _take(self, came: Came) -> None:
        """Take some answers of a worker."""
        (system, shard, *_), reply = came.piece, came.reply
        desk = next(desk for desk in self._desks if desk.system.name == system)
        entry = self._floor.of(system, shard)
        if desk.journal is not None and desk.cache is None:
            Journal(desk.journal).add(shard, answered(reply.answers))
        taken = Taken([], []) if entry is None else self._floor.take(entry, reply.answers)
        if entry is self._shown:
            self._watcher.advance(len(reply.answers))
        add_counts(desk.system, reply.counts)
        if reply.refusal is not None:
            raise reply.refusal.error()
        desk.failures.note(reply.answers.values(), system)
        self._tally.failed[system] = desk.failures.failed
        for other, inputs in taken.again:
            self._send(other, inputs)
        for other in taken.complete:
            self._close(other)
        self._show()

    def _close(self, entry: Open) -> None:
        """Count and write a question that is complete."""
        question, name = self._write(entry), entry.desk.system.name
        self._tally.asked[name] += len(entry.asked)
        self._tally.reused[name] += question.reused

    def _write(self, entry: Open) -> stages.Question:
        """Write a question that is complete, and return it as it is written."""
        desk, question = entry.desk, self._floor.close(entry, self._begun)
        write = partial(stages.write_answers, self._run, desk.kind, question, entry.result, desk.cache, desk.journal)
        self._finish_writes(wait=False)
        self._writes.append(self._beside.hand_over(partial(self._interrupts.through, write)))
        self._left[question.shard] -= 1
        self._end(question.shard)
        return question

    def _end(self, shard: int) -> None:
        """Count a shard, if it is complete for all systems."""
        if not self._left[shard] and shard in self._ending:
            del self._left[shard]
            count_done(self._tally, self._ending.pop(shard), self._watcher)

    def _show(self) -> None:
        """Show the progress of the oldest question; answers to others are counted when it is their turn."""
        front = self._floor.front
        if front is not None and front is not self._shown:
            self._watcher.start(front.desk.system.name, front.question.shard, front.inputs, front.known)
            self._shown = front

    def _keep(self) -> None:
        """Keep the answers of cached systems that have come to open questions."""
        self._kept_at = monotonic()
        by_desk: dict[str, tuple[Desk, Answers]] = {}
        for entry, answers in kept(entry for entry in self._floor if entry.desk.cache is not None):
            by_desk.setdefault(entry.desk.kind, (entry.desk, {}))[1].update(answers)
        for desk, answers in by_desk.values():
            assert desk.cache is not None
            self._writes.append(
                self._beside.hand_over(partial(self._interrupts.through, partial(desk.cache.add, answers)))
            )

    def _finish_writes(self, *, wait: bool = True) -> None:
        """Raise the error of a write that failed."""
        done = [write for write in self._writes if wait or write.done()]
        self._writes = [write for write in self._writes if write not in done]
        for write in done:
            write.result()

    def _gather_notes(self) -> None:
        for desk in self._desks:
            if self._pool is not None and self._pool.knows(desk.system.name):
                self._tally.notes[desk.system.name] = self._pool.notes(desk.system.name)


def add_counts(system: System, counts: Mapping[str, int]) -> None:
    """Let the model of the driver count what a worker's copy of it has counted, so that its notes say so."""
    for name, count in counts.items():
        setattr(system.model, name, getattr(system.model, name) + count)


def _next(steps: Iterator[Step]) -> Step | None:
    return next(steps, None)


def _wait(upcoming: Future[Step | None]) -> None:
    from concurrent.futures import wait

    wait([upcoming], _SECONDS)
