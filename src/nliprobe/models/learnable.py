"""Decide which gold labels a trainable model can learn."""

from __future__ import annotations

from collections.abc import Sequence

from nliprobe.base.errors import DataError
from nliprobe.models.base import Example
from nliprobe.task.labels import LETTERS, LabelSet, Partition


def learnable(examples: Sequence[Example]) -> tuple[list[LabelSet], list[Example]]:
    """Return the classes to learn, in the order E, N, C, and the examples that belong to one of them.

    A gold set of several labels is a class of its own if no other gold set shares a label with it, as the NC of a
    two-way corpus. Otherwise it does not say which of its labels is right, and its examples are left out.
    """
    seen = {example.gold for example in examples if example.gold}
    classes = [gold for gold in seen if len(gold) == 1 or not any(gold & other for other in seen if other != gold)]
    if not classes:
        raise DataError(
            f"There is nothing to learn from: none of {len(examples)} training pairs has a single gold label."
        )
    classes.sort(key=lambda block: LETTERS.index(str(block)[0]))
    wanted = set(classes)
    return classes, [example for example in examples if example.gold in wanted]


def partition_of_classes(classes: Sequence[LabelSet]) -> Partition:
    """Return the partition of labels that a model with these classes tells apart.

    Two or more classes are the partition. A single class only shows a sample without variety, so three-way is assumed.
    """
    blocks = "|".join(str(block) for block in classes)
    return Partition.parse(blocks if len(classes) > 1 else "E|N|C")
