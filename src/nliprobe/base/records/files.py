"""Read files of every format through one iterator of (number, record)."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from nliprobe.base.errors import DataError, NotFoundError, UsageError, did_you_mean
from nliprobe.base.records.arrow import DESCRIPTION, is_saved_dataset, parquet_files, read_rows, saved_files
from nliprobe.base.records.encodings import known
from nliprobe.base.records.json_shapes import wraps_records
from nliprobe.base.records.layout import layout_of
from nliprobe.base.records.lines import (
    Numbered,
    Quotes,
    read_delimited,
    read_json_items,
    read_json_lines,
    read_lines,
)


class Format(StrEnum):
    """The format in which a file holds its records."""

    CSV = "csv"
    TSV = "tsv"
    JSONL = "jsonl"
    JSON = "json"
    PARQUET = "parquet"
    HF = "hf"


_SUFFIXES = {
    ".csv": Format.CSV,
    ".tsv": Format.TSV,
    ".tab": Format.TSV,
    ".txt": Format.TSV,
    ".jsonl": Format.JSONL,
    ".ndjson": Format.JSONL,
    ".json": Format.JSON,
    ".parquet": Format.PARQUET,
    ".pq": Format.PARQUET,
    ".arrow": Format.HF,
}
# People count lines in text files; the others have no lines that match records.
_UNITS = {Format.JSON: "item", Format.PARQUET: "row", Format.HF: "row"}
_DELIMITERS = {"tab": "\t", "comma": ",", "semicolon": ";", "pipe": "|"}


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
            layout = layout_of(self.path, tabs=self.format is Format.TSV, encoding=self.encoding)
            delimiter, quotes = self.delimiter or layout.delimiter, self.quotes or layout.quotes
            return read_delimited(self.path, delimiter, quotes, self.optional, encoding=self.encoding)
        if self.format is Format.JSONL:
            return read_json_lines(self.path, self.encoding)
        if self.format is Format.JSON:
            return read_json_items(self.path, self.encoding)
        return read_rows(self.path, label_names=self.label_names)


def record_files(
    path: Path,
    *,
    format: str = "",
    split: str = "",
    delimiter: str = "",
    quoting: bool | None = None,
    label_names: bool = True,
    encoding: str = "",
) -> list[RecordFile]:
    """Return the files behind a path: the file itself, the shards of a folder, or the matches of a pattern with ``*``.

    Args:
        path: the path that the user gave.
        format: how the files hold their records; by default their names and contents say so.
        split: which split of a folder with several.
        delimiter: what separates fields: a character, or tab, comma, semicolon, pipe; by default the header shows it.
        quoting: false if quotes are plain text, true if quoted fields may span lines, None for the format's default.
        label_names: whether codes that Hugging Face declares as class labels become names.
        encoding: of text files without a byte order mark; by default UTF-8.
    """
    encoding = known(encoding) if encoding else ""
    between = one_delimiter(delimiter)
    quotes = None if quoting is None else Quotes.SPAN if quoting else Quotes.OFF
    return [
        RecordFile(
            item,
            _format(format) if format else guess_format(item, encoding),
            between,
            quotes,
            label_names=label_names,
            encoding=encoding,
        )
        for item in _paths(path, format, split)
    ]


def one_delimiter(name: str) -> str:
    """Return the delimiter that a user names: a character, or tab, comma, semicolon, pipe; empty stays empty."""
    between = _DELIMITERS.get(name, name)
    if len(between) > 1:
        raise UsageError(f"'delimiter' should be one character or one of {', '.join(_DELIMITERS)}, not '{between}'.")
    return between


def content_files(files: Sequence[RecordFile]) -> list[Path]:
    """Return all files that determine the records, including the description of a saved dataset's columns."""
    described = [file.path.with_name(DESCRIPTION) for file in files[:1] if file.format is Format.HF]
    return [file.path for file in files] + [path for path in described if path.is_file()]


def guess_format(path: Path, encoding: str = "") -> Format:
    """Return the format that a file's name promises, or JSON (lines) for a text file that holds JSON."""
    name = path.name.lower().removesuffix(".gz")
    kind = _SUFFIXES.get(Path(name).suffix)
    if kind in (Format.PARQUET, Format.HF):
        return kind
    kind = _json_kind(path, encoding, kind) or kind
    if kind is None:
        raise UsageError(
            f"The name of {path} does not say its format. Add format=csv, tsv, jsonl, json, parquet or hf."
        )
    return kind


def _paths(path: Path, format: str, split: str) -> list[Path]:
    if path.is_dir():
        if format not in ("", Format.HF, Format.PARQUET):
            raise UsageError(f"{path} is a folder, and a folder is read as format=hf or format=parquet, not {format}.")
        saved = is_saved_dataset(path) if not format else format == Format.HF
        paths = saved_files(path, split) if saved else parquet_files(path, split)
        if not paths:
            raise NotFoundError(f"The folder {path} holds neither a saved dataset nor Parquet files.")
        return paths
    if "*" in path.name:
        paths = sorted(path.parent.glob(path.name))
        if not paths:
            raise NotFoundError(f"No file matches {path}.")
        return paths
    if path.is_file():
        return [path]
    neighbours = [entry.name for entry in path.parent.iterdir()] if path.parent.is_dir() else []
    hint = did_you_mean(path.name, neighbours) if len(neighbours) < 1000 else ""
    hint = hint if hint.startswith("Did") else f"Looked in {path.parent.absolute()}."
    raise NotFoundError(f"There is no file {path}. {hint}")


def _format(text: str) -> Format:
    try:
        return Format(text)
    except ValueError:
        raise UsageError(f"'{text}' is not a format. {did_you_mean(text, list(Format))}") from None


def _json_kind(path: Path, encoding: str, named: Format | None) -> Format | None:
    """Return which kind of JSON a text file holds, or None if its first lines are something else."""
    try:
        lines = (line for _, line in read_lines(path, encoding) if line.strip())
        first = next(lines, "").strip()
        second = next(lines, "") if first.startswith(("[", "{")) else ""
    except DataError:
        # A file whose name says nothing may well be binary; others are refused when they are read, with the place.
        return None
    if not first.startswith(("[", "{")):
        return None
    try:
        content = json.loads(first)
    except (ValueError, RecursionError):
        # A value over several lines; only in a file of JSON is a line of its own no objection.
        return Format.JSON if named is Format.JSON or first in ("[", "{") else None
    if isinstance(content, dict):
        # The only line of a file of JSON lines is a record, unless it is nothing but a list of records.
        lone = not second and (named is not Format.JSONL or (len(content) == 1 and wraps_records(content)))
        return Format.JSON if lone else Format.JSONL
    return None if second else Format.JSON
