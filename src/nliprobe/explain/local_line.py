"""A line fitted around one input: how much each feature adds to what a system says (LIME, Ribeiro et al. 2016)."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from nliprobe.base.one_core import on_one_core

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

# Of the exponential kernel over cosine distances times 100, and of the ridge penalty: those of the published method.
KERNEL_WIDTH = 25.0
PENALTY = 1.0


class LocalLine(NamedTuple):
    """What each feature adds, and how much of the variation around the input the line explains.

    ``fit`` is the weighted R²: 1 if the line says exactly what the system says, None if the system says the same to
    every mask, so that there is nothing to explain.
    """

    weights: Array
    fit: float | None


def nearness(kept: NDArray[np.bool_]) -> Array:
    """Return how much each mask counts: the fewer features are taken out, the more."""
    import numpy as np

    # The cosine between a mask and the mask that keeps all is the root of the share that is kept.
    distances = 100 * (1 - np.sqrt(kept.mean(axis=1)))
    weights: Array = np.exp(-(distances**2) / (2 * KERNEL_WIDTH**2))
    return weights


def fit_line(kept: NDArray[np.bool_], values: Array) -> LocalLine:
    """Fit a ridge regression to what a system says to masks.

    Args:
        kept: which features each mask keeps.
        values: what the system says to each.
    """
    import numpy as np

    near = nearness(kept)
    if np.ptp(values) == 0:
        return LocalLine(np.zeros(kept.shape[1]), None)
    with on_one_core():
        return _fit(kept, values, near)


def _fit(kept: NDArray[np.bool_], values: Array, near: Array) -> LocalLine:
    import numpy as np

    features = kept.astype(np.float64)
    centre, mean = np.average(features, axis=0, weights=near), float(np.average(values, weights=near))
    root = np.sqrt(near)
    left, right = (features - centre) * root[:, None], (values - mean) * root
    masks, size = left.shape
    # The smaller of the two systems of equations with the same solution: a text may have more words than masks.
    if size <= masks:
        weights = np.linalg.solve(left.T @ left + PENALTY * np.eye(size), left.T @ right)
    else:
        weights = left.T @ np.linalg.solve(left @ left.T + PENALTY * np.eye(masks), right)
    error = float(((right - left @ weights) ** 2).sum())
    return LocalLine(np.asarray(weights, dtype=np.float64), 1 - error / float((right**2).sum()))
