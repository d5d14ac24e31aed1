"""The cluster bootstrap against a naive loop, its symmetries, and how often it covers the truth."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from nliprobe.stats.bootstrap import generator, ratio_intervals, resampled_sums
from nliprobe.stats.intervals import wilson

Matrix = NDArray[np.int64]


def clustered(seed: int, clusters: int, most: int = 12) -> tuple[Matrix, Matrix]:
    """Rates that differ from cluster to cluster: two ratios of each."""
    random = np.random.default_rng(seed)
    sizes = random.integers(1, most + 1, size=(clusters, 2))
    return random.binomial(sizes, random.beta(3, 5, size=(clusters, 1))), sizes


def naive(above: Matrix, below: Matrix, draws: int) -> NDArray[np.float64]:
    random = np.random.default_rng(99)
    ratios = []
    for _ in range(draws):
        chosen = [int(random.integers(len(above))) for _ in range(len(above))]
        ratios.append([sum(above[i, k] for i in chosen) / sum(below[i, k] for i in chosen) for k in range(2)])
    return np.quantile(np.array(ratios), [0.025, 0.975], axis=0).T


@pytest.mark.parametrize("most", [2, 12], ids=["by multinomial", "by integers"])
def test_ratio_intervals_agree_with_a_naive_loop(most: int) -> None:
    above, below = clustered(1, 40 if most > 2 else 300, most)
    expected = naive(above, below, 1500)
    found = ratio_intervals(above, below, generator(0), replicates=20_000)
    widths = expected[:, 1] - expected[:, 0]
    for interval, ends, width in zip(found, expected, widths, strict=True):
        assert interval is not None
        assert np.abs(np.array(interval) - ends).max() < 0.08 * width


def test_the_seed_decides() -> None:
    above, below = clustered(2, 50)
    first, same, other = (ratio_intervals(above, below, generator(seed, "x")) for seed in (1, 1, 2))
    assert first == same
    assert first != other


def test_names_make_independent_generators() -> None:
    assert generator(0, "a").random() != generator(0, "b").random()


@pytest.mark.parametrize(("clusters", "most"), [(2000, 1), (30, 12), (30, 10**7)])
def test_the_order_of_clusters_does_not_matter(clusters: int, most: int) -> None:
    above, below = clustered(3, clusters, most)
    order = np.random.default_rng(0).permutation(clusters)
    shuffled = ratio_intervals(above[order], below[order], generator(0))
    assert shuffled == ratio_intervals(above, below, generator(0))


def test_ratios_are_resampled_together() -> None:
    above, below = clustered(4, 30)
    below[:, 1] = below[:, 0]
    above[:, 0] = np.minimum(above[:, 0], below[:, 0])
    above[:, 1] = below[:, 0] - above[:, 0]
    first, second = ratio_intervals(above, below, generator(0))
    assert first is not None
    assert second is not None
    assert first.low == pytest.approx(1 - second.high)
    assert first.high == pytest.approx(1 - second.low)


def test_resampled_sums_keep_the_number_of_clusters() -> None:
    counts = np.column_stack([np.ones(500, dtype=np.int64), np.arange(500) % 3])
    for some in (counts, np.column_stack([counts, np.arange(500)])):
        sums = resampled_sums(some, generator(0), replicates=777)
        assert sums.shape == (777, some.shape[1])
        assert (sums[:, 0] == 500).all()
        assert sums[:, 1].mean() == pytest.approx(counts[:, 1].sum(), rel=0.01)


def test_one_cluster_has_no_interval() -> None:
    assert ratio_intervals(np.array([[3]]), np.array([[9]]), generator(0)) == [None]


def test_a_ratio_of_one_contributing_cluster_has_no_interval() -> None:
    above, below = np.array([[1, 1], [2, 0], [0, 0]]), np.array([[4, 4], [4, 0], [4, 0]])
    first, second = ratio_intervals(above, below, generator(0))
    assert first is not None
    assert second is None


def test_no_clusters_have_no_interval() -> None:
    nothing = np.zeros((0, 2), dtype=np.int64)
    assert ratio_intervals(nothing, nothing, generator(0)) == [None, None]
    assert (
        ratio_intervals(np.zeros((3, 2), dtype=np.int64), np.zeros((3, 2), dtype=np.int64), generator(0)) == [None] * 2
    )


def test_what_never_or_always_happened_gets_wilson_over_clusters() -> None:
    below = np.full((20, 2), 50)
    above = np.column_stack([np.zeros(20, dtype=np.int64), below[:, 1]])
    assert ratio_intervals(above, below, generator(0)) == [wilson(0, 20), wilson(20, 20)]


def test_differences_may_be_negative() -> None:
    above = np.array([[-2], [1], [-1], [-3], [0]] * 20)
    (interval,) = ratio_intervals(above, np.full((100, 1), 5), generator(0), rates=False)
    assert interval is not None
    assert interval.low < -0.2 < interval.high < 0


def test_shapes_and_levels_are_checked() -> None:
    one = np.ones((2, 1), dtype=np.int64)
    with pytest.raises(ValueError, match="denominators"):
        ratio_intervals(one, np.ones((2, 2), dtype=np.int64), generator(0))
    with pytest.raises(ValueError, match="between 0 and 1"):
        ratio_intervals(one, one, generator(0), level=95)


def test_intervals_cover_the_truth_where_wilson_does_not() -> None:
    random = np.random.default_rng(7)
    covered = plain = 0
    trials, clusters, size = 400, 60, 9
    for trial in range(trials):
        rates = random.beta(1.5, 1.5, size=clusters)
        above = random.binomial(size, rates)
        (interval,) = ratio_intervals(above[:, None], np.full((clusters, 1), size), generator(trial), replicates=400)
        ignoring = wilson(int(above.sum()), clusters * size)
        assert interval is not None
        assert ignoring is not None
        covered += interval.low <= 0.5 <= interval.high
        plain += ignoring.low <= 0.5 <= ignoring.high
    assert 0.91 <= covered / trials <= 0.98
    assert plain / trials < 0.85
