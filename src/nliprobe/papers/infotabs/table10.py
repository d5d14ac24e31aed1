"""Table 10: how many words of a hypothesis its table has."""

from __future__ import annotations

from nliprobe.papers.recipes import Computed, Folders, recipe

_NOTES = [
    "The paper only says that stop words were removed. Ours is the share of a hypothesis's distinct words that occur "
    "in title, keys or values of its table with the same case: the definition was chosen because it comes nearest to "
    "the printed means and standard deviations, so agreement within 0.05 confirms little."
]


@recipe("infotabs:table10", "Mean share of the words of a hypothesis that its table has, by label and split")
def table10(folders: Folders) -> Computed:
    """Compute the means and the standard deviations."""
    from nliprobe.papers.infotabs._statistics import spreads_by_label

    values, range_note = spreads_by_label("overlap_cased", folders.root)
    return Computed(values, [*_NOTES, range_note])
