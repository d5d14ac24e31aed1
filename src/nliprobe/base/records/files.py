"""Find the files of records behind a path that a user gave, and guess their format."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from nliprobe.base.errors import DataError, NotFoundError, UsageError, did_you_mean
from nliprobe.base.records.arrow import DESCRIPTION, is_saved_dataset, parquet_files, saved_files
from nliprobe.base.records.encodings import known
from nliprobe.base.records.json_shapes import wraps_records
from nliprobe.base.records.read import Format, Quotes, RecordFile
from nliprobe.base.records.text import first_character, read_lines

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
_DELIMITERS = {"tab": "\t", "comma": ",", "semicolon": ";", "pipe": "|"}


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
    if named is Format.JSON and first_character(path, encoding) == "[":
        # Its only line may be the whole file.
        return Format.JSON
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
