"""``hypothesis.modifier``: say something else about what the hypothesis is about (evidence-probes §7; tables.md, T6).

"Breakfast in America, which was produced by …, is a pop album": a modifier from a row of the table keeps the label; one
with a value that the row excludes makes the whole false.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from nliprobe.base.hashing import digest
from nliprobe.language.row_phrases import phrases_version
from nliprobe.language.values import values_version
from nliprobe.language.verbs import verb_forms
from nliprobe.probes import PROBES
from nliprobe.probes._confirmed import is_confirmed
from nliprobe.probes._hypothesis import Effect, HypothesisProbe, Perturbation
from nliprobe.probes._name_reading import VERSION, Reading, read
from nliprobe.probes._premise_words import modified
from nliprobe.probes._row_draws import below, pick
from nliprobe.probes._sayable import sayable_rows, wrong_values
from nliprobe.probes._table_names import RowNames, TableNames, table_names
from nliprobe.task.about import About
from nliprobe.task.case import Certainty
from nliprobe.task.pair import Pair, Span
from nliprobe.task.source import Pool
from nliprobe.task.table import Table

_AUXILIARIES_TEXT = "is are was were has have had did does do will would can could may might must"
_AUXILIARIES = frozenset(_AUXILIARIES_TEXT.split())
_ADVERBS = frozenset(["never", "only", "also"])
_PLURAL = frozenset(["are", "were", "have", "do"])
_NEXT = re.compile(r" ([^\W\d_]+)")
_END = re.compile(r"\s*[.!]?\s*$")
_BEFORE = re.compile(r"([^\W_]+) $")
_SINGULAR = re.compile(r"^(was|is|has|stars)\b")
_PLURALS = {"was": "were", "is": "are", "has": "have", "stars": "star"}

COLUMNS = "the table has many columns"
NO_TITLE = "the hypothesis does not name the title before a verb or at its end"


@PROBES.register("hypothesis.modifier")
@dataclass(frozen=True)
class HypothesisModifier(HypothesisProbe):
    """Add a modifier to the title in the hypothesis: one that a row makes true, and one that a row makes false."""

    kind: ClassVar[str] = "modifier"
    about: ClassVar[About] = About(
        "A clause about the title is added to the hypothesis. A true one keeps the label; a false one makes it a "
        "contradiction.",
        "The answer does not depend on everything that the hypothesis says.",
    )
    needs_pool: ClassVar[bool] = True

    @property
    def reads(self) -> str:  # type: ignore[override]  # read-only like every attribute of a frozen dataclass
        """A hash of the phrases, and of what decides where the values of a cell are."""
        return digest(phrases_version(), values_version(), str(VERSION))

    def perturbations(self, pair: Pair, label: str, pool: Pool | None) -> Iterator[Perturbation] | str:
        """Return a modifier from a true row and one from a row with a wrong value."""
        table = pair.premise
        if not isinstance(table, Table):
            return modified(table, pair.hypothesis, label, self.draws(pair))
        if table.columns:
            return COLUMNS
        facts = table_names(table)
        place = _title_place(pair.hypothesis, facts)
        reading = None if place is None else read(facts, pair.hypothesis)
        if place is None or reading is None:
            return NO_TITLE
        return self._made(pair, table, facts, reading, place, label, pool)

    def _made(
        self, pair: Pair, table: Table, facts: TableNames, reading: Reading, place: Span, label: str, pool: Pool | None
    ) -> Iterator[Perturbation]:
        mentioned = reading.said.union(*[name.facts for name in reading.names])
        usable = [item for item in sayable_rows(table) if item.row.at not in mentioned]
        if not usable:
            return
        random = self.draws(pair)
        first = below(len(usable), random)
        after = (place[1], place[1])
        write = _Writer(pair.hypothesis, *place, person=facts.person)
        row, values = usable[first]
        certainty = Certainty.CERTAIN if is_confirmed(pair) else Certainty.LIKELY
        yield Perturbation(after, write(row, pick(values, random)), "true-row-added", Effect.PRESERVE, certainty)
        assert pool is not None
        wrong = wrong_values(pool)
        for item in (*usable[first + 1 :], *usable[: first + 1]):
            if value := wrong.draw(facts, item, pair.group or pair.id, random):
                effect = Effect.FLIP if label == "E" else Effect.PRESERVE
                yield Perturbation(after, write(item.row, value), "false-row-added", effect)
                break


class _Writer:
    """Writes modifiers that follow the title in one hypothesis."""

    def __init__(self, text: str, start: int, stop: int, *, person: bool) -> None:
        following = _NEXT.match(text, stop)
        self._who = "who" if person else "which"
        # "The directors of Alien are" says nothing about the number of Alien.
        leads = len(text[:start].split()) < 2
        self._plural = leads and following is not None and following[1].lower() in _PLURAL
        self._comma = "" if following is None else ","

    def __call__(self, row: RowNames, value: str) -> str:
        phrase = row.phrase.said(value)
        if self._plural:
            phrase = _SINGULAR.sub(lambda match: _PLURALS[match[1]], phrase)
        lead = "" if phrase.startswith("whose ") else f"{self._who} "
        return f", {lead}{phrase}{self._comma}"


def _title_place(text: str, facts: TableNames) -> Span | None:
    """Return where the title is, if a verb or the end of the sentence follows and it is no part of a longer name."""
    title = facts.title
    if not facts.usable:
        return None
    for form in (title.spoken, title.core):
        start = text.find(form)
        if start < 0:
            continue
        stop = start + len(form)
        before = _BEFORE.search(text, max(0, start - 24), start)
        if before is not None and before[1][0].isupper() and before.start() > 0:
            return None
        following = _NEXT.match(text, stop)
        if following is None:
            return (start, stop) if start and text[start - 1] == " " and _END.match(text, stop) else None
        word = following[1].lower()
        return (start, stop) if word in _AUXILIARIES or word in _ADVERBS or word in verb_forms() else None
    return None
