"""Put items into a pilot and batches, drawn evenly from their strata.

The evidence of InfoTabS was marked in 50 batches of which two were pilots (evidence probes, §5): raters are looked at
after each batch, before the next one is opened.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from nliprobe.base.errors import UsageError, option
from nliprobe.base.seeds import draws
from nliprobe.people.records import Item


def in_batches(items: Sequence[Item], *, pilot: int = 0, size: int | None = None, seed: int = 0) -> list[Item]:
    """Return the items in the order of their batches: batch 0 is the pilot, the next ones have so many items each.

    Every batch is drawn evenly: in any two batches, each stratum that is not used up has as many items, give or take
    what does not divide. Attention items are in batch 0, because they are handed out with every batch.

    Args:
        items: the items; their own batches do not matter.
        pilot: how many items are in batch 0; without pilot, batch 0 is the first of the others.
        size: how many items are in each other batch; all in one without it.
        seed: of the draws; the order of the items does not matter.
    """
    for name, number in (("pilot", pilot), ("size", 1 if size is None else size)):
        if number < (name == "size"):
            raise UsageError(f"{option(name)} should be {int(name == 'size')} or more, not {number}.")
    attention = [replace(item, batch=0) for item in items if item.expected is not None]
    drawn = evenly([item for item in items if item.expected is None], seed=seed)
    rest = len(drawn) if size is None else size
    batches = [0 if place < pilot else bool(pilot) + (place - pilot) // max(1, rest) for place in range(len(drawn))]
    return [*attention, *(replace(item, batch=batch) for item, batch in zip(drawn, batches, strict=True))]


def evenly(items: Sequence[Item], *, seed: int = 0) -> list[Item]:
    """Return items in a drawn order in which every beginning has as many of each stratum as it can."""
    strata: dict[str, list[Item]] = {}
    for item in sorted(items, key=lambda item: item.name):
        strata.setdefault(item.stratum, []).append(item)
    for stratum, members in strata.items():
        draws(seed, "items of a stratum", stratum).shuffle(members)
    # The k-th items of all strata come before any (k+1)-th one, in an order of their own.
    placed = [
        (number, draws(seed, "turn", str(number), stratum).random(), item)
        for stratum, members in strata.items()
        for number, item in enumerate(members)
    ]
    return [item for _, _, item in sorted(placed, key=lambda one: (one[0], one[1], one[2].name))]
