"""How well a file of answers fits the cases it is asked about: what is matched, and whether it may be gold."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from nliprobe.base.errors import DataError
from nliprobe.models._answer_columns import AnswerColumns, Spelling
from nliprobe.models._answer_table import AnswerTable, Match
from nliprobe.task.case import Input
from nliprobe.task.labels import LabelSet

# Below this share of matched cases, the ids of the file are not those of the corpus.
ENOUGH = 0.95
# With this many records, a system that is right in 90 % of them has them all right once in 24 times.
NO_CHANCE = 30
SHOWN = 3


class AskedCase(NamedTuple):
    """A case that a file of answers will be asked about.

    Attributes:
        cell: what its share of matches is counted in, as in ``pairs of snli/dev``.
        input: what is asked.
        gold: its gold label, if it has one.
        as_it_is: whether it is a pair of the corpus itself, not one that a probe made.
        corpus: its name, with which the ids of its pairs begin.
    """

    cell: str
    input: Input
    gold: LabelSet | None
    as_it_is: bool
    corpus: str = ""


@dataclass
class _Cell:
    """The cases of one corpus and probe."""

    asked: int = 0
    matched: int = 0
    unmatched: list[str] = field(default_factory=list)

    def add(self, name: str, *, matched: bool) -> None:
        self.asked += 1
        self.matched += matched
        if not matched and len(self.unmatched) < SHOWN:
            self.unmatched.append(name)

    @property
    def enough(self) -> bool:
        return self.matched >= ENOUGH * self.asked


class Coverage:
    """Counts what a file answers, case by case."""

    def __init__(self) -> None:
        self.asked = 0
        self.unmatched = 0
        self.used: set[int] = set()
        self.by_turn = 0
        self._first_unmatched: list[str] = []
        self._cells: dict[str, _Cell] = {}
        # Pairs without a label, which are looked at only if no pair of their corpus has one.
        self._unlabelled: dict[str, _Cell] = {}
        self._compared = self._equal = 0
        self._with_text = 0
        self._other_text: list[tuple[int, str]] = []

    def add(self, case: AskedCase, match: Match | None, table: AnswerTable) -> None:
        """Count one case, and the record that answers it."""
        name = case.input.key or case.input.id
        self.asked += 1
        cell = self._cells.setdefault(case.cell, _Cell())
        if case.as_it_is and case.gold is None:
            # It is not scored, and files of answers often leave it out.
            cell = self._unlabelled.setdefault(case.cell, _Cell())
        cell.add(name, matched=match is not None)
        if match is None:
            self.unmatched += 1
            if len(self._first_unmatched) < SHOWN:
                self._first_unmatched.append(name)
            return
        self.used.add(match.record)
        self.by_turn += match.turn > 1
        if not case.as_it_is:
            return
        if match.by_id:
            self._with_text += 1
            if table.has_other_hypothesis(match.record, case.input):
                self._other_text.append((match.record, case.input.key))
        answer = table.answers[match.record].label
        if case.gold is not None and answer is not None:
            self._compared += 1
            self._equal += answer <= case.gold or case.gold <= answer

    @property
    def equals_gold(self) -> int:
        """How many answers were compared with gold labels, if all of them agree and they are too many for chance."""
        return self._equal if self._equal == self._compared >= NO_CHANCE else 0

    def check(self, table: AnswerTable, path: Path, spell: Spelling, *, allow: bool) -> None:
        """Raise an error if too little is matched, if ids name other pairs, or if the answer may be the gold label."""
        bad = self.bad_cells()
        if bad and not allow:
            raise DataError(self._unmatched_message(bad[0], table, path, spell))
        other = len(self._other_text)
        if other and other > (1 - ENOUGH) * self._with_text and not allow:
            index, key = self._other_text[0]
            raise DataError(
                f"{path}: the ids are those of the corpus, but {other:,} of {self._with_text:,} hypotheses are others "
                f"(the first: {table.where(index)}, for {key}), so the ids seem to name other pairs. Name the column "
                f"of ids with {spell('id', 'COLUMN')}; to use these all the same, add {spell('allow_unmatched', '')}."
            )
        columns = table.columns
        if columns is not None and columns.label and columns.scores is None and not columns.named and self.equals_gold:
            raise DataError(self._gold_message(columns, path, spell))

    def bad_cells(self) -> list[str]:
        """Return the cells with too few matches."""
        return [name for name in self._cells if not self._cell(name).enough]

    def notes(self, path: Path, *, allowed: bool) -> list[str]:
        """Say what is not matched, what was allowed, and what was matched in turn."""
        notes = []
        if self.unmatched:
            first = ", ".join(self._first_unmatched)
            notes.append(f"{self.unmatched} of {self.asked} inputs have no answer in {path}, the first: {first}.")
        if allowed:
            notes += [
                f"Only {self._share(name)} are matched in {path}; the others are unanswered and count as wrong in "
                "accuracy. This was allowed (allow_unmatched)."
                for name in self.bad_cells()
            ]
        if self._other_text:
            notes.append(f"{len(self._other_text)} records of {path} have the id of a pair, but another hypothesis.")
        if self.by_turn:
            notes.append(
                f"{self.by_turn} inputs share their id with another pair of the corpus; {path} lists such ids "
                "as often, and its answers were given to the pairs in turn."
            )
        return notes

    def _cell(self, name: str) -> _Cell:
        cell = self._cells[name]
        return cell if cell.asked else self._unlabelled.get(name, cell)

    def _share(self, name: str) -> str:
        cell = self._cell(name)
        return f"{cell.matched:,} of {cell.asked:,} {name}"

    def _unmatched_message(self, name: str, table: AnswerTable, path: Path, spell: Spelling) -> str:
        cell = self._cell(name)
        unused = [text for index, text in enumerate(table.names) if index not in self.used and text]
        asked, there = _examples(cell.unmatched), _examples(unused or table.names)
        if cell.asked == len(table.answers):
            hint = f"There are as many answers as {name}: if they are in the same order, add {spell('in_order', '')}."
        else:
            hint = (
                f"Name the column of ids with {spell('id', 'COLUMN')}; the ids of a corpus of your own are named with "
                "file:PATH?id=COLUMN."
            )
        return (
            f"{path} answers only {self._share(name)}. Asked for: {asked}. In the file: {there or 'no ids'}. {hint} "
            f"To leave the others unanswered, add {spell('allow_unmatched', '')}."
        )

    def _gold_message(self, columns: AnswerColumns, path: Path, spell: Spelling) -> str:
        others = f" Other columns that hold labels: {', '.join(columns.others)}." if columns.others else ""
        example = columns.others[0] if columns.others else "COLUMN"
        return (
            f"{path}: the column '{columns.label}' equals the gold label in all {self._compared:,} records, so it may "
            f"be the gold label itself.{others} Name the column of the answers with {spell('answer', example)}; if "
            f"'{columns.label}' does hold the answers, say {spell('answer', str(columns.label))}."
        )


def _examples(names: Sequence[str]) -> str:
    return ", ".join(f"'{name if len(name) <= 60 else name[:57] + '...'}'" for name in names[:SHOWN])
