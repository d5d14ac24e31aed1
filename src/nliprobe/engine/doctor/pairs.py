"""The obvious pairs that the doctor asks about: sentences and tables, the same number for each answer."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from itertools import islice
from pathlib import Path
from typing import NamedTuple, TypeVar

from nliprobe.task.labels import LETTERS, LabelSet, Partition
from nliprobe.task.pair import Pair, Premise
from nliprobe.task.source import PairSource
from nliprobe.task.table import Table

SENTENCES, TABLES = "sentences", "tables"
# Premises of the first questions; those after them are kept for a second look.
_FIRST = 10
# Pairs of a corpus that show whether its premises are tables.
_LOOKED_AT = 20

T = TypeVar("T")


class _Item(NamedTuple):
    """A premise with two hypotheses per label, on which people do not disagree."""

    name: str
    premise: Premise
    hypotheses: dict[str, list[str]]


@cache
def _items(kind: str) -> tuple[_Item, ...]:
    lines = Path(__file__).with_name(f"{kind}.jsonl").read_text(encoding="utf-8").splitlines()
    prefix = "t" if kind == TABLES else ""
    items = []
    for number, line in enumerate(lines, 1):
        content = json.loads(line)
        given = content.pop("premise")
        premise = Table.from_json(json.dumps(given)) if kind == TABLES else given
        items.append(_Item(f"{prefix}{number}", premise, content))
    return tuple(items)


@cache
def first_pairs(partition: Partition, kind: str = SENTENCES) -> tuple[Pair, ...]:
    """Return what is asked first: ten premises, each with one hypothesis per block of the partition.

    In a block of several labels these take turns, so that ``E|NC`` has ten pairs of E, five of N and five of C.
    """
    chosen = enumerate(_items(kind)[:_FIRST])
    return tuple(_pair(item, block, place, 0) for place, item in chosen for block in partition.blocks)


@cache
def more_pairs(partition: Partition, kind: str = SENTENCES) -> tuple[Pair, ...]:
    """Return what is asked if the first answers raise a doubt: fourteen more pairs per block of the partition."""
    pairs = []
    for place, item in enumerate(_items(kind)):
        for variant in (1,) if place < _FIRST else (0, 1):
            pairs += [_pair(item, block, place + variant, variant) for block in partition.blocks]
    return tuple(pairs)


def _pair(item: _Item, block: LabelSet, turn: int, variant: int) -> Pair:
    letters = str(block)
    letter = letters[turn % len(letters)]
    name = f"doctor/{item.name}{letter}{variant + 1 if variant else ''}"
    return Pair(name, item.premise, item.hypotheses[letter][variant], LabelSet.of(letter), item.name)


def every_pair(kind: str = SENTENCES) -> tuple[Pair, ...]:
    """Return all pairs of a kind, for those who check or simulate them."""
    return tuple(
        _pair(item, LabelSet.of(letter), 0, variant)
        for item in _items(kind)
        for letter in LETTERS
        for variant in range(len(item.hypotheses[letter]))
    )


def other_premise(pairs: Sequence[Pair], index: int) -> Pair:
    """Return a pair with the premise of the next group."""
    pair = pairs[index]
    later = [*pairs[index:], *pairs]
    other = next(item for item in later if item.group != pair.group)
    return replace(pair, premise=other.premise)


def spread(items: Sequence[T], n: int) -> list[T]:
    """Return some of the items, spread evenly over all of them."""
    return [items[place * len(items) // n] for place in range(min(n, len(items)))]


def kind_of(sources: Sequence[PairSource]) -> str | None:
    """Tell what the premises of corpora are: tables if all are, otherwise sentences; none if there is no corpus."""
    premises = [pair.premise for source in sources for pair in islice(source.pairs(), _LOOKED_AT)]
    if not premises:
        return None
    return TABLES if all(isinstance(premise, Table) for premise in premises) else SENTENCES
