"""Table 6: how many pairs have which Fleiss' kappa."""

from __future__ import annotations

from nliprobe.papers.recipes import Cell, Computed, Folders, Value, recipe

_ROWS = {
    "poor": "Poor (below 0)",
    "slight": "Slight (0.01 to 0.20)",
    "fair": "Fair (0.21 to 0.40)",
    "moderate": "Moderate (0.41 to 0.60)",
    "substantial": "Substantial (0.61 to 0.80)",
    "perfect": "Perfect (0.81 to 1.00)",
}
_NOTE = "The mean and the standard deviation of kappa are from the text, which prints '78 (std: 0.22)'."


@recipe("evidence:table6", "Agreement of raters on relevant rows, by Fleiss' kappa of a pair")
def table6(folders: Folders) -> Computed:
    """Count the pairs of the released sample by their kappa."""
    from nliprobe.papers.evidence._marks import agreement, by, note

    measured, source = agreement(folders), by(folders)
    counts, pairs = measured.kappa_buckets(), len(measured.pairs)
    values: dict[Cell, float | Value | None] = {
        Cell(row, "percent"): Value(100 * counts[name] / pairs, source) for name, row in _ROWS.items()
    }
    kappa = measured.kappa
    ends = None if kappa.ci95 is None else (kappa.ci95.low, kappa.ci95.high)
    values[Cell("Fleiss' kappa", "mean")] = Value(kappa.value, source, None, ends)
    values[Cell("Fleiss' kappa", "sd")] = Value(measured.kappa_spread, source)
    return Computed(values, [_NOTE, note(folders)])
