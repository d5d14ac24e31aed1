"""``nliprobe report``."""

from __future__ import annotations

from pathlib import Path

import click

from nliprobe.cli import _options as options


@click.command("report")
@options.config_option
@click.argument("run", type=click.Path(path_type=Path))
@click.option(
    "-o", "--out", type=click.Path(dir_okay=False, path_type=Path), help="File to write; by default in the run folder."
)
@click.option(
    "--format",
    "form",
    type=click.Choice(["html", "markdown", "json"]),
    help="By default what the name of --out says, else html.",
)
@click.option(
    "--by", multiple=True, metavar="FACET", help="Add a section by this facet, such as reasoning. Repeatable."
)
@click.option("--checklist", is_flag=True, help="Write what systems do on templates instead: everything, on one page.")
@options.seed_option
def command(run: Path, out: Path | None, form: str | None, by: tuple[str, ...], checklist: bool, seed: int) -> None:
    """Write what a run found as a page that can be sent to a colleague: one file, no network."""
    from nliprobe.api.face import open_run
    from nliprobe.api.results import REPORT_FORMS

    form = form or ("html" if out is None else REPORT_FORMS.get(out.suffix, "html"))
    click.echo(str(open_run(run).report(out, form=form, by=by, checklist=checklist, seed=seed)))
