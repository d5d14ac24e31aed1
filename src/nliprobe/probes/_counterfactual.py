"""What both counterfactual probes share: other tables of the category, and a hypothesis that names another title."""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar, NamedTuple

from nliprobe.base.errors import UsageError
from nliprobe.probes import Probe
from nliprobe.probes._exact import NAMED, exact_case, renamed_program
from nliprobe.probes._exact import refusal as no_label
from nliprobe.probes._rows import A_TEXT
from nliprobe.probes._titles import (
    NOT_NAMED,
    NotReplaced,
    Replaced,
    Title,
    is_person,
    names_title,
    replace_title_in,
    title_of,
    words_left,
)
from nliprobe.task.case import Case, Certainty, Skip
from nliprobe.task.edits import Edit, replace_in_hypothesis
from nliprobe.task.pair import Facet, Pair
from nliprobe.task.relations import SAME
from nliprobe.task.source import Pool
from nliprobe.task.table import Row, Table

MANY_COLUMNS = "a many-column table has no rows that can move by their keys"
NO_CATEGORY = "the table has no category"
IN_PART = "the hypothesis may name a part of the title only"
NO_OTHER = "no other table of the category can take the title's place"

_PRONOUN = re.compile(r"\b(?:he|him|his|himself|she|her|hers|herself)\b", re.IGNORECASE)
# Words by which the gender of a person shows.
_GENDERED = re.compile(
    r"\b(?:m[ae]n|wom[ae]n|boys?|girls?|wi(?:fe|ves)|husbands?|(?:grand|step|god)?(?:fathers?|mothers?|sons?|daughters?)|"
    r"brothers?|sisters?|uncles?|aunts?|nephews?|nieces?|actress(?:es)?|actors?|kings?|queens?|princess|prince|bachelors?|"
    r"bachelorettes?|widow(?:er)?s?|brides?|grooms?|fiancée?|males?|females?|gay|lesbian|mr|mrs|ms|sir|dame|lady|lord)\b",
    re.IGNORECASE,
)
# A hypothesis about the title itself, where another title says something else.
_ABOUT_TITLE = re.compile(
    r"\b(?:titled?|titular|self-titled|eponymous|names?|named|namesakes?|nick\w*|called|alias\w*|known as|goes by|"
    r"stage|pseudonym\w*|spell\w*|letters?|initials?|words?|alphabet\w*|pronounc\w*|translat\w*|acronym|abbreviat\w*)\b",
    re.IGNORECASE,
)
# A hypothesis about a place in a series, where the number in a title counts.
_SERIES = re.compile(
    r"\b(?:sequels?|prequels?|franchise|series|instal?lments?|editions?|first|second|third|fourth|fifth|\d+(?:st|nd|rd|th))\b",
    re.IGNORECASE,
)


class Destination(NamedTuple):
    """Another table of the category, with its title as people say it."""

    table: Table
    title: Title


