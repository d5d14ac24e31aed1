"""Summarise a number over the seeds of a model."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean, stdev

from nliprobe.papers.recipes import Value


def over_seeds(shares: Sequence[float | None], ends: Sequence[Sequence[float] | None], by: str) -> Value:
    """Return the mean over seeds, their standard deviation, and the mean of their intervals."""
    known = [share for share in shares if share is not None]
    if not known or len(known) < len(shares):
        return Value(None, by)
    intervals = [interval for interval in ends if interval is not None]
    ci95 = (fmean(low for low, _ in intervals), fmean(high for _, high in intervals)) if intervals else None
    return Value(fmean(known), by, stdev(known) if len(known) > 1 else None, ci95)
