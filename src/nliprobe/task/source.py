"""The interfaces of everything that gives pairs, and the pool of its premises."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import ClassVar, Protocol

from nliprobe.base.hashing import digest
from nliprobe.task.labels import Partition
from nliprobe.task.pair import Pair, Premise, Span
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


@dataclass(frozen=True, slots=True)
class Split:
    """How many pairs and how many unlabelled pairs a split should hold; None where this is not known."""

    pairs: int | None = None
    unlabelled: int | None = 0


class Source(ABC):
    """A :class:`PairSource` that can also list its files and say how many pairs it should hold.

    ``executable`` says whether pairs may carry programs, so that cases depend on how programs are executed; a property
    where that depends on the source's parameters.
    """

    executable: ClassVar[bool] = False

    @property
    @abstractmethod
    def name(self) -> str:
        """The name in reports, as users write it: ``infotabs/dev``."""

    @property
    @abstractmethod
    def partition(self) -> Partition:
        """How finely the gold labels are told apart."""

    @property
    def expected(self) -> Split:
        """How many pairs it should hold; not known by default."""
        return Split(None, None)

    @property
    def report_by(self) -> tuple[str, ...]:
        """The facets by which reports break its accuracies down without being asked; none by default."""
        return ()

    @abstractmethod
    def files(self) -> list[Path]:
        """Return every file that the pairs are made from."""

    @abstractmethod
    def digest(self) -> str:
        """Return a hash of everything that the pairs are made from, without making them."""

    @abstractmethod
    def pairs(self) -> Iterator[Pair]:
        """Yield the pairs in the same order at every call, and parse only as many as are asked for."""


@dataclass(frozen=True, eq=False)  # compared by identity, so that what probes work out from a pool is kept with it
class Pool:
    """The premises of a whole split by group, for probes and controls that need other premises.

    Attributes:
        premises: one premise per group.
        sentences: where their sentences are, if the corpus says so.
        twins: further tables of a group which have other titles, such as a table about something invented.
        owners: the id of the pair that each of these premises was taken from, the first one of its group.
    """

    premises: Mapping[str, Premise]
    sentences: dict[str, tuple[Span, ...]] = field(default_factory=dict)
    twins: dict[str, tuple[Table, ...]] = field(default_factory=dict)
    owners: dict[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, source: PairSource) -> Pool:
        """Collect the premises of a split."""
        premises: dict[str, Premise] = {}
        sentences: dict[str, tuple[Span, ...]] = {}
        twins: dict[str, tuple[Table, ...]] = {}
        owners: dict[str, str] = {}
        for pair in source.pairs():
            group = pair.group or pair.id
            first = premises.setdefault(group, pair.premise)
            owners.setdefault(group, pair.id)
            if pair.sentences:
                sentences.setdefault(group, pair.sentences)
            if isinstance(first, Table) and isinstance(pair.premise, Table) and first is not pair.premise:
                known = twins.get(group, ())
                if all(pair.premise.title != table.title for table in (first, *known)):
                    twins[group] = (*known, pair.premise)
        return cls(premises, sentences, twins, owners)

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
            for part in (group, premise.to_json() if isinstance(premise, Table) else premise, *self._cuts(group))
        )
        return digest(*parts)

    def repeats(self, pair: Pair) -> bool:
        """Tell whether an earlier pair of the same group has the same premise."""
        group = pair.group or pair.id
        owner = self.owners.get(group, pair.id)
        return owner != pair.id and self.premises[group] == pair.premise

    def _cuts(self, group: str) -> list[str]:
        return [repr(self.sentences[group])] if group in self.sentences else []
