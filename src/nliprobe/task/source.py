"""The interface of everything that gives pairs, and the pool of its premises."""

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
    """A named source of pairs with a digest, such as one split of a corpus."""

    @property
    def name(self) -> str:
        """Corpus and split, as users write it: ``infotabs/dev``."""
        ...

    @property
    def partition(self) -> Partition:
        """How finely the gold labels are told apart."""
        ...

    def digest(self) -> str:
        """Return a hash of everything that the pairs are made from, without making them."""
        ...

    def pairs(self) -> Iterator[Pair]:
        """Yield the pairs in the order of the files, the same at every call."""
        ...


@dataclass(frozen=True)
class Pool:
    """The premises of a whole split by group, for probes and controls that need other premises."""

    premises: dict[str, Premise]

    @classmethod
    def of(cls, source: PairSource) -> Pool:
        """Collect the premises of a split."""
        premises: dict[str, Premise] = {}
        for pair in source.pairs():
            premises.setdefault(pair.group or pair.id, pair.premise)
        return cls(premises)

    @cached_property
    def tables(self) -> dict[str, Table]:
        """The premises that are tables."""
        return {group: premise for group, premise in self.premises.items() if isinstance(premise, Table)}

    @cached_property
    def digest(self) -> str:
        """A hash of all premises and their groups."""
        parts = (
            part
            for group, premise in sorted(self.premises.items(), key=lambda item: item[0])
            for part in (group, premise.to_json() if isinstance(premise, Table) else premise)
        )
        return digest(*parts)
