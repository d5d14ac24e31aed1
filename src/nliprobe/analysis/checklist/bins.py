"""Bins of template accuracy, and when a template counts as passed (checklist paper, §4.1)."""

from __future__ import annotations

from collections.abc import Iterable

from nliprobe.analysis.checklist.documents import BinCounts

# A template is failed below 20 % and passed above 80 %; so 20 % itself is in the second bin and 80 % in the fourth.
BINS = ("0-20", "20-40", "40-60", "60-80", "80-100")
PASSED, UNSURE, FAILED = "passed", "unsure", "failed"
_LOW, _HIGH = 0.2, 0.8


def bin_of(accuracy: float) -> str:
    """Return the name of the bin of an accuracy from 0 to 1.

    >>> bin_of(0.2), bin_of(0.8), bin_of(0.801)
    ('20-40', '60-80', '80-100')
    """
    if accuracy > _HIGH:
        return BINS[4]
    return BINS[sum(accuracy >= edge for edge in (_LOW, 0.4, 0.6))]


def verdict(accuracy: float) -> str:
    """Tell whether a template is passed, failed, or neither."""
    return PASSED if accuracy > _HIGH else FAILED if accuracy < _LOW else UNSURE


def bin_counts(system: str, accuracies: Iterable[float]) -> BinCounts:
    """Count the templates of a system in each bin."""
    known = list(accuracies)
    bins = [bin_of(accuracy) for accuracy in known]
    verdicts = [verdict(accuracy) for accuracy in known]
    return BinCounts(
        system=system,
        bins={name: bins.count(name) for name in BINS},
        passed=verdicts.count(PASSED),
        unsure=verdicts.count(UNSURE),
        failed=verdicts.count(FAILED),
    )
