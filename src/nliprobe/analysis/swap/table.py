"""The rows of the swap table: accuracy per gold label on the pairs as they are, on the swapped ones, and the drop."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nliprobe.analysis.scores import difference_ends, ends, share_interval
from nliprobe.analysis.swap.compared import Compared
from nliprobe.analysis.swap.documents import ControlSwap, SwapLabel
from nliprobe.analysis.swap.verdicts import Drop, judge
from nliprobe.task.labels import SETS, LabelSet

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from nliprobe.analysis.cases import SystemAnswers


def label_row(
    pairs: Compared,
    label: LabelSet,
    *,
    constant: str | None,
    rival: SystemAnswers | None,
    control: bool,
    doubtful: NDArray[np.bool_] | None = None,
) -> SwapLabel | None:
    """Compare both ways of asking the pairs of one gold label; None if there is no such pair.

    Args:
        pairs: all compared pairs of a system and corpus.
        label: the gold label.
        constant: the best constant answer to all of them.
        rival: the best premise-free control of the run, if there is one.
        control: whether the system itself cannot use the premise.
        doubtful: the pairs that are left out of the row, as a mark per pair.
    """
    import numpy as np

    mine = pairs.where((pairs.gold == label.mask) & (True if doubtful is None else ~doubtful))
    if not len(mine.rows):
        return None
    before, after = mine.right()
    answers = mine.answers()
    answered = (answers[0] != 0) & (answers[1] != 0)
    others = pairs.where(pairs.gold != label.mask)
    said = others.answers()[0] == label.mask
    drop_ends, original_ends = (
        difference_ends(before, after, mine.clusters),
        ends(share_interval(before, mine.clusters)),
    )
    verdict, reading = judge(
        label,
        Drop(
            drop_ends,
            drop_ends
            if answered.all()
            else difference_ends(before[answered], after[answered], mine.clusters[answered]),
            original_ends,
            ends(share_interval(said, others.clusters)) if len(said) else None,
        ),
        control=control,
    )
    return SwapLabel(
        label=str(label),
        doubtful=doubtful is None,
        n=len(mine.rows),
        groups=len(np.unique(mine.clusters)),
        unanswered=int((~answered).sum()),
        unreached=int(mine.system.unchanged[mine.rows].sum()),
        original=float(before.mean()),
        original_ci95=original_ends,
        swapped=float(after.mean()),
        swapped_ci95=ends(share_interval(after, mine.clusters)),
        drop=(int(before.sum()) - int(after.sum())) / len(before),
        drop_ci95=drop_ends,
        lost=_lost(answers[1][before & ~after]),
        elsewhere=float(said.mean()) if len(said) else None,
        constant=float(str(label) == constant),
        chance=pairs.chance,
        control=None if rival is None else _control(mine.asked_of(rival)),
        verdict=verdict,
        reading=reading,
    )


def _lost(answers: NDArray[np.uint8]) -> dict[str, int]:
    """Count the answers to pairs that are no longer right; the empty text stands for no answer."""
    import numpy as np

    counts = np.bincount(answers, minlength=len(SETS))
    return {str(SETS[mask]): int(n) for mask, n in enumerate(counts) if n}


def _control(pairs: Compared) -> ControlSwap | None:
    before, after = pairs.right()
    if not len(before):
        return None
    original, swapped = float(before.mean()), float(after.mean())
    return ControlSwap(system=pairs.system.name, original=original, swapped=swapped, drop=original - swapped)
