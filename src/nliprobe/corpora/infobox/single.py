"""Read one table from a file or a text of its own, as ``data import`` reads it, for pairs that name or hold tables."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from nliprobe.base.errors import DataError
from nliprobe.corpora.infobox._checks import table_from
from nliprobe.corpora.infobox._draft import Draft
from nliprobe.corpora.infobox.notes import Notes
from nliprobe.corpora.infobox.pages import PageOptions, read_page
from nliprobe.corpora.infobox.read import FileForm, read_drafts
from nliprobe.task.table import Table

# One table is wanted, so its parts under sub-headings stay together.
_PAGE = PageOptions(sections="join")


def read_table(path: Path, place: str, *, title: str = "", category: str = "") -> Table:
    """Return the only table of a CSV, TSV or HTML file; an infobox without a title is named after its file.

    Nobody looks at each table of a folder, so that a CSV file is one of keys and values only if its header says so.
    """
    notes = Notes()
    drafts = list(read_drafts(str(path), notes, _PAGE, FileForm(), widest=0))
    stem = path.name.partition(".")[0].replace("_", " ")
    return only_table(drafts, notes, place, title=title, category=category, stem=stem)


def table_in(text: str, place: str, *, title: str = "") -> Table:
    """Return the only table of a piece of HTML."""
    notes = Notes()
    return only_table(list(parts_joined(text, place, notes)), notes, place, title=title)


def parts_joined(text: str, place: str, notes: Notes) -> Iterator[Draft]:
    """Yield the tables of a piece of HTML, each with all its parts."""
    return read_page(text, place, notes, _PAGE)


def only_table(
    drafts: list[Draft], notes: Notes, place: str, *, title: str, category: str = "", stem: str = ""
) -> Table:
    """Return the table of the only draft; its own title comes before a given one.

    Raises:
        DataError: there are none or several, or the table has no rows.
    """
    if len(drafts) != 1:
        raise DataError(f"{place}: expected one table, but found {len(drafts)}.")
    draft = replace(drafts[0], place=place)
    named = draft.title or title or ("" if draft.columns else stem)
    table = table_from(draft, notes, title=named, category=category)
    if not table.rows:
        raise DataError(f"{place}: the table has no rows.")
    return table
