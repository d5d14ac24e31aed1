"""Cells that frames of results share."""

from __future__ import annotations

from collections.abc import Iterable, Sequence


def with_ends(names: Iterable[str]) -> list[str]:
    """Return the columns of numbers that have an interval: each number, its lower and its upper end."""
    return [f"{name}{end}" for name in names for end in ("", "_low", "_high")]


def end_cells(name: str, ends: Sequence[float] | None) -> dict[str, float | None]:
    """Return the cells of an interval."""
    return {f"{name}_low": None if ends is None else ends[0], f"{name}_high": None if ends is None else ends[1]}
