"""Pairs: a premise, a hypothesis, and what is known about them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, NamedTuple, TypeAlias

from nliprobe.task.evidence import Evidence
from nliprobe.task.labels import LabelSet
from nliprobe.task.rules import Rule
from nliprobe.task.table import Table

Premise: TypeAlias = str | Table
# Where a part of a text starts and stops.
Span: TypeAlias = tuple[int, int]


class Facet(NamedTuple):
    """One fact about a pair or a case (author, genre, capability…); a name may have many values."""

    name: str
    value: str


# A neutral pair whose hypothesis says what the premise says, and more: swapped, it most likely is an entailment.
DOUBTFUL_SWAP: Final = Facet("swap", "doubtful")


@dataclass(frozen=True, slots=True)
class Pair:
    """A premise and a hypothesis with a gold label set, if known.

    Attributes:
        id: corpus/split/official id, or a content hash where a corpus has no ids.
        premise: a text or a table.
        hypothesis: the statement to be judged.
        gold: the labels that are right, or none.
        group: what pairs share that makes them depend on one another (their table, their caption).
        evidence: the rows or sentences needed for the judgement, or None if they are not known.
        program: the program of an executable hypothesis, or none.
        facets: everything else that is known.
        bases: ids of the pairs this one was made from, where its corpus says so.
        expects: what must hold of the answer, compared with the answers to the bases, or none.
        sentences: where the sentences of a text premise are, if its corpus says so; else it is cut by rules.
    """

    id: str
    premise: Premise
    hypothesis: str
    gold: LabelSet | None = None
    group: str = ""
    evidence: Evidence | None = None
    program: str | None = None
    facets: tuple[Facet, ...] = ()
    bases: tuple[str, ...] = ()
    expects: Rule | None = None
    sentences: tuple[Span, ...] = ()
