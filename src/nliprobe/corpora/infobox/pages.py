"""Read infoboxes from HTML pages: choose the tables, and find their titles and the parts under sub-headings."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from nliprobe.base.errors import DataError, UsageError, option, where
from nliprobe.corpora.infobox._cells import RowReader, lines_of
from nliprobe.corpora.infobox._draft import Draft, controls, plain, without_controls
from nliprobe.corpora.infobox._html_grid import is_grid, read_grid
from nliprobe.corpora.infobox._markup import Cell, RawTable, parse_markup
from nliprobe.corpora.infobox.notes import Notes

SECTIONS = ("split", "title", "join")
# The classes of infoboxes in Wikipedias, besides those that begin with "infobox".
_CLASSES = frozenset({"taxobox", "biota", "infotable"})
_SITE = re.compile(r"\s+[-\u2013\u2014|]\s+Wikipedia.*$")


@dataclass(frozen=True, slots=True)
class PageOptions:
    """How pages are read.

    Attributes:
        select: ``auto`` (infoboxes if there are any, else every table of keys and values or with a header above several
            columns), ``infobox``, ``all`` (every such table) or the number of a table of the page, from 1.
        sections: what to do with sub-headings: ``split`` makes one table per part, under the page's title; ``title``
            also adds the sub-heading to the title; ``join`` keeps one table.
        form: ``infobox`` or ``grid`` if all tables are of keys and values, or all of many columns; ``auto`` to see.
        headless: whether the first row of three columns or more is taken for their header, though nothing says so.
    """

    select: str = "auto"
    sections: str = "split"
    form: str = "auto"
    headless: bool = False

    def __post_init__(self) -> None:
        if self.select not in ("auto", "infobox", "all") and not (self.select.isdecimal() and int(self.select[:9]) > 0):
            raise UsageError(
                f"{option('select')} should be auto, infobox, all or the number of a table, not '{self.select}'."
            )
        if self.sections not in SECTIONS:
            raise UsageError(f"{option('sections')} should be {', '.join(SECTIONS)}, not '{self.sections}'.")


@dataclass(slots=True)
class _Part:
    """The rows under one sub-heading; the part before the first sub-heading has no name."""

    name: str
    rows: list[tuple[str, tuple[str, ...]]] = field(default_factory=list)


def read_page(text: str, place: str, notes: Notes, options: PageOptions) -> Iterator[Draft]:
    """Yield the infoboxes of a page, part by part."""
    notes.add("characters", place, number=controls(text))
    page = parse_markup(without_controls(text))
    if not page.tables:
        raise DataError(
            f"{place} holds no table. nliprobe data import reads HTML <table> elements: save the whole page (not only "
            "its text), or give the infobox as JSON or CSV with key and value."
        )
    heading = plain("".join(page.heading)) or _SITE.sub("", plain("".join(page.title)))
    for raw in _chosen(page.tables, place, notes, options):
        at = where(place, raw.line)
        if options.form == "grid" or (options.form == "auto" and not _is_infobox(raw) and _has_columns(raw, options)):
            yield _grid(raw, heading, at, notes)
        else:
            yield from _drafts(raw, heading, at, notes, options.sections)


def _grid(raw: RawTable, heading: str, place: str, notes: Notes) -> Draft:
    reader = RowReader(place, notes, infobox=False)
    reader.count_dropped(raw)
    title = reader.title(raw.caption) if raw.caption is not None else ""
    grid = read_grid(raw, reader.text)
    for text in grid.across[not title and bool(grid.across) :]:
        notes.add("loose-text", place, text)
    title = title or (grid.across[0] if grid.across else heading)
    return Draft(title, tuple(("", tuple(row)) for row in grid.rows), place, columns=tuple(grid.columns))


def _drafts(raw: RawTable, heading: str, place: str, notes: Notes, sections: str) -> Iterator[Draft]:
    reader = RowReader(place, notes, infobox=_is_infobox(raw))
    title = ""
    if raw.caption is not None:
        title = reader.title(raw.caption)
    parts = [_Part("")]
    for kind, key, values in reader.rows(raw, titled=bool(title)):
        if kind == "title":
            title = key
        elif kind == "heading":
            parts.append(_Part(key))
        elif kind == "more" and parts[-1].rows and parts[-1].rows[-1][0] == key:
            parts[-1].rows[-1] = key, (*parts[-1].rows[-1][1], *values)
        else:
            parts[-1].rows.append((key, values))
    for part in parts:
        if part.name and not part.rows:
            notes.add("empty-headings", place, part.name)
    filled = [part for part in parts if part.rows]
    title = title or heading
    if not filled:
        notes.add("no-rows", place, title)
    elif sections == "join":
        yield Draft(title, tuple(_joined(filled)), place)
    else:
        for part in filled:
            if part.name:
                notes.add("sections", place, part.name)
            full = f"{title} – {part.name}" if sections == "title" and part.name else title
            yield Draft(full, tuple(part.rows), place, section=part.name)


def _joined(parts: list[_Part]) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield all rows; a key that an earlier part has too gets its sub-heading in front."""
    seen: set[str] = set()
    for part in parts:
        for key, values in part.rows:
            yield f"{part.name}: {key}" if key in seen and part.name else key, values
        seen |= {key for key, _ in part.rows}


