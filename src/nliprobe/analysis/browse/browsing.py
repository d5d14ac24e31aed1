"""Pages of the cases of a run, by filters and words, with how many cases have each value."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from functools import reduce
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nliprobe.analysis.browse.columns import Columns
from nliprobe.analysis.browse.filters import condition_marks
from nliprobe.analysis.browse.judging import GOLD_OUTCOMES, RULE_OUTCOMES, told
from nliprobe.analysis.browse.listed import MOST_VALUES, Counts, ListedAnswer, ListedCase, Page
from nliprobe.analysis.browse.texts import shown_edits
from nliprobe.analysis.browse.wanted import NO_GOLD, UNANSWERED, UNASKED, Wanted
from nliprobe.analysis.cases import CERTAINTIES
from nliprobe.base.errors import NotFoundError, UsageError
from nliprobe.task.edits import apply_edits
from nliprobe.task.labels import SETS

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Marks = NDArray[np.bool_]

MOST_ON_A_PAGE = 500
# Older versions of SQLite take at most 999 values in one statement.
_AT_A_TIME = 900
_BYTES = 256
_ALL = slice(None)
_GOLD = (NO_GOLD, *(str(item) for item in SETS[1:]))
_ANSWERS = (UNANSWERED, *(str(item) for item in SETS[1:]), UNASKED)
_TOLD = {"answer": _ANSWERS, "gold": GOLD_OUTCOMES, "expects": RULE_OUTCOMES}
_SWAP, _IN_HYPOTHESIS = "swap", "hypothesis.replace"


class Browser:
    """The cases of one run, as its index has them; to be used by one thread at a time."""

    def __init__(self, path: Path, connection: sqlite3.Connection, columns: Columns) -> None:
        self._path, self._connection, self.columns = path, connection, columns
        self._marks: dict[Wanted, dict[str, Marks]] = {}
        self._rows: dict[tuple[str, ...], NDArray[np.int64]] = {}
        self._found: dict[str, int] = {}

    def __len__(self) -> int:
        return len(self.columns)

    @property
    def systems(self) -> tuple[str, ...]:
        """The systems of the run."""
        return tuple(self.columns.judged)

    def page(self, wanted: Wanted, *, limit: int = 50, after: str | None = None, before: str | None = None) -> Page:
        """Return the next cases that are wanted, in the order of the run.

        Args:
            wanted: which cases.
            limit: how many at most.
            after: the id of the case after which the page begins; it need not be one of those that are wanted.
            before: the id of the case before which the page ends.
        """
        import numpy as np

        if not 1 <= limit <= MOST_ON_A_PAGE:
            raise UsageError(f"A page holds between 1 and {MOST_ON_A_PAGE} cases, not {limit}.")
        if after is not None and before is not None:
            raise UsageError("A page is asked for by the case before it or by the case after it, not by both.")
        rows = np.flatnonzero(self.marks(wanted))
        start = 0
        if after is not None:
            start = int(np.searchsorted(rows, self.row(after), side="right"))
        elif before is not None:
            start = max(int(np.searchsorted(rows, self.row(before))) - limit, 0)
        chosen = rows[start : start + limit]
        cases = self.cases(chosen.tolist())
        return Page(
            cases,
            len(rows),
            start,
            before=cases[0].case_id if cases and start else None,
            after=cases[-1].case_id if start + len(chosen) < len(rows) else None,
        )

    def count(self, wanted: Wanted) -> int:
        """Return how many cases are wanted."""
        return int(self.marks(wanted).sum())

    def marks(self, wanted: Wanted) -> Marks:
        """Mark the cases that are wanted."""
        return _together(self.columns, self._conditions(wanted).values())

    def row(self, case_id: str) -> int:
        """Return the row of a case."""
        import numpy as np

        if case_id not in self._found:
            rows = np.flatnonzero(self.columns.ids == case_id.encode("utf-8", "replace"))
            if not len(rows):
                raise NotFoundError(f"The run has no case '{case_id}'.")
            self._found[case_id] = int(rows[0])
        return self._found[case_id]

    def cases(self, rows: Sequence[int]) -> tuple[ListedCase, ...]:
        """Return some cases by their rows, as a list shows them."""
        import numpy as np

        columns, chosen = self.columns, np.asarray(rows, dtype=np.int64)
        pairs = columns.pair[chosen]
        numbers = {
            "pair": columns.pairs[pairs],
            "group": columns.group[pairs],
            "premise": columns.premise[pairs],
            "hypothesis": columns.hypothesis[pairs],
            "edits": columns.edits[chosen],
        }
        texts = self._looked_up("texts", "shown", {int(number) for values in numbers.values() for number in values})
        shown = {name: [texts.get(int(number), "") for number in values] for name, values in numbers.items()}
        return tuple(
            self._case(row, {name: values[place] for name, values in shown.items()}) for place, row in enumerate(rows)
        )

    def counts(self, wanted: Wanted) -> Counts:
        """Count the cases by every value; a value of what is filtered by is counted as if it were chosen instead."""
        import numpy as np

        columns, rows = self.columns, self._rows_without
        answers, outcomes = {}, {}
        for system, judged in columns.judged.items():
            # Answers and outcomes share a byte, and are mostly counted over the same cases.
            counted: dict[int, NDArray[np.int64]] = {}
            named: dict[str, dict[str, int]] = {}
            for codes, (name, words) in zip(told(), _TOLD.items(), strict=True):
                chosen = rows(wanted, f"{name} {system}")
                if id(chosen) not in counted:
                    counted[id(chosen)] = np.bincount(judged[chosen], minlength=_BYTES)
                folded = np.bincount(codes, weights=counted[id(chosen)]).astype(np.int64)
                named[name] = _named(folded, words)
            answers[system] = named.pop("answer")
            outcomes[system] = named
        facets, more = self._facet_counts(self.marks(wanted))
        return Counts(
            corpus=_tally(columns.corpus[rows(wanted, "corpus")], columns.corpora),
            probe=_tally(columns.probe[rows(wanted, "probe")], columns.probes),
            gold=_tally(columns.gold[rows(wanted, "gold")], _GOLD),
            certainty=_tally(columns.certainty[rows(wanted, "certainty")], [item.value for item in CERTAINTIES]),
            answers=answers,
            outcomes=outcomes,
            facets=facets,
            more_values=more,
        )

    def facets(self, wanted: Wanted) -> dict[str, dict[str, int]]:
        """Count the wanted cases by the values of their facets, as :meth:`counts` does besides all others."""
        return self._facet_counts(self.marks(wanted))[0]

    def crossed(self, wanted: Wanted, one: str, two: str) -> dict[str, dict[str, int]]:
        """Count the wanted cases by the answers of two systems: those of the first, then those of the second."""
        import numpy as np

        marks = self.marks(wanted)
        left, right = (told().answer[self._judged(name)[marks]].astype(np.int64) for name in (one, two))
        size = len(_ANSWERS)
        table = np.bincount(left * size + right, minlength=size * size).reshape(size, size)
        return {
            first: {second: int(table[row, place]) for place, second in enumerate(_ANSWERS) if table[:, place].any()}
            for row, first in enumerate(_ANSWERS)
            if table[row].any()
        }

    def _judged(self, system: str) -> NDArray[np.uint8]:
        if system not in self.columns.judged:
            raise UsageError(f"The run has no system '{system}'. It has {', '.join(self.systems)}.")
        return self.columns.judged[system]

    def _conditions(self, wanted: Wanted) -> dict[str, Marks]:
        """Return the marks of each condition; a page and its counts ask for the same."""
        known = self._marks.get(wanted)
        if known is None:
            known = {}
            for name, marks in condition_marks(self._path, self._connection, self.columns, wanted):
                known[name] = known[name] & marks if name in known else marks
            self._marks, self._rows = {wanted: known}, {}
        return known

    def _rows_without(self, wanted: Wanted, name: str) -> NDArray[np.int64] | slice:
        """Return the rows that are wanted if one condition is left out; most counts ask for the same."""
        import numpy as np

        conditions = self._conditions(wanted)
        left = tuple(key for key in conditions if key != name)
        if not left:
            return _ALL
        if left not in self._rows:
            self._rows[left] = np.flatnonzero(_together(self.columns, (conditions[key] for key in left)))
        return self._rows[left]

    def _facet_counts(self, marks: Marks) -> tuple[dict[str, dict[str, int]], dict[str, int]]:
        import numpy as np

        columns = self.columns
        cases_of = np.bincount(columns.pair[marks], minlength=len(columns.pairs))
        owners, pair_values = columns.pair_facets
        rows, case_values = columns.case_facets
        size = 1 + max(int(values.max(initial=0)) for values in (pair_values, case_values))
        totals = np.bincount(pair_values, weights=cases_of[owners], minlength=size)
        totals += np.bincount(case_values[marks[rows]], minlength=size)
        return self._named_values(totals.astype(np.int64))

    def _named_values(self, totals: NDArray[np.int64]) -> tuple[dict[str, dict[str, int]], dict[str, int]]:
        import numpy as np

        listed: dict[str, list[int]] = {}
        more: dict[str, int] = {}
        held = np.flatnonzero(totals)
        for place, name in enumerate(self.columns.facet_names):
            numbers = held[self.columns.facet[held] == place]
            order = numbers[np.argsort(-totals[numbers], kind="stable")]
            if len(order):
                listed[name] = order[:MOST_VALUES].tolist()
            if len(order) > MOST_VALUES:
                more[name] = len(order) - MOST_VALUES
        values = self._looked_up("facets", "value", {number for numbers in listed.values() for number in numbers})
        facets = {name: {values[number]: int(totals[number]) for number in numbers} for name, numbers in listed.items()}
        return facets, more

    def _case(self, row: int, texts: Mapping[str, str]) -> ListedCase:
        columns = self.columns
        edits = shown_edits(texts["edits"])
        premise, hypothesis = texts["premise"], texts["hypothesis"]
        # Edits of rows and sentences need the whole premise; a list shows these beside it.
        if edits and all(edit.op in (_SWAP, _IN_HYPOTHESIS) for edit in edits):
            changed, hypothesis = apply_edits(premise, hypothesis, edits)
            premise = str(changed)
        return ListedCase(
            case_id=columns.ids[row].decode(),
            pair_id=texts["pair"],
            group=texts["group"],
            corpus=columns.corpora[columns.corpus[row]],
            probe=columns.probes[columns.probe[row]],
            gold=_GOLD[columns.gold[row]],
            certainty=CERTAINTIES[columns.certainty[row]].value,
            premise=premise,
            hypothesis=hypothesis,
            edits=edits,
            answers=tuple(_answer(system, int(judged[row])) for system, judged in columns.judged.items()),
        )

    def _looked_up(self, table: str, column: str, numbers: set[int]) -> dict[int, str]:
        found: dict[int, str] = {}
        ordered = sorted(numbers)
        for start in range(0, len(ordered), _AT_A_TIME):
            part = ordered[start : start + _AT_A_TIME]
            places = ",".join("?" * len(part))
            rows = self._connection.execute(f"SELECT number, {column} FROM {table} WHERE number IN ({places})", part)
            found.update(rows)
        return found


def _answer(system: str, judged: int) -> ListedAnswer:
    answer, gold, expects = (codes[judged] for codes in told())
    return ListedAnswer(system, _ANSWERS[answer], GOLD_OUTCOMES[gold], RULE_OUTCOMES[expects])


def _together(columns: Columns, conditions: Iterable[Marks]) -> Marks:
    import numpy as np

    together: Marks = reduce(np.logical_and, conditions, np.ones(len(columns), dtype=bool))
    return together


def _tally(codes: NDArray[Any], names: Sequence[str]) -> dict[str, int]:
    """Count codes by their names, those that occur."""
    import numpy as np

    return _named(np.bincount(codes, minlength=len(names)), names)


def _named(counts: NDArray[np.int64], names: Sequence[str]) -> dict[str, int]:
    return {name: int(counts[code]) for code, name in enumerate(names) if counts[code]}
