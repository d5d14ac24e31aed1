"""What the key of a row says about the type of its values."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from importlib.resources import files

from nliprobe.language.cells.records import CellType

_MARKS = re.compile(r"\(s\)|[^\w&'()-]+")
_PARENTHESIS = re.compile(r"\s*\([^()]*\)")
# The careers of players have the years as keys and the clubs as values.
_SEASONS = re.compile(r"\s*\d{4}(?:\s?[-–—]\s?(?:\d{2,4})?)?\s*")
_LONGEST = 80


@lru_cache(maxsize=4096)
def expected_type(key: str) -> CellType | None:
    """Return the type that the values of a key mostly have, by ``keys.tsv``; None if the key does not tell.

    >>> expected_type("Running time").value, expected_type("Directed by").value, expected_type("Zodiac")
    ('duration', 'person', None)
    """
    if _SEASONS.fullmatch(key):
        return CellType.ORGANISATION
    words = _plain(_PARENTHESIS.sub("", _MARKS.sub(" ", key[:_LONGEST])))
    exact, patterns = _known_keys()
    if words in exact:
        return exact[words]
    return next((kind for kind, pattern in patterns if pattern.fullmatch(words)), None)


@cache
def _known_keys() -> tuple[dict[str, CellType], list[tuple[CellType, re.Pattern[str]]]]:
    """Return the keys of the file that are whole, and those with a star for any words."""
    exact: dict[str, CellType] = {}
    patterns = []
    for line in files(__package__).joinpath("keys.tsv").read_text(encoding="utf-8").splitlines():
        name, _, keys = line.partition("\t")
        kind = CellType(name)
        for key in keys.split(","):
            if "*" in key:
                text = re.escape(_plain(key)).replace(r"\*", ".+")
                patterns.append((kind, re.compile(text)))
            else:
                exact.setdefault(_plain(key), kind)
    return exact, patterns


def _plain(key: str) -> str:
    """Return a key in lower case with its words in the singular, so that one spelling is enough."""
    return " ".join([_singular(word) for word in key.lower().replace(".", " ").split()])


def _singular(word: str) -> str:
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word
