"""Cutting a suite into shards of cases, and turning shards into the inputs that must be asked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple, Protocol, TypeVar

from nliprobe.models.system import System
from nliprobe.task.case import Case, Skip
from nliprobe.task.prediction import Input
from nliprobe.task.source import PairSource, Pool

T = TypeVar("T")
# Cases per shard (architecture, "Engine and store"): large enough for batches, small enough for memory.
SHARD_SIZE = 32_768


class Watch(Protocol):
    """Iterates over cases one by one, so that a run can be stopped before the end of a shard."""

    def __call__(self, items: Iterable[T], /) -> Iterator[T]:
        """Yield the items in order; may raise between two of them."""
        ...


class SuiteLike(Protocol):
    """What the engine needs of a suite."""

    @property
    def sources(self) -> Sequence[PairSource]:
        """The corpora, in order."""
        ...

    @property
    def needs_pool(self) -> bool:
        """Whether probes draw from a pool."""
        ...

    def items(self, source: PairSource, pool: Pool | None) -> Iterator[tuple[str, Case | Skip]]:
        """Yield the cases of one split, with its name."""
        ...


class Shard(NamedTuple):
    """Some cases of one suite, in order, with the corpus of each. ``skips`` counts pairs that gave no case."""

    number: int
    corpora: list[str]
    cases: list[Case]
    skips: Counter[tuple[str, str, str]]
    pools: dict[str, Pool]


def shards(suite: SuiteLike, size: int = SHARD_SIZE, *, pools: bool = False, watch: Watch = iter) -> Iterator[Shard]:
    """Yield the suite as shards; a shard may hold cases of several corpora, with their pools if asked for."""
    number = 0
    known: dict[str, Pool] = {}
    corpora: list[str] = []
    cases: list[Case] = []
    skips: Counter[tuple[str, str, str]] = Counter()
    for source in suite.sources:
        pool = Pool.of(source) if pools or suite.needs_pool else None
        if pool is not None:
            known[source.name] = pool
        for corpus, case in watch(suite.items(source, pool if suite.needs_pool else None)):
            if isinstance(case, Skip):
                skips[corpus, case.probe, case.reason] += 1
                continue
            corpora.append(corpus)
            cases.append(case)
            if len(cases) == size:
                yield Shard(number, corpora, cases, skips, dict(known))
                number, corpora, cases, skips = number + 1, [], [], Counter()
                known = {corpus: known[corpus]} if corpus in known else {}
    if cases or skips:
        yield Shard(number, corpora, cases, skips, dict(known))


def read_shard(system: System, shard: Shard, watch: Watch = iter) -> list[Input]:
    """Return the input that a system reads for each case of a shard."""
    reader = system.reader
    if not reader.needs_pool:
        return [reader.read(case) for case in watch(shard.cases)]
    inputs: list[Input] = []
    entered = ""
    for corpus, case in zip(shard.corpora, watch(shard.cases), strict=True):
        if corpus != entered:
            reader.enter(shard.pools[corpus])
            entered = corpus
        inputs.append(reader.read(case))
    return inputs


def distinct(inputs: Sequence[Input]) -> dict[str, Input]:
    """Return each input once, by its id, in order."""
    by_id: dict[str, Input] = {}
    for item in inputs:
        by_id.setdefault(item.id, item)
    return by_id


def by_length(inputs: Sequence[Input]) -> list[Input]:
    """Sort inputs, longest first: batches of similar length need little padding, and too large a batch fails early."""
    return sorted(inputs, key=lambda item: (-sum(map(len, item.segments)) - len(item.hypothesis), item.id))
