"""Reads files of answers, one record at a time with its line: JSONL, CSV, TSV or Parquet."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from nliprobe.base.errors import DataError, NotFoundError, UsageError, did_you_mean, where
from nliprobe.models._answers import LOGIT_FIELDS, PROBABILITY_FIELDS

_SUFFIXES = {
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".csv": "csv",
    ".tsv": "tsv",
    ".parquet": "parquet",
    ".pq": "parquet",
}
FORMATS = tuple(dict.fromkeys(_SUFFIXES.values()))
_SCORE_COLUMN = re.compile(r"(logits?|scores?|prob(?:abilit(?:y|ies)|s)?)[_.\- ]+(.+)", re.IGNORECASE)


class Record(NamedTuple):
    """The fields of one record, and the line (in Parquet the row) where it stands."""

    line: int
    fields: dict[str, object]


def format_of(path: Path, given: str = "") -> str:
    """The format of a file, by what the user says or else by its name."""
    if given and given not in FORMATS:
        raise UsageError(f"There is no format '{given}' of answers. {did_you_mean(given, FORMATS)}")
    found = given or _SUFFIXES.get(path.suffix.lower())
    if found is None:
        raise UsageError(
            f"The format of {path} cannot be told from its name: it should end in .jsonl, .csv, .tsv or .parquet, "
            "or be given as format=jsonl."
        )
    return found


def read_records(path: Path, kind: str) -> Iterator[Record]:
    """Every record of a file, in its order."""
    if not path.is_file():
        raise NotFoundError(f"The file of answers {path} does not exist.")
    if kind == "jsonl":
        return _jsonl(path)
    rows = _parquet(path) if kind == "parquet" else _separated(path, kind)
    return _folded(path, rows)


def _jsonl(path: Path) -> Iterator[Record]:
    for number, line in _lines(path):
        if not line.strip():
            continue
        try:
            content = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise DataError(f"{where(path, number)}: this is not JSON ({error}).") from error
        if not isinstance(content, dict):
            raise DataError(f'{where(path, number)}: expected a JSON object such as {{"id": ..., "label": ...}}.')
        yield Record(number, content)


def _separated(path: Path, kind: str) -> Iterator[Record]:
    # Public TSV files (GLUE, InfoTabS) do not quote: a quotation mark in them is part of the text.
    lines = (line for _, line in _lines(path))
    reader = csv.reader(lines, strict=True) if kind == "csv" else csv.reader(lines, "excel-tab", quoting=csv.QUOTE_NONE)
    header: list[str] | None = None
    try:
        for row in reader:
            if header is None:
                header = [name.strip() for name in row]
                if len(set(header)) < len(header):
                    raise DataError(f"{where(path, reader.line_num)}: the header names a column twice.")
            elif row:
                if len(row) != len(header):
                    raise DataError(
                        f"{where(path, reader.line_num)}: expected {len(header)} columns as in the header, "
                        f"found {len(row)}."
                    )
                cells = [cell if cell.strip() else None for cell in row]
                yield Record(reader.line_num, dict(zip(header, cells, strict=True)))
    except csv.Error as error:
        raise DataError(f"{where(path, reader.line_num)}: this is not {kind.upper()} ({error}).") from error


def _parquet(path: Path) -> Iterator[Record]:
    import polars

    try:
        frame = polars.read_parquet(path)
    except (polars.exceptions.PolarsError, OSError) as error:
        raise DataError(f"{path} cannot be read as Parquet: {error}.") from error
    for number, row in enumerate(frame.iter_rows(named=True), start=1):
        yield Record(number, row)


def _lines(path: Path) -> Iterator[tuple[int, str]]:
    with path.open("rb") as stream:
        for number, line in enumerate(stream, start=1):
            try:
                text = line.decode("utf-8")
            except UnicodeDecodeError as error:
                raise DataError(f"{where(path, number)}: this is not UTF-8 text ({error.reason}).") from error
            yield number, text.removeprefix("\ufeff") if number == 1 else text


def _folded(path: Path, rows: Iterator[Record]) -> Iterator[Record]:
    """Records in which a list of scores is a list: from a cell that spells it, or from a column for each label."""
    plan: dict[str, list[tuple[str, str]]] | None = None
    for line, fields in rows:
        if plan is None:
            plan = _plan(path, list(fields))
        for field in (*PROBABILITY_FIELDS, *LOGIT_FIELDS):
            if isinstance(fields.get(field), str):
                fields[field] = _spelt(str(fields[field]))
        for field, columns in plan.items():
            cells = {name: _number(fields.pop(column)) for column, name in columns}
            if all(cell is None for cell in cells.values()):
                fields[field] = None
            else:
                fields[field] = list(cells.values()) if columns[0][1].isdigit() else cells
        yield Record(line, fields)


def _plan(path: Path, header: list[str]) -> dict[str, list[tuple[str, str]]]:
    """For each field of scores the columns it is spread over, with what follows the field's name in theirs."""
    plan: dict[str, list[tuple[str, str]]] = {}
    for column in header:
        found = _SCORE_COLUMN.fullmatch(column)
        if found:
            field = "probabilities" if found[1].lower().startswith("prob") else "logits"
            plan.setdefault(field, []).append((column, found[2]))
    for field, columns in plan.items():
        if any(name.isdigit() for _, name in columns):
            columns.sort(key=lambda item: int(item[1]) if item[1].isdigit() else -1)
            if [name for _, name in columns] != [str(index) for index in range(len(columns))]:
                names = ", ".join(column for column, _ in columns)
                raise DataError(f"{path}: the columns of {field} should be numbered 0, 1, 2, but are {names}.")
    return plan


def _spelt(cell: str) -> object:
    try:
        return json.loads(cell)
    except ValueError:
        return [_number(piece) for piece in re.split(r"[\s,;]+", cell.strip().strip("[]()").strip())]


def _number(cell: object) -> object:
    """A cell as a number where it is one; what is not is refused later, with its place."""
    try:
        return float(cell) if isinstance(cell, str) else cell
    except ValueError:
        return cell
