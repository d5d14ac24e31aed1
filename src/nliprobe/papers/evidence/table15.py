"""Table 15: the same as table 14, by whether a model without premise is right about the original's label."""

from __future__ import annotations

from nliprobe.papers.evidence._flips import CORPORA, NOTES, RELOCATE, models
from nliprobe.papers.recipes import Cell, Computed, Folders, Value, recipe
from nliprobe.papers.seeds import over_seeds

_ROWS = {
    ("only_counterfactual", "wrong"): "original wrong; counterfactual right; hypothesis only wrong",
    ("only_counterfactual", "right"): "original wrong; counterfactual right; hypothesis only right",
    ("only_original", "right"): "original right; counterfactual wrong; hypothesis only right",
    ("only_original", "wrong"): "original right; counterfactual wrong; hypothesis only wrong",
    ("both", "right"): "original right; counterfactual right; hypothesis only right",
    ("both", "wrong"): "original right; counterfactual right; hypothesis only wrong",
    ("neither", "right"): "original wrong; counterfactual wrong; hypothesis only right",
    ("neither", "wrong"): "original wrong; counterfactual wrong; hypothesis only wrong",
}
_NOTE = "Each seed of the model is compared with the seed of the same number of the model without premise."


@recipe("evidence:table15", "Originals and label-flipped counterfactuals beside a model without premise")
def table15(folders: Folders) -> Computed:
    """Cross the answers to originals and people's counterfactuals with those of the model without premise."""
    from nliprobe.analysis.counterfactual.measures import crossed_with
    from nliprobe.papers.asked import make_cases
    from nliprobe.papers.evidence._flips import crossed_marks, flipped, right_answers, share_ends

    values: dict[Cell, float | Value | None] = dict.fromkeys(table15.printed())
    notes = [*NOTES, _NOTE]
    full, blind = models(folders, notes)
    for split, corpus in CORPORA.items():
        if full is None or blind is None:
            continue
        made = make_cases(corpus, [RELOCATE], folders.root)
        pairing = flipped(made)
        both = list(zip(right_answers(full, made, pairing), right_answers(blind, made, pairing), strict=False))
        counts = [crossed_with(one.original, one.counterfactual, other.original) for one, other in both]
        for (name, side), row in _ROWS.items():
            shares = [100 * getattr(getattr(one, side), name) / len(pairing.original) for one in counts]
            sides = [other.original if side == "right" else ~other.original for _, other in both]
            marks = [crossed_marks(one)[name] & chosen for (one, _), chosen in zip(both, sides, strict=True)]
            ends = [share_ends(mark, pairing.groups) for mark in marks]
            values[Cell(f"{full.name}: {row}", split)] = over_seeds(shares, ends, f"{full.by}; and {blind.by}")
    return Computed(values, notes)