def _chosen(tables: list[RawTable], place: str, notes: Notes, options: PageOptions) -> list[RawTable]:
    select = options.select
    all_tables = list(_all(tables))
    tables_in_all = "1 table" if len(all_tables) == 1 else f"{len(all_tables)} tables"
    if select.isdecimal():
        if int(select) > len(all_tables):
            raise DataError(f"{place} has {tables_in_all}, so there is no table {select}: choose another.")
        return [all_tables[int(select) - 1]]
    infoboxes = _outermost(tables, _is_infobox)
    if select == "infobox" or (select == "auto" and infoboxes):
        if not infoboxes:
            raise DataError(
                f'{place} has {tables_in_all}, but none is an infobox (class "infobox"). Choose with '
                f"{option('select', 'all')} or {option('select', 'N')}."
            )
        return infoboxes
    readable = _outermost(tables, _is_readable)
    if options.headless and not readable:
        readable = _outermost(tables, _is_headless)
    inside = {id(table) for top in readable for table in _all([top])}
    skipped = [table for table in all_tables if id(table) not in inside]
    for table in skipped:
        notes.add("skipped-tables", where(place, table.line))
    if not readable:
        raise DataError(
            f"{place} has {tables_in_all}, but none of keys and values (two cells per row) and none with a header (th) "
            f"above several columns. Choose one with {option('select', 'N')}, or give it as JSON or CSV."
        )
    return readable


def _all(tables: list[RawTable]) -> Iterator[RawTable]:
    """Yield all tables in the order of the page, also those inside others."""
    rest = tables[::-1]
    while rest:
        table = rest.pop()
        yield table
        rest += _inside(table)[::-1]


def _inside(table: RawTable) -> list[RawTable]:
    return [part for row in table.rows for cell in row for part in cell.parts if isinstance(part, RawTable)]


def _outermost(tables: list[RawTable], wanted: Callable[[RawTable], bool]) -> list[RawTable]:
    outermost: list[RawTable] = []
    rest = tables[::-1]
    while rest:
        table = rest.pop()
        if wanted(table):
            outermost.append(table)
        else:
            rest += _inside(table)[::-1]
    return outermost


def _is_infobox(table: RawTable) -> bool:
    return any(name.startswith("infobox") or name in _CLASSES for name in table.classes)


def _is_readable(table: RawTable) -> bool:
    return is_grid(table) or _is_keyed(table)


def _has_columns(table: RawTable, options: PageOptions) -> bool:
    return is_grid(table) or (options.headless and _is_headless(table))


def _is_headless(table: RawTable) -> bool:
    """Tell whether a table has many columns without a header, and is neither one of keys and values nor for layout."""
    return not _inside(table) and not _is_keyed(table) and is_grid(table, fewest=1)


def _is_keyed(table: RawTable) -> bool:
    """Tell whether most rows are a key and a value in two cells."""
    rows = [row for row in table.rows if row]
    keyed = [row for row in rows if len(row) == 2 and _short(row)]
    single = [row for row in rows if len(row) == 1]
    return bool(keyed) and 2 * (len(keyed) + len(single)) > len(rows) and len(keyed) >= len(single)


def _short(row: list[Cell]) -> bool:
    # Cells of a layout table hold whole columns of a page; a key has a few words.
    return row[0].heading or len(" ".join(lines_of(row[0]))) <= 80
