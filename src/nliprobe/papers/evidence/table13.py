"""Table 13: accuracy on originals, and on counterfactuals that keep and that flip the label."""

from __future__ import annotations

from statistics import fmean
from typing import TYPE_CHECKING

from nliprobe.papers.evidence._flips import CORPORA, NOTES, RELOCATE, models
from nliprobe.papers.recipes import Cell, Computed, Folders, Value, recipe
from nliprobe.papers.seeds import over_seeds
from nliprobe.task.case import Certainty

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from nliprobe.papers.evidence._flips import Pairing
    from nliprobe.papers.probe_answers import Answers

_NOTES = [
    "As in the paper, accuracies are means over 100 random subsamples of 80 %, and 'sd' columns are their standard "
    "deviations, which only say how far subsamples of these pairs differ. The interval (by table) is the proper one; ± "
    "is the standard deviation over seeds.",
    f"'preserved' are relocations by {RELOCATE} whose label is certain, by the rows that people changed (edit "
    f"evidence); "
    "'preserved, likely' are the others. 'original of preserved' are the pairs that the certain ones were made from.",
]
_ORIGINALS = {"flipped": "original", "preserved": "original of preserved"}
_ROWS = {"train": "Train", "alpha1": "alpha1"}


@recipe("evidence:table13", "Accuracy on originals and on counterfactual tables")
def table13(folders: Folders) -> Computed:
    """Score the answers to people's counterfactuals and to relocated rows."""
    from nliprobe.papers.asked import make_cases
    from nliprobe.papers.evidence._flips import flipped, preserved, right_answers

    values: dict[Cell, float | Value | None] = dict.fromkeys(table13.printed())
    notes = [*NOTES, *_NOTES]
    asked = models(folders, notes)
    for split, corpus in CORPORA.items():
        made = make_cases(corpus, [RELOCATE], folders.root)
        sets = {
            "flipped": flipped(made),
            "preserved": preserved(made, Certainty.CERTAIN),
            "preserved, likely": preserved(made, Certainty.LIKELY),
        }
        values[Cell(_ROWS[split], "pairs")] = len(sets["flipped"].original)
        values[Cell(_ROWS[split], "pairs preserved")] = len(sets["preserved"].original)
        values[Cell(_ROWS[split], "pairs preserved, likely")] = len(sets["preserved, likely"].original)
        for answers, reading in ((asked.full, "Prem+Hypo"), (asked.blind, "Hypo-Only")):
            if answers is None:
                continue
            row = f"{_ROWS[split]} {answers.name} {reading}"
            for name, pairing in sets.items():
                right = right_answers(answers, made, pairing)
                if name in _ORIGINALS:
                    values |= _cells(row, _ORIGINALS[name], [one.original for one in right], pairing, answers)
                values |= _cells(row, name, [one.counterfactual for one in right], pairing, answers)
    return Computed(values, notes)


def _cells(
    row: str, col: str, right: list[NDArray[np.bool_]], pairing: Pairing, answers: Answers
) -> dict[Cell, float | Value | None]:
    """Return the accuracy as the paper computes it, with its proper interval."""
    from nliprobe.analysis.counterfactual.measures import subsampled
    from nliprobe.papers.evidence._flips import share_ends

    drawn = [subsampled(marks, name=f"{row} {col}") for marks in right]
    known = [one for one in drawn if one is not None]
    if not known:
        return {}
    ends = [share_ends(marks, pairing.groups) for marks in right]
    return {
        Cell(row, col): over_seeds([100 * one.mean for one in known], ends, answers.by),
        Cell(row, f"{col} sd"): Value(100 * fmean(one.sd for one in known), answers.by),
    }
