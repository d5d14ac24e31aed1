"""Table 14: originals and their label-flipped counterfactuals, right and wrong together."""

from __future__ import annotations

from nliprobe.papers.evidence._flips import CORPORA, NOTES, RELOCATE, models
from nliprobe.papers.recipes import Cell, Computed, Folders, Value, recipe
from nliprobe.papers.seeds import over_seeds

_ROWS = {
    "neither": "original wrong; counterfactual wrong",
    "only_counterfactual": "original wrong; counterfactual right",
    "only_original": "original right; counterfactual wrong",
    "both": "original right; counterfactual right",
}


@recipe("evidence:table14", "Originals and their label-flipped counterfactuals, right and wrong together")
def table14(folders: Folders) -> Computed:
    """Cross the answers to originals with those to people's counterfactuals."""
    from nliprobe.analysis.counterfactual.measures import crossed
    from nliprobe.papers.asked import make_cases
    from nliprobe.papers.evidence._flips import crossed_marks, flipped, right_answers, share_ends

    values: dict[Cell, float | Value | None] = dict.fromkeys(table14.printed())
    notes = list(NOTES)
    answers = models(folders, notes).full
    for split, corpus in CORPORA.items():
        if answers is None:
            continue
        made = make_cases(corpus, [RELOCATE], folders.root)
        pairing = flipped(made)
        right = right_answers(answers, made, pairing)
        counts = [crossed(one.original, one.counterfactual) for one in right]
        for name, row in _ROWS.items():
            shares = [100 * getattr(one, name) / one.n for one in counts]
            ends = [share_ends(crossed_marks(one)[name], pairing.groups) for one in right]
            values[Cell(f"{answers.name}: {row}", split)] = over_seeds(shares, ends, answers.by)
    return Computed(values, notes)
