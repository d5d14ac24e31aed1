"""Score texts by the weights of their words and word pairs, additively over segments.

The score of a text is the sum over its n-grams, so the score of a premise is the sum over its segments plus the
bigrams that cross their borders. Edited tables share nearly all of their rows: each row is read once.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import chain, pairwise
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

# Words keep their apostrophes and hyphens; every other sign is its own token. No token contains whitespace, and the
# pattern looks at nothing outside a token, so a text can be split at whitespace without changing its tokens.
TOKEN = re.compile(r"\w+(?:['’\-]\w+)*|[^\w\s]")
# About 40 MB of rows and hypotheses; the four test splits of InfoTabS have some 8,000 distinct rows.
CACHED_TEXTS = 1 << 16


def tokens(text: str) -> list[str]:
    """Return the lower-cased words and signs of a text.

    Words are split before they are lower-cased, because lower-casing can turn a letter into a letter and a sign (İ).
    """
    return [token.lower() for token in TOKEN.findall(text)]


def ngrams(words: Sequence[str]) -> list[str]:
    """Return the words and the pairs of neighbours, joined by a space, which no word contains."""
    return [*words, *(f"{left} {right}" for left, right in pairwise(words))]


def whole(segments: Iterable[str]) -> list[str]:
    """Return the same text in segments that are split only at whitespace and have at least one word each.

    >>> whole(["The ", "", "key", "s of", " ", "Oslo"])
    ['The ', 'keys of', ' Oslo']
    """
    merged: list[str] = []
    for segment in filter(None, segments):
        if merged and (merged[-1].isspace() or not (merged[-1][-1].isspace() or segment[0].isspace())):
            merged[-1] += segment
        else:
            merged.append(segment)
    if len(merged) > 1 and merged[-1].isspace():
        merged[-2:] = [merged[-2] + merged[-1]]
    return merged


class Scored(NamedTuple):
    """A text that has been scored: its scores, its first and last word, and whether it begins and ends with a space."""

    scores: tuple[float, ...]
    first: str
    last: str
    opens: bool
    closes: bool


@lru_cache(maxsize=CACHED_TEXTS)
def _tokens(stretch: str) -> tuple[str, ...]:
    """Return the tokens of a stretch without spaces; the same few thousand recur in all texts."""
    return tuple(tokens(stretch))


class AdditiveScorer:
    """Scores texts by the weights of their n-grams, one score per class, reading each distinct segment once."""

    def __init__(self, vocabulary: Mapping[str, int], weights: NDArray[np.float64]) -> None:
        self._vocabulary = vocabulary
        self._weights = weights
        self._zero = (0.0,) * weights.shape[1]
        self._read = lru_cache(maxsize=CACHED_TEXTS)(self._read_text)
        self._border = lru_cache(maxsize=CACHED_TEXTS)(self._read_border)
        # Looking a pair up takes half as long as writing its name.
        self._pair = lru_cache(maxsize=CACHED_TEXTS)(self._find_pair)

    def text(self, text: str) -> tuple[float, ...]:
        """Return the scores of one text."""
        return self._read(text).scores

    def segments(self, segments: Sequence[str]) -> tuple[float, ...]:
        """Return the scores of the text that segments join to."""
        parts = [self._read(segment) for segment in segments]
        rows = [part.scores for part in parts]
        for left, right in pairwise(parts):
            if not (left.last and right.first and (left.closes or right.opens)):
                return self.segments(whole(segments))
            border = self._border(left.last, right.first)
            if border is not None:
                rows.append(border)
        return tuple(map(sum, zip(*rows, strict=True))) if rows else self._zero

    def _read_text(self, text: str) -> Scored:
        words = list(chain.from_iterable(map(_tokens, text.split())))
        if not words:
            return Scored(self._zero, "", "", opens=False, closes=False)
        known = [*map(self._vocabulary.get, words), *map(self._pair, words, words[1:])]
        rows = [place for place in known if place is not None]
        scores = tuple(self._weights.take(rows, axis=0).sum(axis=0).tolist()) if rows else self._zero
        return Scored(scores, words[0], words[-1], text[0].isspace(), text[-1].isspace())

    def _read_border(self, left: str, right: str) -> tuple[float, ...] | None:
        index = self._find_pair(left, right)
        return None if index is None else tuple(self._weights[index].tolist())

    def _find_pair(self, left: str, right: str) -> int | None:
        return self._vocabulary.get(f"{left} {right}")
