"""Write a file of facets that ``facets=FILE`` attaches: CSV, TSV, JSON lines or Parquet, by the ending of its name."""

from __future__ import annotations

import io
import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from nliprobe.base.cells import csv_text, guarded_lines
from nliprobe.base.errors import DataError, UsageError
from nliprobe.base.files import require_writable, write_atomic

PAIR_ID = "pair_id"
ENDINGS = (".csv", ".tsv", ".jsonl", ".parquet")
_BREAKS = "\t\r\n"


def require_facet_file(path: Path) -> None:
    """Raise an error unless facets can be written to a path; nothing is left there."""
    if path.suffix.lower() not in ENDINGS:
        raise UsageError(f"'{path}' should end in {', '.join(ENDINGS)}, which says how the facets are written.")
    require_writable(path)


def write_facets(path: Path, rows: Sequence[Mapping[str, str | int | float]]) -> None:
    """Write a row per pair, all with the same columns, completely or not at all.

    Args:
        path: the file; its ending says how it is written.
        rows: the id of a pair under ``pair_id``, and a value per facet.
    """
    require_facet_file(path)
    ending = path.suffix.lower()
    if ending == ".parquet":
        import polars

        content = io.BytesIO()
        polars.DataFrame(rows).write_parquet(content)
        write_atomic(path, content.getbuffer())
        return
    if ending == ".jsonl":
        text = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    else:
        text = _table(rows, path, tabs=ending == ".tsv")
    write_atomic(path, text.encode("utf-8"))


def _table(rows: Sequence[Mapping[str, str | int | float]], path: Path, *, tabs: bool) -> str:
    lines = guarded_lines(list(rows[0]), rows)
    if tabs:
        # Public TSV files do not quote, so a tab or a line break would end a field.
        broken = next((row for row in rows if any(mark in str(row[PAIR_ID]) for mark in _BREAKS)), None)
        if broken is not None:
            raise DataError(
                f"{path} cannot hold {broken[PAIR_ID]!r}, which has a tab or a line break: write .csv, .jsonl or "
                ".parquet."
            )
        return "".join("\t".join(cells) + "\n" for cells in lines)
    return csv_text(lines)
