"""The documents about facets: rates on the cases with each value of a facet."""

from __future__ import annotations

from typing import Final, Literal, TypedDict

from nliprobe.analysis.integrity import Integrity
from nliprobe.analysis.rates import Ends

FACETS_SCHEMA: Final = "nliprobe/facets/1"
# A rate over fewer pairs than this is an anecdote: the interval of 4 of 4 still begins at 51 %.
FEW = 5


class FacetEntry(TypedDict):
    """A rate on the cases with one value of the facet.

    Attributes:
        n: the cases.
        pairs: the distinct pairs they come from.
        groups: the distinct groups (tables, captions) they come from.
        count: how often the answer was right, or what was expected is broken.
        rate: count divided by n; None if n is 0 or nothing is prohibited.
        unanswered: counted as wrong in an accuracy, and in no rate of broken expectations.
        ci95: with groups as the units of the sample; None if several cases share too few groups.
        ci95_clustered: the same where cases share groups; None if every group has one case.
        few: whether the pairs are too few to conclude anything; many edits of few pairs are still few.
        constants: what always the same label gets, by label; empty for broken expectations.
    """

    system: str
    corpus: str
    probe: str
    value: str
    n: int
    pairs: int
    groups: int
    count: int
    unanswered: int
    rate: float | None
    ci95: Ends
    ci95_clustered: Ends
    few: bool
    constants: dict[str, float]


class FacetCorpus(TypedDict):
    """How many pairs of a corpus have the facet."""

    corpus: str
    pairs: int
    without: int


class FacetsDocument(TypedDict):
    """What ``nliprobe show RUN --by FACET --format json`` writes."""

    schema: Literal["nliprobe/facets/1"]
    run: str
    integrity: Integrity
    facet: str
    many: bool
    values: list[str]
    corpora: list[FacetCorpus]
    accuracy: list[FacetEntry]
    prohibited: list[FacetEntry]
    notes: dict[str, list[str]]


class Breakdown(TypedDict):
    """The accuracies on a corpus by a facet that the corpus itself names as worth looking at, or the user asked for."""

    corpus: str
    facet: str
    asked: bool
    many: bool
    values: list[str]
    accuracy: list[FacetEntry]
