"""Read files of answers as records; scores spread over columns, or written in one cell, become lists."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

from nliprobe.base.errors import DataError
from nliprobe.base.records.files import record_files
from nliprobe.base.records.read import Format, Numbered, Quotes, Record, RecordFile
from nliprobe.models.answers import LOGIT_FIELDS, PROBABILITY_FIELDS

_SCORE_FIELDS = (*PROBABILITY_FIELDS, *LOGIT_FIELDS)
_SCORE_COLUMN = re.compile(r"(logits?|scores?|prob(?:abilit(?:y|ies)|s)?)[_.\- ]+(.+)", re.IGNORECASE)


def answer_files(
    path: Path, *, format: str = "", split: str = "", quoting: bool | None = None, label_names: bool = True
) -> list[RecordFile]:
    """Return the files of answers behind a path; a quoted field of a CSV file may span lines, as raw answers do."""
    files = record_files(path, format=format, split=split, quoting=quoting, label_names=label_names)
    spanning = [file.format is Format.CSV and file.quotes is None for file in files]
    return [replace(file, quotes=Quotes.SPAN) if spans else file for file, spans in zip(files, spanning, strict=True)]


def answer_records(file: RecordFile) -> Numbered:
    """Yield the records of a file in its order, as models answer: an empty cell is None, scores are lists."""
    if file.format in (Format.JSONL, Format.JSON):
        return file.records()
    return _folded(file, file.records())


def _folded(file: RecordFile, rows: Numbered) -> Numbered:
    plan: dict[str, list[tuple[str, str]]] | None = None
    cells_are_text = file.format in (Format.CSV, Format.TSV)
    for number, fields in rows:
        if plan is None:
            plan = _plan(file.path, list(fields))
            spelt = [field for field in _SCORE_FIELDS if field in fields]
        if cells_are_text:
            for name, cell in fields.items():
                if not cell or str(cell).isspace():
                    fields[name] = None
        for field in spelt:
            if isinstance(fields[field], str):
                fields[field] = _spelt(str(fields[field]))
        for field, columns in plan.items():
            fields[field] = _scores(fields, columns)
        yield number, fields


def _plan(path: Path, header: list[str]) -> dict[str, list[tuple[str, str]]]:
    """Return, for each field of scores, its columns and what follows the field's name in their names."""
    plan: dict[str, list[tuple[str, str]]] = {}
    for column in header:
        match = _SCORE_COLUMN.fullmatch(column)
        if match:
            field = "probabilities" if match[1].lower().startswith("prob") else "logits"
            plan.setdefault(field, []).append((column, match[2]))
    for field, columns in plan.items():
        if any(name.isdigit() for _, name in columns):
            columns.sort(key=lambda item: int(item[1]) if item[1].isdigit() else -1)
            if [name for _, name in columns] != [str(index) for index in range(len(columns))]:
                names = ", ".join(column for column, _ in columns)
                raise DataError(f"{path}: the columns of {field} should be numbered 0, 1, 2, but are {names}.")
    return plan


def _scores(fields: Record, columns: list[tuple[str, str]]) -> object:
    """Take the columns of scores out of a record, and return a list of numbers, or numbers by label."""
    cells = {name: _number(fields.pop(column)) for column, name in columns}
    if all(cell is None for cell in cells.values()):
        return None
    return list(cells.values()) if columns[0][1].isdigit() else cells


def _spelt(cell: str) -> object:
    try:
        return json.loads(cell)
    except ValueError:
        return [_number(piece) for piece in re.split(r"[\s,;]+", cell.strip().strip("[]()").strip())]


def _number(cell: object) -> object:
    """Return a cell as a number if it is one; anything else is refused later, with its place."""
    try:
        return float(cell) if isinstance(cell, str) else cell
    except ValueError:
        return cell
