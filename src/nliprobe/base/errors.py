"""The errors of nliprobe, whose messages are sentences that say what to do."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

# A name that was mistyped is compared with so many others, of so many characters; so many are listed.
_MOST_NAMES = 2000
_LONGEST_NAME = 100
_SHOWN_NAMES = 100
# Whether messages name options of the command line; otherwise they name keywords in Python.
_on_command_line = False


class NliprobeError(Exception):
    """The base class of all errors that nliprobe raises on purpose; printed without a traceback."""

    exit_code = 1


class UsageError(NliprobeError, ValueError):
    """The request itself is wrong, such as an unknown option value or a spec that does not parse."""

    exit_code = 2


class DataError(NliprobeError, ValueError):
    """A file does not hold what it should."""


class NotFoundError(NliprobeError, LookupError):
    """Something with this name does not exist, such as a corpus, a probe or a file."""


class MissingExtraError(NliprobeError, ImportError):
    """Something needs a package that comes with one of nliprobe's extras."""

    def __init__(self, what: str, extra: str) -> None:
        # In quotes, because some shells take brackets for a pattern of file names.
        super().__init__(f"{what}. Install with: pip install 'nliprobe[{extra}]'")


class ModelError(NliprobeError, RuntimeError):
    """A model died, or gave unusable answers or a wrong number of them."""


class StoreError(NliprobeError, OSError):
    """A run folder or the cache cannot be read or written."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message

    def __str__(self) -> str:
        return self.message


@contextmanager
def command_line() -> Iterator[None]:
    """Let messages name options as on the command line, inside a ``with`` block."""
    global _on_command_line
    before, _on_command_line = _on_command_line, True
    try:
        yield
    finally:
        _on_command_line = before


def option(name: str, value: str = "", *, python: str = "") -> str:
    """Return how the user gives an option, on the command line or in Python.

    >>> option("train", "infotabs/train"), option("system", python="systems")
    ('train="infotabs/train"', 'systems=')
    >>> with command_line():
    ...     option("train", "infotabs/train"), option("system", python="systems")
    ('--train infotabs/train', '--system')

    Args:
        name: the option of the command line, without its dashes.
        value: the value; a word in capitals stands for something that the user fills in.
        python: the keyword in Python, if it has another name.
    """
    if _on_command_line:
        return f"--{name} {value}".rstrip()
    keyword = python or name.replace("-", "_")
    return f"{keyword}={value if value.isupper() else _quoted(value)}" if value else f"{keyword}="


def flag(name: str) -> str:
    """Return how the user switches an option on, on the command line or in Python.

    >>> flag("in-order")
    'in_order=True'
    """
    return f"--{name}" if _on_command_line else f"{name.replace('-', '_')}=True"


def command(verb: str, name: str, value: str, *, python: str = "") -> str:
    """Return how the user calls a verb with an option: ``nliprobe run --out x``, or ``nliprobe.run(…, out="x")``.

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
    """Return a place in a file as all messages name it: ``path, line 7``."""
    return str(path) if line is None else f"{path}, line {line}"


def did_you_mean(wrong: str, options: Iterable[str]) -> str:
    """Return a sentence with the most similar option, or with the whole list if nothing is similar."""
    import difflib

    names = sorted(set(options))
    # Comparing takes time that grows with the square of the lengths; nobody mistypes a name as long as a paragraph.
    alike = [name for name in names if len(name) <= _LONGEST_NAME] if len(wrong) <= _LONGEST_NAME else []
    near = difflib.get_close_matches(wrong, alike[:_MOST_NAMES], n=max(1, len(alike)), cutoff=0.6)
    if near:
        # Two letters exchanged are one slip (lables, labels); the beginning of a word is rarely mistyped (not tables).
        nearest = min(near, key=lambda name: (_slips(wrong, name), name[:1] != wrong[:1]))
        return f"Did you mean '{nearest}'?"
    more = ", …" if len(names) > _SHOWN_NAMES else ""
    return f"Available: {', '.join(names[:_SHOWN_NAMES])}{more}." if names else "There is none."


def _slips(wrong: str, name: str) -> int:
    """Count the letters to insert, leave out, replace or exchange with their neighbours (optimal string alignment)."""
    before: list[int] = []
    last = list(range(len(name) + 1))
    for row, letter in enumerate(wrong, 1):
        now = [row]
        for place, other in enumerate(name, 1):
            slips = min(last[place] + 1, now[-1] + 1, last[place - 1] + (letter != other))
            if row > 1 and place > 1 and (letter, wrong[row - 2]) == (name[place - 2], other):
                slips = min(slips, before[place - 2] + 1)
            now.append(slips)
        before, last = last, now
    return last[-1]
