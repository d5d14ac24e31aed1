"""Use answers that were computed elsewhere: a file of labels, logits or probabilities, matched by id or content."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import ClassVar, Self

from nliprobe.base.errors import DataError, UsageError
from nliprobe.base.hashing import digest, digest_files
from nliprobe.base.records.files import content_files
from nliprobe.base.records.read import RecordFile
from nliprobe.base.registry import Spec
from nliprobe.models import MODELS
from nliprobe.models._answer_files import answer_files, answer_records
from nliprobe.models.answers import ANSWER_FIELDS, NO_ANSWER, AnswerReader, partition_of, partition_seen
from nliprobe.models.base import Model
from nliprobe.task.case import Input, Prediction, identity_id, input_id
from nliprobe.task.labels import LabelMap, Partition

# Most specific first: a file may number its rows as "id" and name its pairs in another column.
ID_FIELDS = ("case_id", "pair_id", "pairID", "uid", "id")
SHOWN = 3


@dataclass(frozen=True)
class PredictionsParams:
    """The parameters of ``predictions``.

    Attributes:
        in_order: the records have no key and are in the order of the corpus.
        format: csv, tsv, jsonl, json, parquet or hf, if the file's name does not say.
        split: which split of a folder with several.
        quoting: 0 if quotes in a CSV file are plain text, 1 if quoted fields of any file may span lines.
    """

    in_order: bool = False
    format: str = ""
    # Not in the repr, so that the fingerprint of answers that need neither stays the same.
    split: str = field(default="", repr=False)
    quoting: bool | None = field(default=None, repr=False)


@MODELS.register("predictions")
class Predictions(Model):
    """Looks answers up in a file: ``predictions:answers.jsonl?labels=contradiction,entailment,neutral``.

    A record is found by its id (the pair's full id, its official id, or the case's id), by its ``input_id``, or by
    its premise and hypothesis. If a corpus has an id k times, k records of that id answer it in their order.
    """

    keyed: ClassVar[bool] = True
    frees_interpreter: ClassVar[bool] = False

    def __init__(self, path: Path, params: PredictionsParams, labels: LabelMap | None) -> None:
        self._path = path
        self._params = params
        self._labels = labels
        # A user who declares codes means the codes in the file, not the names that a dataset gives them.
        codes = labels is not None and any(code.isdigit() for code in labels.codes)
        self._files = answer_files(
            path, format=params.format, split=params.split, quoting=params.quoting, label_names=not codes
        )
        self._used: set[int] = set()
        self._owners: dict[int, tuple[str, str]] = {}
        self._asked = 0
        self._by_turn = 0
        self._missing: list[str] = []
        self._missed = 0

    @classmethod
    def from_spec(cls, spec: Spec, labels: LabelMap | None) -> Self:
        """Name the file; it is read when the first answer is asked for."""
        if not spec.argument:
            raise UsageError(f"'{spec.name}' needs a file of answers, as in {spec.name}:answers.jsonl.")
        return cls(Path(spec.argument), spec.build(PredictionsParams), labels)

    @property
    def ordered(self) -> bool:
        """Whether :meth:`predict` must be called once, with all inputs in the order of the corpus."""
        return self._params.in_order

    def __len__(self) -> int:
        return len(self._file.answers)

    @cached_property
    def partition(self) -> Partition:
        """The declared labels, or else what the answers show: an NC without any N or C is a block."""
        if self._labels is not None:
            return partition_of(self._labels)
        return partition_seen(answer.label for answer in self._file.answers if answer.label is not None)

    def fingerprint(self) -> str:
        """Return a hash of the file, the parameters and the label map; the files stand for the split."""
        quoting = [] if self._params.quoting is None else [str(self._params.quoting)]
        return digest(
            "predictions", str(self.version), self._content, repr(self._params), str(self._labels or ""), *quoting
        )

    def predict(self, inputs: Sequence[Input]) -> list[Prediction]:
        """Return the file's answer to each input, or no answer if it has none."""
        self._asked += len(inputs)
        if self.ordered:
            return self._in_order(inputs)
        answers = self._file.answers
        result: list[Prediction] = []
        for asked in inputs:
            index = self._find(asked)
            if index is None:
                self._miss(asked)
                result.append(NO_ANSWER)
            else:
                self._used.add(index)
                result.append(answers[index])
        return result

    def notes(self) -> list[str]:
        """Say what is missing, what was given more than once, and what was not used."""
        if not self._asked:
            return []
        notes = []
        file = self._file
        if self._missed:
            names = ", ".join(self._missing)
            notes.append(f"{self._missed} of {self._asked} inputs have no answer in {self._path}, the first: {names}.")
        if self._by_turn:
            notes.append(
                f"{self._by_turn} inputs share their id with another pair of the corpus; {self._path} lists such ids "
                "as often, and its answers were given to the pairs in turn."
            )
        same, other = file.repeated(self._used)
        if same:
            notes.append(f"{len(same)} records of {self._path} repeat the answer of another one and were not needed.")
        if other:
            places = ", ".join(file.spot(index) for index in other[:SHOWN])
            notes.append(
                f"{len(other)} records of {self._path} give another answer than an earlier record with the same key "
                f"({places}); the earlier one was kept."
            )
        unused = len(file.answers) - len(self._used) - len(same) - len(other)
        if unused:
            notes.append(f"{unused} of {len(file.answers)} records of {self._path} were never used.")
        return notes

    @cached_property
    def _content(self) -> str:
        return digest_files(content_files(self._files))

    @cached_property
    def _file(self) -> _File:
        return _File.read(self._files, AnswerReader(self._labels), keyless=self.ordered)

    def _in_order(self, inputs: Sequence[Input]) -> list[Prediction]:
        answers = self._file.answers
        if len(answers) != len(inputs):
            raise DataError(
                f"{self._path} holds {len(answers)} answers, but {len(inputs)} inputs are asked: "
                "with in_order=1 there must be one per input, in the order of the corpus."
            )
        self._used.update(range(len(answers)))
        for asked, answer in zip(inputs, answers, strict=True):
            if answer.label is None:
                self._miss(asked)
        return list(answers)

    def _miss(self, asked: Input) -> None:
        self._missed += 1
        if len(self._missing) < SHOWN:
            self._missing.append(asked.key or asked.id)

    def _find(self, asked: Input) -> int | None:
        """Return the record for an input: by its key, else as the k-th of its key, else by its texts."""
        ids = self._file.by_id
        base, k = _duplicate(asked.key)
        for name, number in ((asked.key, 1), (base, k)):
            if len(ids.get(name, ())) >= number:
                self._by_turn += number > 1
                return ids[name][number - 1]
            official = _official(name)
            if official and len(ids.get(official, ())) >= number:
                index = ids[official][number - 1]
                self._claim(index, asked)
                self._by_turn += number > 1
                return index
        read = input_id(asked.premise, asked.hypothesis)
        for indices in (ids.get(identity_id(asked.key)), self._file.by_input.get(read), ids.get(read)):
            if indices:
                return indices[0]
        return None

    def _claim(self, index: int, asked: Input) -> None:
        """Refuse an official id that names different pairs in two splits: it cannot answer both."""
        claim = (asked.key, input_id(asked.premise, asked.hypothesis))
        owner = self._owners.setdefault(index, claim)
        if owner[1] != claim[1]:
            raise DataError(
                f"{self._file.where(index)}: the id of this record fits both {owner[0]} and "
                f"{claim[0]}. Write full pair ids, or give a file for each split."
            )


