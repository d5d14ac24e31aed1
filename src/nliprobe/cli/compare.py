"""``nliprobe compare``."""

from __future__ import annotations

from pathlib import Path

import click

from nliprobe.cli import _options as options


@click.command("compare")
@options.config_option
@click.argument("run", type=click.Path(path_type=Path))
@click.argument("run2", type=click.Path(path_type=Path), required=False)
@click.option("--left", metavar="SYSTEM", help="System of the first run; not needed if it has only one.")
@click.option("--right", metavar="SYSTEM", help="System of the second run, or another system of the first.")
@options.partial_option
@options.format_option
def command(run: Path, run2: Path | None, left: str | None, right: str | None, partial: bool, form: str) -> None:
    """Compare two systems case by case, of one run or of two.

    For each corpus and probe, show what was fixed and what was broken, the difference with its 95 % interval, and
    whether it may be due to chance.
    """
    from nliprobe.api.face import compare

    document = compare(run, run2, left=left, right=right, partial=partial).document
    if form == "json":
        options.print_json(document)
        return
    from nliprobe.report.comparison import print_comparison

    print_comparison(document)
