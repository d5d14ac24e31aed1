"""Read the records of a file in any format; none is lost or merged at stray quotes or odd separators."""

from __future__ import annotations

import csv
import gzip
import io
import json
import re
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import BinaryIO, Literal

from nliprobe.base.cells import GUARDED, restore_named
from nliprobe.base.errors import DataError, where
from nliprobe.base.records.arrow import read_rows
from nliprobe.base.records.encodings import HEAD, SAMPLE, UTF8, encoding_in, not_decoded
from nliprobe.base.records.json_shapes import Record as Record
from nliprobe.base.records.json_shapes import kind_of, records_in

Numbered = Iterator[tuple[int, Record]]

# Long documents serve as premises; the csv module's own limit is 131,072 characters per field.
_LONGEST_FIELD = 1 << 27
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


def read_lines(path: Path, encoding: str = "") -> Iterator[tuple[int, str]]:
    """Number the lines of a text file (also gzipped), split at ``\\n`` and ``\\r\\n`` only.

    A file without these is split at ``\\r``. It is UTF-8 unless its byte order mark or ``encoding`` says otherwise.
    ``str.splitlines`` would also split at U+2028, U+0085 and others, which occur inside texts.
    """
    number = 0
    try:
        with _open(path) as stream:
            name, end = _start(stream, path, encoding)
            if name.startswith(("utf-16", "utf-32")) or end == "\r":
                with io.TextIOWrapper(stream, name, newline=end) as text:
                    for number, line in enumerate(text, 1):
                        yield number, line.removesuffix("\n").removesuffix("\r")
                return
            # Bytes are split before they are decoded, so that an error has the right line.
            for number, raw in enumerate(stream, 1):
                try:
                    line = raw.decode(name)
                except UnicodeDecodeError as error:
                    sample = raw + stream.read(SAMPLE)
                    raise not_decoded(where(path, number), raw[error.start], name, sample) from error
                yield number, line.removesuffix("\n").removesuffix("\r")
    except UnicodeDecodeError as error:
        # A piece of many lines was decoded at once.
        place = where(path, number + 1 + error.object[: error.start].count(b"\r"))
        rest = error.object[error.start :]
        raise not_decoded(place, rest[0], error.encoding, rest) from error
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        raise DataError(f"{path} is not a whole gzip file: {error}.") from error


def read_text(path: Path, encoding: str = "") -> str:
    """Return the text of a file, decoded as :func:`read_lines` does; a wrong byte is reported with its line."""
    try:
        content = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        raise DataError(f"{path} is not a whole gzip file: {error}.") from error
    return decoded(content, path, encoding)


def decoded(content: bytes, path: Path | str, encoding: str = "") -> str:
    """Return the text in the bytes of a file; a wrong byte is reported with its line."""
    name, skip = _encoding(content[:HEAD], path, encoding)
    try:
        return content[skip:].decode(name)
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start + skip) + 1
        raise not_decoded(where(path, line), error.object[error.start], name, error.object[error.start :]) from error


def encoding_of(path: Path, encoding: str = "") -> str:
    """Return the encoding in which a file is read: that of its byte order mark, else the named one, else UTF-8."""
    with _open(path) as stream:
        return _start(stream, path, encoding)[0]


def _open(path: Path) -> BinaryIO | gzip.GzipFile:
    return gzip.open(path) if path.suffix == ".gz" else path.open("rb")


def _start(stream: BinaryIO | gzip.GzipFile, path: Path, encoding: str) -> tuple[str, Literal["\n", "\r"]]:
    """Return the encoding of a file and what ends its lines, and go to the first byte after its mark."""
    head = stream.read(HEAD)
    name, skip = _encoding(head, path, encoding)
    stream.seek(skip)
    # Spreadsheets on a Mac used to end lines like this. A return at the end of the head may be followed by a line feed.
    returns = b"\r" in head.rstrip(b"\r") and b"\n" not in head
    return name, "\r" if returns else "\n"


def _encoding(head: bytes, path: Path | str, encoding: str) -> tuple[str, int]:
    """Return the encoding of a file and how many bytes to skip; most begin with ASCII, which needs no closer look."""
    if not encoding and head.isascii() and 0 not in head:
        return UTF8, 0
    return encoding_in(head, path, encoding)


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
            repeated = sorted({name for name in header if name and header.count(name) > 1})
            if repeated:
                raise DataError(f"{where(path, number)}: the header has the column '{repeated[0]}' twice.")
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
    return ["" if name.lower() in _NO_NAMES and names.count(name) > 1 else name for name in names]


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


def read_json_lines(path: Path, encoding: str = "") -> Numbered:
    """Yield the records of a file with one JSON object per line; blank lines are skipped."""
    for number, line in read_lines(path, encoding):
        if not line or line.isspace():
            continue
        content = parse_json(line, where(path, number))
        if not isinstance(content, dict):
            raise DataError(f"{where(path, number)}: expected a JSON object, but found {kind_of(content)}.")
        yield number, content


def read_json_items(path: Path, encoding: str = "") -> Numbered:
    """Number the records of a file that is one JSON value."""
    return enumerate(records_in(parse_json(read_text(path, encoding), str(path)), str(path)), 1)


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


def _unique(items: list[tuple[str, object]]) -> Record:
    record = dict(items)
    if len(record) != len(items):
        keys = [key for key, _ in items]
        raise DataError(f"the key '{next(key for key in keys if keys.count(key) > 1)}' is given twice")
    return record


# Made once: json.loads would make a decoder for every line.
_STRICT = json.JSONDecoder(object_pairs_hook=_unique)


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
