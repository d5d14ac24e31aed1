"""Compute the statistics of a corpus: sizes, labels, lengths, overlap with the premise, authors, categories, facets.

Papers describe their data with these numbers (InfoTabS, Tables 1 and 8 to 12, Figures 2 and 6).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import fmean, stdev
from typing import Self

from nliprobe.corpora._words import content_words, premise_words, words
from nliprobe.corpora.census import Census, ReadPremise
from nliprobe.task.labels import LETTERS
from nliprobe.task.pair import Pair
from nliprobe.task.source import PairSource
from nliprobe.task.statistics import (
    ALL,
    STATS_SCHEMA,
    AuthorShare,
    CategoryShare,
    CorpusStats,
    FacetCounts,
    HypothesisStats,
    KeyStats,
    Shared,
    Spread,
    StatsDocument,
    VocabularyStats,
)
from nliprobe.task.table import Table

# Facets with statistics of their own.
_APART = frozenset({"author", "category", "table"})
# A facet with more values than this names single things rather than kinds of things, and is left out.
_MOST_VALUES = 60
# InfoTabS spells some categories in several ways; its Tables 11 and 12 count these as one.
_CATEGORIES: Mapping[str, Mapping[str, str]] = {
    "infotabs": {
        "Food": "Food & Drinks",
        "Food&Drink": "Food & Drinks",
        "Food&Drinks": "Food & Drinks",
        "Sport": "Sports",
        "Sports Event": "Sports",
        "Award": "Awards",
        "Games": "Game",
        "Universtiy": "University",
        "WineYard": "Wineyard",
    }
}


@dataclass
class _Label:
    """Lengths and overlaps of the hypotheses with one label."""

    lengths: list[int] = field(default_factory=list)
    overlaps: list[float] = field(default_factory=list)
    cased: list[float] = field(default_factory=list)

    def add(self, length: int, content: set[str], premise: _Premise) -> None:
        self.lengths.append(length)
        if not content:  # only stop words, so there is no share
            return
        self.cased.append(len(content & premise.cased) / len(content))
        folded = {word.casefold() for word in content}
        self.overlaps.append(len(folded & premise.folded) / len(folded))

    def stats(self) -> HypothesisStats:
        return HypothesisStats(
            n=len(self.lengths),
            words=_spread(self.lengths),
            overlap=_spread(self.overlaps) if self.overlaps else None,
            overlap_cased=_spread(self.cased) if self.cased else None,
        )


@dataclass(frozen=True)
class _Premise:
    read: ReadPremise
    cased: frozenset[str]
    folded: frozenset[str]


class Composition(Census):
    """The counts behind the statistics of a source, which can also be compared with another's."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.hypotheses: dict[str, _Label] = {}
        self.premises: dict[str, int] = {}
        self.authors: Counter[str] = Counter()
        self.hypothesis_words: set[str] = set()
        self.premise_words: set[str] = set()
        self.facets: dict[str, dict[str, Counter[str]]] = {}
        self.per_pair: dict[str, Counter[int]] = {}
        self._premise: _Premise | None = None

    @classmethod
    def of(cls, source: PairSource, also: Callable[[Pair], None] | None = None) -> Self:
        """Read a source from end to end; an error in it is raised, because half a source has no statistics."""
        composition = super().of(source, also)
        if composition.error is not None:
            raise composition.error
        return composition

    @property
    def keys(self) -> set[str]:
        """The distinct keys of the tables, with spaces normalised."""
        keys = {" ".join(row.key.split()) for table in self.tables.values() for row in table.rows}
        return keys - {""}

    def count(self, pair: Pair, label: str, premise: ReadPremise) -> None:
        """Count the words and the facets of a pair."""
        if self._premise is None or self._premise.read is not premise:
            self._premise = self._count_premise(premise)
        written = words(pair.hypothesis)
        self.hypothesis_words.update(word.casefold() for word in written)
        content = content_words(written)
        # Words between spaces are counted, as in Table 9 of InfoTabS.
        length = len(pair.hypothesis.split())
        for name in [label, ALL] if label else [ALL]:
            self.hypotheses.setdefault(name, _Label()).add(length, content, self._premise)
        numbers: Counter[str] = Counter()
        for facet in dict.fromkeys(pair.facets):
            if facet.name == "author":
                self.authors[facet.value] += 1
            if facet.name not in _APART:
                self.facets.setdefault(facet.name, {}).setdefault(facet.value, Counter())[label] += 1
                numbers[facet.name] += 1
        for name, n in numbers.items():
            self.per_pair.setdefault(name, Counter())[n] += 1

    def _count_premise(self, premise: ReadPremise) -> _Premise:
        written = premise_words(premise.premise)
        self.premises[premise.id] = len(written)
        folded = frozenset(word.casefold() for word in written)
        self.premise_words |= folded
        return _Premise(premise, frozenset(written), folded)


