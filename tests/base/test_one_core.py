"""Small products of matrices use one thread, and others what they used before."""

from __future__ import annotations

import numpy as np
from threadpoolctl import threadpool_info, threadpool_limits

from nliprobe.base.one_core import on_one_core


def blas_threads() -> set[int]:
    """Return how many threads products of matrices are computed by."""
    return {one["num_threads"] for one in threadpool_info() if one["user_api"] == "blas"}


def test_threads_are_given_back() -> None:
    assert np.eye(2).sum() == 2
    with threadpool_limits(limits=2, user_api="blas"):
        before = blas_threads()
        with on_one_core():
            assert blas_threads() == {1}
        assert blas_threads() == before == {2}
