"""Attach facets from a file to the pairs of a source: ``snli/test?facets=hard.csv&where=guessable:no``.

A pair is named by its whole id (``snli/test/4705552913.jpg#2r1n``). A file in which no id begins with the name of the
corpus may name pairs by what follows it (``4705552913.jpg#2r1n``); one file never does both, and an id that two pairs
of the corpus share is refused.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path

from nliprobe.base.errors import DataError, UsageError
from nliprobe.base.hashing import digest
from nliprobe.base.limited import exists
from nliprobe.task.facet_file import FacetFile
from nliprobe.task.pair import Facet, Pair
from nliprobe.task.source import PairSource
from nliprobe.task.sources import Attached, origin, view_behind

FILE = "file:"
_SHOWN = 3


@dataclass(frozen=True, slots=True)
class FacetCoverage:
    """How many pairs of a source have facets from files.

    Attributes:
        pairs: all pairs.
        with_facets: those that a file names.
        unmatched: entries of the files that belong to no pair.
        first_unmatched: the first of these ids.
    """

    pairs: int
    with_facets: int
    unmatched: int
    first_unmatched: tuple[str, ...]

    def notices(self) -> list[str]:
        """Say what the files name that is not there."""
        if not self.unmatched:
            return []
        return [
            f"{self.unmatched:,} ids in the file of facets belong to no pair (the first: "
            f"{', '.join(self.first_unmatched)}); {self.with_facets:,} of {self.pairs:,} pairs have facets from it."
        ]


class _Keyed:
    """One file of facets, and how it names the pairs of a corpus."""

    def __init__(self, file: FacetFile, corpus: str) -> None:
        self.file = file
        prefix = f"{corpus}/"
        self._prefix = "" if any(name.startswith(prefix) for name in file.facets) else prefix

    def key(self, pair: Pair) -> str:
        """Return the id by which the file would name a pair."""
        return pair.id.removeprefix(self._prefix).strip()

    def facets(self, pair: Pair) -> tuple[Facet, ...]:
        """Return the facets of a pair; an id without the corpus's name that two pairs share is an error."""
        key = self.key(pair)
        known = self.file.facets.get(key)
        if known is None and self._prefix:
            stem = _stem(key)
            if stem != key and stem in self.file.facets:
                raise DataError(
                    f"{self.file.files[0]}: the id '{stem}' is that of two pairs, {self._prefix}{stem} and {pair.id}. "
                    "Write the whole ids of all pairs, with the name of the corpus, as nliprobe shows them."
                )
        return known or ()


class Faceted(Attached):
    """The pairs of a source with further facets from files; pairs that no file names are left as they are."""

    def __init__(self, whole: PairSource, text: str, files: Sequence[FacetFile]) -> None:
        super().__init__(whole, "facets", text)
        corpus = origin(whole).name.partition("?")[0]
        self._attached = [_Keyed(file, corpus) for file in files]
        self._names: frozenset[str] = frozenset()
        for file in files:
            twice = sorted(self._names & file.names)
            if twice:
                raise DataError(f"{self.name}: the facet '{twice[0]}' is in two of the files.")
            self._names |= file.names

    def files(self) -> list[Path]:
        """Return the files of the source and those of the facets."""
        return [*super().files(), *(path for each in self._attached for path in each.file.files)]

    def digest(self) -> str:
        """Return a hash of the source and of the files' content, but not of where they are."""
        return digest(self.whole.digest(), "facets", *(each.file.digest() for each in self._attached))

    def pairs(self) -> Iterator[Pair]:
        """Yield the pairs with their facets; if a file names none of them, that is an error."""
        met = [False] * len(self._attached)
        first: list[str] = []
        for pair in self.whole.pairs():
            if len(first) < _SHOWN:
                first.append(pair.id)
            clash = next((facet.name for facet in pair.facets if facet.name in self._names), None)
            if clash is not None:
                raise DataError(
                    f"{self.name}: {pair.id} has the facet '{clash}' already. Rename it in the file of facets."
                )
            facets = pair.facets
            for place, each in enumerate(self._attached):
                further = each.facets(pair)
                met[place] |= bool(further)
                facets += further
            yield replace(pair, facets=facets) if facets is not pair.facets else pair
        for each, matched in zip(self._attached, met, strict=True):
            if not matched and first:
                raise self._nothing_fits(each.file, first)

    def coverage(self) -> FacetCoverage:
        """Count the pairs of the whole source that the files name, and the ids that belong to no pair."""
        total = with_facets = 0
        met: list[set[str]] = [set() for _ in self._attached]
        for pair in self.whole.pairs():
            total += 1
            named = False
            for each, keys in zip(self._attached, met, strict=True):
                key = each.key(pair)
                if key in each.file.facets:
                    keys.add(key)
                    named = True
            with_facets += named
        lost = [
            name
            for each, keys in zip(self._attached, met, strict=True)
            for name in each.file.facets
            if name not in keys
        ]
        return FacetCoverage(total, with_facets, len(lost), tuple(lost[:_SHOWN]))

    def _nothing_fits(self, file: FacetFile, asked: Sequence[str]) -> DataError:
        there, pairs = (", ".join(f"'{name}'" for name in islice(names, _SHOWN)) for names in (file.facets, asked))
        return DataError(
            f"{self.name}: no id in {file.files[0]} is that of a pair. In the file: {there}. Pairs are called {pairs}. "
            "Name the column of ids with facets=file:PATH%3Fpair=COLUMN if it is another one."
        )


def attach_facets(whole: PairSource, text: str) -> Faceted:
    """Return a source with the facets in files.

    Args:
        whole: the pairs.
        text: ``PATH`` or ``file:PATH``, several of them joined by ``;``.
    """
    pieces = facet_pieces(text)
    if not pieces:
        raise UsageError(f"'{whole.name}?facets' does not name a file: write facets=file:PATH.")
    return Faceted(whole, text, [FacetFile.open(piece) for piece in pieces])


def facet_pieces(text: str) -> list[str]:
    """Split what ``facets=`` names at semicolons; a file whose own name has one is not split."""
    if exists(Path(text.removeprefix(FILE))):
        return [text]
    return [piece.strip() for piece in text.split(";") if piece.strip()]


def attached_facets(source: PairSource) -> Faceted | None:
    """Return the source with attached facets behind a source's views, if there is one."""
    return view_behind(source, Faceted)


def _stem(name: str) -> str:
    """Return an id without the mark of a duplicate: ``x`` for ``x#2``."""
    match = re.fullmatch(r"(.+)#[1-9]\d*", name, re.DOTALL)
    return match[1] if match else name
