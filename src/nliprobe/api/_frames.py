"""Cells that frames of results share."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from nliprobe.base.cells import GUARDED, guard, may_run

if TYPE_CHECKING:
    import polars


def with_ends(names: Iterable[str]) -> list[str]:
    """Return the columns of numbers that have an interval: each number, its lower and its upper end."""
    return [f"{name}{end}" for name in names for end in ("", "_low", "_high")]


def end_cells(name: str, ends: Sequence[float] | None) -> dict[str, float | None]:
    """Return the cells of an interval."""
    return {f"{name}_low": None if ends is None else ends[0], f"{name}_high": None if ends is None else ends[1]}


def guarded_cells(frame: polars.DataFrame) -> polars.DataFrame:
    """Guard cells that a spreadsheet would run, and name them in a column of their own for :func:`restore_named`."""
    import polars

    names: list[list[str]] = [[] for _ in range(frame.height)]
    columns: dict[str, list[str | None]] = {}
    for name in (name for name, kind in frame.schema.items() if kind == polars.String):
        cells = frame[name].to_list()
        if not may_run(cell for cell in cells if cell is not None):
            continue
        columns[name] = [None if cell is None else guard(cell) for cell in cells]
        for row, (before, after) in enumerate(zip(cells, columns[name], strict=True)):
            if before != after:
                names[row].append(name)
    guarded = polars.Series(GUARDED, [" ".join(row) for row in names], dtype=polars.String)
    return frame.with_columns(*(polars.Series(name, cells) for name, cells in columns.items()), guarded)