class _File:
    """The answers of a file (or of its shards) with their places, and an index of ids and contents."""

    def __init__(self, files: Sequence[RecordFile]) -> None:
        self.answers: list[Prediction] = []
        self._files = files
        self._starts: list[int] = []
        self._numbers: list[int] = []
        self.by_id: dict[str, list[int]] = {}
        self.by_input: dict[str, list[int]] = {}

    @classmethod
    def read(cls, files: Sequence[RecordFile], reader: AnswerReader, *, keyless: bool) -> _File:
        """Read every record; the first invalid one raises an error."""
        answers = cls(files)
        for file in files:
            answers._starts.append(len(answers.answers))
            for number, fields in answer_records(file):
                try:
                    answers._add(fields, reader, keyless=keyless)
                except DataError as error:
                    raise DataError(f"{file.where(number)}: {error}.") from error
                answers._numbers.append(number)
        return answers

    def where(self, index: int) -> str:
        """Return the file and line of an answer."""
        return self._files[bisect_right(self._starts, index) - 1].where(self._numbers[index])

    def spot(self, index: int) -> str:
        """Return the line of an answer, with the file if there are several."""
        return self.where(index) if len(self._files) > 1 else self._files[0].spot(self._numbers[index])

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

    def _add(self, fields: Mapping[str, object], reader: AnswerReader, *, keyless: bool) -> None:
        index = len(self.answers)
        name = next((str(fields[field]) for field in ID_FIELDS if _is_id(fields.get(field))), None)
        read, premise, hypothesis = (fields.get(field) for field in ("input_id", "premise", "hypothesis"))
        contents = {read} if isinstance(read, str) else set()
        if isinstance(hypothesis, str) and "premise" in fields:
            contents.add(input_id(premise if isinstance(premise, str) else "", hypothesis))
        if name is None and not contents and not keyless:
            raise DataError(
                f"this record has no key: expected one of {', '.join(ID_FIELDS)}, input_id, or premise and hypothesis; "
                "if the records are in the order of the corpus, add in_order=1"
            )
        for content in contents:
            self.by_input.setdefault(content, []).append(index)
        if name is not None:
            self.by_id.setdefault(name, []).append(index)
        # Next to another field for the answer, "label" is the gold label of a corpus.
        if any(field in fields for field in ANSWER_FIELDS if field != "label"):
            fields = {field: value for field, value in fields.items() if field != "label"}
        self.answers.append(reader.record(fields))


def _is_id(value: object) -> bool:
    return (isinstance(value, str) and bool(value)) or (isinstance(value, int) and not isinstance(value, bool))


def _official(key: str) -> str:
    """Return what follows corpus and split in a pair's id, or an empty text if nothing does."""
    pieces = key.split("/", 2)
    return pieces[2] if len(pieces) == 3 else ""


def _duplicate(key: str) -> tuple[str, int]:
    """Return the id without the mark of a duplicate, and which one it is: ``x#2`` is the second x."""
    match = re.fullmatch(r"(.+)#([1-9]\d*)", key, re.DOTALL)
    return (match[1], int(match[2])) if match and int(match[2]) > 1 else (key, 1)
