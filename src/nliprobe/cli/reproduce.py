"""``nliprobe reproduce``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from nliprobe.cli import _options as options
from nliprobe.cli._output import echo, secho

if TYPE_CHECKING:
    from nliprobe.papers.recipes import Folders, ItemDocument, Recipe


@click.command("reproduce")
@options.config_option
@click.argument("items", nargs=-1, metavar="ITEM…")
@click.option("--list", "listing", is_flag=True, help="List what can be reproduced.")
@click.option(
    "--answers",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="Folder with answers of your own model (NAME.json.gz), used instead of the stored ones.",
)
@click.option(
    "--responses",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="CSV file with the answers of a study's participants, for the tables about people.",
)
@click.option(
    "--html", "page", type=click.Path(dir_okay=False, path_type=Path), help="Also write a page with tables and charts."
)
@options.from_option
@options.format_option
def command(
    items: tuple[str, ...],
    listing: bool,
    answers: Path | None,
    responses: Path | None,
    page: Path | None,
    root: Path | None,
    form: str,
) -> None:
    """Compute tables and figures of the papers from the released data and compare them with the printed values.

    ITEM is a table or figure, such as infotabs:table2, or a paper, which means all its items. If one of several items
    cannot be computed, the others still are; the exit code is then 1.
    """
    from nliprobe.base.errors import UsageError
    from nliprobe.papers.recipes import ITEM_SCHEMA, SCHEMA, Folders, find_recipes, recipes

    if listing:
        entries = [{"item": one.item, "title": one.title} for one in recipes()]
        if form == "json":
            options.print_json({"schema": "nliprobe/reproduce-list/1", "items": entries})
        else:
            for entry in entries:
                echo(f"{entry['item']:<20} {entry['title']}")
        return
    if not items:
        raise UsageError("Name what to reproduce, such as infotabs:table2; nliprobe reproduce --list names all items.")
    if answers is not None:
        from nliprobe.papers.answer_files import check_folder

        check_folder(answers)
    # A dictionary, because a paper and one of its items may both be named.
    chosen = list({one.item: one for name in items for one in find_recipes(name)}.values())
    alone = len(chosen) == 1
    folders = Folders(root, answers, responses)
    computed = [(one, one.run(*folders) if alone else _try(one, folders)) for one in chosen]
    if page is not None:
        from nliprobe.base.files import write_atomic
        from nliprobe.papers.page import reproduce_page

        write_atomic(page, reproduce_page(computed).encode("utf-8"))
    documents = [document for _, document in computed]
    if form == "json":
        options.print_json({"schema": ITEM_SCHEMA, **documents[0]} if alone else {"schema": SCHEMA, "items": documents})
    else:
        _print(documents)
        if page is not None:
            echo(str(page))
    if any("error" in document for document in documents):
        raise click.exceptions.Exit(1)


def _try(one: Recipe, folders: Folders) -> ItemDocument:
    from nliprobe.base.errors import NliprobeError

    try:
        return one.run(*folders)
    except NliprobeError as error:
        echo(f"nliprobe: {one.item}: {error}", err=True)
        return one.failed(str(error))


def _print(documents: list[ItemDocument]) -> None:
    from nliprobe.papers.console import text_lines

    for document in documents:
        if "error" not in document:
            secho(f"{document['item']}  {document['title']}", bold=True)
            for line in text_lines(document):
                echo(line)
