"""Table 4: a dummy premise, or another pair's."""

from __future__ import annotations

from nliprobe.papers.recipes import Computed, Folders, recipe

_NOTE = (
    "We swap premises by a seeded derangement of the tables of a split, in training and in evaluation; the script "
    "released with the paper swaps none."
)


@recipe("infotabs:table4", "Accuracy with a dummy premise and with swapped premises")
def table4(folders: Folders) -> Computed:
    """Score the answers of the encoder."""
    from nliprobe.papers.infotabs._rows import NOT_HERE, Rows

    rows = Rows(folders)
    rows.score_answers("dummy", "dummy")
    rows.score_answers("swapped", "swapped")
    rows.leave(table4.printed())
    return rows.done(NOT_HERE.format("dummy, swapped (RoBERTa_L)"), _NOTE)
