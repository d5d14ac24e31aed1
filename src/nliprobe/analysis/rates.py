"""Rates: a share with its interval, as every document holds it."""

from __future__ import annotations

from typing import TypeAlias, TypedDict

Ends: TypeAlias = list[float] | None


class Rate(TypedDict):
    """A share with its interval."""

    n: int
    count: int
    rate: float | None
    ci95: Ends
