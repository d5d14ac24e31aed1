"""Read the one table that somebody typed or pasted, in the form that they say it has."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from typing import Final

from nliprobe.base.errors import DataError, UsageError
from nliprobe.corpora.infobox._columns import WIDEST_KEYED, read_columns
from nliprobe.corpora.infobox._draft import Draft, plain
from nliprobe.corpora.infobox._objects import read_objects
from nliprobe.corpora.infobox.notes import Notes
from nliprobe.corpora.infobox.pages import PageOptions, read_page
from nliprobe.corpora.infobox.single import only_table
from nliprobe.task.table import Table

HTML, JSON, COLUMNS, LINES = "html", "json", "columns", "lines"
TYPED_FORMS: Final = (HTML, JSON, COLUMNS, LINES)
_PLACE = "The premise"
# One table is wanted, so its parts under sub-headings stay together. The cells of a spreadsheet are no headings.
_PAGE = PageOptions(sections="join", headless=True)
# What stands below the header of a table of Markdown.
_RULE = re.compile(r"[\s:|-]*-[\s:|-]*")
# What cells of Markdown lie between; a bar inside of a cell has a backslash in front.
_BAR = re.compile(r"(?<!\\)\|")


def read_typed(text: str, form: str, notes: Notes, *, title: str = "") -> Table:
    """Return the only table of a text; scripts, styles and pictures of HTML are dropped and counted.

    Args:
        text: what was typed.
        form: ``html``, ``json``, ``columns`` (CSV or TSV) or ``lines`` (``key: value`` lines).
        notes: counts what is left out.
        title: used if the text has none.

    Raises:
        DataError: there is no table, or more than one.
    """
    if form == HTML:
        drafts = _pasted(text, notes)
    elif form == JSON:
        drafts = list(read_objects(text, _PLACE))
    elif form == COLUMNS:
        drafts = _columned(text)
    elif form == LINES:
        drafts = [Draft(*_keyed(text), _PLACE)]
    else:
        raise UsageError(f"A table is not typed as '{form}': expected {', '.join(TYPED_FORMS)}.")
    table = only_table(drafts, notes, _PLACE, title=title)
    # On one line with single spaces, as all cells are: an edit of the table is not one of its title.
    table = table.retitle(plain(table.title))
    if not table.title and not table.columns:
        raise DataError("The table has no title: give it one, because hypotheses speak of what a table is about.")
    return table


def _pasted(text: str, notes: Notes) -> list[Draft]:
    """Read the HTML of a table, of a page or as a spreadsheet copies its cells."""
    if "<table" not in text.lower():
        raise DataError("The premise is no HTML of a table: expected <table>, its rows, and </table>.")
    try:
        return list(read_page(text, _PLACE, notes, _PAGE))
    except DataError as error:
        raise DataError(
            "The premise has no table of keys and values (two cells per row), and none of three columns or more. Paste "
            "the table alone, or as CSV."
        ) from error


def _columned(text: str) -> list[Draft]:
    """Read CSV or TSV, or a table of Markdown, as it is copied from a spreadsheet or a page."""
    if rows := _markdown(text):
        return list(read_columns(rows, _PLACE, tabs=True, form="grid"))
    try:
        return _rows_of(text)
    except DataError as error:
        if "\t" not in text or '"' not in text:
            raise
        # A cell with a line break is copied between quotes.
        with suppress(DataError):
            return _rows_of(text, tabs=True, quoted=True)
        raise error


def _rows_of(text: str, *, tabs: bool = False, quoted: bool = False) -> list[Draft]:
    drafts = list(read_columns(text, _PLACE, tabs=tabs, quoted=quoted))
    if len(drafts) == 1:
        return drafts
    # Of three columns without names for them, the first is a title only if it is the same in every line.
    return list(read_columns(text, _PLACE, tabs=tabs, quoted=quoted, widest=WIDEST_KEYED - 1))


def _markdown(text: str) -> str:
    """Return the rows of a table of Markdown with tabs between the cells; nothing if it is none.

    >>> _markdown("| Town | Size |\\n|---|--:|\\n| Ghent | 1 |")
    'Town\\tSize\\nGhent\\t1'
    """
    lines = [line for _, line in _filled(text)]
    # Bars at the beginning and the end of lines may be left out, but not those between the cells.
    if len(lines) < 2 or not _RULE.fullmatch(lines[1]) or "|" not in lines[0] or "|" not in lines[1]:
        return ""
    rows = [line.removeprefix("|") for line in lines]
    return "\n".join("\t".join(map(_markdown_cell, _cells(row))) for row in [rows[0], *rows[2:]])


def _cells(row: str) -> list[str]:
    cells = _BAR.split(row)
    # A bar at the end of a line ends its last cell.
    return cells if cells[-1].strip() else cells[:-1]


def _markdown_cell(cell: str) -> str:
    return " ".join(cell.replace("\\|", "|").split())


def _keyed(text: str) -> tuple[str, tuple[tuple[str, tuple[str, ...]], ...]]:
    """Read ``key: value`` lines: a first line without a colon is the title, a key that comes again adds a value.

    >>> _keyed("Up\\nYear: 2009\\nVoices: Ed Asner\\nVoices: Jordan Nagai")
    ('Up', (('Year', ('2009',)), ('Voices', ('Ed Asner', 'Jordan Nagai'))))
    """
    title, rows = "", dict[str, list[str]]()
    for number, line in _filled(text):
        key, colon, value = line.partition(":")
        if not colon and not rows and not title:
            title = line
        elif not colon or not plain(key):
            raise DataError(f"Line {number} has no key before a colon: expected 'key: value', but it is '{line:.60}'.")
        elif plain(key) == "title" and not title:
            title = plain(value)
        else:
            rows.setdefault(plain(key), []).append(plain(value))
    return title, tuple((key, tuple(values)) for key, values in rows.items())


def _filled(text: str) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(text.split("\n"), 1):
        if plain(line):
            yield number, plain(line)
