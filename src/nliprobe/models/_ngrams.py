"""The words of a text and its pairs of neighbouring words, and where a text can be cut without changing them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import pairwise

# Words keep their apostrophes and hyphens; every other sign is its own token. No token contains whitespace, and the
# pattern looks at nothing outside a token, so a text can be split at whitespace without changing its tokens.
TOKEN = re.compile(r"\w+(?:['’\-]\w+)*|[^\w\s]")


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
