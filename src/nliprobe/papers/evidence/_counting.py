"""Shares of pairs that have something, with intervals by table."""

from __future__ import annotations

from collections.abc import Sequence

from nliprobe.papers.recipes import Value


def share(happened: Sequence[bool], groups: Sequence[str], by: str = "") -> Value:
    """Return in how many percent of the pairs something happened, with the interval over the groups of the pairs."""
    import numpy as np

    from nliprobe.stats.grouped import share_interval

    if not happened:
        return Value(None, by)
    numbers = {group: number for number, group in enumerate(dict.fromkeys(groups))}
    clusters = np.array([numbers[group] for group in groups])
    marks = np.array(happened, dtype=bool)
    interval = share_interval(
        np.bincount(clusters[marks], minlength=len(numbers)), np.bincount(clusters, minlength=len(numbers))
    )
    ends = None if interval is None else (100 * interval.low, 100 * interval.high)
    return Value(100 * float(marks.mean()), by, None, ends)