def statistics(census: Composition, against: Composition | None = None) -> CorpusStats:
    """Turn counts into the statistics of a corpus.

    Args:
        census: the counts of the corpus.
        against: the counts of another corpus, mostly the training split, to say what the two share.
    """
    labels = dict(sorted(census.labelled.items(), key=_label_order))
    tables = list(census.tables.values())
    keys = census.keys
    return CorpusStats(
        name=census.name,
        pairs=census.pairs,
        labels=labels,
        unlabelled=census.unlabelled,
        premises=len(census.premises),
        tables=len(tables),
        premise_words=_spread(list(census.premises.values())) if census.premises else None,
        rows_per_table=fmean(len(table.rows) for table in tables) if tables else None,
        keys=_keys(tables, keys) if keys else None,
        hypotheses={label: census.hypotheses[label].stats() for label in [*labels, ALL] if label in census.hypotheses},
        vocabulary=VocabularyStats(
            hypotheses=len(census.hypothesis_words),
            premises=len(census.premise_words),
            shared=len(census.hypothesis_words & census.premise_words),
        ),
        authors=_authors(census.authors),
        categories=_categories(census.name, tables),
        facets={
            name: _facet(values, census.per_pair[name])
            for name, values in census.facets.items()
            if len(values) <= _MOST_VALUES
        },
        duplicates=census.duplicates,
        conflicts=census.conflicts,
        shared=None if against is None else _shared(census, against),
    )


def stats_document(corpora: Sequence[PairSource], against: PairSource | None = None) -> StatsDocument:
    """Return the statistics of several corpora, each compared with the same other corpus if one is given."""
    other = None if against is None else Composition.of(against)
    return StatsDocument(
        schema=STATS_SCHEMA,
        against=None if other is None else other.name,
        corpora=[statistics(Composition.of(corpus), other) for corpus in corpora],
    )


def _keys(tables: Sequence[Table], keys: Iterable[str]) -> KeyStats:
    known = set(keys)
    per_table = fmean(len({row.key for row in table.rows} - {""}) for table in tables)
    return KeyStats(per_table=per_table, unique=len(known), folded=len({key.casefold() for key in known}))


def _authors(pairs: Counter[str]) -> list[AuthorShare]:
    total, so_far = pairs.total(), 0
    shares: list[AuthorShare] = []
    for author, n in sorted(pairs.items(), key=lambda item: (-item[1], item[0])):
        so_far += n
        shares.append(AuthorShare(author=author, pairs=n, share=n / total, together=so_far / total))
    return shares


def _categories(corpus: str, tables: Sequence[Table]) -> list[CategoryShare]:
    merged = _CATEGORIES.get(corpus.partition("/")[0], {})
    counts = Counter(merged.get(table.category, table.category) for table in tables if table.category)
    return [
        CategoryShare(category=name, tables=n, share=n / len(tables))
        for name, n in sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    ]


def _facet(values: Mapping[str, Counter[str]], per_pair: Counter[int]) -> FacetCounts:
    pairs = per_pair.total()
    if all(value.isdecimal() for value in values):
        ordered = sorted(values.items(), key=lambda item: int(item[0]))
    else:
        ordered = sorted(values.items(), key=lambda item: (-item[1].total(), item[0]))
    return FacetCounts(
        pairs=pairs,
        values={value: dict(sorted(counts.items(), key=_label_order)) for value, counts in ordered},
        per_pair={str(n): per_pair[n] for n in sorted(per_pair)},
        mean_per_pair=sum(n * count for n, count in per_pair.items()) / pairs,
    )


def _shared(census: Composition, against: Composition) -> Shared:
    return Shared(
        keys=len(census.keys & against.keys),
        authors=len(census.authors.keys() & against.authors.keys()),
        pairs_of_shared_authors=sum(n for author, n in census.authors.items() if author in against.authors),
        premises=len(census.premises.keys() & against.premises.keys()),
        contents=len(census.contents.keys() & against.contents.keys()),
    )


def _spread(values: Sequence[float]) -> Spread:
    return Spread(mean=fmean(values), sd=stdev(values) if len(values) > 1 else None)


def _label_order(item: tuple[str, int]) -> tuple[int, list[int]]:
    """Order labels as E, N, C, then label sets such as NC, then no label."""
    label = item[0]
    return (len(label) or len(LETTERS) + 1, [LETTERS.index(letter) for letter in label])
