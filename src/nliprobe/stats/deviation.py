"""The deviation of a model (swap, Table 2): how far its scores move when some of its training pairs are swapped."""

from __future__ import annotations

from collections.abc import Sequence


def relative_scores(original: float, swapped: Sequence[float]) -> list[float] | None:
    """Divide scores by the score without swapping; None if that is 0, because nothing can be compared with it.

    >>> relative_scores(0.5, [0.5, 0.4])
    [1.0, 0.8]
    """
    return None if original == 0 else [score / original for score in swapped]


def deviation(genres: Sequence[tuple[float, Sequence[float]]]) -> float | None:
    """Add up the squared distances of all relative scores from 1; the smaller, the more robust is the model.

    Args:
        genres: for each genre the score without swapping, and the scores for the chosen percentages of swapped pairs.

    Returns:
        The deviation, or None if a score without swapping is 0 or nothing was compared.

    >>> round(deviation([(0.5, [0.5, 0.4]), (0.2, [0.2, 0.3])]), 2)
    0.29
    """
    ratios: list[float] = []
    for original, swapped in genres:
        relative = relative_scores(original, swapped)
        if relative is None:
            return None
        ratios += relative
    return sum((ratio - 1) ** 2 for ratio in ratios) if ratios else None
