"""Evidence from a user's file: raters' marks, or the rows that matter, for pairs of any corpus."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import NamedTuple

from nliprobe.base.errors import DataError, UsageError, did_you_mean
from nliprobe.base.hashing import digest, digest_files
from nliprobe.base.records.columns import column, guess_column
from nliprobe.base.records.files import content_files
from nliprobe.base.records.read import Record, RecordFile
from nliprobe.base.registry import Spec
from nliprobe.corpora._file_evidence import truth
from nliprobe.corpora._naming import NAMINGS, Naming, named_units
from nliprobe.corpora._pair_columns import PairColumns, cell_text, optional_column
from nliprobe.corpora._parts import filled
from nliprobe.corpora.marks import MARKS_NAMES, MarksOptions, read_marks
from nliprobe.task.evidence import Evidence, Grade
from nliprobe.task.evidenced import EVIDENCE, Dropped, EvidenceSource, table_id, unit_count
from nliprobe.task.marks import MarkedPair, majority_of
from nliprobe.task.pair import Pair
from nliprobe.task.source import PairSource
from nliprobe.task.table import Table


@dataclass(frozen=True, slots=True)
class EvidenceOptions(MarksOptions):
    """The parameters of a file of evidence: those of marks, or those below.

    Attributes:
        evidence: the column of the units that matter, if the file has no marks.
        units: how it names them: from0, from1, keys or marks; by default, what the column ``units`` says.
        grade: gold, edit or silver; by default, what the column ``grade`` says.
        outside: the column that says whether knowledge from outside is needed, too.
    """

    evidence: str = ""
    units: str = ""
    grade: str = ""
    outside: str = ""


class _Listed(NamedTuple):
    """What one line says about a pair."""

    value: object
    naming: Naming
    outside: bool
    place: str


_Key = tuple[str, str, str]


@EVIDENCE.register("file")
class FileEvidence(EvidenceSource):
    """The evidence in a file, for pairs named by their id, or by their table and hypothesis.

    A file of raters' marks gives what most of them say: gold. A file with a column ``evidence`` says in its columns
    ``units`` and ``grade`` how units are named and how we know; ``nliprobe data agreement --export`` writes one.
    """

    def __init__(
        self,
        files: Sequence[Path],
        entries: Mapping[_Key, MarkedPair | _Listed],
        grade: Grade,
        *,
        column_name: str = "",
        options: Sequence[str] = (),
    ) -> None:
        self._files = list(files)
        self._entries = entries
        self._grade = grade
        self._column = column_name
        self._options = tuple(options)

    @classmethod
    def from_spec(cls, spec: Spec, whole: PairSource, roots: Sequence[Path]) -> EvidenceSource:
        """Read the file that a spec string names; its path is relative to the working folder."""
        if not spec.argument:
            raise UsageError("The evidence 'file' does not name a file: write evidence=file:PATH.")
        options = spec.build(EvidenceOptions)
        return open_evidence(Path(spec.argument), options)

    @property
    def grade(self) -> Grade:
        """What the file or the user says; marks are gold."""
        return self._grade

    def files(self) -> list[Path]:
        """Return the file."""
        return self._files

    def digest(self) -> str:
        """Return a hash of the file and of how it is read."""
        return digest("file", "1", *self._options, digest_files(self._files))

    def entries(self) -> Collection[Hashable]:
        """Return the ids, or tables and hypotheses."""
        return self._entries.keys()

    def entry(self, pair: Pair) -> Hashable:
        """Return the id of a pair if the file has it, else its table and hypothesis."""
        return self._key(pair)

    def look_up(self, pair: Pair) -> Evidence | Dropped | None:
        """Return what the file says about a pair; rows that its table does not have are an error."""
        entry = self._entries.get(self._key(pair))
        if entry is None:
            return None
        if isinstance(entry, MarkedPair):
            return _voted(entry, pair)
        size = unit_count(pair)
        if not size:
            raise DataError(
                f"{entry.place}: the premise of {pair.id} has neither rows nor sentences that can be named."
            )
        named = named_units(
            entry.value, entry.naming, pair.premise, size, name=self._column, place=f"{entry.place} ({pair.id})"
        )
        if named is None:
            return None
        return Evidence(named.units, self._grade, outside=entry.outside or bool(named.outside))

    def _key(self, pair: Pair) -> _Key:
        by_id = (pair.id, "", "")
        return by_id if by_id in self._entries else ("", table_id(pair), pair.hypothesis)


def open_evidence(path: Path, options: EvidenceOptions | None = None) -> FileEvidence:
    """Read a file of evidence or of raters' marks."""
    options = options or EvidenceOptions()
    shown = options.given()
    records = options.files_at(path)
    reader: _Reader | None = None
    for file in records:
        for number, record in filled(file.records()):
            if reader is None:
                if _has_marks(record, options):
                    marks = MarksOptions(**{item.name: getattr(options, item.name) for item in fields(MarksOptions)})
                    if options.grade not in ("", Grade.GOLD):
                        raise UsageError(f"{path} holds raters' marks, which are gold, not {options.grade}.")
                    return from_marks(read_marks(path, marks).pairs, content_files(records), shown)
                reader = _Reader(record, options, file.where(number))
            reader.add(record, file, number)
    if reader is None or reader.grade is None:
        raise DataError(f"{path} holds no evidence.")
    return FileEvidence(content_files(records), reader.entries, reader.grade, column_name=reader.column, options=shown)


