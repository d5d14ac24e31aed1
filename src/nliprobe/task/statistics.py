"""The shape of a corpus's statistics: made where corpora are read, shown by reports, and written as JSON unchanged.

Shares are fractions from 0 to 1; null means that there was nothing to compute from. The published form is
docs/reference/schemas/data-stats.schema.json.
"""

from __future__ import annotations

from typing import Final, Literal, TypedDict

STATS_SCHEMA: Final = "nliprobe/data-stats/1"
# The key of the numbers over all labels, next to those of each label.
ALL = "all"


class Spread(TypedDict):
    """A mean with its standard deviation (of a sample: divided by n - 1)."""

    mean: float
    sd: float | None


class HypothesisStats(TypedDict):
    """The hypotheses with one gold label: their lengths, and how many of their words the premise has.

    ``words`` counts the pieces between spaces. The overlaps are shares of the distinct words that are not stop
    words; ``overlap`` ignores case, ``overlap_cased`` does not.
    """

    n: int
    words: Spread
    overlap: Spread | None
    overlap_cased: Spread | None


class KeyStats(TypedDict):
    """The keys of the tables; ``folded`` are those that differ in more than case."""

    per_table: float
    unique: int
    folded: int


class VocabularyStats(TypedDict):
    """Distinct words, case ignored, stop words included; ``shared`` counts those in both."""

    hypotheses: int
    premises: int
    shared: int


class AuthorShare(TypedDict):
    """What one author wrote, and what all authors up to this one wrote together, as a share of the pairs."""

    author: str
    pairs: int
    share: float
    together: float


class CategoryShare(TypedDict):
    """How many tables are of one category."""

    category: str
    tables: int
    share: float


class FacetCounts(TypedDict):
    """How often each value of a facet occurs, by gold label, and how many values pairs have."""

    pairs: int
    values: dict[str, dict[str, int]]
    per_pair: dict[str, int]
    mean_per_pair: float


class Shared(TypedDict):
    """What a corpus has in common with the one it is compared with."""

    keys: int
    authors: int
    pairs_of_shared_authors: int
    premises: int
    contents: int


class CorpusStats(TypedDict):
    """The statistics of one split."""

    name: str
    pairs: int
    labels: dict[str, int]
    unlabelled: int
    premises: int
    tables: int
    premise_words: Spread | None
    rows_per_table: float | None
    keys: KeyStats | None
    hypotheses: dict[str, HypothesisStats]
    vocabulary: VocabularyStats
    authors: list[AuthorShare]
    categories: list[CategoryShare]
    facets: dict[str, FacetCounts]
    duplicates: int
    conflicts: int
    shared: Shared | None


class StatsDocument(TypedDict):
    """What ``nliprobe data stats --format json`` writes."""

    schema: Literal["nliprobe/data-stats/1"]
    against: str | None
    corpora: list[CorpusStats]
