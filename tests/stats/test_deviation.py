"""The deviation of scores under swap training."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nliprobe.stats.deviation import deviation, relative_scores

scores = st.floats(0.01, 1)


@given(scores, st.integers(1, 4))
def test_scores_that_do_not_move_deviate_by_nothing(score: float, percentages: int) -> None:
    assert deviation([(score, [score] * percentages)] * 2) == 0


@given(scores, st.lists(scores, min_size=1, max_size=4), st.floats(0.1, 10))
def test_the_unit_of_scores_does_not_matter(original: float, swapped: list[float], unit: float) -> None:
    first = deviation([(original, swapped)])
    second = deviation([(original * unit, [score * unit for score in swapped])])
    assert first == pytest.approx(second)


@given(st.lists(st.tuples(scores, st.lists(scores, min_size=1, max_size=4)), min_size=1, max_size=4))
def test_genres_add_up(genres: list[tuple[float, list[float]]]) -> None:
    parts = [deviation([genre]) for genre in genres]
    assert deviation(genres) == pytest.approx(sum(part for part in parts if part is not None))


def test_nothing_is_compared_with_a_score_of_zero() -> None:
    assert relative_scores(0, [0.1]) is None
    assert deviation([(0.5, [0.5]), (0, [0.1])]) is None
    assert deviation([]) is None
    assert deviation([(0.5, [])]) is None
