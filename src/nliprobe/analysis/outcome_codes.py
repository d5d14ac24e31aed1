"""Outcomes as small integers, for arrays of them."""

from __future__ import annotations

from nliprobe.task.case import Outcome

OUTCOMES = tuple(Outcome)
HOLDS, BROKEN, NOT_APPLICABLE, UNANSWERED = range(4)
