"""Which suites may be kept between runs, and under which key.

A kept suite must never be given in the place of another one. Its key therefore names what the hash of a suite leaves to
good order: the code that makes and writes cases, byte by byte, and the versions of what it is built on. What is decided
by code of others (plugins, sources that were given as objects) is never kept.
"""

from __future__ import annotations

import platform
from collections.abc import Callable, Sequence
from contextlib import suppress

from nliprobe import __version__
from nliprobe.api.resolve import Request
from nliprobe.base.errors import StoreError
from nliprobe.base.hashing import digest
from nliprobe.base.own_code import code_digest
from nliprobe.corpora.held import HeldPairs
from nliprobe.engine.ask import Caches
from nliprobe.engine.kept import fill_from_kept
from nliprobe.engine.steps import Progress, RunTally
from nliprobe.models.system import System
from nliprobe.probes.suite import Suite
from nliprobe.store.bundle import DamagedBundleError
from nliprobe.store.run import RunFolder
from nliprobe.store.suites import keep_suite
from nliprobe.task.evidenced import EVIDENCE
from nliprobe.task.sources import SOURCES

# The rooms whose code decides cases, what is read for them, and the bytes of their shards; and those they use.
ROOMS = (
    "base",
    "task",
    "language",
    "stats",
    "corpora",
    "templates",
    "probes",
    "represent",
    "models",
    "store",
    "engine",
)


def fill_from_kept_suite(
    request: Request,
    suite: Suite,
    folder: RunFolder,
    systems: Sequence[System],
    caches: Caches,
    progress: Progress | None,
    say: Callable[[str], None],
) -> RunTally | None:
    """Fill a run from a kept suite, if there is one and its systems have answered all of it; none if not."""
    key = _key(request, suite, folder.record.shard_size)
    if key is None:
        return None
    try:
        return fill_from_kept(folder, key, systems, caches, progress)
    except DamagedBundleError as error:
        say(f"a kept suite cannot be used, and its cases are made again: {error}")
        return None


def keep_for_other_runs(
    request: Request, suite: Suite, folder: RunFolder, systems: Sequence[System], caches: Caches
) -> None:
    """Keep the suite of a complete run, if it may be kept and systems have answers in the cache.

    Nothing depends on it: a disk that is full or cannot be written is no reason to fail.
    """
    readings: dict[str, str] = {}
    for system in systems:
        reading = None if caches.of(system) is None else system.reading()
        if reading is not None:
            readings[reading] = folder.system(system.name).predictions
    key = _key(request, suite, folder.record.shard_size) if readings else None
    # Corpora are read long after their digests were made, and someone may have changed them in between.
    if key is not None and request.suite().hash == suite.hash:
        with suppress(StoreError, OSError):
            keep_suite(folder, key, readings)


def _key(request: Request, suite: Suite, shard_size: int) -> str | None:
    """Return what decides the bytes of a suite's shards, or none if that is not known."""
    given = [item for item in request.on if not isinstance(item, str)]
    if SOURCES.extended or EVIDENCE.extended or any(type(item) is not HeldPairs for item in given):
        return None
    if not all(type(probe).__module__.startswith("nliprobe.") for probe in suite.probes):
        return None
    code = code_digest(ROOMS)
    if code is None:
        return None
    import numpy as np
    import polars as pl

    versions = (__version__, platform.python_implementation(), platform.python_version(), pl.__version__)
    return f"{suite.hash}-{digest(code, *versions, np.__version__, str(shard_size))}"
