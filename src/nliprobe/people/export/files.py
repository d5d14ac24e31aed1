"""Write the files of exports, completely or not at all, and say how they are read."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from nliprobe.base.cells import csv_text, guarded_lines
from nliprobe.base.errors import DataError, UsageError
from nliprobe.base.files import write_atomic
from nliprobe.base.halves import whole_json
from nliprobe.base.registry import Spec


class Exported(NamedTuple):
    """What was written.

    Attributes:
        path: the file or folder.
        written: how many lines, without the one that names the columns.
        left_out: how many items are not in it, by reason.
        spec: how the file is named where it is read: ``file:written.jsonl?id=id``.
        adjudicated: about how many of the items the owner decided, and not the majority of the raters.
    """

    path: Path
    written: int
    left_out: dict[str, int]
    spec: str
    adjudicated: int = 0


def write_csv(path: Path, rows: Sequence[Mapping[str, object]]) -> None:
    """Write records as CSV; a column that no record fills is left out, and cells that would run are guarded."""
    _require(path, ".csv", rows)
    columns = [name for name in rows[0] if any(row[name] != "" for row in rows)]
    write_atomic(path, csv_text(guarded_lines(columns, rows)).encode("utf-8"))


def write_json_lines(path: Path, rows: Sequence[Mapping[str, object]]) -> None:
    """Write records as JSON lines, all with the same keys."""
    _require(path, ".jsonl", rows)
    lines = [whole_json(json.dumps(row, ensure_ascii=False)) + "\n" for row in rows]
    write_atomic(path, "".join(lines).encode("utf-8"))


def file_spec(path: Path, **params: str) -> str:
    """Return the spec string by which a file is read; empty parameters are left out."""
    return str(Spec("file", str(path), tuple((name, value) for name, value in params.items() if value)))


def named(rater: str, externals: Mapping[str, str] | None) -> dict[str, str]:
    """Return the columns that name a rater: the pseudonym, and the platform's id if the owner wants it."""
    return {"rater": rater} if externals is None else {"rater": rater, "external": externals.get(rater, "")}


def remarked(rows: Sequence[Mapping[str, object]]) -> list[dict[str, object]]:
    """Leave the remarks of raters out of records where nobody made any, as an empty column is left out of CSV."""
    told = any(row["remark"] for row in rows)
    return [{name: value for name, value in row.items() if told or name != "remark"} for row in rows]


def counts(reasons: Iterable[str]) -> dict[str, int]:
    """Count reasons."""
    found: dict[str, int] = {}
    for reason in reasons:
        found[reason] = found.get(reason, 0) + 1
    return found


def _require(path: Path, ending: str, rows: Sequence[object]) -> None:
    if path.suffix != ending:
        raise UsageError(f"'{path}' should end in {ending}, which is how this export is written.")
    if not rows:
        raise DataError(f"Nothing to write to {path}: no judgement counts yet.")
