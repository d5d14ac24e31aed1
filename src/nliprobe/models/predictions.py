"""Use answers that were computed elsewhere: a file of labels, logits or probabilities, matched by id or content."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import ClassVar, Self

from nliprobe.base.errors import DataError, UsageError
from nliprobe.base.hashing import digest
from nliprobe.base.records.held import HeldRecords
from nliprobe.base.records.read import Record
from nliprobe.base.registry import Spec
from nliprobe.models import MODELS
from nliprobe.models._answer_columns import Named, Spelling
from nliprobe.models._answer_files import AnswerFiles, answer_files
from nliprobe.models._answer_table import AnswerTable, Match, Rules
from nliprobe.models._coverage import SHOWN, AskedCase, Coverage
from nliprobe.models.answers import NO_ANSWER, partition_of, partition_seen
from nliprobe.models.base import Model
from nliprobe.models.origin import Origin
from nliprobe.task.case import Input, Prediction, input_id
from nliprobe.task.labels import LabelMap, Partition

__all__ = ["AskedCase", "Predictions", "PredictionsParams"]


@dataclass(frozen=True)
class PredictionsParams:
    """The parameters of ``predictions``.

    Attributes:
        in_order: the records have no key and are in the order of the corpus.
        format: csv, tsv, jsonl, json, parquet, hf, npy or npz, if the file's name does not say.
        split: which split of a folder with several.
        quoting: 0 if quotes in a CSV file are plain text, 1 if quoted fields of any file may span lines.
        answer: the column of the answer, if its name does not say.
        scores: the column of lists of scores, or one column per label with commas between them.
        id: the column of ids, if its name does not say.
        encoding: of a text file, if it is not UTF-8.
        allow_unmatched: whether many cases may be without a record; they are then unanswered.
    """

    in_order: bool = False
    format: str = ""
    split: str = ""
    quoting: bool | None = None
    answer: str = ""
    scores: str = ""
    id: str = ""
    encoding: str = ""
    # Not in the repr, because it does not change any answer.
    allow_unmatched: bool = field(default=False, repr=False)


def spec_spelling(name: str, value: str) -> str:
    """Return how a parameter is written in a spec: ``answer=predicted``, ``in_order=1``."""
    return f"{name}={value or '1'}"


@MODELS.register("predictions")
class Predictions(Model):
    """Looks answers up in a file: ``predictions:answers.jsonl?labels=contradiction,entailment,neutral``.

    A record is found by its id (the pair's full id, its official id, or the case's id), by its ``input_id``, or by
    its premise and hypothesis. If a corpus has an id k times, k records of that id answer it in their order.
    """

    # 2: a column that says "predicted" is the answer, and "label" beside it is gold.
    version: ClassVar[int] = 2
    keyed: ClassVar[bool] = True
    frees_interpreter: ClassVar[bool] = False

    def __init__(
        self, files: AnswerFiles, params: PredictionsParams, labels: LabelMap | None, spell: Spelling = spec_spelling
    ) -> None:
        self._path = files.path
        self._files = files
        self._params = params
        self._labels = labels
        self._spell = spell
        self._coverage = Coverage()
        self._met = False
        self._owners: dict[int, tuple[str, str]] = {}
        self._order: dict[str, int] = {}
        self._noticed: list[AskedCase] = []

    @classmethod
    def from_spec(cls, spec: Spec, labels: LabelMap | None) -> Self:
        """Name the file; it is read when the first answer is asked for."""
        if not spec.argument:
            raise UsageError(f"'{spec.name}' needs a file of answers, as in {spec.name}:answers.jsonl.")
        return cls.from_path(Path(spec.argument), spec.build(PredictionsParams), labels)

    @classmethod
    def from_path(
        cls, path: Path, params: PredictionsParams, labels: LabelMap | None, spell: Spelling = spec_spelling
    ) -> Self:
        """Name the file; ``spell`` says in messages how the user gives a parameter."""
        files = answer_files(
            path,
            format=params.format,
            split=params.split,
            quoting=params.quoting,
            encoding=params.encoding,
            labels=labels,
        )
        return cls(files, params, labels, spell)

    @classmethod
    def from_records(
        cls,
        name: str,
        rows: Sequence[Record],
        params: PredictionsParams,
        labels: LabelMap | None,
        spell: Spelling = spec_spelling,
    ) -> Self:
        """Take records in memory, such as the rows of a frame, in place of those of a file."""
        return cls(AnswerFiles(Path(name), [HeldRecords.named(name, rows)]), params, labels, spell)

    def again(self) -> Self:
        """Return a copy that counts anew which of the answers are used; the file is not read again."""
        other = type(self)(self._files, self._params, self._labels, self._spell)
        other._order, other._met = self._order, self._met
        if "_table" in vars(self):
            vars(other)["_table"] = self._table
        return other

    @property
    def ordered(self) -> bool:
        """Whether the answers are in the order of the corpus."""
        return self._params.in_order

    @property
    def unmatched(self) -> int:
        """How many cases have no record in the file, once it has met the cases."""
        return self._coverage.unmatched

    @cached_property
    def partition(self) -> Partition:
        """The declared labels, or else what the answers show: an NC without any N or C is a block."""
        if self._labels is not None:
            return partition_of(self._labels)
        return partition_seen(answer.label for answer in self._table.answers if answer.label is not None)

    def fingerprint(self) -> str:
        """Return a hash of the file, the parameters and the label map."""
        return digest("predictions", str(self.version), self._content, repr(self._params), str(self._labels or ""))

    def origin(self) -> Origin:
        """Return the files of answers; answers in memory have none."""
        return Origin(lambda: {path.name: path for path in self._files.paths()})

    def check(self) -> None:
        """Read the file, so that whatever is wrong with it is said before anything is asked."""
        _ = self._table

    def meet(self, cases: Iterable[AskedCase]) -> None:
        """Match all cases that will be asked, before any is; raise an error if they are not those of the file.

        Args:
            cases: every case, those of a corpus in its order.
        """
        self.notice(cases)
        self.settle()

    def notice(self, cases: Iterable[AskedCase]) -> None:
        """Match some of the cases that will be asked; :meth:`settle` follows after the last of them."""
        if self.ordered:
            self._noticed.extend(cases)
        else:
            self._match(cases)

    def settle(self) -> None:
        """Raise an error if the cases that were noticed are not those of the file."""
        if self.ordered:
            cases, self._noticed = self._noticed, []
            self._set_order(cases)
            # If only the labelled pairs are answered, the others are not asked for.
            self._match(case for case in cases if not case.as_it_is or _key(case.input) in self._order)
        self._met = True
        self._coverage.check(self._table, self._path, self._spell, allow=self._params.allow_unmatched)

    def _match(self, cases: Iterable[AskedCase]) -> None:
        table = self._table
        for case in cases:
            table.corpora.add(case.corpus.partition("?")[0])
            self._coverage.add(case, self._find(case.input), table)

    def predict(self, inputs: Sequence[Input]) -> list[Prediction]:
        """Return the file's answer to each input, or no answer if it has none."""
        if self.ordered and not self._met:
            self._set_order([AskedCase("inputs", asked, None, as_it_is=True) for asked in inputs])
        result: list[Prediction] = []
        for asked in inputs:
            match = self._find(asked)
            if not self._met:
                self._coverage.add(AskedCase("inputs", asked, None, as_it_is=True), match, self._table)
            result.append(NO_ANSWER if match is None else self._table.answers[match.record])
        return result

    def notes(self) -> list[str]:
        """Say what is missing, what was given more than once, and what was not used."""
        coverage = self._coverage
        if not coverage.asked:
            return []
        table, used = self._table, coverage.used
        notes = coverage.notes(self._path, allowed=self._params.allow_unmatched)
        silent = [index for index in sorted(used) if table.answers[index].label is None]
        if silent:
            places = ", ".join(table.spot(index) for index in silent[:SHOWN])
            notes.append(f"{len(silent)} of {len(used)} records of {self._path} hold no answer, the first: {places}.")
        same, other = table.repeated(used)
        if same:
            notes.append(f"{len(same)} records of {self._path} repeat the answer of another one and were not needed.")
        if other:
            places = ", ".join(table.spot(index) for index in other[:SHOWN])
            notes.append(
                f"{len(other)} records of {self._path} give another answer than an earlier record with the same key "
                f"({places}); the earlier one was kept."
            )
        unused = len(table.answers) - len(used) - len(same) - len(other)
        if unused:
            notes.append(f"{unused} of {len(table.answers)} records of {self._path} were never used.")
        if table.columns is None and coverage.equals_gold:
            notes.append(f"All {coverage.equals_gold:,} answers equal the gold label: are they answers of a model?")
        return notes

    @cached_property
    def _content(self) -> str:
        return self._files.digest()

    @cached_property
    def _table(self) -> AnswerTable:
        named = Named(self._params.answer, self._params.scores, self._params.id)
        return AnswerTable.read(self._files, Rules(self._labels, named, self._spell, in_order=self.ordered))

    def _set_order(self, cases: Sequence[AskedCase]) -> None:
        """Give the answers to the pairs of the corpus in turn: to all of them, or to all that have a label."""
        corpora = {case.cell for case in cases if case.as_it_is}
        if len(corpora) > 1:
            raise UsageError(f"{self._path} is in the order of one corpus, but there are {len(corpora)} corpora.")
        pairs = [case for case in cases if case.as_it_is]
        labelled = [case for case in pairs if case.gold is not None]
        count = len(self._table.answers)
        chosen = next((group for group in (pairs, labelled) if len(group) == count), None)
        if chosen is None:
            asked = f"{len(pairs)} {next(iter(corpora), 'inputs')}"
            asked += f" ({len(labelled)} with a label)" if 0 < len(labelled) < len(pairs) else ""
            raise DataError(
                f"{self._path} holds {count} answers, but {asked} are asked: "
                f"with {self._spell('in_order', '')} there must be one for each, in the order of the corpus."
            )
        misplaced = self._table.misplaced()
        if misplaced is not None:
            name, given = self._table.names[misplaced], self._spell("in_order", "")
            raise DataError(
                f"{self._table.where(misplaced)}: the id '{name}' counts the answers, but it is not the next number, "
                f"so they are not in the order of the corpus. Sort them by id, or leave out {given} if the ids are "
                "those of the corpus."
            )
        self._order = {_key(case.input): index for index, case in enumerate(chosen)}

    def _find(self, asked: Input) -> Match | None:
        if self.ordered:
            index = self._order.get(_key(asked))
            return None if index is None else Match(index, by_id=False)
        match = self._table.find(asked)
        if match is not None and match.shortened:
            self._claim(match.record, asked)
        return match

    def _claim(self, index: int, asked: Input) -> None:
        """Refuse an official id that names different pairs in two splits: it cannot answer both."""
        claim = (asked.key, input_id(asked.premise, asked.hypothesis))
        owner = self._owners.setdefault(index, claim)
        if owner[1] != claim[1]:
            raise DataError(
                f"{self._table.where(index)}: the id of this record fits both {owner[0]} and "
                f"{claim[0]}. Write full pair ids, or give a file for each split."
            )


def _key(asked: Input) -> str:
    return asked.key or asked.id
