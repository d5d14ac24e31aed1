"""The section of the page about the swap evaluation: a picture per corpus, the table, and what it shows in words."""

from __future__ import annotations

from collections.abc import Collection

from nliprobe.analysis.rates import Ends
from nliprobe.analysis.swap.documents import Swap, SwapEntry
from nliprobe.report.dumbbell import Dumbbell, Estimate, dumbbell_plot
from nliprobe.report.swap import (
    COLUMNS,
    CONSISTENT,
    TITLE,
    consistency_cells,
    consistency_remarks,
    doubtful_lines,
    gold_words,
    swap_cells,
    swap_readings,
    swap_remarks,
)

# Doubtful neutrals per corpus that the page lists.
_DOUBTFUL = 100


def swap_section(swap: Swap | None, controls: Collection[str] = ()) -> dict[str, object] | None:
    """Prepare the section of the page; None if the run does not swap.

    Args:
        swap: the swap evaluation.
        controls: the names of the systems that cannot use their premise.
    """
    from markupsafe import Markup

    if swap is None:
        return None
    entries = swap["entries"]
    plots = []
    for corpus in dict.fromkeys(entry["corpus"] for entry in entries if entry["labels"]):
        lines = [line for entry in entries if entry["corpus"] == corpus for line in _lines(entry, controls)]
        plots.append({"corpus": corpus, "svg": Markup(dumbbell_plot(lines, ("as it is", "swapped")))})
    return {
        "title": TITLE,
        "readings": swap_readings(swap),
        "plots": plots,
        "columns": COLUMNS,
        "rows": list(swap_cells(entries)),
        "remarks": swap_remarks(swap),
        "consistent_columns": CONSISTENT,
        "consistent": list(consistency_cells(entries)),
        "consistent_remarks": consistency_remarks(entries),
        "doubtful": [line for corpus in swap["corpora"] for line in doubtful_lines(corpus, _DOUBTFUL)],
    }


def _lines(entry: SwapEntry, controls: Collection[str]) -> list[Dumbbell]:
    """Draw a line per gold label; without doubtful neutrals the picture would be nearly the same."""
    return [
        Dumbbell(
            f"{gold_words(row)}, {entry['system']}",
            _estimate(row["original"], row["original_ci95"]),
            _estimate(row["swapped"], row["swapped_ci95"]),
            f"{100 * (0 - row['drop']):+.1f}",
            entry["system"] in controls,
        )
        for row in entry["labels"]
        if row["doubtful"]
    ]


def _estimate(value: float, ends: Ends) -> Estimate:
    low, high = ends or [value, value]
    return Estimate(value, low, high)
