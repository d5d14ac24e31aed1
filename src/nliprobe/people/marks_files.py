"""Write cleaned evidence, which corpora read back, and the list of pairs that need new marks."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from nliprobe.base.cells import csv_text, guarded_lines
from nliprobe.base.errors import UsageError
from nliprobe.base.files import write_atomic
from nliprobe.people.clean_marks import Settled, Wanting
from nliprobe.task.marks import MarkedPair


def write_evidence(path: Path, settled: Sequence[Settled]) -> None:
    """Write the evidence of pairs as CSV, or as JSON lines if the path ends in ``.jsonl``.

    ``evidence=file:PATH`` attaches it to the corpus that the pairs come from, and ``file:PATH`` reads it as a corpus if
    the tables are in a folder.
    """
    rows = [
        {
            **_named(item.pair),
            "evidence": list(item.evidence.units),
            "units": "from0",
            "keys": [item.pair.bit_name(place) for place in item.evidence.units],
            "outside": int(item.evidence.outside),
            "grade": item.evidence.grade.value,
            "ratings": len(item.pair.marks),
        }
        for item in settled
    ]
    _write(path, rows, ("evidence", "units", "keys", "outside", "grade", "ratings"))


def write_wanting(path: Path, wanting: Sequence[Wanting]) -> None:
    """Write the pairs that need new marks, why, and how many ratings they have; raters' marks are not shown."""
    rows = [{**_named(item.pair), "ratings": item.ratings, "reason": item.reason} for item in wanting]
    _write(path, rows, ("ratings", "reason"))


def _named(pair: MarkedPair) -> dict[str, object]:
    return {"pair_id": pair.id, "table_id": pair.table, "hypothesis": pair.hypothesis, "label": pair.label}


def _write(path: Path, rows: Sequence[Mapping[str, object]], own: Sequence[str]) -> None:
    # A column that no pair fills would only raise the question what it means.
    names = [name for name in ("pair_id", "table_id", "hypothesis", "label") if any(row[name] for row in rows)]
    columns = [*names, *own]
    if path.suffix == ".jsonl":
        lines = [json.dumps({name: row[name] for name in columns}, ensure_ascii=False) + "\n" for row in rows]
        write_atomic(path, "".join(lines).encode("utf-8"))
        return
    if path.suffix != ".csv":
        raise UsageError(f"'{path}' should end in .csv or .jsonl, which says how it is written.")
    cells = [{name: _cell(row[name]) for name in columns} for row in rows]
    write_atomic(path, csv_text(guarded_lines(columns, cells)).encode("utf-8"))


def _cell(value: object) -> object:
    return json.dumps(value, ensure_ascii=False) if isinstance(value, list) else value
