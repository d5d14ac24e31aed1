"""Read the records of a file in any format; none is lost or merged at stray quotes or odd separators."""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Literal

from nliprobe.base.cells import GUARDED, restore_named
from nliprobe.base.errors import DataError, where
from nliprobe.base.records.arrow import read_rows
from nliprobe.base.records.json_shapes import Numbered as Numbered
from nliprobe.base.records.json_shapes import Record as Record
from nliprobe.base.records.json_text import read_json_items, read_json_lines
from nliprobe.base.records.text import LONGEST, read_lines

# What tools write above columns without a name.
_NO_NAMES = frozenset({"null", "none", "nan", "na"})
# Spreadsheets read the delimiter from such a line.
_SEPARATOR = re.compile(r'"?sep=(.)"?')


class Format(StrEnum):
    """The format in which a file holds its records."""

    CSV = "csv"
    TSV = "tsv"
    JSONL = "jsonl"
    JSON = "json"
    PARQUET = "parquet"
    HF = "hf"


class Quotes(StrEnum):
    """What a double quote means in a delimited file."""

    OFF = "off"  # a character like any other
    CHECKED = "checked"  # it encloses a field that may span lines, but not lines that look like records of their own
    SPAN = "span"  # it encloses a field that may span any lines


# People count lines in text files; the others have no lines that match records.
_UNITS = {Format.JSON: "item", Format.PARQUET: "row", Format.HF: "row"}


@dataclass(frozen=True, slots=True)
class RecordFile:
    """One file of records, with everything that is needed to read it.

    Attributes:
        path: the file.
        format: how it holds its records.
        delimiter: what separates fields; empty for what the first line shows, see :func:`layout_of`.
        quotes: what a double quote means; None for what :func:`layout_of` says.
        optional: columns that may be missing at the end of a line.
        label_names: whether codes that Hugging Face declares as class labels become names.
        encoding: of a text file without a byte order mark; empty for UTF-8.
    """

    path: Path
    format: Format
    delimiter: str = ""
    quotes: Quotes | None = None
    optional: tuple[str, ...] = ()
    label_names: bool = True
    encoding: str = ""

    def records(self) -> Numbered:
        """Yield the records with the number of their line, item or row; a file without records is an error."""
        number = 0
        for number, record in self._read():
            yield number, record
        if number == 0:
            raise DataError(f"{self.path} is empty: it holds no records.")

    def where(self, number: int) -> str:
        """Return the place of a record for messages: ``my.csv, line 7``."""
        return f"{self.path}, {self.spot(number)}"

    def spot(self, number: int) -> str:
        """Return the place of a record inside the file: ``line 7``."""
        return f"{_UNITS.get(self.format, 'line')} {number}"

    def _read(self) -> Numbered:
        if self.format in (Format.CSV, Format.TSV):
            delimiter, quotes = self.delimiter, self.quotes
            if not delimiter or quotes is None:
                # Imported here, because the layout is read with the functions below.
                from nliprobe.base.records.layout import layout_of

                layout = layout_of(self.path, tabs=self.format is Format.TSV, encoding=self.encoding)
                delimiter, quotes = delimiter or layout.delimiter, quotes or layout.quotes
            return read_delimited(self.path, delimiter, quotes, self.optional, encoding=self.encoding)
        if self.format is Format.JSONL:
            return read_json_lines(self.path, self.encoding)
        if self.format is Format.JSON:
            return read_json_items(self.path, self.encoding)
        return read_rows(self.path, label_names=self.label_names)


