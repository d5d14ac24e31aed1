"""``nliprobe compare``."""

from __future__ import annotations

from pathlib import Path

import click

from nliprobe.cli import _options as options
from nliprobe.cli._output import echo


@click.command("compare")
@options.config_option
@click.argument("runs", metavar="RUN...", type=options.RUN, nargs=-1, required=True)
@click.option(
    "--systems", multiple=True, metavar="A,B",
    help="Systems to compare; 'svm (main)' is that of the run main. By default all of all runs. Repeatable.",
)  # fmt: skip
@click.option("--left", metavar="SYSTEM", help="Compare two systems: that of the first run.")
@click.option("--right", metavar="SYSTEM", help="System of the second run, or another system of the first.")
@click.option("--reference", metavar="SYSTEM", help="Compare every other system with this one only.")
@click.option("--margin", type=float, help="Also test whether systems are worse by no more than this fraction.")
@click.option("-o", "--out", type=click.Path(dir_okay=False, path_type=Path), help="File to write instead of printing.")
@options.partial_option
@click.option(
    "--format", "form", type=click.Choice(["text", "json", "markdown", "html"]),
    help="By default what the ending of --out says, otherwise text.",
)  # fmt: skip
def command(
    runs: tuple[Path, ...],
    systems: tuple[str, ...],
    left: str | None,
    right: str | None,
    reference: str | None,
    margin: float | None,
    out: Path | None,
    partial: bool,
    form: str | None,
) -> None:
    """Compare two or more systems case by case, of one run or of several.

    For each corpus and probe, show what was fixed and what was broken, the difference with its 95 % interval, whether
    it may be due to chance, and how small a difference could be seen. Three systems and more are shown as a matrix.
    """
    from nliprobe.api.face import compare

    found = compare(*runs, left=left, right=right, systems=systems, reference=reference, margin=margin, partial=partial)
    if out is not None:
        echo(str(found.save(out, form=form)))
    elif form == "json":
        options.print_json(found.document)
    elif form in ("markdown", "html"):
        from nliprobe.report.comparison_forms import comparison_text

        echo(comparison_text(found.document, form), nl=False)
    else:
        from nliprobe.report.comparison import print_comparison

        print_comparison(found.document)
