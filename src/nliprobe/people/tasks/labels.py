"""Labels in answers: read in the common spellings, kept as the letters of a block of the project's partition."""

from __future__ import annotations

from typing import ClassVar

from nliprobe.base.errors import DataError, UsageError
from nliprobe.base.fields import Fields
from nliprobe.people.records import Content, Item, Json
from nliprobe.people.tasks._declared import DeclaredTask, answer_of
from nliprobe.people.tasks.premises import premise_value
from nliprobe.task.labels import THREE_WAY, LabelMap, LabelSet, Partition
from nliprobe.task.pair import Pair

PARTITION = "partition"


class LabelTask(DeclaredTask):
    """A task whose answer is one label for a premise and a hypothesis."""

    option_names = (PARTITION,)
    cells: ClassVar[tuple[str, ...]] = ("label",)

    def __init__(self, options: Content) -> None:
        super().__init__(options)
        self.partition = partition_of(options)

    def choices(self) -> dict[str, Json]:
        """Return the labels to choose from."""
        return {"labels": [str(block) for block in self.partition.blocks]}

    def checked(self, item: Item, answer: Content) -> dict[str, Json]:
        """Return the label as a block of the partition: E, N, C, or NC where these are not told apart."""
        return {"label": label_under(answer_of(answer, "label"), "label", self.partition)}

    def vote(self, answer: Content) -> str | None:
        """Return the label."""
        return str(answer["label"])

    def content_of(self, pair: Pair) -> dict[str, Json] | str:
        """Return a pair as raters see it."""
        return {"premise": premise_value(pair.premise), "hypothesis": pair.hypothesis}

    def known(self, pair: Pair) -> dict[str, Json] | None:
        """Return the gold label as an answer, or None if it is no single one."""
        block = None if pair.gold is None else self.partition.coarsen(pair.gold)
        return {"label": str(block)} if block in self.partition.blocks else None


def partition_of(options: Content) -> Partition:
    """Return how finely the labels of a project are told apart."""
    text = options.get(PARTITION, str(THREE_WAY))
    try:
        partition = Partition.parse(text if isinstance(text, str) else "")
    except ValueError:
        partition = None
    if partition is None or len(partition.blocks) < 2:
        raise UsageError(f"The option '{PARTITION}' should be like E|N|C or E|NC, not {text!r:.60}.")
    return partition


def label_under(fields: Fields, key: str, partition: Partition) -> str:
    """Return the label that a spelling stands for, as the letters of a block."""
    text = fields.text(key)
    try:
        label = LabelMap().read(text) if len(text) < 100 else None
    except DataError:
        label = None
    block = partition.coarsen(label) if label is not None else LabelSet.of("")
    if block not in partition.blocks:
        names = [str(one) for one in partition.blocks]
        fields.refuse(key, f"{', '.join(names[:-1])} or {names[-1]}")
    return str(block)
