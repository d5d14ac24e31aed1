"""Tells whether rows that move to another table decide there alone, as far as the words of both tables show."""

from __future__ import annotations

import re
from collections.abc import Sequence

from nliprobe.task.evidence import Evidence
from nliprobe.task.pair import Pair
from nliprobe.task.table import Row, Table
from nliprobe.task.table_diff import same_key

# Words of hypotheses that mostly compare two rows, of which a person needs to change one to flip the label.
_TWO_ROWS = re.compile(
    r"\b(?:before|after|since|until|while|when|during|between|than|as|same|both|different|age|aged|old|older|younger|"
    r"young|lived|life|lifetime|alive|dead|deceased|passed|died|posthum\w*|late|career|"
    r"teen\w*|child\w*|twenties|thirties|forties|fifties|sixties|seventies|eighties|nineties|century|decades?|years?|"
    r"each|every|total|average|combined|majority|most|half|"
    r"profit\w*|loss|lost|gain\w*|net|gross\w*|earn\w*|budget\w*|success\w*|flop\w*|disappoint\w*|money|cost\w*)\b",
    re.IGNORECASE,
)
# A statement with several parts: "multi-lingual, multi-ethnic", "an American singer".
_SEVERAL = re.compile(
    r",|;|\b(?:and|but|who|which|whose|with|that|where|starring)\b|\b(?:is|was|are|were) (?:an?|the) [\w-]+ \w",
    re.IGNORECASE,
)
_NAMED = re.compile(r"\b[A-Z][\w’'-]+")
_WORD = re.compile(r"[^\W_]{3,}")
# Keys under which tables say similar things.
_RELATED_TEXT = """
born birthplace residence hometown home origin nationality citizenship; alma education school college almamater;
years active career debut service period; spouse partner; occupation known field profession position;
released recorded release publication published introduced year; director producer; genre style; child parent relative
"""
_ENDS = frozenset({"died", "death", "disbanded", "defunct", "disestablished", "discontinued"})
_SPANS = frozenset({"born", "year", "active", "career", "service", "founded", "established"})
_RELATED = tuple(frozenset(group.split()) for group in _RELATED_TEXT.split(";"))
# Words of keys that say nothing about what a row is about.
_GENERIC_TEXT = "date name time place type number total year city country other known largest official location company"
_GENERIC = frozenset(_GENERIC_TEXT.split())
_COMMON_TEXT = """
the and was were has had have not for with from that this are his her its their than more less one two three who been
being over under least most only also into after before
"""
_COMMON = frozenset(_COMMON_TEXT.split())


def decide_alone(hypothesis: str, table: Table, moved: Sequence[str], other: Table) -> bool:
    """Tell whether no other row of the new table may speak about the same as the rows that were moved.

    Args:
        hypothesis: the hypothesis before the title was replaced.
        table: the table that the rows come from.
        moved: their keys.
        other: the new table before they replace its rows.
    """
    kept = [row for row in other.rows if same_key(row.key) not in set(map(same_key, moved))]
    said = _stems(hypothesis) - _stems(table.title)
    # "Religion" speaks about the same where "Religion (2011)" was moved.
    same = set().union(*(_words(key) for key in moved)) - _GENERIC
    if any(_words(row.key) & same or _meet(said, _stems(_row_words(row))) for row in kept):
        return False
    if _outlived(hypothesis, moved, [row.key for row in kept]):
        return False
    # "Is from" may be about the home town as well as the place of birth; "was born" is about the moved row.
    named = any(_meet(said, _stems(key)) for key in moved)
    return named or not any(_related(key, row.key) for key in moved for row in kept)


def is_complete(pair: Pair, table: Table, evidence: Evidence) -> bool:
    """Tell whether nothing suggests that more rows are needed than those a person changed.

    To flip a false statement all that contradicts it must be changed; to flip a true one, a single part of it is
    enough. So a true statement must have one part only, and what it names must be in the changed rows.
    """
    hypothesis = pair.hypothesis
    others = [row for place, row in enumerate(table.rows) if place not in evidence.units]
    words = _stems(hypothesis) - _stems(table.title)
    if any(_meet(words, _stems(_row_words(row))) for row in others):
        return False
    if len(evidence.units) == 1 and _TWO_ROWS.search(hypothesis):
        return False
    if str(pair.gold) == "C":
        return True
    cells = " ".join(value for place in evidence.units for value in table.rows[place].values)
    named = {word for word in _NAMED.findall(hypothesis[1:]) if word not in table.title and word not in cells}
    return not (_SEVERAL.search(hypothesis) or named)


def _row_words(row: Row) -> str:
    """Return a row as one text."""
    return " ".join([row.key, *row.values])


def _meet(some: frozenset[str], others: frozenset[str]) -> bool:
    """Tell whether two texts have a word in common, as far as its beginning shows: "rap" and "rapper"."""
    if some & others:
        return True
    return any(one.startswith(other) or other.startswith(one) for one in some for other in others)


def _outlived(hypothesis: str, moved: Sequence[str], kept: Sequence[str]) -> bool:
    """Tell whether the new table says when somebody died, and the moved rows when they lived or worked."""
    died, dates = (any(_words(key) & words for key in keys) for keys, words in ((kept, _ENDS), (moved, _SPANS)))
    return died and dates and not re.search(r"\bborn\b", hypothesis, re.IGNORECASE)


def _related(one: str, other: str) -> bool:
    return any(_words(one) & group and _words(other) & group for group in _RELATED)


def _words(text: str) -> set[str]:
    return {word.removesuffix("s") for word in _WORD.findall(text.lower())} - _COMMON


def _stems(text: str) -> frozenset[str]:
    return frozenset(word[:4] for word in _WORD.findall(text.lower()) if word not in _COMMON)
