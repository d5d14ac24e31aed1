"""Tables 13 to 15 of evidence-probes §8 from arrays: which originals and which counterfactuals were answered right.

All arrays have one mark per counterfactual, in the same order; an original that several were made from occurs as often.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from nliprobe.stats.intervals import Interval

    Marks = NDArray[np.bool_]
    Groups = NDArray[np.int64]

# What the paper does: the mean and the standard deviation over 100 random subsamples of 80 %.
SUBSAMPLES, SHARE = 100, 0.8


class Subsampled(NamedTuple):
    """An accuracy as the paper gives it: mean and standard deviation over random subsamples.

    The deviation says how far one subsample is from another, not how far the accuracy is from that on other tables:
    for that there is the interval by group.
    """

    mean: float
    sd: float


class Crossed(NamedTuple):
    """How often the original, its counterfactual, both or neither were answered right (Table 14)."""

    both: int
    only_original: int
    only_counterfactual: int
    neither: int

    @property
    def n(self) -> int:
        """How many counterfactuals there are."""
        return sum(self)


class CrossedControl(NamedTuple):
    """:class:`Crossed` where a system without premise is right about the original, and where it is wrong (Table 15)."""

    right: Crossed
    wrong: Crossed


class Drop(NamedTuple):
    """The accuracy on originals minus that on their counterfactuals, its interval by group and sign-flip p-value."""

    difference: float
    interval: Interval | None
    p: float


def subsampled(right: Marks, *, seed: int = 0, name: str = "") -> Subsampled | None:
    """Return the mean and standard deviation of an accuracy over 100 random subsamples of 80 %.

    Args:
        right: whether each answer was right.
        seed: of the draws.
        name: what is drawn from; the same marks under another name give other subsamples.

    Returns:
        Mean and standard deviation; None if there is nothing to draw from.
    """
    import numpy as np

    from nliprobe.stats.draws import generator

    size = round(SHARE * len(right))
    if not size:
        return None
    random = generator(seed, "counterfactual", name)
    shares = [float(right[random.permutation(len(right))[:size]].mean()) for _ in range(SUBSAMPLES)]
    return Subsampled(float(np.mean(shares)), float(np.std(shares, ddof=1)))


def crossed(original: Marks, counterfactual: Marks) -> Crossed:
    """Count how often the original, its counterfactual, both or neither were answered right."""
    if len(original) != len(counterfactual):
        raise ValueError(f"{len(original)} originals for {len(counterfactual)} counterfactuals")
    return Crossed(
        int((original & counterfactual).sum()),
        int((original & ~counterfactual).sum()),
        int((~original & counterfactual).sum()),
        int((~original & ~counterfactual).sum()),
    )


def crossed_with(original: Marks, counterfactual: Marks, control: Marks) -> CrossedControl:
    """Split :func:`crossed` by whether a system without premise is right about the original."""
    if len(original) != len(control):
        raise ValueError(f"{len(original)} originals for {len(control)} answers without premise")
    return CrossedControl(
        crossed(original[control], counterfactual[control]), crossed(original[~control], counterfactual[~control])
    )


def drop(original: Marks, counterfactual: Marks, clusters: Groups) -> Drop | None:
    """Compare the accuracy on originals with that on their counterfactuals, pair by pair.

    Args:
        original: whether the originals were answered right.
        counterfactual: whether the counterfactuals were.
        clusters: the number of each pair's group, from 0: pairs of one table depend on one another.

    Returns:
        The difference; None if there are no pairs.
    """
    import numpy as np

    from nliprobe.stats.grouped import group_sums, mean_difference_interval
    from nliprobe.stats.sign_flip import sign_flip_p

    if not len(original):
        return None
    sums, sizes = group_sums(original.astype(np.int64) - counterfactual.astype(np.int64), clusters)
    return Drop(float(sums.sum() / sizes.sum()), mean_difference_interval(sums, sizes), sign_flip_p(sums))
