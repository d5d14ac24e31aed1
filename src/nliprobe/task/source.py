"""What the rooms above see of a corpus: a named, digested source of pairs, and the pool of its premises."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

from nliprobe.base.hashing import digest
from nliprobe.task.pair import Pair, Premise
from nliprobe.task.partitions import Partition
from nliprobe.task.table import Table


class PairSource(Protocol):
    """One split of a corpus."""

    @property
    def name(self) -> str:
        """Corpus and split, as users write it: ``infotabs/dev``."""
        ...

    @property
    def partition(self) -> Partition:
        """How finely the gold labels are told apart."""
        ...

    def digest(self) -> str:
        """A hash of everything the pairs are made from, known without making them."""
        ...

    def pairs(self) -> Iterator[Pair]:
        """The pairs, in the order of the files, the same at every call."""
        ...


@dataclass(frozen=True)
class Pool:
    """The premises of a whole split by group: what probes and controls draw from that need other premises."""

    premises: dict[str, Premise]

    @classmethod
    def of(cls, source: PairSource) -> Pool:
        """Index a split."""
        premises: dict[str, Premise] = {}
        for pair in source.pairs():
            premises.setdefault(pair.group or pair.id, pair.premise)
        return cls(premises)

    @cached_property
    def tables(self) -> dict[str, Table]:
        """Only the tables."""
        return {group: premise for group, premise in self.premises.items() if isinstance(premise, Table)}

    @cached_property
    def digest(self) -> str:
        """A hash of what can be drawn."""
        parts = (
            part
            for group, premise in sorted(self.premises.items(), key=lambda item: item[0])
            for part in (group, premise.to_json() if isinstance(premise, Table) else premise)
        )
        return digest(*parts)
