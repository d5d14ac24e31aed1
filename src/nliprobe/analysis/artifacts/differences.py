"""Differences of shares between two sets of cases, with groups as the units of the sample."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nliprobe.analysis.artifacts.parts import Answered
from nliprobe.analysis.artifacts.run_documents import Difference
from nliprobe.analysis.scores import ends

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_NOTHING = Difference(value=None, ci95=None)


def lost(answered: Answered, right: NDArray[np.bool_], wrong: NDArray[np.bool_]) -> Difference:
    """Return the accuracy on the cases that point right minus that on those that point wrong."""
    return difference(answered.right, right, wrong, answered.part.clusters)


def lost_alike(answered: Answered, right: NDArray[np.bool_], wrong: NDArray[np.bool_]) -> Difference:
    """Return the same within each gold label, averaged in proportion to the cases of the label that point wrong.

    Labels without cases on one side have no say. A system that is right more often on one label than on another, or
    always gives the same answer, loses nothing by that.
    """
    return stratified_difference(answered.right, right, wrong, answered.gold, answered.part.clusters)


def difference(
    happened: NDArray[np.bool_], first: NDArray[np.bool_], second: NDArray[np.bool_], clusters: NDArray[np.int64]
) -> Difference:
    """Return how much more often something happened in a first set of cases than in a second one, both disjoint."""
    import numpy as np

    return stratified_difference(happened, first, second, np.zeros(len(happened), dtype=np.uint8), clusters)


def stratified_difference(
    happened: NDArray[np.bool_],
    first: NDArray[np.bool_],
    second: NDArray[np.bool_],
    strata: NDArray[np.uint8],
    clusters: NDArray[np.int64],
) -> Difference:
    """Return the difference within each stratum, averaged in proportion to the cases of the second set.

    Args:
        happened: whether it happened, a mark per case.
        first: the cases of the first set.
        second: the cases of the second set, none of them in the first.
        strata: the number of each case's stratum; strata without cases in one of the sets are left out.
        clusters: the number of each case's group, from 0.
    """
    import numpy as np

    from nliprobe.stats.grouped import signed_interval

    both = [
        (first & (strata == stratum), second & (strata == stratum))
        for stratum in np.unique(strata)
        if (first & (strata == stratum)).any() and (second & (strata == stratum)).any()
    ]
    if not both:
        return _NOTHING
    total = sum(int(inside.sum()) for _, inside in both)
    value, parts = 0.0, np.zeros(len(happened))
    used = np.zeros(len(happened), dtype=bool)
    for here, there in both:
        weight = int(there.sum()) / total
        ours, theirs = float(happened[here].mean()), float(happened[there].mean())
        value += weight * (ours - theirs)
        # What each case adds to the error, to first order; the weights count as given.
        parts[here] = weight * (happened[here] - ours) / int(here.sum())
        parts[there] = -weight * (happened[there] - theirs) / int(there.sum())
        used |= here | there
    _, groups = np.unique(clusters[used], return_inverse=True)
    sizes = np.bincount(groups).astype(np.float64)
    sums = np.bincount(groups, weights=parts[used]).astype(np.float64)
    return Difference(value=value, ci95=ends(signed_interval(value, sums, sizes)))
