"""``nliprobe reproduce``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from nliprobe.cli import _options as options

if TYPE_CHECKING:
    from nliprobe.papers._base import CellDocument


@click.command("reproduce")
@options.config_option
@click.argument("items", nargs=-1, metavar="ITEM…")
@click.option("--list", "listing", is_flag=True, help="List what can be reproduced.")
@options.from_option
@options.format_option
def command(items: tuple[str, ...], listing: bool, root: Path | None, form: str) -> None:
    """Compute tables of the papers from the released data and lay them beside the printed values.

    ITEM is a table, such as infotabs:table2, or a paper for all of its items.
    """
    from nliprobe.base.errors import UsageError
    from nliprobe.papers._base import SCHEMA, find_recipes, recipes

    if listing:
        found = [{"item": one.item, "title": one.title} for one in recipes()]
        if form == "json":
            options.print_json({"schema": "nliprobe/reproduce-list/1", "items": found})
        else:
            for entry in found:
                click.echo(f"{entry['item']:<20} {entry['title']}")
        return
    if not items:
        raise UsageError("Name what to reproduce, such as infotabs:table2; nliprobe reproduce --list names all items.")
    # A dictionary, for a paper and one of its items may both be named.
    chosen = {one.item: one for name in items for one in find_recipes(name)}
    documents = [one.run(root) for one in chosen.values()]
    if form == "json":
        options.print_json({"schema": SCHEMA, "items": documents})
        return
    for document in documents:
        click.secho(f"{document['item']}  {document['title']}", bold=True)
        click.echo(f"  {'':<10} {'':<22} {'paper':>10} {'ours':>10} {'ours - paper':>13}")
        for cell in document["cells"]:
            click.echo(f"  {cell['row']:<10} {cell['col']:<22} {_values(cell)}")
        for note in document["notes"]:
            click.echo(f"  note: {note}")


def _values(cell: CellDocument) -> str:
    paper, ours = cell["paper"], cell["ours"]
    # Whole numbers on both sides are counts.
    places = 0 if paper.is_integer() and (ours is None or float(ours).is_integer()) else 2 if abs(paper) > 1 else 4
    if ours is None:
        return f"{paper:>10.{places}f} {'–':>10} {'–':>13}"
    return f"{paper:>10.{places}f} {ours:>10.{places}f} {ours - paper:>+13.{places}f}"
