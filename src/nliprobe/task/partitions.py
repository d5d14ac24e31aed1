"""Partitions of the labels: how finely a corpus or a model tells them apart."""

from __future__ import annotations

from dataclasses import dataclass

from nliprobe.task.labels import LETTERS, LabelSet


@dataclass(frozen=True, slots=True)
class Partition:
    """Disjoint blocks of labels, written ``E|N|C``, ``E|NC`` (HANS, RTE) or ``E|C`` (TabFact).

    >>> Partition.parse("E|N|C").join(Partition.parse("E|NC"))
    Partition.parse('E|NC')
    """

    blocks: tuple[LabelSet, ...]

    @classmethod
    def parse(cls, text: str) -> Partition:
        """Read ``E|NC``; blocks must be disjoint and not empty."""
        blocks = [LabelSet.of(piece) for piece in text.split("|")]
        if not all(blocks) or sum(len(block) for block in blocks) != len(_union(blocks)):
            raise ValueError(f"'{text}' is not a partition of labels such as E|N|C or E|NC")
        return cls(tuple(sorted(blocks, key=lambda block: LETTERS.index(str(block)[0]))))

    def __str__(self) -> str:
        return "|".join(str(block) for block in self.blocks)

    def __repr__(self) -> str:
        return f"Partition.parse('{self}')"

    @property
    def labels(self) -> LabelSet:
        """All labels the blocks cover."""
        return _union(list(self.blocks))

    def join(self, other: Partition) -> Partition:
        """Return the finest partition that is coarser than both, in which the two can be compared."""
        blocks: list[LabelSet] = []
        for block in self.blocks + other.blocks:
            touching = [present for present in blocks if present & block]
            blocks = [present for present in blocks if not present & block]
            blocks.append(_union([block, *touching]))
        return Partition.parse("|".join(str(block) for block in blocks))

    def coarsen(self, labels: LabelSet) -> LabelSet:
        """Return the union of the blocks that a label set touches; labels outside every block stay as they are."""
        return _union([labels, *(block for block in self.blocks if block & labels)])

    def agrees(self, answer: LabelSet, gold: LabelSet) -> bool:
        """Tell whether an answer is right when it and the gold set are both coarsened to these blocks."""
        return bool(answer) and self.coarsen(answer) <= self.coarsen(gold)


def _union(blocks: list[LabelSet]) -> LabelSet:
    total = LabelSet.of("")
    for block in blocks:
        total = total | block
    return total


THREE_WAY = Partition.parse("E|N|C")
