"""Read raters' marks of relevant rows: ``marks.csv?pair=pair_id&rater=worker&marks=answer``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote

from nliprobe.base.errors import DataError, UsageError
from nliprobe.base.records.columns import column, guess_column
from nliprobe.base.records.files import record_files
from nliprobe.base.records.options import ReadOptions
from nliprobe.base.records.read import Record, RecordFile
from nliprobe.base.registry import Spec
from nliprobe.corpora._lists import is_list, list_in
from nliprobe.corpora._pair_columns import PairColumns, cell_text, optional_column
from nliprobe.corpora._parts import filled, value_of
from nliprobe.task.marks import DROPPED_ZEROS, Mark, MarkedPair, merge_marks

# The names of these columns in the files of crowdsourcing platforms and researchers, the clearest names first.
RATER_NAMES = ("raters", "rater", "rater_id", "worker", "workers", "worker_id", "WorkerId", "annotator", "annotator_id")
MARKS_NAMES = ("marks", "mark", "relevant_rows")
# The split of InfoTabS whose marks are released.
RELEASED = "infotabs/train-sample"


@dataclass(frozen=True, slots=True)
class MarksOptions(ReadOptions):
    """The parameters of a file of marks; empty parameters are guessed or not used.

    Attributes:
        pair: the column of the pair's id.
        table: the column of the table's id.
        hypothesis: the column of the hypothesis.
        rater: the column of who marked, or of a list of raters.
        marks: the column of the marks, or of a list of marks: 0/1 strings whose last character is "out of table".
        rows: the column with the list of the rows' keys.
        majority: the column of a majority that is given, in the form of the marks.
        label: the column of the gold label.
        name: the name in reports; by default, the file's name without its extension.
    """

    pair: str = ""
    table: str = ""
    hypothesis: str = ""
    rater: str = ""
    marks: str = ""
    rows: str = ""
    majority: str = ""
    label: str = ""
    name: str = ""


class MarksFile(NamedTuple):
    """The marks of one file.

    Attributes:
        name: the name in reports.
        pairs: the pairs with their marks, in the order of the file.
    """

    name: str
    pairs: tuple[MarkedPair, ...]


def is_marks(text: str) -> bool:
    """Tell whether a spec string names marks of rows: it says ``marks=COLUMN``, or its file has a column of marks."""
    head, _, tail = text.strip().partition("?")
    if head == RELEASED or any(piece.startswith("marks=") for piece in tail.split("&")):
        return True
    path = Path(unquote(head.removeprefix("file:")))
    if not path.is_file():
        return False
    first = next((record for file in record_files(path) for _, record in file.records()), {})
    return guess_column(first, MARKS_NAMES) is not None and guess_column(first, RATER_NAMES) is not None


def open_marks(text: str, roots: Sequence[Path] = ()) -> MarksFile:
    """Read the marks that a spec string names.

    Args:
        text: a file with its columns after ``?``, or ``infotabs/train-sample`` for the released sample.
        roots: the folders above the corpora.
    """
    from nliprobe.corpora.evidence.gold import find_sample

    head, mark, tail = text.strip().partition("?")
    if head == RELEASED:
        if mark:
            raise UsageError(f"'{head}' has marks of a known form: it takes no parameters.")
        return MarksFile(RELEASED, read_marks(find_sample(roots)).pairs)
    options = Spec.parse(f"marks{mark}{tail}").build(MarksOptions)
    return read_marks(Path(unquote(head.removeprefix("file:"))), options)


def read_marks(path: Path, options: MarksOptions | None = None) -> MarksFile:
    """Read a file of marks with one line per pair and lists in its cells, or one line per rater and pair.

    Marks of the wrong length, other characters than 0 and 1, a rater twice on a pair, two tables with one id: each is
    an error that names the line.
    """
    options = options or MarksOptions()
    pairs: list[MarkedPair] = []
    reader: _Reader | None = None
    for file in options.files_at(path):
        for number, record in filled(file.records()):
            reader = reader or _Reader(record, options, file.where(number))
            pairs.append(reader.read(record, file, number))
    if not pairs:
        raise DataError(f"{path} holds no marks.")
    return MarksFile(options.name or Path(path.name.removesuffix(".gz")).stem, merge_marks([pairs]))


class _Reader:
    """Reads marks record by record; the first record decides the columns."""

    def __init__(self, record: Record, options: MarksOptions, place: str) -> None:
        self._marks = column(record, [options.marks] if options.marks else MARKS_NAMES, place, "marks")
        self._rater = column(record, [options.rater] if options.rater else RATER_NAMES, place, "rater")
        self._pair = PairColumns(record, options, place, "which pair was marked", "its id")
        self._rows = optional_column(record, options.rows, ("rows", "keys"), place)
        self._majority = optional_column(record, options.majority, ("majority",), place)
        self._label = optional_column(record, options.label, ("label", "gold_label", "gold"), place)

    def read(self, record: Record, file: RecordFile, number: int) -> MarkedPair:
        """Return the pair of a record with the marks in it."""
        place = file.where(number)
        marks = tuple(self._marks_in(record, file, number))
        lengths = {len(mark.bits) for mark in marks}
        if len(lengths) > 1:
            raise DataError(
                f"{place}: the raters' marks have different lengths, {min(lengths)} and {max(lengths)}. Each needs "
                f"one character per row and one for knowledge from outside. {DROPPED_ZEROS}"
            )
        raters = [mark.rater for mark in marks]
        twice = next((rater for rater in raters if raters.count(rater) > 1), None)
        if twice is not None:
            raise DataError(f"{place}: the rater '{twice}' has marked this pair twice.")
        size = lengths.pop()
        released = cell_text(record, self._majority)
        if released:
            _check_bits(released, f"the majority in column '{self._majority}'", place, size)
        name, table, hypothesis = self._pair.read(record)
        return MarkedPair(
            id=name,
            table=table,
            hypothesis=hypothesis,
            marks=marks,
            keys=self._keys(record, file, number, size),
            label=cell_text(record, self._label),
            released=released,
            place=place,
        )

    def _marks_in(self, record: Record, file: RecordFile, number: int) -> Iterator[Mark]:
        place = file.where(number)
        value = value_of(record, self._marks, file, number)
        if is_list(value):
            marks = list_in(value, self._marks, place)
            raters = list_in(value_of(record, self._rater, file, number), self._rater, place)
            if len(raters) != len(marks):
                raise DataError(f"{place}: {len(marks)} marks are given by {len(raters)} raters.")
            if not marks:
                raise DataError(f"{place}: no rater has marked this pair: column '{self._marks}' holds an empty list.")
        else:
            marks, raters = [value], [value_of(record, self._rater, file, number)]
        for rater, bits in zip(raters, marks, strict=True):
            name = "" if rater is None else str(rater).strip()
            if not name:
                raise DataError(f"{place}: the rater in column '{self._rater}' is empty.")
            yield Mark(name, _check_bits(bits, f"what '{name}' marked", place))

    def _keys(self, record: Record, file: RecordFile, number: int, size: int) -> tuple[str, ...]:
        if self._rows is None or record.get(self._rows) in (None, ""):
            return ()
        place = file.where(number)
        keys = [str(key).strip() for key in list_in(value_of(record, self._rows, file, number), self._rows, place)]
        # The released sample names the last mark, too ("none"); other files only name the rows.
        if len(keys) not in (size, size - 1):
            raise DataError(
                f"{place}: column '{self._rows}' names {len(keys)} rows, but the marks have {size} characters: "
                f"expected one per row and a last one for knowledge from outside. {DROPPED_ZEROS}"
            )
        return tuple(keys[: size - 1])


def _check_bits(value: object, what: str, place: str, size: int | None = None) -> str:
    bits = value.strip() if isinstance(value, str) else value
    if not isinstance(bits, str) or not bits or set(bits) - {"0", "1"}:
        raise DataError(
            f"{place}: {what} is {value!r:.60}, not a text of 0 and 1 such as 0100, with one character per row and a "
            "last one for knowledge from outside."
        )
    if len(bits) < 2:
        raise DataError(f"{place}: {what} has a single character: expected one per row and a last one for outside.")
    if size is not None and len(bits) != size:
        raise DataError(f"{place}: {what} has {len(bits)} characters, but the raters' marks have {size}.")
    return bits
