"""Make random draws that depend on their purpose, never on the order of drawing."""

from __future__ import annotations

import random
from collections.abc import Iterable

from nliprobe.base.hashing import digest


def draws(seed: int, *names: str) -> random.Random:
    """Return a generator seeded by a string of (seed, names), the same on every Python and machine."""
    return random.Random("/".join([str(seed), *names]))


def derangement(seed: int, ids: Iterable[str]) -> dict[str, str]:
    """Send every id to another one: ids ordered by hash(seed, id), rotated by one.

    At least two distinct ids are needed; the result is a single cycle, so no id keeps its place.
    """
    order = sorted(set(ids), key=lambda name: (digest(str(seed), name), name))
    if len(order) < 2:
        raise ValueError("a derangement needs at least two ids")
    return dict(zip(order, order[1:] + order[:1], strict=True))
