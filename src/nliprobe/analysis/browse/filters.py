"""Filters as marks: which of all cases have what is wanted."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from nliprobe.analysis.browse.columns import Columns
from nliprobe.analysis.browse.common import texts_with
from nliprobe.analysis.browse.judging import GOLD_OUTCOMES, RULE_OUTCOMES, told
from nliprobe.analysis.browse.wanted import (
    ANY_SYSTEM,
    NO_GOLD,
    UNANSWERED,
    UNASKED,
    Wanted,
    WantedAnswer,
    WantedOutcome,
)
from nliprobe.analysis.browse.words import Term, matching, plain_words, terms
from nliprobe.analysis.cases import CERTAINTIES, NOT_ASKED
from nliprobe.base.errors import UsageError, did_you_mean
from nliprobe.task.labels import SETS
from nliprobe.task.pair import Facet

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Marks = NDArray[np.bool_]

# The beginning of a case's id is found by so many characters; a shorter word is found only if it is the whole id.
FEWEST_OF_ID = 6


def condition_marks(
    path: Path, connection: sqlite3.Connection, columns: Columns, wanted: Wanted
) -> Iterator[tuple[str, Marks]]:
    """Yield the marks of each condition with the name of what it is about, to be combined with *and*.

    A value that the run does not have is had by no case; a system that it does not have is a :class:`UsageError`.
    """
    for name, chosen, values, known in (
        ("corpus", wanted.corpus, columns.corpus, columns.corpora),
        ("probe", wanted.probe, columns.probe, columns.probes),
        ("certainty", wanted.certainty, columns.certainty, [item.value for item in CERTAINTIES]),
        ("gold", wanted.gold, columns.gold, [NO_GOLD, *(str(item) for item in SETS[1:])]),
    ):
        if chosen is not None:
            yield name, values == known.index(chosen) if chosen in known else _none(columns)
    for name, chosen, numbers in (("group", wanted.group, columns.group), ("pair", wanted.pair, columns.pairs)):
        if chosen is not None:
            yield name, _of_pairs_with(connection, columns, numbers, chosen)
    for facet in wanted.facets:
        yield f"facet {facet.name}", _of_facet(connection, columns, facet)
    for answer in wanted.answers:
        yield f"answer {answer.system}", _answered(columns, answer)
    for outcome in wanted.outcomes:
        yield f"{outcome.judged} {outcome.system}", _came_out(columns, outcome)
    if wanted.disagree:
        yield "disagree", disagreeing(columns)
    for term in terms(wanted.search):
        yield "search", found(path, connection, columns, term)


def found(path: Path, connection: sqlite3.Connection, columns: Columns, term: Term) -> Marks:
    """Mark the cases that hold a term: in a text of their pair, in their edit, or as the beginning of their id."""
    import numpy as np

    texts = texts_with(path, connection, term.words)
    marks: Marks = columns.ids == term.typed.encode()
    if len(term.typed) >= FEWEST_OF_ID:
        begin = np.array(term.typed.encode())
        if begin.itemsize <= columns.ids.itemsize:
            marks |= columns.ids.astype(begin.dtype) == begin
    if texts.any():
        of_pairs = texts[columns.pairs] | texts[columns.premise] | texts[columns.hypothesis] | texts[columns.group]
        marks |= of_pairs[columns.pair]
        marks |= texts[columns.edits]
    return marks


def disagreeing(columns: Columns) -> Marks:
    """Mark the cases to which two systems gave answers without a common label."""
    import numpy as np

    marks = _none(columns)
    answers = [told().answer[judged] for judged in columns.judged.values()]
    given = [np.where(answer == NOT_ASKED, 0, answer) for answer in answers]
    for place, one in enumerate(given):
        for two in given[:place]:
            marks |= (one != 0) & (two != 0) & (one & two == 0)
    return marks


def _answered(columns: Columns, wanted: WantedAnswer) -> Marks:
    codes = {UNANSWERED: 0, UNASKED: NOT_ASKED, **{str(item): item.mask for item in SETS[1:]}}
    given = told().answer[_of_system(columns, wanted.system)]
    marks: Marks = given == codes[wanted.answer] if wanted.answer in codes else _none(columns)
    return marks


def _came_out(columns: Columns, wanted: WantedOutcome) -> Marks:
    systems = list(columns.judged) if wanted.system == ANY_SYSTEM else [wanted.system]
    known = {"gold": (GOLD_OUTCOMES, told().gold), "expects": (RULE_OUTCOMES, told().expects)}
    names, outcomes = known.get(wanted.judged, ((), told().gold))
    marks = _none(columns)
    if wanted.outcome in names:
        for system in systems:
            marks |= (outcomes == names.index(wanted.outcome))[_of_system(columns, system)]
    return marks


def _of_system(columns: Columns, system: str) -> NDArray[np.uint8]:
    if system not in columns.judged:
        raise UsageError(f"The run has no system '{system}'. {did_you_mean(system, columns.judged)}")
    return columns.judged[system]


def _of_pairs_with(connection: sqlite3.Connection, columns: Columns, numbers: NDArray[np.uint32], text: str) -> Marks:
    """Mark the cases whose pair has a text, in one column of pairs."""
    import numpy as np

    # There is no index over whole texts; the few that hold the words of this one are compared.
    words = plain_words([text])[0]
    holding = "number IN (SELECT rowid FROM words WHERE words MATCH ?) AND" if words else ""
    chosen = [*([matching(words)] if words else []), *_with_any_breaks(text)]
    rows = connection.execute(f"SELECT number FROM texts WHERE {holding} shown IN (?, ?)", chosen).fetchall()
    marks: Marks = np.isin(numbers, [number for (number,) in rows])[columns.pair]
    return marks


def _of_facet(connection: sqlite3.Connection, columns: Columns, facet: Facet) -> Marks:
    import numpy as np

    marks = _none(columns)
    asked = facet.name, *_with_any_breaks(facet.value)
    found = connection.execute("SELECT number FROM facets WHERE name = ? AND value IN (?, ?)", asked)
    for (number,) in found:
        owners, values = columns.pair_facets
        of_pairs = np.zeros(len(columns.pairs), dtype=bool)
        of_pairs[owners[values == number]] = True
        marks |= of_pairs[columns.pair]
        rows, values = columns.case_facets
        marks[rows[values == number]] = True
    return marks


def _with_any_breaks(text: str) -> tuple[str, str]:
    """Return a text with both kinds of line breaks: browsers write those of a form their own way."""
    text = text.replace("\r\n", "\n")
    return text, text.replace("\n", "\r\n")


def _none(columns: Columns) -> Marks:
    import numpy as np

    return np.zeros(len(columns), dtype=bool)
