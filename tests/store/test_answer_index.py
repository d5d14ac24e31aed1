"""Answers in memory: the first of several counts, whatever was merged when."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.store.test_cache import answers, ids, many

from nliprobe.base.errors import StoreError
from nliprobe.base.hashing import digest
from nliprobe.store.answer_index import AnswerIndex
from nliprobe.store.frames import cache_frame, input_keys
from nliprobe.task.case import Prediction, Status
from nliprobe.task.labels import LabelSet


def frame(given: dict[str, Prediction]) -> pl.DataFrame:
    return cache_frame(list(given), list(given.values())).sort("high", "low")


@settings(max_examples=60)
@given(st.lists(answers, max_size=9), st.lists(ids, max_size=60, unique=True))
def test_the_first_answer_to_an_input_counts(batches: list[dict[str, Prediction]], asked: list[str]) -> None:
    index = AnswerIndex()
    first: dict[str, Prediction] = {}
    for batch in batches:
        index.add(frame(batch))
        first = {**batch, **first}
    assert index.get(asked) == {key: first[key] for key in asked if key in first}
    usable = [key for key in first if first[key].status is not Status.FAILED]
    assert index.holds(usable * 2)
    assert index.holds(asked) == all(key in usable for key in asked)


@given(st.lists(st.integers(0, 2**96 - 1), max_size=20))
def test_keys_are_the_numbers_of_ids(numbers: list[int]) -> None:
    high, low = input_keys([f"{number:024x}" for number in numbers])
    assert high.dtype == low.dtype == np.uint64
    assert [int(one) << 32 | int(other) for one, other in zip(high, low, strict=True)] == numbers


def test_a_look_up_visits_few_runs_however_many_files_there_are() -> None:
    index = AnswerIndex()
    for number in range(300):
        index.add(frame(many(number * 10, 10)))
    assert len(index) == 3000
    assert len(index._runs) <= 9
    assert index.get(list(many(0, 3100))) == many(0, 3000)


def test_answers_with_and_without_probabilities_and_texts_are_merged() -> None:
    batches = [
        {digest("a"): Prediction(LabelSet.of("E"))},
        {digest("b"): Prediction(LabelSet.of("NC"), (0.25, None, None))},
        {digest("c"): Prediction(LabelSet.of("C"), raw="no")},
        {digest("d"): Prediction(LabelSet.of("C"), (0.25, 0.25, 0.5))},
    ]
    index = AnswerIndex()
    for batch in batches:
        index.add(frame(batch))
    assert len(index._runs) < len(batches)
    assert index.get([digest(name) for name in "abcd"]) == {key: one for batch in batches for key, one in batch.items()}


@pytest.mark.parametrize("keys", [([2, 1], [0, 0]), ([1, 2], [0, 1 << 32])])
def test_keys_that_are_none_are_refused(keys: tuple[list[int], list[int]]) -> None:
    high, low = (pl.Series(name, values, dtype=pl.UInt64) for name, values in zip(("high", "low"), keys, strict=True))
    wrong = frame(many(0, 2)).with_columns(high, low)
    with pytest.raises(StoreError, match="keys"):
        AnswerIndex().add(wrong)
