"""What a shell offers when a user presses Tab: names that are registered, and folders that hold a run.

The shell waits for it, so nothing heavy is imported: names are read from source files, runs from the names of files.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import click
from click.shell_completion import CompletionItem

_MANIFEST = "run.json"
# Folders that are looked into for one press of Tab, and how deep below the one that is named.
_MOST_FOLDERS, _DEEP = 2_000, 3

Offered = Callable[[click.Context, click.Parameter, str], list[CompletionItem]]


class RunPath(click.Path):
    """The folder of a run; a shell offers the folders that hold one."""

    def __init__(self) -> None:
        super().__init__(path_type=Path)

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        """Offer runs at and below what is typed; if there are none, let the shell offer folders."""
        found = sorted(run for run in _runs(incomplete) if run.startswith(incomplete))
        return [CompletionItem(run) for run in found] or [CompletionItem(incomplete, type="dir")]


def _runs(incomplete: str) -> Iterator[str]:
    start = incomplete.rpartition("/")[0] + "/" if "/" in incomplete else ""
    waiting = [(start, 0)]
    left = _MOST_FOLDERS
    while waiting and left:
        folder, depth = waiting.pop(0)
        left -= 1
        try:
            with os.scandir(folder or ".") as entries:
                names = {entry.name: entry for entry in entries}
        except OSError:
            continue
        if _MANIFEST in names:
            yield folder.rstrip("/") or "."
            continue
        if depth < _DEEP:
            inside = [name for name, entry in sorted(names.items()) if not name.startswith(".") and entry.is_dir()]
            typed = incomplete.rpartition("/")[2] if depth == 0 else ""
            waiting += [(f"{folder}{name}/", depth + 1) for name in inside if name.startswith(typed)]


def in_list(offered: Offered) -> Offered:
    """Offer names for the last of several with commas between them."""

    def last(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        before, comma, piece = incomplete.rpartition(",")
        items = offered(ctx, param, piece)
        return [CompletionItem(f"{before}{comma}{item.value}", type=item.type, help=item.help) for item in items]

    return last


def corpora(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Offer corpora, and the splits of one that is named."""
    from nliprobe.base.errors import NliprobeError
    from nliprobe.corpora import CORPORA

    name, slash, _ = incomplete.partition("/")
    if not slash:
        return _starting(incomplete, (_written(known) for known in CORPORA.names()))
    try:
        splits = getattr(CORPORA.get(name), "splits", {})
    except NliprobeError:
        return []
    return _starting(incomplete, (f"{name}/{known}" for known in splits))


def models(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Offer models."""
    from nliprobe.models import MODELS

    return _starting(incomplete, map(_written, MODELS.names()))


def probes(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Offer probes, and families of them."""
    from nliprobe.probes import PROBES

    names = PROBES.names()
    families = {name.partition(".")[0] for name in names if "." in name}
    return _starting(incomplete, sorted({*names, *families}))


def representations(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Offer representations."""
    from nliprobe.represent import REPRESENTATIONS

    return _starting(incomplete, REPRESENTATIONS.names())


# Names that are written with an argument: file:PATH.
_WITH_ARGUMENT = {
    "file", "templates", "trained", "predictions", "transformers", "python", "command", "http", "chat", "onnx",
}  # fmt: skip


def _written(name: str) -> str:
    return f"{name}:" if name in _WITH_ARGUMENT else name


def _starting(incomplete: str, names: Iterable[str]) -> list[CompletionItem]:
    return [CompletionItem(name) for name in names if name.startswith(incomplete)]
