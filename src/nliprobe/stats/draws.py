"""Seeded generators for the draws behind permutation tests and cross-validation."""

from __future__ import annotations

import numpy as np

from nliprobe.base.hashing import digest


def generator(seed: int, *names: str) -> np.random.Generator:
    """Return a random generator that depends on its purpose, never on the order of the work."""
    return np.random.default_rng(int(digest(str(seed), *names), 16))
