"""Table 7: the first pilot study, with bids on the accuracy of a template."""

from __future__ import annotations

from itertools import combinations

from nliprobe.papers.recipes import Cell, Computed, Folders, Value, recipe

_NOTES = [
    "average_score: the mean bid on the right bin, of 5 points. argmax: the bin with the highest bid; of several, the "
    "lowest. pearson: the correlation of two participants' bids on the right bin; none if one always bids the same.",
]


@recipe("checklist:table7", "Pilot study 1: bids on the accuracy of templates, by stage")
def table7(folders: Folders) -> Computed:
    """Score the bids of a file of responses."""
    from nliprobe.papers.checklist._responses import NO_FILE, PHASE_1, panel_notes, read_responses
    from nliprobe.people.study.scoring import bid_arrays, together
    from nliprobe.stats.panel import bids_on_truth, highest_bins, right_answers, row_means

    values: dict[Cell, float | Value | None] = dict.fromkeys(table7.printed())
    if folders.responses is None:
        return Computed(values, [NO_FILE, *_NOTES])
    responses = read_responses(folders.responses)
    if not responses.bids:
        return Computed(values, [f"{folders.responses} holds answers but no bids: nothing for this table.", *_NOTES])
    for stage in PHASE_1:
        by, bids = responses.by(stage), bid_arrays(responses.of([stage]).bids)
        scores = row_means(bids_on_truth(bids.points, bids.truth)).tolist()
        right = row_means(right_answers(highest_bins(bids.points), bids.truth)).tolist() if bids.items else []
        for name, score, share in zip(bids.participants, scores, right, strict=True):
            values[Cell(name, f"average_score {stage}")] = Value(score, by)
            values[Cell(name, f"argmax_accuracy {stage}")] = Value(share, by)
        for first, second in combinations(range(len(bids.participants)), 2):
            if (comparison := together(bids, first, second)) is not None:
                row = f"{bids.participants[first]} & {bids.participants[second]}"
                values[Cell(row, f"pearson {stage}")] = Value(comparison.pearson, by)
                values[Cell(row, f"argmax_consensus {stage}")] = Value(comparison.consensus, by)
    return Computed(values, [*panel_notes(responses), *_NOTES])
