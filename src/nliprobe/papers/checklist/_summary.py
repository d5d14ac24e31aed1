"""Compute figures 1 and 5: accuracy by capability, and templates by bins of accuracy."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from nliprobe.papers.recipes import Cell, CellDocument, Chart, Computed, Folders, Value
from nliprobe.report.bars import Bar

if TYPE_CHECKING:
    from nliprobe.papers.checklist._gold import Scores

OURS = "MiniLM"
UNSURE, SHARE = "unsure", "unsure percent"
_BINS = "templates "
_NOTES = [
    "Capabilities: the mean accuracy of their templates, in percent. Templates: how many have an accuracy in the bin; "
    "unsure are those from 20 to 80 %.",
    f"{OURS}: not in the paper; it was asked our own 194 templates, and counts are means over seeds.",
]


def summary(folders: Folders, models: Sequence[str], *notes: str) -> Computed:
    """Summarise the public list for the given models, and the shipped answers."""
    from nliprobe.papers.checklist._gold import measured, not_measured
    from nliprobe.papers.checklist._public import MODELS, NOTE, by_public, public_document
    from nliprobe.papers.checklist.answers_file import WITH_PREMISE

    document = public_document(folders)
    by = by_public(document["templates"])
    values: dict[Cell, float | Value | None] = {}
    for model in models:
        name = MODELS[model]
        for entry in document["capabilities"]:
            if entry["system"] == name and entry["template_mean"] is not None:
                values[Cell(str(entry["capability"]), model)] = Value(100 * entry["template_mean"], by)
        [bins] = [entry for entry in document["bins"] if entry["system"] == name]
        values.update({Cell(f"{_BINS}{bin_}", model): Value(n, by) for bin_, n in bins["bins"].items()})
        values[Cell(UNSURE, model)] = Value(bins["unsure"], by)
        values[Cell(SHARE, model)] = Value(100 * bins["unsure"] / document["templates"], by)
    scored = measured(WITH_PREMISE)
    if scored is None:
        return Computed(values, [NOTE, *notes, *_NOTES, not_measured(OURS)])
    return Computed({**values, **_ours(scored)}, [NOTE, *notes, *_NOTES])


def draw_summary(models: Sequence[str]) -> Callable[[Sequence[CellDocument]], list[Chart]]:
    """Return a function that draws both panels, one chart per model."""

    def draw(cells: Sequence[CellDocument]) -> list[Chart]:
        charts: list[Chart] = []
        for counts, title in ((False, "accuracy by capability, in percent"), (True, "templates by accuracy")):
            for model in (*models, OURS):
                bars = [
                    Bar(cell["row"].removeprefix(_BINS), (("all", cell["ours"]),), f"{cell['ours']:.{1 - counts}f}")
                    for cell in cells
                    if cell["col"] == model
                    and cell["ours"] is not None
                    and cell["row"] not in (UNSURE, SHARE)
                    and cell["row"].startswith(_BINS) == counts
                ]
                if bars:
                    charts.append(Chart(f"{model}: {title}", bars))
        return charts

    return draw


def _ours(scored: Scores) -> dict[Cell, Value]:
    from nliprobe.analysis.checklist.bins import bin_counts
    from nliprobe.analysis.checklist.capabilities import in_order
    from nliprobe.papers.checklist._gold import over_seeds, suite

    entries = suite().entries
    by = scored.answers.by()
    values: dict[Cell, Value] = {}
    for name in in_order(entry.capability for entry in entries):
        values[Cell(name, OURS)] = scored.mean([entry.id for entry in entries if entry.capability == name])
    bins = [bin_counts(OURS, (accuracy / 100 for accuracy in each.values())) for each in scored.templates]
    for bin_ in bins[0]["bins"]:
        values[Cell(f"{_BINS}{bin_}", OURS)] = over_seeds([one["bins"][bin_] for one in bins], by)
    unsure = [one["unsure"] for one in bins]
    values[Cell(UNSURE, OURS)] = over_seeds(unsure, by)
    values[Cell(SHARE, OURS)] = over_seeds([100 * n / len(entries) for n in unsure], by)
    return values
