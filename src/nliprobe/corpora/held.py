"""Pairs in memory: a list of pairs, or the rows of a frame, which are read by the rules of ``file:``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path

from nliprobe.base.errors import DataError
from nliprobe.base.halves import whole
from nliprobe.base.hashing import digest
from nliprobe.base.records.held import HeldRecords
from nliprobe.base.records.read import Record, RecordFile
from nliprobe.corpora._choice import Columns
from nliprobe.corpora._parts import PairIds, premise_text, whole_table
from nliprobe.corpora.file import FileCorpus, FileOptions
from nliprobe.task.labels import THREE_WAY, Partition
from nliprobe.task.pair import Facet, Pair
from nliprobe.task.rule_forms import rule_text
from nliprobe.task.table import Table


class HeldPairs:
    """A named source of pairs in memory; its digest covers their content."""

    def __init__(self, name: str, pairs: Sequence[Pair], partition: Partition = THREE_WAY) -> None:
        self.name = name
        self.partition = partition
        self._pairs = tuple(pairs)
        self._taken: Columns | None = None
        self._notices: list[str] = []

    @classmethod
    def of_pairs(cls, name: str, pairs: Sequence[Pair]) -> HeldPairs:
        """Hold pairs as they are; give a pair without an id one that is made from its content."""
        ids = PairIds(name)
        named: list[Pair] = []
        seen: set[str] = set()
        for number, pair in enumerate(map(_whole, pairs), 1):
            pair_with_id = pair if pair.id else replace(pair, id=ids.content(pair.premise, pair.hypothesis))
            if pair_with_id.id in seen:
                raise DataError(f"{name}, pair {number}: the id '{pair_with_id.id}' is already that of another pair.")
            seen.add(pair_with_id.id)
            named.append(pair_with_id)
        if not named:
            raise DataError(f"{name} holds no pairs.")
        return cls(name, named)

    @classmethod
    def of_rows(cls, rows: Sequence[Record], options: FileOptions) -> HeldPairs:
        """Read rows as :class:`FileCorpus` reads the records of a file, under the name ``options.name``."""
        reader = _Rows(rows, options)
        held = cls(options.name, tuple(reader.pairs()), reader.partition)
        held._taken, held._notices = reader.taken(), reader.notices()
        return held

    def __len__(self) -> int:
        return len(self._pairs)

    def __repr__(self) -> str:
        return f"<{len(self):,} pairs named '{self.name}'>"

    def digest(self) -> str:
        """Return a hash of the name and of every pair."""
        return self._digest

    def pairs(self) -> Iterator[Pair]:
        """Yield the pairs in the order in which they were given."""
        return iter(self._pairs)

    def taken(self) -> Columns | None:
        """Return what the columns of a frame were taken for; pairs that were given as such have none."""
        return self._taken

    def notices(self) -> list[str]:
        """Say what the columns left in doubt."""
        return self._notices

    @cached_property
    def _digest(self) -> str:
        parts = [part for pair in self._pairs for part in _content(pair)]
        return digest(self.name, str(self.partition), *parts)


class _Rows(FileCorpus):
    """Reads the rows of a frame like the records of a file; premises may be tables."""

    def __init__(self, rows: Sequence[Record], options: FileOptions) -> None:
        super().__init__(Path(options.name), options)
        self._rows = rows

    @cached_property
    def records(self) -> list[RecordFile]:
        """All rows, as one file."""
        return [HeldRecords.named(str(self.path), self._rows)]

    def _ask(self, what: str, name: str) -> str:
        return f'nliprobe.pairs(data, {what}="{name}")'


def _whole(pair: Pair) -> Pair:
    """Return a pair in which no text holds half a character; mostly, that is the pair itself."""
    fixed = replace(
        pair,
        id=whole(pair.id),
        premise=whole_table(pair.premise) if isinstance(pair.premise, Table) else whole(pair.premise),
        hypothesis=whole(pair.hypothesis),
        group=whole(pair.group),
        facets=tuple(Facet(whole(facet.name), whole(facet.value)) for facet in pair.facets),
        bases=tuple(map(whole, pair.bases)),
    )
    return pair if fixed == pair else fixed


def _content(pair: Pair) -> tuple[str, ...]:
    expects = None if pair.expects is None else rule_text(pair.expects)
    others = (pair.evidence, pair.program, pair.facets, pair.bases, expects, pair.sentences)
    gold = "" if pair.gold is None else str(pair.gold)
    return (pair.id, premise_text(pair.premise), pair.hypothesis, gold, pair.group, repr(others))
