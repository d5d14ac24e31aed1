"""Table 7: the first pilot study, with bids on the accuracy of a template."""

from __future__ import annotations

from itertools import combinations
from statistics import fmean

from nliprobe.papers.recipes import Cell, Computed, Folders, Value, recipe

_NOTES = [
    "average_score: the mean bid on the right bin, of 5 points. argmax: the bin with the highest bid; of several, the "
    "lowest. pearson: the correlation of two participants' bids on the right bin; none if one always bids the same.",
]


@recipe("checklist:table7", "Pilot study 1: bids on the accuracy of templates, by stage")
def table7(folders: Folders) -> Computed:
    """Score the bids of a file of responses."""
    from nliprobe.papers.checklist._people import by_participant, together
    from nliprobe.papers.checklist._responses import NO_FILE, PHASE_1, read_responses

    values: dict[Cell, float | Value | None] = dict.fromkeys(table7.printed())
    if folders.responses is None:
        return Computed(values, [NO_FILE, *_NOTES])
    bids = read_responses(folders.responses).bids
    if not bids:
        return Computed(values, [f"{folders.responses} holds answers but no bids: nothing for this table.", *_NOTES])
    by = f"participants of {folders.responses.name}"
    for stage in PHASE_1:
        people = by_participant(bid for bid in bids if bid.stage == stage)
        for name, bids_of_one in people.items():
            score = fmean(bid.score for bid in bids_of_one.values())
            values[Cell(name, f"average_score {stage}")] = Value(score, by)
            right = fmean(bid.highest == bid.true_bin for bid in bids_of_one.values())
            values[Cell(name, f"argmax_accuracy {stage}")] = Value(right, by)
        for (first, one), (second, other) in combinations(people.items(), 2):
            if (comparison := together(one, other)) is not None:
                row = f"{first} & {second}"
                values[Cell(row, f"pearson {stage}")] = Value(comparison.pearson, by)
                values[Cell(row, f"argmax_consensus {stage}")] = Value(comparison.consensus, by)
    return Computed(values, list(_NOTES))
