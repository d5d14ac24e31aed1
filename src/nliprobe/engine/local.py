"""Running a suite on systems in this process: shard by shard, resumable at any moment."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Protocol

from nliprobe.base.files import cache_folder
from nliprobe.base.interrupts import Interrupts
from nliprobe.engine.ask import ask
from nliprobe.engine.plan import Shard, SuiteLike, by_length, distinct, read_shard, shards
from nliprobe.models.system import System
from nliprobe.store.cache import AnswerCache
from nliprobe.store.frames import case_frames, prediction_frame
from nliprobe.store.run import KINDS, RunFolder
from nliprobe.task.case import IDENTITY
from nliprobe.task.prediction import Input, Prediction


class Progress(Protocol):
    """What wants to know how a run goes on."""

    def begin(self, pairs: int | None) -> None:
        """The run begins: so many pairs will be asked, if that is known."""

    def start(self, system: str, shard: int, inputs: int, known: int) -> None:
        """A shard begins for a system: so many distinct inputs, so many of them known already."""

    def advance(self, inputs: int) -> None:
        """Inputs were answered."""

    def shard_done(self, shard: int, cases: int, pairs: int) -> None:
        """A shard is complete for all systems: so many cases, of so many pairs asked as they are."""


class Silent:
    """Progress for nobody."""

    def begin(self, pairs: int | None) -> None:
        """Nothing."""

    def start(self, system: str, shard: int, inputs: int, known: int) -> None:
        """Nothing."""

    def advance(self, inputs: int) -> None:
        """Nothing."""

    def shard_done(self, shard: int, cases: int, pairs: int) -> None:
        """Nothing."""


@dataclass
class RunTally:
    """What a call of :func:`execute` did."""

    cases: int = 0
    pairs: int = 0
    shards: int = 0
    asked: Counter[str] = field(default_factory=Counter)
    reused: Counter[str] = field(default_factory=Counter)
    skips: Counter[tuple[str, str, str]] = field(default_factory=Counter)
    damaged: list[Path] = field(default_factory=list)
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
) -> RunTally:
    """Ask every case of a suite of every system; shards already in the folder are not done again.

    Args:
        run: the run folder to fill.
        suite: what to ask.
        systems: whom to ask.
        prepare: called before the first question to a system (loads or fits its model).
        shard_size: cases a shard; must be that of the folder.
        progress: told how it goes.
        caches: what the systems have answered before, where somebody has opened it already.
    """
    told = progress or Silent()
    told.begin(expected_pairs(suite))
    tally = RunTally()
    ready: set[str] = set()
    caches = caches or Caches()
    for system in systems:
        cache = caches.of(system)
        tally.damaged.extend(cache.damaged if cache is not None else [])
    pools = any(system.reader.needs_pool for system in systems)
    with Interrupts() as interrupts:
        through = interrupts.through
        for shard in shards(suite, shard_size, pools=pools):
            through(partial(_write_cases, run, shard))
            for system in systems:
                kind = f"predictions/{system.folder}"
                if through(partial(run.has, kind, shard.number, len(shard.cases))):
                    continue
                inputs = read_shard(system, shard)
                unique = distinct(inputs)
                cache = caches.of(system)
                answers = through(partial(cache.get, list(unique))) if cache is not None else {}
                missing = [item for name, item in unique.items() if name not in answers]
                told.start(system.name, shard.number, len(unique), len(answers))
                tally.reused[system.name] += len(answers)
                if missing and system.name not in ready:
                    prepare(system)
                    ready.add(system.name)
                if missing:
                    ordered = missing if system.model.keyed else by_length(missing)
                    keep = None if cache is None else partial(_keep, cache, interrupts)
                    answers.update(ask(system, ordered, keep, told.advance))
                    tally.asked[system.name] += len(missing)
                through(partial(_write_predictions, run, kind, shard, inputs, answers))
            pairs = sum(case.probe == IDENTITY for case in shard.cases)
            tally.cases += len(shard.cases)
            tally.pairs += pairs
            tally.shards += 1
            tally.skips.update(shard.skips)
            told.shard_done(shard.number, len(shard.cases), pairs)
            if interrupts.wanted:
                tally.interrupted = True
                break
    return tally


def expected_pairs(suite: SuiteLike) -> int | None:
    """How many pairs a suite has, where every corpus says how many it should hold."""
    sizes = [getattr(getattr(source, "expected", None), "pairs", None) for source in suite.sources]
    return None if None in sizes else sum(size for size in sizes if size is not None)


def open_cache(system: System) -> AnswerCache | None:
    """The cache of a system's answers, or none for a model that does not say which version it is."""
    fingerprint = system.fingerprint()
    if fingerprint is None:
        return None
    cache = AnswerCache(cache_folder() / "answers" / fingerprint)
    cache.merge()
    return cache


class Caches:
    """The caches of several systems; each is opened when it is first needed, and once."""

    def __init__(self) -> None:
        self._open: dict[str, AnswerCache | None] = {}

    def of(self, system: System) -> AnswerCache | None:
        """The cache of a system's answers, or none where they must not be kept."""
        if system.name not in self._open:
            self._open[system.name] = open_cache(system)
        return self._open[system.name]


def _write_cases(run: RunFolder, shard: Shard) -> None:
    # Cases are written last: their file says that pairs and facets of the shard are there, too.
    if run.has("cases", shard.number, len(shard.cases)) and all(run.has(kind, shard.number) for kind in KINDS):
        return
    frames = case_frames(shard.corpora, shard.cases)
    for kind in KINDS:
        run.write(kind, shard.number, frames[kind])


def _write_predictions(
    run: RunFolder, kind: str, shard: Shard, inputs: Sequence[Input], answers: Mapping[str, Prediction]
) -> None:
    frame = prediction_frame(
        [case.id for case in shard.cases], [item.id for item in inputs], [answers[item.id] for item in inputs]
    )
    run.write(kind, shard.number, frame)


def _keep(cache: AnswerCache, interrupts: Interrupts, answers: dict[str, Prediction]) -> None:
    interrupts.through(partial(cache.add, answers))
