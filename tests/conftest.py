"""What all tests share: real corpora if there are any, a cache of their own, Hypothesis profiles."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from hypothesis.internal.conjecture import providers

settings.register_profile("default", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("default")

# Hypothesis also tries the constants of every module that is loaded. What a test tries would so depend on the tests
# before it, and reading all modules takes minutes in a fresh clone.
if hasattr(providers, "_get_local_constants"):
    providers._get_local_constants = lambda: providers._local_constants  # type: ignore[assignment,unused-ignore]


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """No test sees what another one, or the user, has cached."""
    folder = tmp_path / "nliprobe-cache"
    monkeypatch.setenv("NLIPROBE_CACHE", str(folder))
    return folder


@pytest.fixture(scope="session")
def data() -> Path:
    """The folder of real corpora; tests that need it are skipped where it is absent."""
    root = os.environ.get("NLIPROBE_DATA", "")
    if not root or not Path(root).is_dir():
        pytest.skip("NLIPROBE_DATA does not name a folder of corpora")
    return Path(root)
