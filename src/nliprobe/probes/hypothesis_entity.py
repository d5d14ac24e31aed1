"""``hypothesis.entity``: replace a name in the hypothesis (evidence-probes §7; tables.md, T6).

A name that a row lists is replaced by one that other tables have under the same key, which makes a true statement
false; or by another one of the same row, which leaves it true. A wrong name is replaced by the right one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import ClassVar

from nliprobe.base.hashing import digest
from nliprobe.language.english import article, capital
from nliprobe.language.row_phrases import ValueKind, phrases_version
from nliprobe.language.values import values_version
from nliprobe.probes import PROBES
from nliprobe.probes._table_names import RowNames, TableNames, Name, Shape, table_names, is_name, words_of
from nliprobe.probes._hypothesis import Effect, HypothesisProbe, Perturbation
from nliprobe.probes._name_reading import VERSION, Named, Reading, read
from nliprobe.probes._row_draws import pick
from nliprobe.probes._sayable import with_article, wrong_values
from nliprobe.task.about import About
from nliprobe.task.case import Certainty
from nliprobe.task.pair import Pair
from nliprobe.task.source import Pool
from nliprobe.task.table import Table

NO_NAME = "the hypothesis has no name that can be replaced"
COLUMNS = "the table has many columns"

_ARTICLE = re.compile(r"(?:^|\s)(an? )$", re.IGNORECASE)
_IN = re.compile(r"\b(?:in|from|at|near)(?: the)? $", re.IGNORECASE)
_NOUN = re.compile(r" (?!(?:in|and|for|by|on|with|at|from|is|was|to|as|or|who|which|that)\b)[a-z]")


@PROBES.register("hypothesis.entity")
@dataclass(frozen=True)
class HypothesisEntity(HypothesisProbe):
    """Replace a name in the hypothesis by another one of its kind, from another table or from the same row."""

    kind: ClassVar[str] = "entity"
    about: ClassVar[About] = About(
        "A name in the hypothesis is replaced: by a name of another table, which makes a true statement false, by "
        "another one of its row, or by the right one.",
        "The answer does not depend on who or what the hypothesis speaks of.",
        "wrong",
    )
    needs_pool: ClassVar[bool] = True

    @property
    def reads(self) -> str:  # type: ignore[override]  # read-only like every attribute of a frozen dataclass
        """A hash of what says which rows list names of which kind."""
        return digest(phrases_version(), values_version(), str(VERSION))

    def perturbations(self, pair: Pair, label: str, pool: Pool | None) -> Iterator[Perturbation] | str:
        """Return the names that can be replaced, with what replaces them."""
        table = pair.premise
        if not isinstance(table, Table):
            return self._in_text(pair, label)
        if table.columns:
            return COLUMNS
        facts = table_names(table)
        reading = read(facts, pair.hypothesis)
        if reading is None or not reading.names:
            return NO_NAME
        assert pool is not None
        return self._in_table(pair, label, facts, reading, pool)

    def _in_table(
        self, pair: Pair, label: str, facts: TableNames, reading: Reading, pool: Pool
    ) -> Iterator[Perturbation]:
        random = self.draws(pair)
        text = pair.hypothesis
        for name in reading.names:
            if text.count(name.text) > 1:
                continue
            for at in name.facts if name.whole else ():
                fact = facts.rows[at]
                listed = next((item for item in fact.names if words_of(item.text) == words_of(name.text)), None)
                if listed is None:
                    continue
                sure = at in reading.said and reading.title is not None and not (reading.negated or reading.scoped)
                if _is_named(fact, name) and (new := wrong_values(pool).draw_name(facts, fact, listed, pair.group or pair.id, random)):
                    certain = label == "E" and sure and fact.phrase.closed and fact.sure
                    effect = Effect.FLIP if label == "E" else Effect.PRESERVE
                    yield _replaced(text, name, new, "foreign-name", effect, certain=certain)
                if label == "E" and (new := _other(fact, listed, reading, random)):
                    yield _same_row(facts, text, name, new, reading, sure=sure)
        if label == "C" and (restored := _restored(facts, text, reading, random)):
            yield restored

    def _in_text(self, pair: Pair, label: str) -> Iterator[Perturbation] | str:
        return NO_NAME


def _is_named(fact: RowNames, name: Named) -> bool:
    """Tell whether a name is one: a genre or an occupation is none, and what an unknown row lists may be."""
    kind = fact.phrase.kind
    return kind.named or kind is not ValueKind.TERM and is_name(name.text.replace(", ", " "))


def _replaced(text: str, name: Named, new: str, rule: str, effect: Effect, *, certain: bool) -> Perturbation:
    """Put another name into a hypothesis, with the article that goes with it."""
    start, stop = name.span
    new = with_article(new)
    if text[max(0, start - 4) : start].lower() == "the ":
        new = new.removeprefix("the ")
        # "the Kraft Foods brand" keeps its article; "by the Kraft Foods Company in Ohio" does not.
        if with_article(new) == new and not _NOUN.match(text, stop):
            start -= 4
    elif lead := _ARTICLE.search(text, max(0, start - 4), start):
        new, start = f"{article(new)} {new}", lead.start(1)
    if new.endswith(".") and text[stop : stop + 1] == ".":
        new = new[:-1]
    if start == 0:
        new = capital(new)
    return Perturbation((start, stop), new, rule, effect, Certainty.CERTAIN if certain else Certainty.LIKELY)


def _other(fact: RowNames, listed: Name, reading: Reading, random: Random) -> str:
    """Draw another value of the row that the hypothesis does not name."""
    named = {words_of(name.text) for name in reading.names}
    term = fact.phrase.kind is ValueKind.TERM
    others = [
        item.text
        for item in fact.names
        if item.shape is listed.shape is Shape.VALUE
        and words_of(item.text) not in named
        and (is_name(item.text) or (term and item.text.replace(" ", "").isalpha()))
    ]
    if not others or not (fact.phrase.kind.named or term):
        return ""
    new = pick(others, random)
    return new.lower() if term and listed.text[1:].islower() and reading.names[0].text.islower() else new


def _same_row(facts: TableNames, text: str, name: Named, new: str, reading: Reading, *, sure: bool) -> Perturbation:
    one = _replaced(text, name, new, "same-row", Effect.PRESERVE, certain=False)
    after = read(facts, text[: one.span[0]] + one.after + text[one.span[1] :])
    certain = reading.verdict == "E" and after is not None and after.verdict == "E"
    return one._replace(certainty=Certainty.CERTAIN) if certain else one


def _restored(facts: TableNames, text: str, reading: Reading, random: Random) -> Perturbation | None:
    """Put the right name in the place of the only wrong one, if the hypothesis speaks of one row."""
    rows = [facts.rows[at] for at in sorted(reading.said) if facts.rows[at].phrase.kind.named]
    if len(rows) != 1 or reading.negated or reading.scoped:
        return None
    row = rows[0]
    wrong = [name for name in reading.names if row.at not in name.facts]
    right = [item.text for item in row.names if is_name(item.text)]
    if len(wrong) != 1 or not right or not row.phrase.closed or len(reading.names) > 1:
        return None
    # "made in Ohio" speaks of a place, and not of who made it.
    if (_IN.search(text, 0, wrong[0].span[0]) is not None) != (row.phrase.kind is ValueKind.PLACE):
        return None
    one = _replaced(text, wrong[0], pick(right, random), "right-name", Effect.FLIP, certain=False)
    after = read(facts, text[: one.span[0]] + one.after + text[one.span[1] :])
    certain = reading.verdict == "C" and after is not None and after.verdict == "E"
    return one._replace(certainty=Certainty.CERTAIN) if certain else one
