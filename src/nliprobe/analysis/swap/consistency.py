"""Consistency: how far the answers and the probabilities of pairs that keep their label move when they are swapped."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nliprobe.analysis.rates import Ends
from nliprobe.analysis.scores import rate_of
from nliprobe.analysis.swap.compared import Compared
from nliprobe.analysis.swap.documents import Consistency, ControlConsistency
from nliprobe.analysis.two_way import NO_SCORES, block_scores
from nliprobe.task.labels import LabelSet

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from nliprobe.analysis.cases import SystemAnswers

# In bits: as far as 80 and 20 % of two labels are from 40 and 60 %.
THRESHOLD = 0.5
NOT_ALL_LABELS = "the system gives no probability to some of its labels"


def consistency_row(pairs: Compared, label: LabelSet, rival: SystemAnswers | None) -> Consistency | None:
    """Compare the answers to the pairs of one gold label with those to the swapped pairs; None if there are none.

    Args:
        pairs: all compared pairs of a system and corpus.
        label: a gold label that swapping keeps.
        rival: the best premise-free control of the run, if there is one.
    """
    import numpy as np

    mine = pairs.of(label)
    if not len(mine.rows):
        return None
    bits = divergences(mine)
    known = ~np.isnan(bits)
    scored, clusters = bits[known], mine.clusters[known]
    return Consistency(
        label=str(label),
        n=len(mine.rows),
        groups=len(np.unique(mine.clusters)),
        same=rate_of(_same(mine), mine.clusters),
        scored=len(scored),
        mean=float(scored.mean()) if len(scored) else None,
        mean_ci95=_mean_ends(scored, clusters, len(pairs.partition.blocks)),
        median=float(np.median(scored)) if len(scored) else None,
        threshold=THRESHOLD,
        above=rate_of(scored > THRESHOLD, clusters),
        missing=None if len(scored) else _missing(mine),
        control=None if rival is None else _control(mine.asked_of(rival)),
    )


def divergences(pairs: Compared) -> NDArray[np.float64]:
    """Return the symmetric divergence of the probabilities of each pair and its swap, in bits; NaN if one has none."""
    import numpy as np

    from nliprobe.stats.divergence import symmetric_kl

    shares = pairs.system.probabilities
    if shares is None or not len(pairs.rows):
        return np.full(len(pairs.rows), np.nan)
    before, after = (
        np.stack([block_scores(shares[rows], block, len(rows)) for block in pairs.partition.blocks], axis=1)
        for rows in (pairs.base, pairs.rows)
    )
    return symmetric_kl(before, after)


def _missing(pairs: Compared) -> str:
    import numpy as np

    shares = pairs.system.probabilities
    return NO_SCORES if shares is None or np.isnan(shares[pairs.base]).all() else NOT_ALL_LABELS


def _same(pairs: Compared) -> NDArray[np.bool_]:
    before, after = pairs.answers()
    same: NDArray[np.bool_] = (before == after) & (before != 0)
    return same


def _mean_ends(bits: NDArray[np.float64], clusters: NDArray[np.int64], labels: int) -> Ends:
    """Return the interval of the mean, with groups as the units; divergences have a largest value, so it is bounded."""
    import numpy as np

    from nliprobe.stats.divergence import largest_symmetric_kl
    from nliprobe.stats.grouped import bounded_interval

    if not len(bits):
        return None
    most = largest_symmetric_kl(labels)
    sizes = np.bincount(clusters).astype(np.float64)
    sums = np.bincount(clusters, weights=bits / most)
    present = sizes > 0
    sizes, sums = sizes[present], sums[present]
    mean = float(sums.sum() / sizes.sum())
    interval = bounded_interval(mean, (sums - mean * sizes) / sizes.sum(), sizes)
    return None if interval is None else [interval.low * most, interval.high * most]


def _control(pairs: Compared) -> ControlConsistency | None:
    import numpy as np

    if not len(pairs.rows):
        return None
    bits = divergences(pairs)
    known = bits[~np.isnan(bits)]
    mean = float(known.mean()) if len(known) else None
    return ControlConsistency(system=pairs.system.name, same=float(_same(pairs).mean()), mean=mean)
