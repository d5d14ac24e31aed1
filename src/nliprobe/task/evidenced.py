"""Attach evidence to the pairs of a source: ``infotabs/alpha1?evidence=edit``.

A source of evidence knows, for some pairs, which rows or sentences matter. It is found by name in a registry of its
own, so that plugins can add further ones. The evidence of a source replaces what the corpus itself gives: one view
never holds evidence of two grades.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

from nliprobe.base.errors import DataError, NotFoundError, UsageError
from nliprobe.base.hashing import digest
from nliprobe.base.limited import exists
from nliprobe.base.registry import Registry, Spec
from nliprobe.task.evidence import Evidence, Grade
from nliprobe.task.pair import Pair
from nliprobe.task.source import PairSource
from nliprobe.task.sources import Attached, view_behind
from nliprobe.task.table import Table


class Dropped(NamedTuple):
    """Evidence that is known for a pair but cannot be used, and why."""

    reason: str


@dataclass(frozen=True, slots=True)
class Coverage:
    """How many pairs of a source have evidence.

    Attributes:
        pairs: all pairs.
        with_evidence: those with evidence, even if it says that no unit matters.
        units: how many units that evidence names in all.
        unmatched: entries of the evidence that belong to no pair.
        dropped: pairs whose evidence cannot be used, by reason.
    """

    pairs: int
    with_evidence: int
    units: int
    unmatched: int
    dropped: Mapping[str, int]

    def __str__(self) -> str:
        parts = [f"{self.with_evidence:,} of {self.pairs:,} pairs have evidence ({self.units:,} units)"]
        parts += [f"{number:,} dropped: {reason}" for reason, number in self.dropped.items()]
        parts += [f"{self.unmatched:,} entries belong to no pair"] if self.unmatched else []
        return "; ".join(parts)


class EvidenceSource(ABC):
    """Evidence for the pairs of a source, from elsewhere than the source itself."""

    @classmethod
    @abstractmethod
    def from_spec(cls, spec: Spec, whole: PairSource, roots: Sequence[Path]) -> EvidenceSource:
        """Open what a spec string asks for; ``whole`` has the pairs, ``roots`` are the folders above the corpora."""

    @property
    @abstractmethod
    def grade(self) -> Grade:
        """How we know; the same for all pairs."""

    @abstractmethod
    def look_up(self, pair: Pair) -> Evidence | Dropped | None:
        """Return the evidence of a pair, why it cannot be used, or None if none is known."""

    @abstractmethod
    def digest(self) -> str:
        """Return a hash of everything that the evidence is made from."""

    def files(self) -> list[Path]:
        """Return every file that the evidence is made from."""
        return []

    def entries(self) -> Collection[Hashable]:
        """Return the pairs that the evidence is about, in the form of :meth:`entry`; empty if it is computed."""
        return ()

    def entry(self, pair: Pair) -> Hashable:
        """Return what tells the entry that belongs to a pair."""
        return pair.id

    def coverage(self, pairs: Iterable[Pair]) -> Coverage:
        """Count the pairs that have evidence, and what could not be used."""
        total = with_evidence = units = 0
        dropped: Counter[str] = Counter()
        met: set[Hashable] = set()
        for pair in pairs:
            total += 1
            met.add(self.entry(pair))
            evidence = self.look_up(pair)
            if isinstance(evidence, Dropped):
                dropped[evidence.reason] += 1
            elif evidence is not None:
                with_evidence += 1
                units += len(evidence.units)
        unmatched = sum(entry not in met for entry in self.entries())
        return Coverage(total, with_evidence, units, unmatched, dict(dropped))


# The package is named, not imported: asking for one kind of evidence imports only that one.
EVIDENCE: Registry[EvidenceSource] = Registry("evidence", "nliprobe.corpora.evidence")


class Evidenced(Attached):
    """The pairs of a source with evidence from elsewhere; pairs for which none is known have none."""

    def __init__(self, whole: PairSource, text: str, evidence: EvidenceSource) -> None:
        super().__init__(whole, "evidence", text)
        self.evidence = evidence

    def files(self) -> list[Path]:
        """Return the files of the source and of the evidence."""
        return [*super().files(), *self.evidence.files()]

    def digest(self) -> str:
        """Return a hash of the source and of the evidence, but not of where its files are."""
        return digest(self.whole.digest(), "evidence", self.evidence.digest())

    def pairs(self) -> Iterator[Pair]:
        """Yield the pairs with their evidence; if none has any, that is an error."""
        any_evidence, reasons = False, Counter[str]()
        for pair in self.whole.pairs():
            evidence = self.evidence.look_up(pair)
            if isinstance(evidence, Dropped):
                reasons[evidence.reason] += 1
                evidence = None
            any_evidence |= evidence is not None
            yield replace(pair, evidence=evidence)
        if not any_evidence:
            why = "; ".join(f"{reason} ({number:,} pairs)" for reason, number in reasons.most_common())
            raise DataError(f"{self.name}: no pair has evidence{': ' if why else '.'}{why}{'.' if why else ''}")

    def coverage(self) -> Coverage:
        """Count the pairs that have evidence, and what could not be used."""
        return self.evidence.coverage(self.whole.pairs())


def attach_evidence(whole: PairSource, text: str, roots: Sequence[Path]) -> Evidenced:
    """Return a source with the evidence that a spec string names.

    Args:
        whole: the pairs.
        text: ``edit``, ``gold``, ``ranking-4``, ``lexical``, ``file:PATH`` or a name that a plugin registers.
        roots: the folders above the corpora.
    """
    spec = Spec.parse(text)
    try:
        kind = EVIDENCE.get(spec.name)
    except NotFoundError:
        if exists(Path(text)):
            raise UsageError(f"'{text}' is a file, not the name of evidence: write evidence=file:{text}.") from None
        raise
    return Evidenced(whole, text, kind.from_spec(spec, whole, roots))


def attached_evidence(source: PairSource) -> Evidenced | None:
    """Return the source with attached evidence behind a source's views, if there is one."""
    return view_behind(source, Evidenced)


def is_evidence(text: str) -> bool:
    """Tell whether a text names evidence that can be attached, rather than something else."""
    try:
        EVIDENCE.get(Spec.parse(text).name)
    except (NotFoundError, UsageError):
        return False
    return True


def unit_count(pair: Pair) -> int:
    """Return how many units a pair's premise has: rows, or sentences that its corpus gives; 0 for any other text."""
    return len(pair.premise.rows) if isinstance(pair.premise, Table) else len(pair.sentences)


def table_id(pair: Pair) -> str:
    """Return the id of a pair's table: its facet ``table``, else its group."""
    return next((facet.value for facet in pair.facets if facet.name == "table"), pair.group)