def read_delimited(
    path: Path, delimiter: str, quotes: Quotes, optional: Sequence[str] = (), *, encoding: str = ""
) -> Numbered:
    """Yield the records of a file with a header; ``optional`` columns may be missing at the end of a line.

    What spreadsheets add is left out: a first line ``sep=;``, and empty fields after the last column.
    """
    lines = _without_separator(read_lines(path, encoding))
    rows = _plain_rows(lines, delimiter) if quotes is Quotes.OFF else _quoted_rows(lines, path, delimiter, quotes)
    header: list[str] = []
    for number, fields in rows:
        if not header:
            header = _named(fields)
            repeated = sorted(name for name, times in Counter(header).items() if name and times > 1)
            if repeated:
                raise DataError(f"{where(path, number)}: the header has the column '{repeated[0]:.80}' twice.")
            continue
        if len(fields) != len(header):
            missing, further = header[len(fields) :], fields[len(header) :]
            if any(name not in optional for name in missing if name) or any(map(str.strip, further)):
                opened = quotes is Quotes.OFF and any(field.startswith('"') for field in fields)
                hint = " Add quoting=1 if quotes enclose fields here." if opened else ""
                raise DataError(
                    f"{where(path, number)}: {_count(len(fields), 'field')} where the header has {len(header)} "
                    f"({', '.join(header)}).{hint}"
                )
            fields = [*fields[: len(header)], *([""] * len(missing))]
        record: Record = dict(zip(header, fields, strict=True))
        yield number, restore_named(record) if GUARDED in record else record


def _named(fields: Sequence[str]) -> list[str]:
    """Return the names in a header; several columns called null or the like have no name."""
    names = [name.strip() for name in fields]
    times = Counter(names)
    return ["" if times[name] > 1 and name.lower() in _NO_NAMES else name for name in names]


def csv_rows(
    lines: Iterable[str],
    delimiter: str,
    place: str | Path,
    hint: str,
    *,
    strict: bool = True,
    quoting: Literal[0, 3] = csv.QUOTE_MINIMAL,
) -> Iterator[tuple[int, list[str]]]:
    """Number the rows of delimited lines by the line they begin on; blank ones have no fields.

    Quotes that do not match are an error with its place, and ``hint`` says what to do about it.
    """
    csv.field_size_limit(max(LONGEST, csv.field_size_limit()))
    reader = csv.reader(lines, delimiter=delimiter, strict=strict, quoting=quoting)
    while True:
        start = reader.line_num + 1
        try:
            fields = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            raise DataError(f"{where(place, start)}: the quotes do not match ({error}). {hint}") from error
        yield start, fields


def _without_separator(lines: Iterator[tuple[int, str]]) -> Iterator[tuple[int, str]]:
    """Blank a first line that only tells spreadsheets the delimiter."""
    return ((number, "" if number == 1 and separator(line) else line) for number, line in lines)


def separator(line: str) -> str:
    """Return the delimiter that a first line such as ``sep=;`` declares, or nothing."""
    match = _SEPARATOR.fullmatch(line)
    return match[1] if match else ""


def _plain_rows(lines: Iterable[tuple[int, str]], delimiter: str) -> Iterator[tuple[int, list[str]]]:
    for number, line in lines:
        if line:
            yield number, line.split(delimiter)


def _quoted_rows(
    lines: Iterable[tuple[int, str]], path: Path, delimiter: str, quotes: Quotes
) -> Iterator[tuple[int, list[str]]]:
    span: list[str] = []

    def kept() -> Iterator[str]:
        for _, line in lines:
            span.append(line)
            yield line + "\n"

    for start, fields in csv_rows(kept(), delimiter, path, "Add quoting=0 if quotes are plain text here."):
        if quotes is Quotes.CHECKED and len(span) > 1 and _are_rows(span, delimiter, len(fields)):
            raise DataError(
                f"{where(path, start)}: a quote opens here and closes {_count(len(span) - 1, 'line')} below, but each "
                "line looks like a record of its own. Add quoting=0 if quotes are plain text here, quoting=1 if "
                "the field does span these lines."
            )
        span.clear()
        if fields:
            yield start, fields


def _are_rows(lines: Iterable[str], delimiter: str, width: int) -> bool:
    """Tell whether each line has as many delimiters as a record; after those inside a text there is a space."""
    return width > 1 and all(line.count(delimiter) - line.count(delimiter + " ") == width - 1 for line in lines)


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
