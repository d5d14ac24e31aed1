"""``counterfactual.relocate``: move the relevant rows to another table of the category (evidence-probes §8).

The rows that decide about the hypothesis now stand in a table about something else, where they replace the rows with
the same keys, and the hypothesis names its title. The label stays, though the world may know better.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

from nliprobe.probes import PROBES
from nliprobe.probes._counterfactual import CounterfactualProbe, Destination, moved_title
from nliprobe.probes._titles import title_of
from nliprobe.task.about import About
from nliprobe.task.edits import Edit, delete_unit, insert_unit, replace_table, update_unit
from nliprobe.task.evidence import Evidence, Grade
from nliprobe.task.pair import Facet, Pair
from nliprobe.task.table import Row, Table
from nliprobe.task.table_diff import same_key
from nliprobe.task.units import Rows, row_text

NO_EVIDENCE = "nobody marked the evidence of the pair"
NO_ROW = "no row is relevant"
OUTSIDE = "knowledge from outside the table is needed"

# Words of hypotheses that mostly compare two rows, of which a person needs to change one to flip the label.
_TWO_ROWS = re.compile(
    r"\b(?:before|after|since|until|while|when|during|between|than|as|same|both|different|age|aged|old|older|younger|"
    r"young|lived|life|lifetime|alive|dead|deceased|passed|died|posthum\w*|late|career|teen\w*|child\w*|twenties|thirties|forties|fifties|"
    r"sixties|seventies|eighties|nineties|century|decades?|years?|each|every|total|average|combined|majority|most|half|"
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


@PROBES.register("counterfactual.relocate")
@dataclass(frozen=True)
class CounterfactualRelocate(CounterfactualProbe):
    """Move all relevant rows to another table of the category, and let the hypothesis name its title; ``n`` draws."""

    about: ClassVar[About] = About(
        "The relevant rows are moved to another table of the category, whose title the hypothesis names. "
        "The label stays.",
        "The answer follows what the model knows about the title, or the other rows, not the rows that decide.",
    )
    reads_evidence: ClassVar[bool] = True

    def refusal(self, pair: Pair, table: Table) -> str:
        """Refuse pairs whose evidence is not known, is empty, or is not all in the table."""
        if pair.evidence is None:
            return NO_EVIDENCE
        if pair.evidence.outside:
            return OUTSIDE
        return "" if any(place < len(table.rows) for place in pair.evidence.units) else NO_ROW

    def table_edits(self, pair: Pair, table: Table, other: Destination) -> list[Edit]:
        """Put the other table in the place of the pair's, and move the relevant rows into it.

        The first row with a key is replaced, further ones are deleted; a row whose key is not there is inserted at the
        place that it had, or at the end.
        """
        edits = [replace_table(table, other.table)]
        rows = Rows(other.table)
        moved: set[int] = set()
        for place, row in _relevant(pair, table):
            text = row_text(moved_title(row, title_of(table), other.title))
            places = [
                at
                for at, its in enumerate(rows.premise.rows)
                if same_key(its.key) == same_key(row.key) and at not in moved
            ]
            for extra in reversed(places[1:]):
                edits.append(delete_unit(rows, extra))
                rows = rows.delete(extra)
                moved = {at - (at > extra) for at in moved}
            if places:
                at = places[0]
                edits.append(update_unit(rows, at, text))
                rows = rows.update(at, text)
            else:
                at = min(place, len(rows))
                edits.append(insert_unit(rows, at, text))
                rows = rows.insert(at, text)
                moved = {its + (its >= at) for its in moved}
            moved.add(at)
        return edits

    def sure(self, pair: Pair, table: Table, other: Destination) -> bool:
        """Tell whether the moved rows, and no others, decide about the hypothesis.

        Marks of people are complete; the rows that people changed to flip a label may not be. For a neutral pair no
        row decides, so that one of the new table might.
        """
        evidence = pair.evidence
        if evidence is None or evidence.grade is Grade.SILVER or str(pair.gold) not in ("E", "C"):
            return False
        if evidence.grade is Grade.EDIT and not _complete(pair, table, evidence):
            return False
        moved = [row.key for _, row in _relevant(pair, table)]
        kept = [row for row in other.table.rows if same_key(row.key) not in set(map(same_key, moved))]
        said = _stems(pair.hypothesis) - _stems(table.title)
        # Another row of the new table may speak about the same: "Religion" where "Religion (2011)" was moved.
        same = set().union(*(_words(key) for key in moved)) - _GENERIC
        if any(_words(row.key) & same or _meet(said, _stems(_row_words(row))) for row in kept):
            return False
        if _outlived(pair.hypothesis, moved, [row.key for row in kept]):
            return False
        # "Is from" may be about the home town as well as the place of birth; "was born" is about the moved row.
        named = any(_meet(said, _stems(key)) for key in moved)
        return named or not any(_related(key, row.key) for key in moved for row in kept)

    def facets(self, pair: Pair, other: Destination) -> tuple[Facet, ...]:
        """State the table that the rows were moved to and how their relevance is known."""
        grade = () if pair.evidence is None else (Facet("grade", pair.evidence.grade),)
        return (*super().facets(pair, other), *grade)


def _relevant(pair: Pair, table: Table) -> Iterator[tuple[int, Row]]:
    for place in () if pair.evidence is None else pair.evidence.units:
        if place < len(table.rows):
            yield place, table.rows[place]


def _complete(pair: Pair, table: Table, evidence: Evidence) -> bool:
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


_COMMON_TEXT = """
the and was were has had have not for with from that this are his her its their than more less one two three who been
being over under least most only also into after before
"""
_COMMON = frozenset(_COMMON_TEXT.split())


def _stems(text: str) -> frozenset[str]:
    return frozenset(word[:4] for word in _WORD.findall(text.lower()) if word not in _COMMON)
