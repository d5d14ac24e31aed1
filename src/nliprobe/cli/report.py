"""``nliprobe report``."""

from __future__ import annotations

from pathlib import Path

import click

from nliprobe.cli import _options as options
from nliprobe.cli._output import echo


@click.command("report")
@options.config_option
@click.argument("run", type=options.RUN)
@click.option(
    "-o", "--out", type=click.Path(dir_okay=False, path_type=Path), help="File to write. By default in the run folder."
)
@click.option(
    "--format",
    "form",
    type=click.Choice(["html", "markdown", "json"]),
    help="By default what the ending of --out says, otherwise html.",
)
@click.option(
    "--by", multiple=True, metavar="FACET", help="Add a section per value of this facet, such as reasoning. Repeatable."
)
@click.option(
    "--artifacts", "words", metavar="FILE|CORPUS",
    help="Where the words of the section on artifacts come from: a file of 'nliprobe data artifacts', or a corpus such "
    "as the training data. By default the run's own pairs.",
)  # fmt: skip
@click.option("--checklist", is_flag=True, help="Write the full report on templates instead.")
@options.threshold_option
@options.partial_option
@options.seed_option
def command(
    run: Path,
    out: Path | None,
    form: str | None,
    by: tuple[str, ...],
    words: str | None,
    checklist: bool,
    threshold: str,
    partial: bool,
    seed: int,
) -> None:
    """Write the report of a run as one HTML page, Markdown or JSON.

    The page is a single file that loads nothing from the network, so that you can send it to a colleague.
    """
    from nliprobe.api.face import open_run

    opened = open_run(run, partial=partial)
    written = opened.report(
        out, form=form, by=by, checklist=checklist, seed=seed, threshold=threshold, words=words or None
    )
    echo(str(written))
