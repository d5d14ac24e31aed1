"""Masks: which features are kept."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from nliprobe.explain.masks import FARTHEST, draw_masks


@given(st.integers(1, 60), st.integers(2, 600), st.integers(0, 5))
def test_masks_keep_something_and_begin_with_all(features: int, wanted: int, seed: int) -> None:
    masks = draw_masks(features, wanted, seed)
    assert masks.kept.shape[1] == features
    assert masks.kept[0].all()
    assert masks.kept.any(axis=1).all()
    if masks.exhaustive:
        assert len(masks.kept) == 2**features - 1 <= wanted
        assert len({row.tobytes() for row in masks.kept}) == len(masks.kept)
    else:
        assert len(masks.kept) == wanted < 2**features - 1
        assert (~masks.kept[1:]).sum(axis=1).max() <= max(1, FARTHEST * features)


def test_masks_follow_from_seed_and_name() -> None:
    first, again = draw_masks(40, 500, 3, "a"), draw_masks(40, 500, 3, "a")
    assert (first.kept == again.kept).all()
    assert (first.kept != draw_masks(40, 500, 3, "b").kept).any()
    assert (first.kept != draw_masks(40, 500, 4, "a").kept).any()


def test_every_feature_goes_equally_often() -> None:
    gone = (~draw_masks(30, 6000, 0).kept).mean(axis=0)
    assert np.ptp(gone) < 0.06
    assert gone.mean() == pytest.approx(5 / 30, abs=0.01), "one to nine of 30"


def test_no_masks_of_nothing() -> None:
    with pytest.raises(ValueError, match="500 masks of 0 features"):
        draw_masks(0, 500, 0)
