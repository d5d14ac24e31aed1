"""What depends on how many comparisons a document has: corrected p-values, intervals that hold together, verdicts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from nliprobe.analysis.compare.documents import Difference, MarginTest, Verdict
from nliprobe.analysis.documents import LEVEL
from nliprobe.analysis.scores import ends

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from nliprobe.stats.detectable import Disagreement
    from nliprobe.stats.noninferiority import NonInferiority


class Tested(NamedTuple):
    """A comparison with the differences of its groups: how many cases were fixed less those broken, of how many."""

    entry: Difference
    sums: NDArray[np.int64]
    sizes: NDArray[np.int64]


def measure(before: NDArray[np.bool_], after: NDArray[np.bool_], clusters: NDArray[np.int64]) -> Tested:
    """Compare what two sides have right on the same cases; what needs the other comparisons is left open.

    Args:
        before: whether the left side has each case right.
        after: whether the right side has.
        clusters: the number of each case's group.
    """
    import numpy as np

    from nliprobe.stats.detectable import disagreement
    from nliprobe.stats.grouped import group_sums, mean_difference_interval
    from nliprobe.stats.sign_flip import sign_flip_p

    n, fixed, broken = len(before), int((after & ~before).sum()), int((before & ~after).sum())
    sums, sizes = group_sums(after.astype(np.int64) - before, clusters)
    seen = disagreement(sums, sizes, fixed + broken)
    entry = Difference(
        n=n,
        groups=int((sizes > 0).sum()),
        left=int(before.sum()) / n if n else None,
        right=int(after.sum()) / n if n else None,
        difference=(fixed - broken) / n if n else None,
        ci95=ends(mean_difference_interval(sums, sizes)),
        ci95_family=None,
        fixed=fixed,
        broken=broken,
        p=sign_flip_p(sums) if n else None,
        p_holm=None,
        p_bh=None,
        design_effect=None if seen is None else seen.together,
        degrees=None if seen is None else seen.degrees,
        detectable=None,
        detectable_family=None,
        margin=None,
    )
    return Tested(entry, sums, sizes)


def correct(tested: Sequence[Tested], margin: float | None = None, *, whole: bool = True) -> None:
    """Fill in what depends on how many comparisons there are.

    Args:
        tested: all comparisons of a document; those without cases say nothing and do not count.
        margin: how much worse is still accepted, as a fraction, if that is to be tested.
        whole: whether all runs are complete, without which nothing is decided.
    """
    from nliprobe.stats.detectable import minimum_detectable
    from nliprobe.stats.grouped import mean_difference_interval
    from nliprobe.stats.noninferiority import noninferiority
    from nliprobe.stats.paired import benjamini_hochberg, holm

    tested = [item for item in tested if item.entry["n"]]
    entries = [item.entry for item in tested]
    pvalues = [1.0 if entry["p"] is None else entry["p"] for entry in entries]
    for entry, family_wise, discovery in zip(entries, holm(pvalues), benjamini_hochberg(pvalues), strict=True):
        entry["p_holm"], entry["p_bh"] = family_wise, discovery
    for entry, sums, sizes in tested:
        entry["ci95_family"] = ends(mean_difference_interval(sums, sizes, 1 - LEVEL / len(tested)))
        seen = seen_in(entry)
        if seen is not None:
            entry["detectable"] = minimum_detectable(seen, level=LEVEL)
            entry["detectable_family"] = minimum_detectable(seen, level=LEVEL / len(tested))
    if margin is not None:
        found = [noninferiority(sums, sizes, entry["fixed"] + entry["broken"], margin) for entry, sums, sizes in tested]
        known = [(entry, test) for entry, test in zip(entries, found, strict=True) if test is not None]
        _decide(known, holm, whole=whole)


def seen_in(entry: Difference) -> Disagreement | None:
    """Return how two systems disagree, from which plans can be made; None with fewer than two groups."""
    from nliprobe.stats.detectable import Disagreement

    if entry["design_effect"] is None or entry["degrees"] is None:
        return None
    share = (entry["fixed"] + entry["broken"]) / entry["n"]
    return Disagreement(entry["groups"], entry["n"], share, entry["design_effect"], entry["degrees"])


def shown(entry: Difference) -> bool:
    """Tell whether a comparison shows a difference: by the corrected p-value alone, in every report and gate."""
    return entry["p_holm"] is not None and entry["p_holm"] < LEVEL


def _decide(
    known: Sequence[tuple[Difference, NonInferiority]],
    holm: Callable[[Sequence[float]], list[float]],
    *,
    whole: bool,
) -> None:
    kept, lost = holm([test.p for _, test in known]), holm([test.p_inferior for _, test in known])
    for (entry, test), p_holm, p_inferior_holm in zip(known, kept, lost, strict=True):
        verdict: Verdict = "undecided"
        if whole and shown(entry) and test.difference > 0:
            verdict = "better"
        elif whole and p_holm < LEVEL:
            verdict = "not_worse"
        elif whole and p_inferior_holm < LEVEL:
            verdict = "inferior"
        entry["margin"] = MarginTest(
            margin=test.margin,
            bound=test.bound(LEVEL),
            p=test.p,
            p_holm=p_holm,
            p_inferior=test.p_inferior,
            p_inferior_holm=p_inferior_holm,
            verdict=verdict,
        )
