"""Running a suite on systems in this process, shard by shard; a run can be resumed after any interruption.

The model answers in the calling thread, where Ctrl-C arrives. If it leaves Python free meanwhile, one other thread
generates, represents, looks up and writes; at most one question is prepared ahead, so memory stays bounded.
"""

from __future__ import annotations

import gc
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache, partial
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Generic, NamedTuple, Protocol, Self, TypeVar

from nliprobe.base.interrupts import Interrupts
from nliprobe.engine import stages
from nliprobe.engine.ask import JOURNAL_SECONDS, Answers, Asked, Caches, Failures, answered, ask
from nliprobe.engine.stages import Shard, SuiteLike, Watch, shards
from nliprobe.models.system import System
from nliprobe.store.cache import AnswerCache
from nliprobe.store.journal import FOLDER, Journal
from nliprobe.store.run import RunFolder
from nliprobe.task.case import IDENTITY

if TYPE_CHECKING:
    from concurrent.futures import Future

T = TypeVar("T")


class Progress(Protocol):
    """Is told how far a run is."""

    def begin(self, pairs: int | None) -> None:
        """Note that the run begins, with the number of pairs if it is known."""

    def start(self, system: str, shard: int, inputs: int, known: int) -> None:
        """Note that a system begins a shard, with the number of distinct inputs and how many are known already."""

    def advance(self, inputs: int) -> None:
        """Note that inputs were answered."""

    def shard_done(self, shard: int, cases: int, pairs: int) -> None:
        """Note that all systems have finished a shard, with its cases and the pairs that it asks as they are."""


class Silent:
    """Shows no progress."""

    def begin(self, pairs: int | None) -> None:
        """Do nothing."""

    def start(self, system: str, shard: int, inputs: int, known: int) -> None:
        """Do nothing."""

    def advance(self, inputs: int) -> None:
        """Do nothing."""

    def shard_done(self, shard: int, cases: int, pairs: int) -> None:
        """Do nothing."""


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


@dataclass
class RunTally:
    """Counts what a call of :func:`execute` did; ``failed`` counts the inputs of each system that failed.

    ``notes`` are those of models that answered in other processes, by the names of their systems.
    """

    cases: int = 0
    pairs: int = 0
    shards: int = 0
    asked: Counter[str] = field(default_factory=Counter)
    reused: Counter[str] = field(default_factory=Counter)
    failed: Counter[str] = field(default_factory=Counter)
    skips: Counter[tuple[str, str, str]] = field(default_factory=Counter)
    damaged: list[Path] = field(default_factory=list)
    notes: dict[str, list[str]] = field(default_factory=dict)
    interrupted: bool = False


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
    desks = [_desk(run, system, caches.of(system)) for system in systems]
    tally = RunTally()
    for desk in desks:
        tally.damaged.extend(desk.cache.damaged if desk.cache is not None else [])
    watcher = progress or Silent()
    watcher.begin(expected_pairs(suite))
    ready: set[str] = set()
    last: _Last | None = None
    worker: Beside | AtOnce = Beside() if overlap else AtOnce()
    with Interrupts("the current shard") as interrupts, worker as beside:
        steps = _steps(run, suite, desks, shard_size, interrupts, beside.watch)
        upcoming: Future[_Step | None] | Later[_Step | None] = beside.ahead(partial(_next, steps))
        writing: Future[None] | Later[None] = beside.hand_over(lambda: None)
        while (step := upcoming.result()) is not None:
            question = _settled(step, last)
            if question is not None and question.missing and step.desk.system.name not in ready:
                # Before the next step is prepared: the model may learn, and reads by the same representation.
                prepare(step.desk.system)
                ready.add(step.desk.system.name)
            upcoming = beside.ahead(partial(_next, steps))
            if question is not None:
                asked = _ask(step.desk, question, interrupts, watcher, tally)
                last = _Last(step.desk, answered(asked.answers)) if overlap else None
                writing.result()
                desk = step.desk
                write = partial(stages.write_answers, run, desk.kind, question, asked, desk.cache, desk.journal)
                writing = beside.hand_over(partial(interrupts.through, write))
            if step.done is not None:
                _count(tally, step.done, watcher)
            if step.done is not None and interrupts.wanted:
                tally.interrupted = True
                beside.stop()
                break
        writing.result()
    return tally


def expected_pairs(suite: SuiteLike) -> int | None:
    """Return how many pairs a suite has, if every corpus says how many it should hold."""
    sizes = [getattr(getattr(source, "expected", None), "pairs", None) for source in suite.sources]
    return None if None in sizes else sum(size for size in sizes if size is not None)


