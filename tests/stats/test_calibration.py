"""Calibration errors and temperatures."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from nliprobe.stats.calibration import calibration_error, matching_temperature


def test_bins_hold_as_many_cases_each() -> None:
    confidence = np.array([0.5, 0.5, 0.5, 0.5, 0.9, 0.9, 0.9, 1.0])
    right = np.array([True, True, False, False, True, True, True, False])
    # Two bins of four: the first is exact, the second says 3.7 and gets 3. One bin of all says 5.7 and gets 5.
    assert calibration_error(confidence, right, bins=2) == pytest.approx(0.7 / 8)
    assert calibration_error(confidence, right, bins=1) == pytest.approx(0.7 / 8)
    assert calibration_error(confidence, right, bins=8) == pytest.approx((4 * 0.5 + 0.3 + 1) / 8)


@given(st.lists(st.tuples(st.floats(0, 1), st.booleans()), min_size=1, max_size=60), st.integers(1, 20))
def test_an_error_is_a_share_that_no_coarser_view_exceeds(cases: list[tuple[float, bool]], bins: int) -> None:
    confidence = np.array([share for share, _ in cases])
    right = np.array([ok for _, ok in cases])
    error = calibration_error(confidence, right, bins)
    assert abs(confidence.mean() - right.mean()) - 1e-9 <= error <= 1


def test_nothing_has_no_error() -> None:
    with pytest.raises(ValueError, match="at least one case"):
        calibration_error(np.array([]), np.array([], dtype=bool))


@pytest.mark.parametrize("temperature", [0.4, 1.0, 2.5])
def test_the_temperature_that_spoilt_logits_is_found_again(temperature: float) -> None:
    draw = np.random.default_rng(0)
    logits = draw.normal(0, 1.5, (40_000, 3))
    shares = np.exp(logits) / np.exp(logits).sum(1, keepdims=True)
    golds = (draw.random((len(logits), 1)) > shares.cumsum(1)).sum(1)
    assert matching_temperature(logits * temperature, golds) == pytest.approx(temperature, rel=0.03)
