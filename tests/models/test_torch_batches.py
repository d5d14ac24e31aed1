"""Batches keep their budget, and answers their order."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nliprobe.models.batches import Prepared, batches, network_scores
from nliprobe.models.token_rows import TokenRows, Tokens

if TYPE_CHECKING:
    from torch import Tensor

torch = pytest.importorskip("torch", reason="the [torch] extra is not installed")


@given(sizes=st.lists(st.integers(1, 600), max_size=60), budget=st.integers(1, 2000))
def test_batches_hold_every_input_once_within_the_budget(sizes: list[int], budget: int) -> None:
    found = list(batches(sizes, budget))
    assert sorted(index for batch in found for index in batch) == list(range(len(sizes)))
    for batch in found:
        assert len(batch) == 1 or len(batch) * max(sizes[index] for index in batch) <= budget


@given(sizes=st.lists(st.integers(1, 600), max_size=40), budget=st.sampled_from([64, 1024, 16_384]))
def test_scores_come_back_in_order_in_batches_that_suit_the_cpu(sizes: list[int], budget: int) -> None:
    items = TokenRows.from_lists([[place] * size for place, size in enumerate(sizes)], None)
    shapes: list[tuple[int, int]] = []

    def forward(batch: Sequence[Tokens]) -> Tensor:
        shapes.append((len(batch), max(len(item.ids) for item in batch)))
        scores: Tensor = torch.tensor([[float(item.ids[0]), float(len(item.ids))] for item in batch])
        return scores

    found = network_scores(forward, Prepared(items, sizes), torch.device("cpu"), budget)
    assert found == [[float(place), float(size)] for place, size in enumerate(sizes)]
    assert all(count == 1 or count * longest <= min(budget, 1024) for count, longest in shapes)


def test_rows_from_lists_can_be_written_to_as_tensors_want_it() -> None:
    rows = TokenRows.from_lists([[3, 1], [2]], [[0, 1], [1]])
    assert rows.types is not None
    assert torch.from_numpy(rows.types).tolist() == [0, 1, 1]
    assert torch.from_numpy(rows.ids).tolist() == [3, 1, 2]
