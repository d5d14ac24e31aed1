"""What only bids have: points on the right bin, ties, and the correlation of two participants."""

from __future__ import annotations

from collections import Counter

from nliprobe.people.study.stage_data import StageData
from nliprobe.task.study_results import BidMeasures


def bid_measures(data: StageData) -> BidMeasures | None:
    """Measure the bids of a stage; None if its question is another one."""
    import numpy as np

    from nliprobe.stats.panel import NOT_REACHED, bids_on_truth, mean_pearson, pair_pearsons, shared_hits, tied_bids

    if data.points is None:
        return None
    scores, most = bids_on_truth(data.points, data.truth), data.most
    counts = Counter(one.truth for one in data.key)
    constant = max(data.stage.answers, key=lambda answer: counts[answer])
    return BidMeasures(
        points=most,
        score=data.mean(scores, 0.0, float(most)),
        constant_bin=constant,
        constant_score=round(most * counts[constant] / len(data.key), 6),
        even_score=round(most / len(data.stage.answers), 6),
        bids=int((data.answers != NOT_REACHED).sum()),
        tied=tied_bids(data.points),
        shared_accuracy=data.mean(shared_hits(data.points, data.truth)),
        pearson=data.measured(lambda rows, items: mean_pearson(scores[rows][:, items]), -1.0),
        pearson_pairs=int((~np.isnan(pair_pearsons(scores))).sum()),
    )
