"""In which order participants go through the stages, and through the items of each: recorded, and never by chance."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum

from nliprobe.base.seeds import draws, shuffled
from nliprobe.people.study.records import Study


class Counterbalance(StrEnum):
    """How the orders of the stages differ between participants."""

    NONE = "none"  # all have the same order
    ROTATE = "rotate"  # every stage is once at every place
    LATIN = "latin"  # besides, every stage follows every other one equally often


def stage_orders(stages: Sequence[str], by: Counterbalance) -> tuple[tuple[str, ...], ...]:
    """Return the orders of stages that participants take in turn.

    A Latin square that is balanced for what comes before (Williams, 1949) has as many orders as stages if their number
    is even, and twice as many if it is odd.

    >>> stage_orders(["B1", "B2", "R2"], Counterbalance.ROTATE)
    (('B1', 'B2', 'R2'), ('B2', 'R2', 'B1'), ('R2', 'B1', 'B2'))
    """
    count = len(stages)
    if by is Counterbalance.NONE or count < 2:
        return (tuple(stages),)
    if by is Counterbalance.ROTATE:
        return tuple(tuple(stages[(start + step) % count] for step in range(count)) for start in range(count))
    # From the first stage on: one up, one down, two up …
    zigzag = [(step + 1) // 2 if step % 2 else -(step // 2) for step in range(count)]
    rows = [tuple(stages[(start + step) % count] for step in zigzag) for start in range(count)]
    if count % 2:
        rows += [tuple(reversed(row)) for row in rows]
    return tuple(rows)


def order_of(study: Study, number: int) -> tuple[str, ...]:
    """Return the order of stages of a participant, who are numbered from 1 in the order in which they come."""
    if number < 1:
        raise ValueError(f"participants are numbered from 1, not {number}")
    return study.orders[(number - 1) % len(study.orders)]


def item_order(study: Study, stage: str, number: int) -> list[str]:
    """Return the order of a stage's items for a participant: another one in every stage, the same at every call."""
    items = [entry.item for entry in study.stage(stage).items]
    return [items[place] for place in shuffled(len(items), draws(0, "study items", study.id, stage, str(number)))]
