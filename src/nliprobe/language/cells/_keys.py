"""What the key of a row says about the type of its values."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from importlib.resources import files
from typing import NamedTuple

from nliprobe.language.cells.records import CellType

_MARKS = re.compile(r"\(s\)|[^\w&'()-]+")
_PARENTHESIS = re.compile(r"\s*\([^()]*\)")
# The careers of players have the years as keys and the clubs as values.
_SEASONS = re.compile(r"\s*\d{4}(?:\s?[-–—]\s?(?:\d{2,4})?)?\s*")
_NO_BRACKETS = str.maketrans("()", "  ")
_LONGEST = 80


class _Keys(NamedTuple):
    """The keys of the file: as they are spelt, in the singular, and patterns of others."""

    spelt: dict[str, CellType]
    plain: dict[str, CellType]
    patterns: list[tuple[CellType, re.Pattern[str]]]


@lru_cache(maxsize=4096)
def expected_type(key: str) -> CellType | None:
    """Return the type that the values of a key mostly have, by ``keys.tsv``; None if the key does not tell.

    >>> expected_type("Running time").value, expected_type("Directed by").value, expected_type("Zodiac")
    ('duration', 'person', None)
    """
    if _SEASONS.fullmatch(key):
        return CellType.ORGANISATION
    whole = _MARKS.sub(" ", key[:_LONGEST]).lower()
    # "Deaths" counts what "Death" dates, so that a key as it is spelt goes before its singular.
    spelt = _known_keys().spelt.get(" ".join(whole.split()))
    if spelt is not None:
        return spelt
    # What stands in parentheses counts if the rest says nothing: "Population (2016)", "Wali (Governor)".
    return _looked_up(_plain(_PARENTHESIS.sub("", whole))) or _looked_up(_plain(whole.translate(_NO_BRACKETS)))


def _looked_up(words: str) -> CellType | None:
    keys = _known_keys()
    if words in keys.plain:
        return keys.plain[words]
    return next((kind for kind, pattern in keys.patterns if pattern.fullmatch(words)), None)


@cache
def _known_keys() -> _Keys:
    """Read the file; in it a star stands for any words, and a key after a tilde for all keys that have it in them."""
    keys = _Keys({}, {}, [])
    lines = files(__package__).joinpath("keys.tsv").read_text(encoding="utf-8").splitlines()
    for line in lines[1:]:
        key, _, name = line.partition("\t")
        kind = CellType(name)
        if key.startswith("~"):
            keys.patterns.append((kind, re.compile(rf"(?:.+ )?{re.escape(_plain(key[1:]))}(?: .+)?")))
        elif "*" in key:
            keys.patterns.append((kind, re.compile(re.escape(_plain(key)).replace(r"\*", ".+"))))
        else:
            keys.spelt.setdefault(key, kind)
            keys.plain.setdefault(_plain(key), kind)
    return keys


def _plain(key: str) -> str:
    """Return a key in lower case with its words in the singular, so that one spelling is enough."""
    return " ".join([_singular(word) for word in key.lower().replace(".", " ").split()])


def _singular(word: str) -> str:
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word
