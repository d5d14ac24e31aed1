"""What all tests share: real corpora if there are any, a cache of their own, Hypothesis profiles."""

from __future__ import annotations

import gc
import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from hypothesis.internal.conjecture import providers

# Tests run in as many processes as there are cores. Threads of matrix products would wait for each other most of the
# time, turning round: regressions over small matrices take six times as much processor time with two of them.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

# A process of tests holds what all of them have loaded, and each full search for garbage looks at all of it: a seventh
# of the processor time of the tests of papers. Here it is done a hundred times less often.
gc.set_threshold(20_000, 20, 20)

# Whoever lets tests run in the background of a shell has Ctrl-C ignored in them and in all that they start, and those
# about Ctrl-C would wait for ever.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# Every run draws other examples. `make test` draws a few per property, `make test-properties` many.
settings.register_profile(
    "default",
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
    max_examples=int(os.environ.get("NLIPROBE_EXAMPLES", "40")),
)
settings.load_profile("default")

# Hypothesis also tries the constants of every module that is loaded. What a test tries would so depend on the tests
# before it, and reading all modules takes minutes in a fresh clone.
if hasattr(providers, "_get_local_constants"):
    providers._get_local_constants = lambda: providers._local_constants  # type: ignore[assignment,unused-ignore]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Let everything that needs a real browser run with the tests of the studio, which do, too."""
    for item in items:
        if "browser" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.studio)


@pytest.fixture(scope="session", autouse=True)
def shared_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """What fixtures of whole files keep, for they are made before a test has a cache of its own; shared by workers."""
    base = tmp_path_factory.getbasetemp()
    folder = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "nliprobe-shared-cache"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("NLIPROBE_CACHE", str(folder))
        yield folder


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """No test sees what another one, or the user, has cached."""
    folder = tmp_path / "nliprobe-cache"
    monkeypatch.setenv("NLIPROBE_CACHE", str(folder))
    return folder


@pytest.fixture
def shared_models(own_cache: Path, shared_cache: Path) -> None:
    """Models that take long to train are trained once for all tests that ask for this."""
    own_cache.mkdir()
    (shared_cache / "models").mkdir(parents=True, exist_ok=True)
    (own_cache / "models").symlink_to(shared_cache / "models")


@pytest.fixture(scope="session")
def data() -> Path:
    """The folder of real corpora; tests that need it are skipped where it is absent."""
    root = os.environ.get("NLIPROBE_DATA", "")
    if not root or not Path(root).is_dir():
        pytest.skip("NLIPROBE_DATA does not name a folder of corpora")
    return Path(root)
