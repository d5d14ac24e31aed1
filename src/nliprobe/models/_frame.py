"""The tokens that a tokenizer puts around a premise and its hypothesis."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

from nliprobe.task.case import Input

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerBase


class Run(NamedTuple):
    """Tokens of a frame that have the same side."""

    ids: tuple[int, ...]
    side: int


class Frame(NamedTuple):
    """What stands before a premise, between it and its hypothesis, and after that; ``sides`` is none if not marked."""

    before: tuple[Run, ...]
    between: tuple[Run, ...]
    after: tuple[Run, ...]
    sides: tuple[int, int] | None

    @property
    def size(self) -> int:
        """How many tokens the frame has."""
        return sum(len(run.ids) for run in (*self.before, *self.between, *self.after))


def find_frame(tokenizer: PreTrainedTokenizerBase, example: Input, room: int) -> Frame | None:
    """Return what a tokenizer puts around an example; None if its two texts are not one after the other."""
    batch = tokenizer([example.premise], [example.hypothesis], truncation="only_first", max_length=room, padding=False)
    sides = batch.sequence_ids(0)
    if 0 not in sides or 1 not in sides:
        return None
    ids = list(batch["input_ids"][0])
    types = list((batch.get("token_type_ids") or [[]])[0])
    first, second = (sides.index(0), sides.count(0)), (sides.index(1), sides.count(1))
    ends = (first[0] + first[1], second[0] + second[1])
    if not first[0] < ends[0] <= second[0] < ends[1]:
        return None
    spans = (slice(first[0]), slice(ends[0], second[0]), slice(ends[1], None))
    before, between, after = (_runs(ids[span], types[span] or [0] * len(ids[span])) for span in spans)
    return Frame(before, between, after, (types[first[0]], types[second[0]]) if types else None)


def _runs(ids: Sequence[int], types: Sequence[int]) -> tuple[Run, ...]:
    grouped = groupby(zip(ids, types, strict=True), key=lambda token: token[1])
    return tuple(Run(tuple(token for token, _ in tokens), side) for side, tokens in grouped)
