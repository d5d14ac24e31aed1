"""The steps of a run, whoever takes them: a question to a system about a shard, and what comes before and after it.

:mod:`nliprobe.engine.local` takes them one after the other in this process, :mod:`nliprobe.engine.on_ray` many at once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import NamedTuple, Protocol

from nliprobe.base.interrupts import Interrupts
from nliprobe.engine import stages
from nliprobe.engine.ask import JOURNAL_SECONDS, Answers, Asked, Failures, ask
from nliprobe.engine.stages import SuiteLike, Watch, shards
from nliprobe.models.system import System
from nliprobe.store.cache import AnswerCache
from nliprobe.store.journal import FOLDER, Journal
from nliprobe.store.run import RunFolder
from nliprobe.task.case import IDENTITY


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


class Desk(NamedTuple):
    """A system with what is needed to ask it.

    ``kind`` is that of its shards. Answers are kept in its cache, or in the folder ``journal`` until a shard is whole;
    those of a service, which may have been paid for, in both.
    """

    system: System
    kind: str
    cache: AnswerCache | None
    journal: Path | None
    failures: Failures


def desk_of(run: RunFolder, system: System, cache: AnswerCache | None) -> Desk:
    """Return a system with where its answers go."""
    # A model that looks its answers up loses nothing by looking again.
    journal = None if system.model.keyed else run.path / FOLDER / system.folder
    return Desk(system, f"predictions/{system.folder}", cache, journal, Failures())


class Done(NamedTuple):
    """A shard that is complete for all systems after the step that has it."""

    shard: int
    cases: int
    pairs: int
    skips: Counter[tuple[str, str, str]]


class Step(NamedTuple):
    """A question to a system, or none if it has answered all; the last step of a shard has ``done``."""

    desk: Desk
    question: stages.Question | None
    done: Done | None


def known_pairs(source: object) -> int | None:
    """Return how many pairs a corpus should hold, if that is known before they are read."""
    pairs = getattr(getattr(source, "expected", None), "pairs", None)
    return pairs if isinstance(pairs, int) else None


def expected_pairs(suite: SuiteLike) -> int | None:
    """Return how many pairs a suite has, if every corpus says how many it should hold."""
    sizes = [known_pairs(source) for source in suite.sources]
    return None if None in sizes else sum(size for size in sizes if size is not None)


def steps_of(
    run: RunFolder, suite: SuiteLike, desks: Sequence[Desk], size: int, interrupts: Interrupts, watch: Watch
) -> Iterator[Step]:
    """Yield all questions in order; everything before and between the questions happens here."""
    through = interrupts.through
    pools = any(desk.system.reader.needs_pool for desk in desks)
    for shard in shards(suite, size, pools=pools, watch=watch):
        through(partial(stages.write_cases, run, shard))
        pairs = sum(case.probe == IDENTITY for case in shard.cases)
        done = Done(shard.number, len(shard.cases), pairs, shard.skips)
        left = [(desk, through(partial(left_to_ask, run, desk, shard.number, len(shard.cases)))) for desk in desks]
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
            yield Step(desk, question, done if place == len(left) else None)


def left_to_ask(run: RunFolder, desk: Desk, shard: int, cases: int) -> Answers | None:
    """Return the answers that the folder already has for a shard, or none if nothing is left to ask."""
    if not run.has(desk.kind, shard, cases):
        return {}
    before = stages.answers_before(run, desk.kind, shard)
    if before is None:
        stages.sweep_journal(desk.journal, shard)  # the run was killed between writing the shard and this
    return before


def ask_desk(
    desk: Desk, question: stages.Question, interrupts: Interrupts, watcher: Progress, tally: RunTally
) -> Asked:
    """Ask a system what is missing, keep the answers as they come, and count them."""
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


def count_done(tally: RunTally, done: Done, watcher: Progress) -> None:
    """Count a shard that all systems have finished."""
    tally.cases += done.cases
    tally.pairs += done.pairs
    tally.shards += 1
    tally.skips.update(done.skips)
    watcher.shard_done(done.shard, done.cases, done.pairs)
