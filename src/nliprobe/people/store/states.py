"""Where a rater's work on one item stands, and why an answer to it is not taken."""

from __future__ import annotations

from enum import StrEnum

from nliprobe.base.errors import DataError


class WorkState(StrEnum):
    """Where a rater's work on one item stands."""

    LEASED = "leased"  # the rater has it now
    DONE = "done"
    SKIPPED = "skipped"  # the rater would not judge it
    RETURNED = "returned"  # the rater left, or was silent for too long


class JudgedError(DataError):
    """A rater has judged an item already, and does not say that the new answer revises the old one."""


class TooLateError(DataError):
    """Others have taken all places of an item, because a rater had it for too long or was blocked."""
