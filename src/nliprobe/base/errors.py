"""One family of errors whose messages are sentences a user can act on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

# Whether whoever reads the messages typed options on a command line; else they wrote keywords in Python.
_on_command_line = False


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


@contextmanager
def command_line() -> Iterator[None]:
    """Let messages name options as the command line writes them, as long as the block lasts."""
    global _on_command_line
    before, _on_command_line = _on_command_line, True
    try:
        yield
    finally:
        _on_command_line = before


def option(name: str, value: str = "", *, python: str = "") -> str:
    """Name an option the way the reader of a message gives it, on the command line or in Python.

    >>> option("train", "infotabs/train"), option("system", python="systems")
    ('train="infotabs/train"', 'systems=')
    >>> with command_line():
    ...     option("train", "infotabs/train"), option("system", python="systems")
    ('--train infotabs/train', '--system')

    Args:
        name: the option of the command line, without its dashes.
        value: what to give; a word in capitals stands for something of the user's own.
        python: the keyword in Python, where it has another name.
    """
    if _on_command_line:
        return f"--{name} {value}".rstrip()
    keyword = python or name.replace("-", "_")
    return f"{keyword}={value if value.isupper() else _quoted(value)}" if value else f"{keyword}="


def command(verb: str, name: str, value: str, *, python: str = "") -> str:
    """Name a verb with one of its options: ``nliprobe run --out x``, or ``nliprobe.run(out="x")`` in Python.

    >>> command("run", "out", "runs/x")
    'nliprobe.run(…, out="runs/x")'
    """
    given = option(name, value, python=python)
    return f"nliprobe {verb} {given}" if _on_command_line else f"nliprobe.{verb}(…, {given})"


def _quoted(text: str) -> str:
    # In double quotes, as the manual writes Python.
    import json

    return json.dumps(text, ensure_ascii=False)


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
