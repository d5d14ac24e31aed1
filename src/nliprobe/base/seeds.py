"""Make random draws that depend on their purpose, never on the order of drawing."""

from __future__ import annotations

import random
from collections.abc import Iterable
from functools import lru_cache

from nliprobe.base.hashing import digest


def draws(seed: int, *names: str) -> random.Random:
    """Return a generator seeded by a string of (seed, names), the same on every Python and machine."""
    return random.Random("/".join([str(seed), *names]))


def below(size: int, generator: random.Random) -> int:
    """Return a number from 0 to below ``size``: the one that ``randrange`` and ``choice`` draw, in half the time."""
    if size < 1:
        raise ValueError(f"there is no number from 0 to below {size}")
    bits = size.bit_length()
    number = generator.getrandbits(bits)
    while number >= size:
        number = generator.getrandbits(bits)
    return number


def shuffled(size: int, generator: random.Random) -> list[int]:
    """Return the numbers below ``size`` in the order into which ``shuffle`` brings them, in half the time."""
    places = list(range(size))
    more_bits = generator.getrandbits
    for last, bits in _exchanges(size):
        chosen = more_bits(bits)
        while chosen > last:
            chosen = more_bits(bits)
        places[last], places[chosen] = places[chosen], places[last]
    return places


@lru_cache(maxsize=256)
def _exchanges(size: int) -> tuple[tuple[int, int], ...]:
    """Return the places that a shuffle fills, from the last to the second, with the bits that each draw needs."""
    return tuple((last, (last + 1).bit_length()) for last in range(size - 1, 0, -1))


def derangement(seed: int, ids: Iterable[str]) -> dict[str, str]:
    """Send every id to another one: ids ordered by hash(seed, id), rotated by one.

    At least two distinct ids are needed; the result is a single cycle, so no id keeps its place.
    """
    order = sorted(set(ids), key=lambda name: (digest(str(seed), name), name))
    if len(order) < 2:
        raise ValueError("a derangement needs at least two ids")
    return dict(zip(order, order[1:] + order[:1], strict=True))
