"""Read the records of a file in any format; none is lost or merged at stray quotes or odd separators."""

from __future__ import annotations

import csv
import gzip
import json
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Literal

from nliprobe.base.errors import DataError, where
from nliprobe.base.records.arrow import read_rows

Record = dict[str, object]
Numbered = Iterator[tuple[int, Record]]

# Long documents serve as premises; the csv module's own limit is 131,072 characters per field.
_LONGEST_FIELD = 1 << 27


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
    LINE = "line"  # it encloses a field, and the field ends on the same line
    SPAN = "span"  # it encloses a field that may span several lines


# People count lines in text files; the others have no lines that match records.
_UNITS = {Format.JSON: "item", Format.PARQUET: "row", Format.HF: "row"}


@dataclass(frozen=True, slots=True)
class RecordFile:
    """One file of records, with everything that is needed to read it.

    Attributes:
        path: the file.
        format: how it holds its records.
        delimiter: what separates fields; empty for the format's default.
        quotes: what a double quote means; None for the format's default (in a TSV file: nothing).
        optional: columns that may be missing at the end of a line.
        label_names: whether codes that Hugging Face declares as class labels become names.
    """

    path: Path
    format: Format
    delimiter: str = ""
    quotes: Quotes | None = None
    optional: tuple[str, ...] = ()
    label_names: bool = True

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
        if self.format is Format.CSV:
            return read_delimited(self.path, self.delimiter or ",", self.quotes or Quotes.LINE, self.optional)
        if self.format is Format.TSV:
            return read_delimited(self.path, self.delimiter or "\t", self.quotes or Quotes.OFF, self.optional)
        if self.format is Format.JSONL:
            return read_json_lines(self.path)
        if self.format is Format.JSON:
            return read_json_items(self.path)
        return read_rows(self.path, label_names=self.label_names)


def read_lines(path: Path) -> Iterator[tuple[int, str]]:
    """Number the lines of a UTF-8 file (also gzipped), split at ``\\n`` and ``\\r\\n`` only.

    ``str.splitlines`` would also split at U+2028, U+0085 and others, which occur inside texts.
    """
    try:
        with gzip.open(path) if path.suffix == ".gz" else path.open("rb") as stream:
            for number, raw in enumerate(stream, 1):
                try:
                    line = raw.decode("utf-8")
                except UnicodeDecodeError as error:
                    raise _not_utf8(path, number, error) from error
                if number == 1:
                    line = line.removeprefix("\ufeff")
                yield number, line.removesuffix("\n").removesuffix("\r")
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        raise DataError(f"{path} is not a whole gzip file: {error}.") from error


def read_text(path: Path) -> str:
    """Return the text of a UTF-8 file; a wrong byte is reported with its line."""
    try:
        content = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise _not_utf8(path, content.count(b"\n", 0, error.start) + 1, error) from error
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        raise DataError(f"{path} is not a whole gzip file: {error}.") from error


def read_delimited(path: Path, delimiter: str, quotes: Quotes, optional: Sequence[str] = ()) -> Numbered:
    """Yield the records of a file with a header; ``optional`` columns may be missing at the end of a line."""
    rows = _plain_rows(path, delimiter) if quotes is Quotes.OFF else _quoted_rows(path, delimiter, quotes)
    header: list[str] = []
    for number, fields in rows:
        if not header:
            header = [name.strip() for name in fields]
            repeated = sorted({name for name in header if name and header.count(name) > 1})
            if repeated:
                raise DataError(f"{where(path, number)}: the header has the column '{repeated[0]}' twice.")
            continue
        if len(fields) != len(header):
            missing = header[len(fields) :]
            if not missing or not set(missing) <= set(optional):
                raise DataError(
                    f"{where(path, number)}: {_count(len(fields), 'field')} where the header has {len(header)} "
                    f"({', '.join(header)})."
                )
            fields = [*fields, *([""] * len(missing))]
        yield number, dict(zip(header, fields, strict=True))


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
    csv.field_size_limit(max(_LONGEST_FIELD, csv.field_size_limit()))
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


def read_json_lines(path: Path) -> Numbered:
    """Yield the records of a file with one JSON object per line; blank lines are skipped."""
    for number, line in read_lines(path):
        if not line or line.isspace():
            continue
        content = parse_json(line, where(path, number))
        if not isinstance(content, dict):
            raise DataError(f"{where(path, number)}: expected a JSON object, but found {_kind(content)}.")
        yield number, content


def read_json_items(path: Path) -> Numbered:
    """Yield the records of a JSON array of objects, or of an object that holds just one such array."""
    content = parse_json(read_text(path), str(path))
    if isinstance(content, dict):
        arrays = [value for value in content.values() if isinstance(value, list)]
        content = arrays[0] if len(arrays) == 1 else content
    if not isinstance(content, list):
        raise DataError(f"{path}: expected a JSON array of objects, but found {_kind(content)}.")
    for number, item in enumerate(content, 1):
        if not isinstance(item, dict):
            raise DataError(f"{path}, item {number}: expected a JSON object, but found {_kind(item)}.")
        yield number, item


def parse_json(text: str, place: str, *, pairs: Callable[[list[tuple[str, object]]], Record] | None = None) -> object:
    """Parse JSON; errors name the place, and a key given twice in an object is an error.

    ``pairs`` makes an object from its keys and values, for callers that treat repeated keys differently.
    """
    try:
        content: object = (_STRICT if pairs is None else json.JSONDecoder(object_pairs_hook=pairs)).decode(text)
        return content
    except json.JSONDecodeError as error:
        spot = f"column {error.colno}" if error.lineno == 1 else f"line {error.lineno}, column {error.colno}"
        raise DataError(f"{place}: this is not JSON ({error.msg}, {spot}).") from error
    except RecursionError as error:
        raise DataError(f"{place}: this is not JSON that can be read (it is nested too deeply).") from error
    except DataError as error:
        raise DataError(f"{place}: {error}.") from error


def _plain_rows(path: Path, delimiter: str) -> Iterator[tuple[int, list[str]]]:
    for number, line in read_lines(path):
        if line:
            yield number, line.split(delimiter)


def _quoted_rows(path: Path, delimiter: str, quotes: Quotes) -> Iterator[tuple[int, list[str]]]:
    last = 0
    inside = False

    def lines() -> Iterator[str]:
        nonlocal last, inside
        for number, line in read_lines(path):
            if inside and quotes is Quotes.LINE:
                raise DataError(
                    f"{where(path, last)}: a quote opens that does not close on this line. Add quoting=0 if quotes are "
                    "plain text here, quoting=1 if fields may span lines."
                )
            last, inside = number, True
            yield line + "\n"

    for start, fields in csv_rows(lines(), delimiter, path, "Add quoting=0 if quotes are plain text here."):
        inside = False
        if fields:
            yield start, fields


def _unique(items: list[tuple[str, object]]) -> Record:
    record = dict(items)
    if len(record) != len(items):
        keys = [key for key, _ in items]
        raise DataError(f"the key '{next(key for key in keys if keys.count(key) > 1)}' is given twice")
    return record


# Made once: json.loads would make a decoder for every line.
_STRICT = json.JSONDecoder(object_pairs_hook=_unique)


def _not_utf8(path: Path, line: int, error: UnicodeDecodeError) -> DataError:
    byte = error.object[error.start]
    return DataError(f"{where(path, line)}: byte 0x{byte:02x} is not UTF-8. Save the file as UTF-8.")


def _kind(content: object) -> str:
    names = {dict: "an object", list: "an array", str: "a string", bool: "a truth value", type(None): "null"}
    return names.get(type(content), "a number")


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
