"""``nliprobe watch``."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from nliprobe.base.output import stdout
from nliprobe.cli import _options as options
from nliprobe.cli._output import echo, echo_json

if TYPE_CHECKING:
    from nliprobe.analysis.watch import WatchDocument

# What ends a pipe or a script that was stopped by Ctrl-C.
_STOPPED = 130


@click.command("watch")
@click.argument("run", type=options.RUN)
@click.option("--once", is_flag=True, help="Look once and end.")
@click.option("--wait", is_flag=True, help="Wait for the folder if there is no run in it yet.")
@click.option(
    "--every", default=2.0, show_default=True, metavar="SECONDS",
    type=click.FloatRange(min=0.1), help="Time between two looks. More is kinder to a network disk.",
)  # fmt: skip
@options.format_option
def command(run: Path, once: bool, wait: bool, every: float, form: str) -> None:
    """Show how far a run is while another process writes it.

    It reads what is on the disk, writes nothing, and ends when the run is complete. Whether a process on another
    machine is still alive cannot be seen there; it is said when something was last written. In a pipe or a log file,
    it prints a line whenever something has changed; with --format json each line is a document.
    """
    looks = _looks(run, every, wait=wait, once=once)
    try:
        if once:
            _show_once(next(looks), form)
        elif form == "json" or not stdout().isatty():
            _print_lines(looks, form)
        else:
            _show_live(looks)
    except KeyboardInterrupt:
        raise click.exceptions.Exit(_STOPPED) from None


def _looks(path: Path, every: float, *, wait: bool, once: bool) -> Iterator[WatchDocument]:
    """Yield looks until the run is complete."""
    from nliprobe.analysis.watch import watch_document
    from nliprobe.base.errors import NotFoundError
    from nliprobe.store.watch import RunWatch

    watch = RunWatch(path)
    said = False
    while True:
        try:
            look = watch.look()
        except NotFoundError as error:
            if not wait:
                raise NotFoundError(f"{error} If it is about to be made, wait for it with --wait.") from error
            if not said:
                echo(f"Waiting for a run in {path}.", err=True)
                said = True
            time.sleep(every)
            continue
        yield watch_document(path, look)
        if once or look.state.value == "complete":
            return
        time.sleep(every)


def _show_once(document: WatchDocument, form: str) -> None:
    if form == "json":
        options.print_json(document)
        return
    from nliprobe.report.terminal import new_console
    from nliprobe.report.watch import render_watch

    new_console().print(render_watch(document), highlight=False)


def _print_lines(looks: Iterator[WatchDocument], form: str) -> None:
    """Print a line for each look that shows something new, at once."""
    import json

    from nliprobe.report.watch import watch_line

    before: object = None
    for document in looks:
        now = (document["last_written"], document["state"], document["quiet"], document["systems"])
        if now == before:
            continue
        before = now
        if form == "json":
            echo_json(json.dumps(document, ensure_ascii=False, allow_nan=False))
        else:
            echo(watch_line(document))
        stdout().flush()


def _show_live(looks: Iterator[WatchDocument]) -> None:
    from rich.live import Live

    from nliprobe.report.terminal import new_console
    from nliprobe.report.watch import render_watch

    with Live(console=new_console(), auto_refresh=False) as live:
        for document in looks:
            live.update(render_watch(document), refresh=True)
