"""Names that fit: long ones are shortened in the middle, and no two of them look alike afterwards."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable

# How much of a shortened name is taken from its beginning; the next share is tried where names would look alike.
_HEADS = (0.5, 0.3, 0.7, 0.15, 0.85)
_CUT = "…"


def middle_cut(name: str, longest: int, head: float = 0.5) -> str:
    """Shorten a name in the middle, where names of models differ least: their beginnings and ends say most.

    >>> middle_cut("roberta-large-snli_mnli_fever_anli-nli", 16)
    'roberta-…nli-nli'
    """
    if len(name) <= longest:
        return name
    kept = max(2, longest - len(_CUT))
    first = min(max(1, round(kept * head)), kept - 1)
    return f"{name[:first]}{_CUT}{name[len(name) - (kept - first) :]}"


def short_names(names: Iterable[str], longest: int) -> dict[str, str]:
    """Shorten names so that each has at most ``longest`` characters, if possible, and no two look alike.

    Where no cut tells two names apart, they are numbered. Characters that cannot be seen tell no names apart.

    Args:
        names: the names; of equal ones, the first counts.
        longest: how many characters a short name may have, at least 8.
    """
    different = list(dict.fromkeys(names))
    for head in _HEADS:
        short = {name: middle_cut(name, longest, head) for name in different}
        if len({_seen(text) for text in short.values()}) == len(short):
            return short
    return _numbered(different, longest)


def _numbered(names: Iterable[str], longest: int) -> dict[str, str]:
    """Shorten names, and number those that look like one before them."""
    taken: set[str] = set()
    short: dict[str, str] = {}
    for name in names:
        text, number = middle_cut(name, longest), 1
        while _seen(text) in taken:
            number += 1
            tag = f" ({number})"
            text = middle_cut(name, max(4, longest - len(tag))) + tag
        taken.add(_seen(text))
        short[name] = text
    return short


def _seen(text: str) -> str:
    """Return what a reader sees of a text: nothing of what has no width, and one blank for many."""
    plain = unicodedata.normalize("NFKC", text)
    return " ".join("".join(" " if sign.isspace() else sign for sign in plain if _visible(sign)).split())


def _visible(sign: str) -> bool:
    return sign.isspace() or not unicodedata.category(sign).startswith("C")
