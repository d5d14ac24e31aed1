"""``nliprobe annotate sheets, take, export``: what goes out of a project, and what comes back."""

from __future__ import annotations

from pathlib import Path

import click

from nliprobe.cli import _options as options
from nliprobe.cli._annotate_options import database_option
from nliprobe.cli._output import echo

FORMS = ("ratings", "corpus", "marks", "folder", "queue", "responses", "label-studio")


@click.command("sheets")
@click.argument("project")
@click.option("--rater", "raters", multiple=True, required=True, metavar="NAME", help="Pseudonym. Repeatable.")
@click.option("--items", type=click.IntRange(min=1), metavar="N", help="Items per sheet. By default all there are.")
@click.option(
    "-o", "--out", required=True, type=click.Path(file_okay=False, path_type=Path), help="Folder for the sheets."
)
@database_option
def sheets(project: str, raters: tuple[str, ...], items: int | None, out: Path, database: str) -> None:
    """Write a sheet per rater with items of a project, which are kept for them for two weeks."""
    from nliprobe.api.people import hand_out_sheets

    for path in hand_out_sheets(database, project, raters, out, items=items):
        echo(str(path))
    echo(f"When they are filled in: nliprobe annotate take {project} {out}/sheet-*.csv", err=True)


@click.command("take")
@click.argument("project")
@click.argument(
    "files", nargs=-1, required=True, type=click.Path(exists=True, dir_okay=False, path_type=Path), metavar="FILE…"
)
@database_option
def take(project: str, files: tuple[Path, ...], database: str) -> None:
    """Take filled sheets into a project, or what Label Studio exported (.json). The same file twice changes nothing."""
    from nliprobe.api.people import take_files

    done = take_files(database, project, files)
    echo(f"{done['new']:,} new judgements, {done['known']:,} known ones")
    if done["not_needed"]:
        echo(f"  {done['not_needed']:,} left out: their items have all the raters they need", err=True)
    for how in ("skipped", "empty"):
        if done[how]:
            echo(f"  {done[how]:,} left out: they were {how} in Label Studio", err=True)


@click.command("export")
@click.argument("project")
@click.option(
    "-o", "--out", required=True, type=click.Path(path_type=Path), metavar="FILE",
    help="File or folder to write. For settle: the review queue that the cases come from.",
)  # fmt: skip
@click.option(
    "--as", "wanted", type=click.Choice(FORMS), help="What to write. By default the form that keeps every judgement."
)
@click.option("--with-external", is_flag=True, help="Write the ids that a crowd platform has for raters, too.")
@database_option
@options.format_option
def export(project: str, out: Path, wanted: str | None, with_external: bool, database: str, form: str) -> None:
    """Write what raters said as a file that nliprobe reads.

    Labels: ratings (for nliprobe data agreement) or a corpus with the majority's labels. Evidence: marks, or a corpus
    with gold evidence. Written hypotheses and counterfactual tables: a corpus. Settled cases: decisions in their queue.
    label-studio writes tasks (.json) and the labelling configuration beside them (.xml); annotate take reads them back.
    """
    from nliprobe.api.people_export import export_project

    done = export_project(database, project, out, form=wanted or "", with_external=with_external)
    if form == "json":
        options.print_json(
            {
                "schema": "nliprobe/people-export/1",
                "path": str(done.path),
                "written": done.written,
                "left_out": done.left_out,
                "spec": done.spec,
                "adjudicated": done.adjudicated,
            }
        )
        return
    echo(f"{done.path}: {done.written:,} lines")
    for reason, count in done.left_out.items():
        echo(f"  {count:,} item{'' if count == 1 else 's'} left out: {reason}", err=True)
    if done.adjudicated:
        items = "item was" if done.adjudicated == 1 else "items were"
        echo(f"  {done.adjudicated:,} {items} decided by the owner, not by the majority", err=True)
    if wanted == "label-studio":
        echo(f"Labelling configuration for the project in Label Studio: {done.spec}", err=True)
    else:
        echo(f"Read it as: {done.spec}", err=True)
