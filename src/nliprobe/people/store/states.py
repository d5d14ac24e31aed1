"""Where a rater's work on one item stands."""

from __future__ import annotations

from enum import StrEnum


class WorkState(StrEnum):
    """Where a rater's work on one item stands."""

    LEASED = "leased"  # the rater has it now
    DONE = "done"
    SKIPPED = "skipped"  # the rater would not judge it
    RETURNED = "returned"  # the rater left, or was silent for too long
