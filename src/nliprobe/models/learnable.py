"""Which gold labels a model that learns can learn."""

from __future__ import annotations

from collections.abc import Sequence

from nliprobe.base.errors import DataError
from nliprobe.models.base import Example
from nliprobe.task.labels import LETTERS, LabelSet
from nliprobe.task.partitions import Partition


def learnable(examples: Sequence[Example]) -> tuple[list[LabelSet], list[Example]]:
    """The classes to learn, in the order E, N, C, and the examples that are of one of them.

    A gold set of several labels is a class of its own where no other gold set shares a label with it: the NC of a
    two-way corpus. Otherwise it does not say which of its labels is right, and counts for none of them.
    """
    seen = {example.gold for example in examples if example.gold}
    classes = [gold for gold in seen if len(gold) == 1 or not any(gold & other for other in seen if other != gold)]
    if not classes:
        raise DataError(
            f"There is nothing to learn from: of {len(examples)} training pairs none has a single gold label."
        )
    classes.sort(key=lambda block: LETTERS.index(str(block)[0]))
    wanted = set(classes)
    return classes, [example for example in examples if example.gold in wanted]


def partition_of_classes(classes: Sequence[LabelSet]) -> Partition:
    """How finely a model that answers these classes tells labels apart.

    Two classes or more are taken at their word. A single one is a sample without variety, and no partition.
    """
    blocks = "|".join(str(block) for block in classes)
    return Partition.parse(blocks if len(classes) > 1 else "E|N|C")
