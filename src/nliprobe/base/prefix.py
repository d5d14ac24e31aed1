"""How far two sequences are the same from their beginning."""

from __future__ import annotations

from collections.abc import Sequence


def shared_start(one: Sequence[object], other: Sequence[object]) -> int:
    """Return how many first items two sequences have in common.

    >>> shared_start("premise", "prefix"), shared_start("a", ""), shared_start([1, 2], [1, 2, 3])
    (3, 0, 2)
    """
    pairs = enumerate(zip(one, other, strict=False))
    return next((place for place, (left, right) in pairs if left != right), min(len(one), len(other)))
