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
from nliprobe.language.parser import Parser, parsed, parser_version
from nliprobe.language.row_phrases import ValueKind, phrases_version
from nliprobe.language.values import values_version
from nliprobe.probes import PROBES
from nliprobe.probes._hypothesis import Effect, HypothesisProbe, Perturbation
from nliprobe.probes._name_reading import VERSION, Named, Reading, read, speaks_of
from nliprobe.probes._premise_words import renamed
from nliprobe.probes._row_draws import pick
from nliprobe.probes._sayable import term_text, with_article, wrong_values
from nliprobe.probes._table_names import Name, RowNames, Shape, TableNames, is_name, table_names, words_of
from nliprobe.task.about import About
from nliprobe.task.case import Certainty
from nliprobe.task.pair import Pair
from nliprobe.task.source import Pool
from nliprobe.task.table import Table

# Rows whose values are each said of the title: "is a singer" and "is an actor" may both be true.
_EACH = frozenset(["occupation", "genres", "instruments", "fields"])

NO_NAME = "the hypothesis has no name that can be replaced"
COLUMNS = "the table has many columns"

_ARTICLE = re.compile(r"(?:^|\s)(an? )$", re.IGNORECASE)
_NOUN = re.compile(r" (?:and|or|label|labels|brand|company|band|group|studio|studios|party|family|records?|team)\b")


@PROBES.register("hypothesis.entity")
@dataclass(frozen=True)
class HypothesisEntity(HypothesisProbe):
    """Replace a name in the hypothesis by another one of its kind, from another table or from the same row.

    ``parser`` finds names in hypotheses about texts: ``rules`` know first names, cities and countries; ``spacy`` knows
    others, too.
    """

    parser: Parser = Parser.RULES

    kind: ClassVar[str] = "entity"
    about: ClassVar[About] = About(
        "A name in the hypothesis is replaced: by a name of another table, which makes a true statement false, by "
        "another one of its row, or by the right one.",
        "The answer does not depend on who or what the hypothesis speaks of.",
    )
    needs_pool: ClassVar[bool] = True

    @property
    def reads(self) -> str:  # type: ignore[override]  # read-only like every attribute of a frozen dataclass
        """A hash of what says which rows list names of which kind."""
        return digest(phrases_version(), values_version(), str(VERSION), parser_version(self.parser))

    def perturbations(self, pair: Pair, label: str, pool: Pool | None) -> Iterator[Perturbation] | str:
        """Return the names that can be replaced, with what replaces them."""
        table = pair.premise
        if not isinstance(table, Table):
            clause = parsed(pair.hypothesis) if self.parser is Parser.SPACY else None
            entities = () if clause is None else clause.entities
            return renamed(table, pair.hypothesis, label, self.draws(pair), entities)
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
        text = pair.hypothesis
        listed_names = [name for name in reading.names if name.facts and name.whole and text.count(name.text) == 1]
        if not listed_names and label == "E":
            return
        random = self.draws(pair)
        for name in listed_names:
            for at in name.facts:
                row = facts.rows[at]
                listed = next((item for item in row.names if words_of(item.text) == words_of(name.text)), None)
                if listed is None:
                    continue
                sure = at in reading.said and reading.title is not None and not (reading.negated or reading.scoped)
                if _is_named(row, name):
                    new = wrong_values(pool).draw_name(facts, row, listed, pair.group or pair.id, random)
                    certain = label == "E" and sure and row.phrase.closed and row.sure
                    effect = Effect.FLIP if label == "E" else Effect.PRESERVE
                    if new:
                        yield _replaced(text, name, new, "foreign-name", effect, certain=certain)
                if label == "E" and (new := _other(facts, row, listed, reading, name, random)):
                    certain = _one_of_many(row, reading, sure=sure)
                    yield _replaced(text, name, new, "same-row", Effect.PRESERVE, certain=certain)
        if label == "C" and (restored := _restored(facts, text, reading, random)):
            yield restored


def _is_named(row: RowNames, name: Named) -> bool:
    """Tell whether a name is one: a genre, an occupation or a number is none, and what an unknown row lists may be."""
    kind = row.phrase.kind
    if kind.named:
        return any(character.isalpha() for character in name.text)
    return kind is not ValueKind.TERM and is_name(name.text.replace(", ", " "))


def _replaced(text: str, name: Named, new: str, rule: str, effect: Effect, *, certain: bool) -> Perturbation:
    """Put another name into a hypothesis, with the article that goes with it."""
    start, stop = name.span
    new = with_article(new)
    if text[max(0, start - 4) : start].lower() == "the ":
        new = new.removeprefix("the ").removeprefix("The ")
        # "the Kraft Foods brand" keeps its article; "by the Kraft Foods Company in Ohio" does not.
        if new[0].isupper() and with_article(new) == new and not _NOUN.match(text, stop):
            start -= 4
    elif lead := _ARTICLE.search(text, max(0, start - 4), start):
        new, start = f"{article(new)} {new}", lead.start(1)
    if new.endswith(".") and text[stop : stop + 1] == ".":
        new = new[:-1]
    if text.isupper():
        new = new.upper()
    elif start == 0:
        new = capital(new)
    return Perturbation((start, stop), new, rule, effect, Certainty.CERTAIN if certain else Certainty.LIKELY)


def _other(facts: TableNames, row: RowNames, listed: Name, reading: Reading, name: Named, random: Random) -> str:
    """Draw another value of the row that the hypothesis does not name and that all rows list which it speaks of."""
    kind = row.phrase.kind
    if listed.shape is not Shape.VALUE or len(row.texts) < 2 or not (kind.named or kind is ValueKind.TERM):
        return ""
    named = {words_of(item.text) for item in reading.names}
    said = [facts.rows[at] for at in name.facts if at in reading.said]
    others = [
        item.text
        for item in row.names
        if words_of(item.text) not in named and all(item in other.names for other in said)
    ]
    if kind is ValueKind.TERM:
        others = [text for other in others if (text := term_text(other, row.phrase.name))]
    else:
        others = [other for other in others if is_name(other)]
    return pick(others, random) if others else ""


def _one_of_many(row: RowNames, reading: Reading, *, sure: bool) -> bool:
    """Tell whether the hypothesis says of one value what it might say of each of its row, and nothing else is open."""
    if not reading.supported:
        return False
    if row.phrase.kind is ValueKind.TERM:
        return row.phrase.name in _EACH
    return sure and not reading.personal


def _restored(facts: TableNames, text: str, reading: Reading, random: Random) -> Perturbation | None:
    """Put the right name in the place of the only wrong one, if the hypothesis speaks of one row."""
    rows = [facts.rows[at] for at in sorted(reading.said) if facts.rows[at].phrase.kind.named]
    if len(rows) != 1 or reading.negated or reading.scoped:
        return None
    row = rows[0]
    wrong = [name for name in reading.names if row.at not in name.facts]
    right = [item.text for item in row.names if item.shape is not Shape.OTHER and is_name(item.text)]
    if len(wrong) != 1 or not right or not row.phrase.closed or len(reading.names) > 1:
        return None
    if not speaks_of(row, wrong[0]):
        return None
    one = _replaced(text, wrong[0], pick(right, random), "right-name", Effect.FLIP, certain=False)
    after = read(facts, text[: one.span[0]] + one.after + text[one.span[1] :])
    if after is None or after.verdict != "E":
        return None
    return one._replace(certainty=Certainty.CERTAIN) if reading.verdict == "C" else one
