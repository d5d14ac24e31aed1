"""One family of errors whose messages are sentences a user can act on."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path


class NliprobeError(Exception):
    """The root of everything nliprobe raises on purpose; printed without a traceback."""

    exit_code = 1


class UsageError(NliprobeError, ValueError):
    """The request itself is wrong: an unknown option value, a spec that does not parse."""

    exit_code = 2


class DataError(NliprobeError, ValueError):
    """A file does not hold what it should."""


class NotFoundError(NliprobeError, LookupError):
    """Something named does not exist: a corpus, a probe, a file."""


class MissingExtraError(NliprobeError, ImportError):
    """Something needs a package that comes with one of nliprobe's extras."""

    def __init__(self, what: str, extra: str) -> None:
        super().__init__(f"{what}. Install with: pip install nliprobe[{extra}]")


class ModelError(NliprobeError, RuntimeError):
    """A model died, answered garbage or answered the wrong number of times."""


class StoreError(NliprobeError, OSError):
    """A run folder or the cache cannot be read or written."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message

    def __str__(self) -> str:
        return self.message


def where(path: str | Path, line: int | None = None) -> str:
    """Name a place in a file the way every message here does: ``path, line 7``."""
    return str(path) if line is None else f"{path}, line {line}"


def did_you_mean(wrong: str, options: Iterable[str]) -> str:
    """A sentence with the nearest option, or the whole list when nothing is near."""
    import difflib

    names = sorted(set(options))
    near = difflib.get_close_matches(wrong, names, n=1, cutoff=0.6)
    if near:
        return f"Did you mean '{near[0]}'?"
    return f"Available: {', '.join(names)}." if names else "There is none."
