"""Running a suite on systems in this process, shard by shard; a run can be resumed after any interruption.

The model answers in the calling thread, where Ctrl-C arrives. If it leaves Python free meanwhile, one other thread
generates, represents, looks up and writes; at most one question is prepared ahead, so memory stays bounded.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache, partial
from types import TracebackType
from typing import TYPE_CHECKING, Generic, NamedTuple, Self, TypeVar

from nliprobe.base.interrupts import Interrupts
from nliprobe.engine import stages
from nliprobe.engine.ask import Answers, Caches, answered
from nliprobe.engine.stages import SuiteLike
from nliprobe.engine.steps import (
    Desk,
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
from nliprobe.store.run import RunFolder

if TYPE_CHECKING:
    from concurrent.futures import Future

T = TypeVar("T")


class Later(Generic[T]):
    """Work that is done when its result is asked for, once."""

    def __init__(self, work: Callable[[], T]) -> None:
        self.result = cache(work)


class AtOnce:
    """Does all work in the calling thread, where :class:`Beside` would use a second one."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Leave nothing running."""

    def hand_over(self, work: Callable[[], T]) -> Later[T]:
        """Do work now."""
        done = Later(work)
        done.result()
        return done

    def ahead(self, work: Callable[[], T]) -> Later[T]:
        """Do work when its result is needed."""
        return Later(work)

    def stop(self) -> None:
        """Do nothing: no work is left."""

    def watch(self, items: Iterable[T]) -> Iterator[T]:
        """Return an iterator over all items."""
        return iter(items)


class Stopped(Exception):
    """Raised inside work that is no longer wanted."""


class Beside:
    """Does work in a second thread, in the order in which it is handed over; errors come with their tracebacks.

    On leaving, work that uses :meth:`watch` is interrupted, all other work is finished, and the thread ends: nothing is
    left running, and no write is lost.
    """

    def __init__(self) -> None:
        self._stopped = False

    def __enter__(self) -> Self:
        from concurrent.futures import ThreadPoolExecutor

        self._pool = ThreadPoolExecutor(1, "nliprobe-beside")
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()
        self._pool.shutdown(wait=True)

    def hand_over(self, work: Callable[[], T]) -> Future[T]:
        """Hand over work, and return the future of its result."""
        return self._pool.submit(work)

    def ahead(self, work: Callable[[], T]) -> Future[T]:
        """Begin work whose result is needed later."""
        return self._pool.submit(work)

    def stop(self) -> None:
        """Interrupt work that uses :meth:`watch`."""
        self._stopped = True

    def watch(self, items: Iterable[T]) -> Iterator[T]:
        """Yield items until :meth:`stop` is called, then raise :class:`Stopped`."""
        for item in items:
            if self._stopped:
                raise Stopped
            yield item


def execute(
    run: RunFolder,
    suite: SuiteLike,
    systems: Sequence[System],
    prepare: Callable[[System], None],
    *,
    shard_size: int,
    progress: Progress | None = None,
    caches: Caches | None = None,
    overlap: bool | None = None,
) -> RunTally:
    """Ask every system about every case of a suite; shards in the folder are repeated only if inputs failed in them.

    Args:
        run: the run folder to fill.
        suite: what to ask.
        systems: whom to ask.
        prepare: called before the first question to a system (loads or fits its model).
        shard_size: cases per shard; must be that of the folder.
        progress: is told how far the run is.
        caches: what the systems have answered before, if it has been opened already.
        overlap: whether a thread prepares the next question and writes the last answers while a model answers; by
            default where a model leaves the interpreter free meanwhile.
    """
    if overlap is None:
        overlap = any(system.model.frees_interpreter for system in systems)
    caches = caches or Caches()
    desks = [desk_of(run, system, caches.of(system)) for system in systems]
    tally = RunTally()
    for desk in desks:
        tally.damaged.extend(desk.cache.damaged if desk.cache is not None else [])
    watcher = progress or Silent()
    watcher.begin(expected_pairs(suite))
    ready: set[str] = set()
    last: _Last | None = None
    worker: Beside | AtOnce = Beside() if overlap else AtOnce()
    with Interrupts("the current shard") as interrupts, worker as beside:
        steps = steps_of(run, suite, desks, shard_size, interrupts, beside.watch)
        upcoming: Future[Step | None] | Later[Step | None] = beside.ahead(partial(_next, steps))
        writing: Future[None] | Later[None] = beside.hand_over(lambda: None)
        while (step := upcoming.result()) is not None:
            question = _settled(step, last)
            if question is not None and question.missing and step.desk.system.name not in ready:
                # Before the next step is prepared: the model may learn, and reads by the same representation.
                prepare(step.desk.system)
                ready.add(step.desk.system.name)
            upcoming = beside.ahead(partial(_next, steps))
            if question is not None:
                asked = ask_desk(step.desk, question, interrupts, watcher, tally)
                last = _Last(step.desk, answered(asked.answers)) if overlap else None
                writing.result()
                desk = step.desk
                write = partial(stages.write_answers, run, desk.kind, question, asked, desk.cache, desk.journal)
                writing = beside.hand_over(partial(interrupts.through, write))
            if step.done is not None:
                count_done(tally, step.done, watcher)
            if step.done is not None and interrupts.wanted:
                tally.interrupted = True
                beside.stop()
                break
        writing.result()
    return tally


class _Last(NamedTuple):
    """The answers to the last question, which may have come after the next one was looked up."""

    desk: Desk
    answers: Answers


@contextmanager
def collector_paused() -> Iterator[None]:
    """Pause the collector of reference cycles while a block makes many objects that are in none.

    A shard has some hundred thousand of them, and each full collection looks at all: a third of the time in which cases
    are made. What was made in the block counts as old afterwards, so that the next collection of young objects is
    short; a full one still finds every cycle. Where the collector is off already, it stays so.
    """
    if not gc.isenabled():
        yield
        return
    gc.disable()
    try:
        yield
    finally:
        # Freezing and thawing moves all objects among the old ones without a look at any. Someone who has frozen
        # objects, such as a server before it forks, wants them to stay so.
        if not gc.get_freeze_count():
            gc.freeze()
            gc.unfreeze()
        gc.enable()


def _next(steps: Iterator[Step]) -> Step | None:
    """Return the next step, or none after the last."""
    with collector_paused():
        return next(steps, None)


def _settled(step: Step, last: _Last | None) -> stages.Question | None:
    if step.question is None or last is None or last.desk is not step.desk or step.desk.cache is None:
        return step.question
    return stages.settle(step.question, last.answers)
