"""``nliprobe cache``."""

from __future__ import annotations

import shutil
from pathlib import Path

import click

from nliprobe.base.files import cache_folder, refusing
from nliprobe.base.visible import visible
from nliprobe.cli._output import echo

# Answers to pairs, fitted models, the cases of suites, answers to transfer tasks, explanations, vectors of words and of
# pairs, what runs show, for their list, and indexes to browse their cases.
KINDS = ("answers", "models", "suites", "transfer", "explanations", "vectors", "verdicts", "browse")


@click.group("cache")
def command() -> None:
    """Show, check or clear what is kept between runs: answers, trained models, cases."""


@command.command("where")
def where() -> None:
    """Print the folder of the cache; NLIPROBE_CACHE chooses another."""
    echo(str(cache_folder()))


@command.command("ls")
def ls() -> None:
    """List what is kept, with its size."""
    for kind in KINDS:
        for path in sorted((cache_folder() / kind).glob("*")):
            if not path.name.startswith("."):
                echo(f"{kind:<12} {path.name:<48} {_size(path):>12,} bytes")


@command.command("check")
def check() -> None:
    """Read all kept answers and cases, and set damaged files aside.

    The exit code is 1 if there are any.
    """
    from nliprobe.store.cache import AnswerCache
    from nliprobe.store.suites import check_suites

    damaged: list[Path] = []
    total = 0
    for path in sorted((cache_folder() / "answers").glob("*")):
        cache = AnswerCache(path)
        total += len(cache)
        damaged += cache.damaged
    suites = check_suites()
    damaged += suites.damaged
    echo(f"{total:,} answers are kept in {cache_folder()}, and the cases of {suites.number:,} suites")
    for path in damaged:
        echo(f"damaged, set aside: {path}", err=True)
    if damaged:
        raise click.exceptions.Exit(1)


@command.command("clear")
@click.option("--yes", is_flag=True, help="Do not ask for confirmation.")
def clear(yes: bool) -> None:
    """Delete everything that is kept between runs; runs are not touched."""
    folder = cache_folder()
    if not yes:
        try:
            yes = click.confirm(visible(f"Delete everything in {folder}?"))
        except click.Abort:  # Ctrl-C, or nobody there to answer
            echo()
    if not yes:
        echo(f"Nothing was cleared: {folder} is as it was.")
        raise click.exceptions.Exit(1)
    for kind in KINDS:
        with refusing(folder / kind):
            if (folder / kind).exists():
                shutil.rmtree(folder / kind)
    echo(f"{folder} is empty.")


def _size(path: Path) -> int:
    return sum(item.stat().st_size for item in (path, *path.rglob("*")) if item.is_file())
