"""Quantiles and tails of Student's distribution against SciPy."""

from __future__ import annotations

import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import t

from nliprobe.stats.student import student_quantile, student_tail


@given(st.sampled_from([0.5, 0.8, 0.95, 0.99, 0.9999]), st.floats(0.5, 1e6))
def test_equals_scipy(level: float, degrees: float) -> None:
    assert student_quantile(level, degrees) == pytest.approx(t.ppf((1 + level) / 2, degrees), rel=1e-8)


@given(st.floats(-40, 40), st.floats(0.5, 1e9))
def test_tails_equal_those_of_scipy(value: float, degrees: float) -> None:
    assert student_tail(value, degrees) == pytest.approx(t.sf(value, degrees), rel=1e-5, abs=1e-9)


def test_what_is_no_level_or_no_degrees_is_refused() -> None:
    with pytest.raises(ValueError, match="between 0 and 1"):
        student_quantile(95, 3)
    with pytest.raises(ValueError, match="positive"):
        student_quantile(0.95, 0)
    with pytest.raises(ValueError, match="positive"):
        student_tail(1.0, 0)


def test_importing_loads_no_scipy() -> None:
    code = "import sys, nliprobe.stats.grouped, nliprobe.stats.sign_flip; print('scipy' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
