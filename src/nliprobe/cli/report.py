"""``nliprobe report``."""

from __future__ import annotations

from pathlib import Path

import click

from nliprobe.cli import _options as options

SUFFIXES = {"html": ".html", "markdown": ".md", "json": ".json"}


@click.command("report")
@options.config_option
@click.argument("run", type=click.Path(path_type=Path))
@click.option(
    "-o", "--out", type=click.Path(dir_okay=False, path_type=Path), help="File to write; by default in the run folder."
)
@click.option(
    "--format", "form", type=click.Choice(list(SUFFIXES)), help="By default what the name of --out says, else html."
)
@click.option(
    "--by", multiple=True, metavar="FACET", help="Add a section by this facet, such as reasoning. Repeatable."
)
@click.option("--checklist", is_flag=True, help="Write what systems do on templates instead: everything, on one page.")
@options.seed_option
def command(run: Path, out: Path | None, form: str | None, by: tuple[str, ...], checklist: bool, seed: int) -> None:
    """Write what a run found as a page that can be sent to a colleague: one file, no network."""
    from nliprobe.api.report import report
    from nliprobe.store.run import RunFolder

    by_name = {suffix: name for name, suffix in SUFFIXES.items()}
    kind = form or (by_name.get(out.suffix, "html") if out is not None else "html")
    if checklist:
        from nliprobe.api.checklist import checklist_report

        out = out or run / f"checklist{SUFFIXES[kind]}"
        click.echo(str(checklist_report(RunFolder.open(run), out, form=kind, seed=seed)))
        return
    path = report(RunFolder.open(run), out or run / f"report{SUFFIXES[kind]}", form=kind, seed=seed, by=by)
    click.echo(str(path))
