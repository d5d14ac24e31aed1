"""Paired tests and corrections against statsmodels and SciPy."""

from __future__ import annotations

import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest
from statsmodels.stats.contingency_tables import mcnemar
from statsmodels.stats.multitest import multipletests

from nliprobe.stats import paired
from nliprobe.stats.paired import benjamini_hochberg, holm, mcnemar_exact

counts = st.integers(0, 3000)
families = st.lists(st.floats(0, 1) | st.sampled_from([0.0, 0.01, 0.05, 1.0]), min_size=1, max_size=30)


@given(counts, counts)
def test_mcnemar_equals_statsmodels_and_scipy(one: int, other: int) -> None:
    found = mcnemar_exact(one, other)
    assert found == pytest.approx(mcnemar([[7, one], [other, 9]], exact=True).pvalue, rel=1e-9, abs=1e-290)
    if one + other:
        assert found == pytest.approx(binomtest(one, one + other).pvalue, rel=1e-9, abs=1e-290)


@given(counts, counts)
def test_mcnemar_does_not_care_which_system_is_first(one: int, other: int) -> None:
    assert mcnemar_exact(one, other) == mcnemar_exact(other, one)


@pytest.mark.parametrize(
    ("one", "other"),
    [(100_000, 101_000), (50_000, 50_001), (6_000, 4_001), (500_000, 503_000), (120_000, 60), (0, 10_001)],
)
def test_mcnemar_stays_exact_for_many_cases(one: int, other: int) -> None:
    assert mcnemar_exact(one, other) == pytest.approx(binomtest(one, one + other).pvalue, rel=1e-9, abs=1e-290)


@given(st.integers(1, 4_000), st.integers(1, 4_000))
def test_mcnemar_is_the_same_by_either_way(one: int, other: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(paired, "_WHOLE_NUMBERS", 0)
        by_logarithms = mcnemar_exact(one, other)
    assert by_logarithms == pytest.approx(mcnemar_exact(one, other), rel=1e-9, abs=1e-290)


def test_mcnemar_by_hand() -> None:
    assert mcnemar_exact(0, 0) == 1.0
    assert mcnemar_exact(0, 6) == 2 / 2**6
    assert mcnemar_exact(3, 3) == 1.0
    with pytest.raises(ValueError, match="negative"):
        mcnemar_exact(-1, 3)


@given(families)
def test_holm_equals_statsmodels(pvalues: list[float]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        # It collects garbage each time, which takes a second in a process that has run other tests.
        patch.setattr("gc.collect", lambda: 0)
        expected = list(multipletests(pvalues, method="holm")[1])
    assert holm(pvalues) == pytest.approx(expected, abs=1e-12)


@given(families)
def test_benjamini_hochberg_equals_statsmodels(pvalues: list[float]) -> None:
    assert benjamini_hochberg(pvalues) == pytest.approx(list(multipletests(pvalues, method="fdr_bh")[1]), abs=1e-12)


@given(families, st.randoms(use_true_random=False))
def test_adjusted_values_follow_their_own(pvalues: list[float], random: object) -> None:
    order = list(range(len(pvalues)))
    random.shuffle(order)  # type: ignore[attr-defined]
    for adjust in (holm, benjamini_hochberg):
        straight = adjust(pvalues)
        assert adjust([pvalues[place] for place in order]) == [straight[place] for place in order]
        assert all(after >= before - 1e-15 for before, after in zip(pvalues, straight, strict=True))


def test_a_family_of_nothing_is_nothing() -> None:
    assert holm([]) == benjamini_hochberg([]) == []


@pytest.mark.parametrize("wrong", [[-0.1], [1.1], [0.5, float("nan")]])
def test_what_is_no_p_value_is_refused(wrong: list[float]) -> None:
    for adjust in (holm, benjamini_hochberg):
        with pytest.raises(ValueError, match="between 0 and 1"):
            adjust(wrong)


def test_importing_loads_no_scipy() -> None:
    code = "import sys, nliprobe.stats.paired; print('scipy' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