@dataclass(frozen=True)
class CounterfactualProbe(Probe):
    """A probe that tells the same about another title of the category: the label stays what it is.

    ``n`` is the number of titles that are drawn per pair.
    """

    n: int = 1

    needs_pool: ClassVar[bool] = True

    def __post_init__(self) -> None:
        if self.n < 1:
            raise UsageError(f"'{self.name}?n' should be at least 1, not {self.n}.")

    def cases(self, pair: Pair, pool: Pool | None) -> Iterator[Case | Skip]:
        """Yield the pair with ``n`` other titles; fewer if the category has fewer."""
        assert pool is not None
        table = pair.premise
        if not isinstance(table, Table):
            yield self.skip(A_TEXT)
            return
        reason = MANY_COLUMNS if table.columns else self.refusal(pair, table)
        if not reason and pair.program is not None:
            reason = no_label(pair)
        others = () if reason else _others(pool, table.category, person=is_person(table))
        if not reason and not others:
            reason = NO_OTHER if table.category else NO_CATEGORY
        if reason:
            yield self.skip(reason)
            return
        made = 0
        reason = NO_OTHER
        try:
            for other in self._drawn(pair, table, others):
                yield self._told_of(pair, table, other)
                made += 1
                if made == self.n:
                    return
        except NotReplaced as refused:
            # Whether the old title can be replaced does not depend on the new one.
            reason = str(refused)
        if not made:
            yield self.skip(reason)

    @abstractmethod
    def refusal(self, pair: Pair, table: Table) -> str:
        """Return the reason why the probe does not apply to a pair, or an empty text."""

    @abstractmethod
    def table_edits(self, pair: Pair, table: Table, other: Destination) -> list[Edit]:
        """Return the edits that make the table one about another title."""

    @abstractmethod
    def sure(self, pair: Pair, table: Table, other: Destination) -> bool:
        """Tell whether the table says the same about the new title, without doubt."""

    def facets(self, pair: Pair, other: Destination) -> tuple[Facet, ...]:
        """Return what is known about a case."""
        return (Facet("destination", other.table.title),)

    def _drawn(self, pair: Pair, table: Table, others: Sequence[Destination]) -> Iterator[Destination]:
        """Draw other tables in a seeded order; those whose title occurs in the pair would make it ambiguous."""
        mine = title_of(table)
        texts = "\n".join([pair.hypothesis, table.title, *(value for row in table.rows for value in row.values)])
        for other in self.draws(pair).sample(others, len(others)):
            if not _alike(mine, other.title) and not names_title(texts, other.title):
                yield other

    def _told_of(self, pair: Pair, table: Table, other: Destination) -> Case | Skip:
        """Make the case in which the table and the hypothesis are about another title.

        Where the pair carries a program, the program is about the new title, too, and gives the label.
        """
        mine = title_of(table)
        replaced = replace_title_in(pair.hypothesis, mine, other.title)
        if not replaced.changes:
            raise NotReplaced(NOT_NAMED)
        in_hypothesis = [
            replace_in_hypothesis(pair.hypothesis, (change.start, change.stop), change.after)
            for change in reversed(replaced.changes)  # from the end, so that spans are those of the original text
        ]
        edits = (*self.table_edits(pair, table, other), *in_hypothesis)
        plain = self._plain(pair.hypothesis, table, replaced, other) and self.sure(pair, table, other)
        case = self.case(
            pair,
            edits,
            expects=SAME,
            gold=pair.gold,
            certainty=Certainty.CERTAIN if plain else Certainty.LIKELY,
            facets=self.facets(pair, other),
        )
        return case if pair.program is None else self._exact(case, mine, replaced, other)

    def _exact(self, case: Case, mine: Title, replaced: Replaced, other: Destination) -> Case | Skip:
        """Return the case with the label that the program gives if it is about the new title."""
        pair = case.source
        assert pair.program is not None
        if not replaced.whole or replaced.doubtful:
            return self.skip(IN_PART)
        told = renamed_program(
            pair.program,
            lambda value: renamed(value, mine, other.title),
            pair.hypothesis,
            replaced.changes,
            case.hypothesis,
        )
        return self.skip(NAMED) if told is None else exact_case(self, case, told)

    def _plain(self, hypothesis: str, table: Table, replaced: Replaced, other: Destination) -> bool:
        """Tell whether nothing in the hypothesis but the replaced words depends on the title."""
        mine = title_of(table)
        if not replaced.whole or replaced.doubtful or not other.title.usable:
            return False
        rest = hypothesis
        for change in reversed(replaced.changes):
            rest = rest[: change.start] + " " + rest[change.stop :]
        return not (
            words_left(rest, mine)
            or _ABOUT_TITLE.search(rest)
            or _PRONOUN.search(rest)
            or (is_person(table) and _GENDERED.search(rest))
            or ((mine.numbered or other.title.numbered) and _SERIES.search(rest))
        )


def moved_title(row: Row, old: Title, new: Title) -> Row:
    """Return a row in which the values name the new title where they named the old one."""
    return Row(row.key, tuple([renamed(value, old, new) for value in row.values]))


def renamed(value: str, old: Title, new: Title) -> str:
    """Return a value of a cell that names the new title where it named the old one."""
    pattern = "|".join(
        rf"(?<!\w){re.escape(form)}(?!\w)" for form in sorted({old.spoken, old.core}, key=lambda form: -len(form))
    )
    # Cells are no sentences: a capital there does not come from the beginning of one.
    return re.sub(pattern, lambda match: new.spoken if match.group() == old.spoken else new.core, value)


def _alike(mine: Title, other: Title) -> bool:
    """Tell whether one title is, or is part of, the other."""
    one, two = mine.core.casefold(), other.core.casefold()
    return one in two or two in one


@lru_cache(maxsize=256)  # a pool has a few dozen categories
def _others(pool: Pool, category: str, *, person: bool) -> tuple[Destination, ...]:
    """Return the tables of a category whose title can stand in a sentence; a person's place is taken by a person."""
    if not category:
        return ()
    known = (table for group, first in pool.tables.items() for table in (first, *pool.twins.get(group, ())))
    tables = (
        Destination(table, title_of(table))
        for table in known
        if table.category == category and not table.columns and is_person(table) == person
    )
    return tuple(item for item in tables if item.title.usable)
