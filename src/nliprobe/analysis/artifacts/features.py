"""Answers by length and by overlap: does a system answer a label because a text is long, or repeats the other one?"""

from __future__ import annotations

from typing import TYPE_CHECKING

from nliprobe.analysis.artifacts.corpus import MOST_BINS
from nliprobe.analysis.artifacts.differences import difference
from nliprobe.analysis.artifacts.parts import Answered, part_numbers
from nliprobe.analysis.artifacts.run_documents import BinPart, Difference, FeatureAnswers
from nliprobe.analysis.scores import rate_of

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


def feature_answers(answered: Answered, values: NDArray[np.float64], family: int) -> FeatureAnswers:
    """Break answers down by one number per case.

    Args:
        answered: the cases and their answers.
        values: the number of each case; cases with NaN are left out.
        family: how many tilts are looked at together.
    """
    from nliprobe.stats.binned import bin_numbers, quantile_edges

    edges = quantile_edges(values, MOST_BINS)
    bins = bin_numbers(values, edges)
    blocks = answered.partition.blocks
    tilt: dict[str, Difference] = {}
    if len(edges) > 1:
        for block in blocks:
            others = answered.gold != block.mask
            last, first = others & (bins == len(edges) - 1), others & (bins == 0)
            tilt[str(block)] = difference(answered.answers == block.mask, last, first, answered.part.clusters)
    return FeatureAnswers(
        bins=[_bin(answered.where(bins == number), values[bins == number]) for number in range(len(edges))],
        tilt=tilt,
        carried=[label for label, item in tilt.items() if carried(item, answered, family)],
    )


def carried(item: Difference, answered: Answered, family: int) -> bool:
    """Tell whether a difference is other than 0 even if all that were looked at are allowed for (Bonferroni)."""
    import numpy as np

    from nliprobe.stats.grouped import simultaneous
    from nliprobe.stats.intervals import Interval

    if item["value"] is None or item["ci95"] is None:
        return False
    groups = len(np.unique(answered.part.clusters))
    together = simultaneous(item["value"], Interval(*item["ci95"]), groups, family)
    return together.low > 0 or together.high < 0


def _bin(answered: Answered, values: NDArray[np.float64]) -> BinPart:
    blocks, gold, answers = answered.partition.blocks, answered.gold, answered.answers
    clusters = answered.part.clusters
    shares = {str(block): float((gold == block.mask).mean()) for block in blocks}
    given = {str(block): rate_of(answers == block.mask, clusters) for block in blocks}
    wrongly = {
        str(block): rate_of((answers == block.mask)[gold != block.mask], clusters[gold != block.mask])
        for block in blocks
    }
    return BinPart(
        low=float(values.min()),
        high=float(values.max()),
        gold=shares,
        answers=given,
        wrongly=wrongly,
        **part_numbers(answered),
    )
