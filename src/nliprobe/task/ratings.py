"""Ratings: the labels that people gave to items, with the gold label of each item, if any."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from nliprobe.task.labels import THREE_WAY, LabelSet, Partition


class Rating(NamedTuple):
    """The label that one person gave to one item, with the item's gold label, if any."""

    item: str
    rater: str
    label: LabelSet
    gold: LabelSet | None


@dataclass(frozen=True, slots=True)
class Ratings:
    """The ratings of one file.

    Attributes:
        name: the file's name without its extension, or corpus and split.
        ratings: all ratings in the order of the file; labels are blocks of the partition.
        items: the items in the order of the file with their gold label or None; an item may have no rating.
        partition: how finely labels are told apart.
        named: whether the file names the raters; otherwise a rater is only a position in a list.
        repeated: ratings left out because the same rater had rated the same item before.
        unanswered: ratings left out because they have no label.
        first: how many ratings per item the corpus's own protocol uses; None for all.
        notes: what else should be known, one sentence per note.
    """

    name: str
    ratings: tuple[Rating, ...]
    items: Mapping[str, LabelSet | None]
    partition: Partition = THREE_WAY
    named: bool = True
    repeated: int = 0
    unanswered: int = 0
    first: int | None = None
    notes: tuple[str, ...] = ()
