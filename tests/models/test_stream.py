"""Batches by tokens, results as they come, and memory that is too small; skipped without the [torch] extra."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from nliprobe.models.failures import InputsFailed
from nliprobe.models.stream import Budget, batches_by_tokens, stream
from nliprobe.models.token_rows import Tokenised, TokenRows
from nliprobe.task.case import Input

if TYPE_CHECKING:
    from torch import Tensor

torch = pytest.importorskip("torch", reason="the [torch] extra is not installed")
CPU = torch.device("cpu")


@given(sizes=st.lists(st.integers(1, 600), max_size=60), budget=st.integers(1, 2000), packs=st.booleans())
def test_batches_hold_every_input_once_within_the_budget(sizes: list[int], budget: int, *, packs: bool) -> None:
    batches = [batch.tolist() for batch in batches_by_tokens(np.array(sizes, np.int64), Budget(budget), packs=packs)]
    assert sorted(place for batch in batches for place in batch) == list(range(len(sizes)))
    for batch in batches:
        chosen = [sizes[place] for place in batch]
        assert len(batch) == 1 or (sum(chosen) if packs else len(chosen) * max(chosen)) <= budget
    lengths = [sizes[place] for batch in batches for place in batch]
    assert lengths == sorted(lengths, reverse=True)


def asking(sizes: Sequence[int]) -> list[Input]:
    return [Input(str(place), ("x",) * size, "") for place, size in enumerate(sizes)]


def tokenise(some: Sequence[Input]) -> Tokenised:
    rows = TokenRows.from_lists([[int(item.id) + 1] * len(item.segments) for item in some], None)
    return Tokenised(rows, 0)


class Memory:
    """Computes the first token of each input, while a batch has at most so many tokens."""

    def __init__(self, tokens: int) -> None:
        self.tokens = tokens
        self.asked: list[int] = []

    def __call__(self, rows: TokenRows) -> Tensor:
        if len(rows.ids) > self.tokens:
            raise torch.OutOfMemoryError("CUDA out of memory")
        self.asked += [int(row.ids[0]) for row in rows]
        scores: Tensor = torch.tensor([[float(row.ids[0])] for row in rows])
        return scores


@given(
    sizes=st.lists(st.integers(1, 50), max_size=60),
    budget=st.integers(1, 600),
    memory=st.integers(50, 400),
    part=st.integers(1, 40),
    packs=st.booleans(),
)
def test_every_input_is_answered_once_however_small_the_memory(
    sizes: list[int], budget: int, memory: int, part: int, *, packs: bool
) -> None:
    limit, compute = Budget(budget), Memory(memory)
    answers: dict[int, float] = {}
    for places, rows in stream(compute, tokenise, asking(sizes), limit, CPU, packs=packs, part=part):
        assert not set(places.tolist()) & set(answers)
        answers |= dict(zip(places.tolist(), rows[:, 0].tolist(), strict=True))
    assert answers == {place: place + 1.0 for place in range(len(sizes))}
    assert sorted(compute.asked) == [place + 1 for place in range(len(sizes))], "nothing is computed twice"
    assert bool(limit.notes()) == (limit.tokens < budget)


def test_a_budget_that_was_too_large_is_halved_once_and_for_all() -> None:
    limit, compute = Budget(4000), Memory(1000)
    found = list(stream(compute, tokenise, asking([10] * 1000), limit, CPU, packs=True))
    assert sum(len(batch.places) for batch in found) == 1000
    assert limit.tokens == 1000
    assert limit.notes() == [
        "The memory of the GPU was too small for batches of 4,000 tokens; they were halved to 1,000."
    ]
    assert len(list(stream(compute, tokenise, asking([10] * 1000), limit, CPU, packs=True))) == 10


def test_an_input_that_never_fits_is_the_failure_of_that_input() -> None:
    with pytest.raises(InputsFailed, match="too small for one input of 500 tokens"):
        list(stream(Memory(400), tokenise, asking([10, 500, 20]), Budget(1000), CPU, packs=True))


def test_results_come_batch_by_batch_and_parts_are_tokenised_when_needed() -> None:
    parts: list[int] = []

    def counted(some: Sequence[Input]) -> Tokenised:
        parts.append(len(some))
        return tokenise(some)

    results = stream(Memory(1000), counted, asking([5] * 100), Budget(50), CPU, packs=True, part=30)
    assert len(next(results).places) == 10
    assert parts == [30]
    assert sum(len(batch.places) for batch in results) == 90
    assert parts == [30, 30, 30, 10]
