"""Table 9: how long hypotheses are."""

from __future__ import annotations

from nliprobe.papers.recipes import Computed, Folders, recipe

_NOTES = [
    "Words are separated by spaces. The paper cuts off after the second decimal instead of rounding; only the 10.5 "
    "of alpha3, Entail, is rounded, to one decimal: it is 10.48."
]


@recipe("infotabs:table9", "Mean number of words in a hypothesis, by label and split")
def table9(folders: Folders) -> Computed:
    """Compute the means and the standard deviations."""
    from nliprobe.papers.infotabs._statistics import spreads_by_label

    values, range_note = spreads_by_label("words", folders.root)
    return Computed(values, [*_NOTES, range_note])