class _Desk(NamedTuple):
    """A system with what is needed to ask it.

    ``kind`` is that of its shards. Answers are kept in its cache, or in the folder ``journal`` until a shard is whole;
    those of a service, which may have been paid for, in both.
    """

    system: System
    kind: str
    cache: AnswerCache | None
    journal: Path | None
    failures: Failures


def _desk(run: RunFolder, system: System, cache: AnswerCache | None) -> _Desk:
    # A model that looks its answers up loses nothing by looking again.
    journal = None if system.model.keyed else run.path / FOLDER / system.folder
    return _Desk(system, f"predictions/{system.folder}", cache, journal, Failures())


class _Last(NamedTuple):
    """The answers to the last question, which may have come after the next one was looked up."""

    desk: _Desk
    answers: Answers


class _Done(NamedTuple):
    """A shard that is complete for all systems after the step that has it."""

    shard: int
    cases: int
    pairs: int
    skips: Counter[tuple[str, str, str]]


class _Step(NamedTuple):
    """A question to a system, or none if it has answered all; the last step of a shard has ``done``."""

    desk: _Desk
    question: stages.Question | None
    done: _Done | None


def _next(steps: Iterator[_Step]) -> _Step | None:
    """Return the next step, or none after the last."""
    with collector_paused():
        return next(steps, None)


def _steps(
    run: RunFolder, suite: SuiteLike, desks: Sequence[_Desk], size: int, interrupts: Interrupts, watch: Watch
) -> Iterator[_Step]:
    """Yield all questions in order; everything before and between the questions happens here."""
    through = interrupts.through
    pools = any(desk.system.reader.needs_pool for desk in desks)
    for shard in shards(suite, size, pools=pools, watch=watch):
        through(partial(stages.write_cases, run, shard))
        pairs = sum(case.probe == IDENTITY for case in shard.cases)
        done = _Done(shard.number, len(shard.cases), pairs, shard.skips)
        left = [(desk, through(partial(_left, run, desk, shard))) for desk in desks]
        # Nothing is prepared ahead during a step without a question, so only the last step may be without one.
        left = [item for item in left if item[1] is not None] or left[-1:]
        for place, (desk, before) in enumerate(left, 1):
            question = None
            if before is not None:
                question = stages.represent(desk.system, shard, watch)
                early = stages.answers_in_journal(desk.journal, shard.number)
                if early and desk.cache is not None:  # the run was killed before they were there
                    through(partial(desk.cache.add, early))
                question = through(partial(stages.look_up, desk.system, question, {**before, **early}, desk.cache))
                question = question._replace(reused=question.reused + len(early))
            yield _Step(desk, question, done if place == len(left) else None)


def _left(run: RunFolder, desk: _Desk, shard: Shard) -> Answers | None:
    """Return the answers that the folder already has for a shard, or none if nothing is left to ask."""
    if not run.has(desk.kind, shard.number, len(shard.cases)):
        return {}
    before = stages.answers_before(run, desk.kind, shard.number)
    if before is None:
        stages.sweep_journal(desk.journal, shard.number)  # the run was killed between writing the shard and this
    return before


def _settled(step: _Step, last: _Last | None) -> stages.Question | None:
    if step.question is None or last is None or last.desk is not step.desk or step.desk.cache is None:
        return step.question
    return stages.settle(step.question, last.answers)


def _ask(desk: _Desk, question: stages.Question, interrupts: Interrupts, watcher: Progress, tally: RunTally) -> Asked:
    name, cache, journal, known = desk.system.name, desk.cache, desk.journal, len(question.known)
    watcher.start(name, question.shard, known + len(question.missing), known)
    tally.reused[name] += question.reused
    if not question.missing:
        return Asked({}, {})

    def note(answers: Answers) -> None:
        assert journal is not None
        Journal(journal).add(question.shard, answers)

    def cached(answers: Answers) -> None:
        assert cache is not None
        interrupts.through(partial(cache.add, answers))

    # A service may be paid by the answer: not one of them is lost, not even by a kill.
    service = journal is not None and desk.system.model.asynchronous is not None
    keep = cached if cache is not None else note if journal is not None and not service else None
    every = JOURNAL_SECONDS if cache is None else None
    each = note if service else None
    asked = ask(desk.system, question.missing, keep, watcher.advance, desk.failures, every, each)
    tally.asked[name] += len(question.missing)
    tally.failed[name] = desk.failures.failed
    return asked


def _count(tally: RunTally, done: _Done, watcher: Progress) -> None:
    tally.cases += done.cases
    tally.pairs += done.pairs
    tally.shards += 1
    tally.skips.update(done.skips)
    watcher.shard_done(done.shard, done.cases, done.pairs)
