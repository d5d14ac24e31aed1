"""The weighted ridge regression of LIME, against scikit-learn's."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.linear_model import Ridge

from nliprobe.explain.local_line import fit_line, nearness
from nliprobe.explain.masks import draw_masks


@pytest.mark.parametrize("features", [3, 40, 700])
def test_as_scikit_learn(features: int) -> None:
    kept = draw_masks(features, 500, features).kept
    random = np.random.default_rng(features)
    values = kept @ random.normal(size=features) + random.normal(size=len(kept))
    line = fit_line(kept, values)
    oracle = Ridge(alpha=1.0).fit(kept.astype(float), values, sample_weight=nearness(kept))
    np.testing.assert_allclose(line.weights, oracle.coef_, atol=1e-8)
    assert line.fit == pytest.approx(oracle.score(kept.astype(float), values, sample_weight=nearness(kept)))


def test_a_constant_answer_explains_nothing() -> None:
    kept = draw_masks(20, 500, 0).kept
    line = fit_line(kept, np.full(500, 0.7))
    assert line.fit is None
    assert not line.weights.any()


def test_nearer_masks_count_more() -> None:
    near = nearness(np.array([[1, 1, 1, 1], [1, 1, 1, 0], [1, 1, 0, 0]], dtype=bool))
    assert near[0] == 1
    assert near[0] > near[1] > near[2] > 0
    # The published formula at half of the words: a cosine of the root of one half, a width of 25.
    assert near[2] == pytest.approx(np.sqrt(np.exp(-((100 * (1 - 0.5**0.5)) ** 2) / 25**2)))