def from_marks(pairs: Sequence[MarkedPair], files: Sequence[Path], options: Sequence[str] = ()) -> FileEvidence:
    """Return the evidence in raters' marks: what most of them say."""
    return FileEvidence(files, {pair.key: pair for pair in pairs}, Grade.GOLD, options=options)


def _has_marks(record: Record, options: EvidenceOptions) -> bool:
    if options.marks or options.evidence:
        return bool(options.marks)
    return guess_column(record, ["evidence"]) is None and guess_column(record, MARKS_NAMES) is not None


def _voted(marked: MarkedPair, pair: Pair) -> Evidence | Dropped:
    size = unit_count(pair)
    if marked.units != size:
        raise DataError(
            f"{marked.place}: the marks are about {marked.units} rows, but the premise of {pair.id} has {size}."
        )
    if marked.keys and isinstance(pair.premise, Table) and marked.keys != tuple(map(str.strip, pair.premise.keys)):
        unknown = next((key for key in marked.keys if key not in pair.premise.keys), None)
        what = f"has no row '{unknown}'" if unknown is not None else "has its rows in another order"
        raise DataError(f"{marked.place}: the table of {pair.id} {what}, unlike the one that was marked.")
    most = majority_of(marked.marks)
    if most.tied:
        return Dropped("half of the raters marked a row and half did not")
    return Evidence(most.units, Grade.GOLD, outside=most.outside)


class _Reader:
    """Reads evidence line by line; the first line decides the columns."""

    def __init__(self, record: Record, options: EvidenceOptions, place: str) -> None:
        self.column = column(record, [options.evidence or "evidence"], place, "evidence")
        self._pair = PairColumns(record, options, place, "whose evidence this is", "pair ids")
        self._outside = optional_column(record, options.outside, ["outside"], place)
        self._units, self._grade = options.units, options.grade
        self.grade: Grade | None = None
        self.entries: dict[_Key, MarkedPair | _Listed] = {}

    def add(self, record: Record, file: RecordFile, number: int) -> None:
        """Add the evidence of one line."""
        place = file.where(number)
        units = self._units or cell_text(record, "units")
        grade = self._grade or cell_text(record, "grade")
        if units not in list(Naming):
            raise DataError(f"{place}: {_undeclared('units', units, list(Naming))} Say it in a column or as {NAMINGS}.")
        if grade not in list(Grade):
            raise DataError(
                f"{place}: {_undeclared('grade', grade, list(Grade))} Say how the evidence is known, in a column or as "
                "grade=gold, grade=edit or grade=silver."
            )
        if self.grade is not None and self.grade != grade:
            raise DataError(
                f"{place}: the evidence is {grade} here and {self.grade} above; grades are not mixed: use two files."
            )
        self.grade = Grade(grade)
        pair, table, hypothesis = self._pair.read(record)
        key: _Key = (pair, "", "") if pair else ("", table, hypothesis)
        if not pair and not (table and hypothesis):
            raise DataError(f"{place}: neither a pair id nor a table and a hypothesis is given.")
        known = self.entries.get(key)
        if known is not None:
            raise DataError(f"{place}: the pair has its evidence already in {known.place}.")
        outside = truth(record.get(self._outside), self._outside, place) if self._outside else False
        self.entries[key] = _Listed(record.get(self.column), Naming(units), outside, place)


def _undeclared(what: str, value: str, known: Sequence[str]) -> str:
    return f"'{what}' cannot be '{value}'. {did_you_mean(value, known)}" if value else f"'{what}' is not declared."
