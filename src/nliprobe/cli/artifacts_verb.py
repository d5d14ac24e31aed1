"""``nliprobe data artifacts``."""

from __future__ import annotations

from pathlib import Path

import click

from nliprobe.cli import _complete as complete
from nliprobe.cli import _options as options
from nliprobe.cli._output import echo


@click.command("artifacts")
@options.plugin_option
@click.argument("corpora", nargs=-1, required=True, metavar="CORPUS…", shell_complete=complete.corpora)
@click.option(
    "-o", "--out", type=click.Path(dir_okay=False, path_type=Path),
    help="Also write a JSON file. 'nliprobe show RUN --artifacts FILE' judges systems by its words.",
)  # fmt: skip
@click.option("--top", default=20, show_default=True, metavar="N", help="Words to list per label, at most.")
@click.option("--min-count", default=20, show_default=True, metavar="N", help="In how many hypotheses a word must be.")
@click.option(
    "--smoothing",
    default=100.0,
    show_default=True,
    metavar="K",
    help="Pairs to add per word and label, against chance.",
)
@options.from_option
@options.format_option
def command(
    corpora: tuple[str, ...],
    out: Path | None,
    top: int,
    min_count: int,
    smoothing: float,
    root: Path | None,
    form: str,
) -> None:
    """Find the words, lengths and overlaps that give labels away.

    Lists the words of hypotheses that are most associated with each label, and measures how often the label is guessed
    right from the length of a text or from the overlap of the two. A corpus without a split means all its splits that
    are on this machine.
    """
    from nliprobe.api.artifacts import data_artifacts

    document = data_artifacts(corpora, root, top=top, min_count=min_count, smoothing=smoothing, out=out)
    if form == "json":
        options.print_json(document)
        return
    from nliprobe.report.artifacts_corpus import render_artifacts
    from nliprobe.report.terminal import new_console

    new_console().print(render_artifacts(document))
    if out is not None:
        echo(str(out))
