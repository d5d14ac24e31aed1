"""Read the rows of an HTML table as keys and values, with spanning cells, images, footnote marks and lines."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from nliprobe.corpora.infobox._draft import plain
from nliprobe.corpora.infobox._markup import Cell, RawTable
from nliprobe.corpora.infobox.notes import Notes

# Footnote marks that no element marks as such. A single letter is kept, because benzo[a]pyrene has one.
_FOOTNOTE = re.compile(
    r"\s?\[\s*(?:\d{1,3}|(?:note|nb|n|fn)\s+\d{1,2}|(?:citation|clarification|verification|update)s?\s+needed)\s*\]",
    re.IGNORECASE,
)
# A line such as "Coordinates: 41°52′N 87°37′W": a few words and a colon are a key.
_KEY_AND_VALUE = re.compile(r"([^\W\d][^:]{0,38}[^\W_]):\s+(\S.*)")
# Characters without width: zero-width space and joiner, soft hyphen, byte order mark.
_WIDTHLESS = str.maketrans("", "", "\u200b\u2060\u00ad\ufeff")
_BULLETS = "•·‣◦▪"
# At most this many cells that span rows are carried into the next row; more is not a table of keys and values.
_CARRIED = 8

Event = tuple[str, str, tuple[str, ...]]


class _Carried(NamedTuple):
    cell: Cell
    column: int
    rows: int


def lines_of(cell: Cell, dropped: Counter[str] | None = None, span: tuple[int, int] | None = None) -> list[str]:
    """Return the lines of a cell, or of a span of its parts, but no empty ones; an inner table gives a line per row."""
    count: Counter[str] = Counter() if dropped is None else dropped
    lines: list[str] = []
    pieces: list[str] = []
    for part in [*(cell.parts if span is None else cell.parts[span[0] : span[1]]), None]:
        if isinstance(part, str):
            pieces.append(part)
            continue
        lines.append("".join(pieces))
        pieces = []
        if isinstance(part, RawTable):
            count.update(part.dropped)
            caption = lines_of(part.caption, count) if part.caption is not None else []
            lines += [
                *caption,
                *(" ".join(line for inner in row for line in lines_of(inner, count)) for row in part.rows),
            ]
    return [line for line in (_visible(line, count) for line in lines) if line]


class RowReader:
    """Reads the rows of one table, and of the tables inside cells that cross its whole width."""

    def __init__(self, place: str, notes: Notes, *, infobox: bool) -> None:
        self._place = place
        self._notes = notes
        self._infobox = infobox

    def title(self, cell: Cell) -> str:
        """Return the title in a caption or first heading: the name that a microformat marks, else the first line."""
        lines = self._lines(cell)
        named = lines_of(cell, span=cell.name) if cell.name else []
        title = " ".join(named) or (lines[0] if lines else "")
        others = [line for line in lines if line not in named and line != title]
        for line in others:
            self._notes.add("title-lines", self._place, line)
        return title

    def count_dropped(self, table: RawTable) -> None:
        """Count what the page's parser skipped inside a table."""
        for kind, number in table.dropped.items():
            self._notes.add(kind, self._place, number=number)

    def text(self, cell: Cell) -> str:
        """Return the text of a cell on one line."""
        return " ".join(self._lines(cell))

    def rows(self, table: RawTable, *, titled: bool) -> Iterator[Event]:
        """Yield titles, headings, rows, and further values of the row before, in order."""
        self.count_dropped(table)
        carried: list[_Carried] = []
        begun = False
        for own in table.rows:
            cells, carried = _placed(own, carried)
            if not own or not cells:
                continue
            if not begun and not self._infobox and len(cells) > 1 and all(cell.heading for cell in cells):
                self._notes.add("column-headers", self._place, " ".join(self._texts(cells)))
                begun = True
                continue
            hanging = cells[0] is not own[0]
            for kind, key, values in self._row(cells, titled=titled, begun=begun):
                titled = titled or kind == "title"
                begun = True
                yield "more" if hanging and kind == "row" else kind, key, values

    def _row(self, cells: list[Cell], *, titled: bool, begun: bool) -> Iterator[Event]:
        first = cells[0]
        if len(cells) > 1:
            # A heading over several rows, then one heading per row, then a value: the key is "Area: Total".
            double = len(cells) > 2 and first.heading and cells[1].heading and not cells[2].heading
            yield from self._keyed(cells[:2] if double else [first], cells[2 if double else 1 :])
        elif "infobox-above" in first.classes or (first.heading and not titled and not begun):
            title = self.title(first)
            if title and titled:
                self._notes.add("title-lines", self._place, title)
            elif title:
                yield "title", title, ()
        elif inner := [part for part in first.parts if isinstance(part, RawTable)]:
            yield from self._across(first, inner)
        elif first.heading or "infobox-header" in first.classes:
            text = " ".join(self._lines(first))
            if text:
                yield "heading", text, ()
        else:
            yield from self._alone(first)

    def _keyed(self, keys: list[Cell], others: list[Cell]) -> Iterator[Event]:
        key = ": ".join(text.lstrip(_BULLETS).strip() for text in self._texts(keys) if text)
        values = tuple(line for cell in others for line in self._lines(cell))
        if not values and any(cell.images for cell in others):
            # The row shows a picture, such as a signature; pictures are already counted.
            self._notes.add("captions", self._place, key)
        elif key or values:
            yield "row", key, values

    def _across(self, cell: Cell, inner: list[RawTable]) -> Iterator[Event]:
        """Read the tables inside a cell across the table: their rows count as rows of this table."""
        around = Cell(parts=[part for part in cell.parts if not isinstance(part, RawTable)])
        for line in self._lines(around):
            self._notes.add("loose-text", self._place, line)
        for table in inner:
            caption = " ".join(self._lines(table.caption)) if table.caption is not None else ""
            if caption:
                yield "heading", caption, ()
            yield from self.rows(table, titled=True)

    def _alone(self, cell: Cell) -> Iterator[Event]:
        """Read a cell across the table: a picture with its caption, bold words as a key, or text without a key."""
        lines = self._lines(cell)
        if cell.images or cell.captions or "infobox-image" in cell.classes:
            for line in lines:
                self._notes.add("captions", self._place, line)
            return
        lead = " ".join(lines_of(cell, span=cell.bold)) if cell.bold else ""
        if lead and lines[0] == lead and len(lines) > 1:
            yield "row", lead.rstrip(":").strip(), tuple(lines[1:])
        elif len(lines) == 1 and (match := _KEY_AND_VALUE.fullmatch(lines[0])):
            yield "row", match[1], (match[2],)
        elif lines:
            self._notes.add("loose-text", self._place, " ".join(lines))

    def _lines(self, cell: Cell) -> list[str]:
        dropped: Counter[str] = Counter()
        lines = lines_of(cell, dropped)
        for kind, number in dropped.items():
            self._notes.add(kind, self._place, number=number)
        return lines

    def _texts(self, cells: list[Cell]) -> list[str]:
        return [self.text(cell) for cell in cells]


def _placed(own: list[Cell], carried: list[_Carried]) -> tuple[list[Cell], list[_Carried]]:
    """Return the cells of a row with those that reach down into it, from left to right, and what reaches further."""
    placed: list[Cell] = []
    further: list[_Carried] = []
    hanging = sorted(carried, key=lambda item: item.column)
    column = 0
    for cell in own:
        while hanging and hanging[0].column <= column:
            placed.append(hanging[0].cell)
            column = max(column, hanging[0].column + hanging[0].cell.colspan)
            further.append(hanging.pop(0))
        placed.append(cell)
        if cell.rowspan > 1 and len(further) + len(hanging) < _CARRIED:
            further.append(_Carried(cell, column, cell.rowspan))
        column += cell.colspan
    placed += [item.cell for item in hanging]
    further += hanging
    return placed, [item._replace(rows=item.rows - 1) for item in further if item.rows > 1]


def _visible(text: str, dropped: Counter[str]) -> str:
    text, number = _FOOTNOTE.subn("", text) if "[" in text else (text, 0)
    if number:
        dropped["footnotes"] += number
    return plain(text.translate(_WIDTHLESS))
