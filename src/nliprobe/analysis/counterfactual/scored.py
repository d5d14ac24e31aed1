"""The accuracy of a system on a set of cases, as the tables on edited pairs give it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nliprobe.analysis.cases import RunData, SystemAnswers
from nliprobe.analysis.constant import best_constant
from nliprobe.analysis.counterfactual.documents import SetScore
from nliprobe.analysis.counterfactual.measures import subsampled
from nliprobe.analysis.scores import ends, share_interval
from nliprobe.task.labels import Partition

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


def set_score(
    data: RunData,
    system: SystemAnswers,
    rows: NDArray[np.int64],
    clusters: NDArray[np.int64],
    right: NDArray[np.bool_],
    partition: Partition,
    name: str,
) -> SetScore:
    """Return the accuracy on a set of cases, with its interval by group and over subsamples as the paper draws them.

    Args:
        data: the run.
        system: who answered.
        rows: the cases.
        clusters: the number of each case's group, from 0.
        right: which of them are answered right.
        partition: the labels that are told apart.
        name: what the subsamples are drawn from.
    """
    drawn = subsampled(right, name=name)
    return SetScore(
        correct=int(right.sum()),
        unanswered=int((system.answers[rows] == 0).sum()),
        accuracy=int(right.sum()) / len(rows),
        ci95=ends(share_interval(right, clusters)),
        mean80=None if drawn is None else drawn.mean,
        sd80=None if drawn is None else drawn.sd,
        constant=best_constant(data.cases.gold[rows], partition),
        chance=1 / len(partition.blocks),
    )
