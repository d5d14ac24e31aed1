"""The answers of a file with their places, and an index of their ids and contents."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from itertools import islice, takewhile
from typing import NamedTuple

from nliprobe.base.errors import DataError
from nliprobe.base.records.read import Record, RecordFile
from nliprobe.models._answer_columns import (
    LOOKED_AT,
    AnswerColumns,
    Named,
    ScoreColumns,
    Seen,
    Spelling,
    choose_columns,
    number,
    spelt,
)
from nliprobe.models._answer_files import AnswerFiles, answer_records
from nliprobe.models.answers import AnswerReader, Scores
from nliprobe.task.case import Input, Prediction, identity_id, input_id
from nliprobe.task.labels import LabelMap


class Match(NamedTuple):
    """The record that answers an input.

    Attributes:
        record: its place among the answers.
        by_id: whether it was found by an id, not by texts.
        turn: which of the records with that id it is.
        shortened: whether the id was found without its corpus or prefix, so that another pair may have it, too.
    """

    record: int
    by_id: bool
    turn: int = 1
    shortened: bool = False


class Rules(NamedTuple):
    """How a file of answers is read.

    Attributes:
        labels: what codes and the order of scores mean.
        named: the columns that the user names.
        spell: how the user gives a parameter, for messages.
        in_order: whether records need no key.
    """

    labels: LabelMap | None
    named: Named
    spell: Spelling
    in_order: bool = False


class AnswerTable:
    """All answers of a file, or of its shards."""

    def __init__(self, files: AnswerFiles, rules: Rules) -> None:
        self.files = files
        self.columns: AnswerColumns | None = None
        self.answers: list[Prediction] = []
        self.by_id: dict[str, list[int]] = {}
        self.by_input: dict[str, list[int]] = {}
        # The corpora whose names begin the ids of their pairs.
        self.corpora: set[str] = set()
        # What names a record in messages: its id, else its hypothesis or the id of its input.
        self.names: list[str] = []
        self._rules = rules
        self._reader = AnswerReader(rules.labels)
        self._hypotheses: dict[int, int] = {}
        self._starts: list[int] = []
        self._numbers: list[int] = []
        self._without_prefix: dict[str, list[int]] = {}

    @classmethod
    def read(cls, files: AnswerFiles, rules: Rules) -> AnswerTable:
        """Read every answer; the first invalid one raises an error."""
        if files.array:
            table = cls(files, rules)
            table._fill_from_array()
            return table
        seen = Seen()
        for file in files.records:
            for _, fields in islice(answer_records(file), LOOKED_AT):
                seen.add(fields)
        while True:
            # A later record may have columns that change the choice; then the file is read again.
            table = cls(files, rules)
            if table._fill(seen):
                table._index_prefix()
                return table

    def where(self, index: int) -> str:
        """Return the file and line of an answer."""
        if not self._starts:
            return f"{self.files.path}, item {index + 1}"
        return self._file(index).where(self._numbers[index])

    def spot(self, index: int) -> str:
        """Return the line of an answer, with the file if there are several."""
        return self.where(index) if len(self.files.records) != 1 else self._file(index).spot(self._numbers[index])

    def find(self, asked: Input) -> Match | None:
        """Return the record for an input: by its key, else as the k-th of its key, else by its texts."""
        base, k = _duplicate(asked.key)
        for key, turn in ((asked.key, 1), (base, k)):
            for name in _names(key, self.corpora):
                for ids in (self.by_id, self._without_prefix):
                    if len(ids.get(name, ())) >= turn:
                        return Match(ids[name][turn - 1], True, turn, ids is not self.by_id or name != key)
        read = input_id(asked.premise, asked.hypothesis)
        for indices, by_id in (
            (self.by_id.get(identity_id(asked.key)), True),
            (self.by_input.get(read), False),
            (self.by_id.get(read), False),
        ):
            if indices:
                return Match(indices[0], by_id)
        return None

    def misplaced(self) -> int | None:
        """Return the first answer whose id is not its turn, if the ids are a name and all numbers from 0 or from 1.

        Such ids (``row0``, ``row1`` …) count the answers; other ids say nothing about an order.
        """
        matches = [re.fullmatch(r"(\D*)(\d{1,18})", name) for name in self.names]
        numbered = [match for match in matches if match is not None]
        numbers = [int(match[2]) for match in numbered]
        if not numbered or len(numbered) < len(self.answers) or len({match[1] for match in numbered}) > 1:
            return None
        start = min(numbers)
        if start > 1 or sorted(numbers) != list(range(start, start + len(numbers))):
            return None
        return next((index for index, number in enumerate(numbers) if number != index + start), None)

    def has_other_hypothesis(self, index: int, asked: Input) -> bool:
        """Tell whether a record has a hypothesis that differs from that of an input, apart from case and spaces."""
        known = self._hypotheses.get(index)
        return known is not None and known != _text_hash(asked.hypothesis)

    def repeated(self, used: Iterable[int]) -> tuple[list[int], list[int]]:
        """Return unused records that share a key with a used one: those with its answer, and those with another."""
        taken = set(used)
        same: set[int] = set()
        other: set[int] = set()
        for indices in (*self.by_id.values(), *self.by_input.values()):
            first = next((index for index in indices if index in taken), None)
            if first is not None:
                for index in indices:
                    if index not in taken:
                        (same if self.answers[index][:2] == self.answers[first][:2] else other).add(index)
        return sorted(same - other), sorted(other)

    def _file(self, index: int) -> RecordFile:
        return self.files.records[bisect_right(self._starts, index) - 1]

    def _fill(self, seen: Seen) -> bool:
        """Read the records; tell whether the choice of columns held to the end."""
        self.columns = columns = self._choose(seen)
        for file in self.files.records:
            self._starts.append(len(self.answers))
            for place, fields in answer_records(file):
                if seen.is_new(fields):
                    seen.add(fields)
                    if self._choose(seen) != columns:
                        return False
                try:
                    self._add(fields, columns)
                except DataError as error:
                    raise DataError(f"{file.where(place)}: {error}.") from error
                self._numbers.append(place)
        return True

    def _fill_from_array(self) -> None:
        path = self.files.path
        if not self._rules.in_order:
            raise DataError(
                f"{path} holds answers without ids. If they are in the order of the corpus, "
                f"add {self._rules.spell('in_order', '')}; otherwise write a file with ids."
            )
        for place, item in enumerate(self.files.bare_answers(), 1):
            try:
                if isinstance(item, Mapping):
                    raise DataError("expected a label or a list of scores as in the items before, but found an object")
                self.answers.append(self._reader.read(item))
            except DataError as error:
                raise DataError(f"{path}, item {place}: {error}.") from error
        if not self.answers:
            raise DataError(f"{path} is empty: it holds no answers.")

    def _choose(self, seen: Seen) -> AnswerColumns:
        try:
            return choose_columns(seen, self._rules.named, self._rules.labels or LabelMap(), self._rules.spell)
        except DataError as error:
            raise DataError(f"{self.files.path}: {error}.") from error

    def _add(self, fields: Record, columns: AnswerColumns) -> None:
        index = len(self.answers)
        name = next((text for column in columns.ids if (text := _id(fields.get(column)))), None)
        read = fields.get("input_id")
        text = read if isinstance(read, str) else ""
        contents = {text} if text else set()
        if columns.texts is not None:
            premise, hypothesis = (fields.get(column) for column in columns.texts)
            if isinstance(hypothesis, str) and columns.texts[0] in fields:
                contents.add(input_id(premise if isinstance(premise, str) else "", hypothesis))
                self._hypotheses[index] = _text_hash(hypothesis)
                text = hypothesis
        if name is None and not contents and not self._rules.in_order:
            raise DataError(
                "this record has no key: expected a column id, pairID, uid or the like, input_id, or premise and "
                f"hypothesis. Name the column of ids with {self._rules.spell('id', 'COLUMN')}; if the records are in "
                f"the order of the corpus, add {self._rules.spell('in_order', '')}"
            )
        for content in contents:
            self.by_input.setdefault(content, []).append(index)
        if name is not None:
            self.by_id.setdefault(name, []).append(index)
        self.names.append(name or text)
        self.answers.append(_answer(fields, columns, self._reader))

    def _index_prefix(self) -> None:
        """Let ids also be known without the prefix that all of them share: ``dev.tsv:12``, ``mine/12``."""
        # What the first and the last id in the order of the alphabet share, all share.
        pair = zip(min(self.by_id, default=""), max(self.by_id, default=""), strict=False)
        prefix = "".join(one for one, _ in takewhile(lambda both: both[0] == both[1], pair))
        for end in [match.end() for match in re.finditer("[/:]", prefix)]:
            for name, indices in self.by_id.items():
                if name[end:]:
                    self._without_prefix.setdefault(name[end:], []).extend(indices)


def _text_hash(text: str) -> int:
    # Copies of a corpus differ in case, spaces and quotes; a whole text is not kept for every record.
    return hash(re.sub(r"\W+", "", text).casefold())


def _answer(fields: Record, columns: AnswerColumns, reader: AnswerReader) -> Prediction:
    answer: dict[str, object] = {}
    if columns.label is not None and columns.label in fields:
        answer["label"] = fields[columns.label]
    if columns.scores is not None and any(column in fields for column, _ in columns.scores.columns):
        kind = "probabilities" if columns.scores.kind is Scores.PROBABILITIES else "logits"
        answer[kind] = _scores(fields, columns.scores)
    if not answer:
        expected = columns.label or (columns.scores.columns[0][0] if columns.scores is not None else "")
        raise DataError(f"there is no answer: this record has no '{expected}'; for no answer, write null")
    raw = fields.get("raw")
    return reader.record({**answer, "raw": raw} if isinstance(raw, str) else answer)


def _scores(fields: Record, scores: ScoreColumns) -> object:
    if scores.in_one:
        return spelt(fields[scores.columns[0][0]])
    cells = {of: number(fields.get(column)) for column, of in scores.columns}
    if all(cell is None for cell in cells.values()):
        return None
    return list(cells.values()) if scores.columns[0][1].isdigit() else cells


def _id(value: object) -> str:
    """Return an id as a text; nothing for what is no id."""
    if isinstance(value, float) and value.is_integer():
        value = int(value)  # frames with gaps hold whole numbers as floats
    if isinstance(value, bool) or not isinstance(value, str | int):
        return ""
    return str(value).strip()


def _names(key: str, corpora: Iterable[str]) -> Sequence[str]:
    """Return the names by which a file may know a key: whole, without the corpus, without corpus and split.

    >>> _names("snli/dev/12", ()), _names("mine/12", ()), _names("a/b/c/12", ["a/b/c"])
    (['snli/dev/12', 'dev/12', '12'], ['mine/12', '12'], ['a/b/c/12', 'b/c/12', 'c/12', '12'])
    """
    pieces = key.split("/", 2)
    names = ["/".join(pieces[start:]) for start in range(len(pieces))]
    names += [key.removeprefix(f"{corpus}/") for corpus in corpora]
    return [name for name in dict.fromkeys(names) if name]


def _duplicate(key: str) -> tuple[str, int]:
    """Return the id without the mark of a duplicate, and which one it is: ``x#2`` is the second x."""
    match = re.fullmatch(r"(.+)#([1-9]\d*)", key, re.DOTALL)
    return (match[1], int(match[2])) if match and int(match[2]) > 1 else (key, 1)
