"""``hypothesis.entity``: replace a name in the hypothesis (evidence-probes §7; tables.md, T6).

A name that a row lists is replaced by one that other tables have under the same key, which makes a true statement
false; or by another one of the same row, which leaves it true. A wrong name is replaced by the right one.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import ClassVar

from nliprobe.base.hashing import digest
from nliprobe.language.english import article
from nliprobe.language.row_phrases import ValueKind, phrases_version
from nliprobe.language.values import values_version
from nliprobe.probes import PROBES
from nliprobe.probes._facts import Fact, Facts, Name, Shape, country_names, facts_of, is_name, words_of
from nliprobe.probes._hypothesis import Effect, HypothesisProbe, Perturbation
from nliprobe.probes._reading import VERSION, Named, Reading, read
from nliprobe.probes._row_draws import pick
from nliprobe.probes._sayable import with_article, wrong_values
from nliprobe.task.about import About
from nliprobe.task.case import Certainty
from nliprobe.task.pair import Pair
from nliprobe.task.source import Pool
from nliprobe.task.table import Table

NO_NAME = "the hypothesis has no name that can be replaced"
COLUMNS = "the table has many columns"


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
        facts = facts_of(table)
        reading = read(facts, pair.hypothesis)
        if reading is None or not reading.names:
            return NO_NAME
        assert pool is not None
        return self._in_table(pair, label, facts, reading, pool)

    def _in_table(
        self, pair: Pair, label: str, facts: Facts, reading: Reading, pool: Pool
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
                sure = at in reading.said and not (reading.negated or reading.scoped)
                if new := wrong_values(pool).draw_name(facts, fact, listed, pair.group or pair.id, random):
                    certain = label == "E" and sure and fact.phrase.closed and fact.sure
                    effect = Effect.FLIP if label == "E" else Effect.PRESERVE
                    yield _replaced(text, name, new, "foreign-name", effect, certain=certain)
                if label == "E" and (new := _other(fact, listed, reading, random)):
                    yield _same_row(facts, text, name, new, reading, sure=sure)
        if label == "C" and (restored := _restored(facts, text, reading, random)):
            yield restored

    def _in_text(self, pair: Pair, label: str) -> Iterator[Perturbation] | str:
        return NO_NAME


def _replaced(text: str, name: Named, new: str, rule: str, effect: Effect, *, certain: bool) -> Perturbation:
    """Put another name into a hypothesis, with the article that goes with it."""
    start, stop = name.span
    new = with_article(new)
    if text[max(0, start - 4) : start].lower() == "the ":
        if new.startswith("the "):
            new = new.removeprefix("the ")
        elif new.lower() in country_names():
            start -= 4
    elif text[max(0, start - 3) : start].lower() in (" a ", "an "):
        lead = 2 if text[start - 3] == " " else 3
        new, start = f"{article(new)} {new}", start - lead
    return Perturbation((start, stop), new, rule, effect, Certainty.CERTAIN if certain else Certainty.LIKELY)


def _other(fact: Fact, listed: Name, reading: Reading, random: Random) -> str:
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


def _same_row(facts: Facts, text: str, name: Named, new: str, reading: Reading, *, sure: bool) -> Perturbation:
    one = _replaced(text, name, new, "same-row", Effect.PRESERVE, certain=False)
    after = read(facts, text[: one.span[0]] + one.after + text[one.span[1] :])
    certain = reading.verdict == "E" and after is not None and after.verdict == "E"
    return one._replace(certainty=Certainty.CERTAIN) if certain else one


def _restored(facts: Facts, text: str, reading: Reading, random: Random) -> Perturbation | None:
    """Put the right name in the place of the only wrong one, if the hypothesis speaks of one row."""
    rows = [facts.rows[at] for at in sorted(reading.said) if facts.rows[at].phrase.kind.named]
    if len(rows) != 1 or reading.negated or reading.scoped:
        return None
    row = rows[0]
    wrong = [name for name in reading.names if row.at not in name.facts]
    right = [item.text for item in row.names if is_name(item.text)]
    if len(wrong) != 1 or not right or not row.phrase.closed or len(reading.names) > 1:
        return None
    one = _replaced(text, wrong[0], pick(right, random), "right-name", Effect.FLIP, certain=False)
    after = read(facts, text[: one.span[0]] + one.after + text[one.span[1] :])
    certain = reading.verdict == "C" and after is not None and after.verdict == "E"
    return one._replace(certainty=Certainty.CERTAIN) if certain else one
