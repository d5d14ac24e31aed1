"""Table 16: how far all marks of a pair agree with its majority."""

from __future__ import annotations

from nliprobe.papers.recipes import Cell, Computed, Folders, Value, recipe

_NOTE = "Macro: averages over pairs, each counting once. Micro: all marks pooled."


@recipe("evidence:table16", "Agreement of marks with the majority of a pair")
def table16(folders: Folders) -> Computed:
    """Compare the marks of the released sample with the majorities of their pairs."""
    from nliprobe.papers.evidence._marks import agreement, note, percent

    measured = agreement(folders)
    values: dict[Cell, float | Value | None] = {}
    for row, averages in (("macro-avg", measured.by_pair), ("micro-avg", measured.micro)):
        for col, measure in averages._asdict().items():
            values[Cell(row, col)] = percent(measure, folders)
    return Computed(values, [_NOTE, note(folders)])
