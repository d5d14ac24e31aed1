"""Table 2: stress tests of models trained with some of their neutral and contradiction pairs swapped."""

from __future__ import annotations

from collections.abc import Sequence

from nliprobe.papers.recipes import Cell, Computed, Folders, Value, recipe
from nliprobe.papers.swap._measured import DEVIATION, NOISE, measured_cells
from nliprobe.papers.swap.grid_files import find_grids
from nliprobe.stats.deviation import deviation, relative_scores

GENRES = ("Mat", "Mis")
PERCENTAGES = (25, 50, 75, 100)
# Only without the 25 % column does the definition give the printed deviations.
PRINTED = (50, 75, 100)
ALL_FOUR = "Devi, 25 % included"
_NOTES = [
    "Ratios and deviations are computed from the printed scores S. The text defines the deviation as the sum of "
    "(R - 1)² over all percentages and both genres, but the printed column is the sum over 50, 75 and 100 % only: with "
    f"these, all 25 rows agree to 0.001. '{ALL_FOUR}' is the definition as the text states it.",
    "Printed ratios are rounded to whole percents; deviations come from ratios that are not.",
    "The paper's models are not available. Rows that end with what was learnt from are of networks trained by "
    "nliprobe; the paper's values beside them are of its own, trained on all of MultiNLI and asked the released tests.",
]
_NOT_MEASURED = "Our own scores are not measured: there is no grid in papers/swap/grid or in the folder of answers."
_NOISE = (
    f"'{NOISE}' is what drawing other pairs of the test would give on average if nothing moved. Brackets after a "
    "deviation are without it; if they begin at 0, the deviation is not shown to be more than that."
)


@recipe("swap:table2", "Stress tests after training on swapped pairs, and the deviation")
def table2(folders: Folders) -> Computed:
    """Compute ratios and deviations from the printed scores, and show the scores of our own grids."""
    printed = table2.printed()
    values: dict[Cell, float | Value | None] = dict.fromkeys(printed)
    for row in dict.fromkeys(cell.row for cell in printed if cell.col == "S0%"):
        ratios = relative_scores(printed[Cell(row, "S0%")], [printed[Cell(row, f"S{n}%")] for n in PERCENTAGES])
        for percentage, ratio in zip(PERCENTAGES, ratios or (), strict=True):
            values[Cell(row, f"R{percentage}%")] = 100 * ratio
    for cell in [cell for cell in printed if cell.col == DEVIATION]:
        values[cell] = _deviation(printed, cell.row, PRINTED)
        values[Cell(cell.row, ALL_FOUR)] = _deviation(printed, cell.row, PERCENTAGES)
    grids = find_grids(folders.answers)
    for condition, grid in grids.items():
        values |= dict(measured_cells(grid, condition, printed, PRINTED))
    return Computed(values, [*_NOTES, _NOISE if grids else _NOT_MEASURED])


def _deviation(printed: dict[Cell, float], row: str, percentages: Sequence[int]) -> float | None:
    rows = [f"{row} {genre}" for genre in GENRES]
    return deviation(
        [(printed[Cell(name, "S0%")], [printed[Cell(name, f"S{n}%")] for n in percentages]) for name in rows]
    )
