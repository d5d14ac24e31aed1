"""Read many-column tables from HTML: the header from ``thead`` or rows of ``th``, cells that span rows and columns."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from nliprobe.corpora._grid_forms import join_header
from nliprobe.corpora.infobox._markup import Cell, RawTable

# A table of keys and values has two columns; with a header above three, the columns are what the table is about.
_FEWEST_COLUMNS = 3
# A hostile page could ask for millions of cells by its spans.
_WIDEST = 500


class Grid(NamedTuple):
    """The header and rows of a table, and the texts of cells across its whole width, which are no rows."""

    columns: list[str]
    rows: list[list[str]]
    across: list[str]


def header_lines(table: RawTable) -> int:
    """Count the lines of a table's header: those in ``thead``, else the leading rows that have headings only."""
    if table.head:
        return table.head
    lines = 0
    for row in table.rows:
        if not row or not all(cell.heading for cell in row):
            break
        # A single heading across the table is its title.
        lines += 1
    return lines if lines < len(table.rows) else 0


def is_grid(table: RawTable, fewest: int = 0) -> bool:
    """Tell whether a table has a header above three or more columns, be it one that nothing but its place says."""
    lines = max(header_lines(table), min(fewest, len(table.rows) - 1))
    return lines > 0 and max(_width(row) for row in table.rows[:lines]) >= _FEWEST_COLUMNS


def read_grid(table: RawTable, text_of: Callable[[Cell], str]) -> Grid:
    """Return the header and rows of a table; without a header, its first row is taken for one."""
    lines = max(1, header_lines(table))
    width = min(_WIDEST, max((_width(row) for row in table.rows[:lines]), default=0))
    across: list[str] = []
    head: list[list[str]] = []
    rows: list[list[str]] = []
    for number, cells in enumerate(_spread(table, width)):
        texts = [text_of(cell) if cell is not None else "" for cell in cells]
        if not any(texts):
            continue
        if width > 1 and len({id(cell) for cell in cells}) == 1:
            across.append(texts[0])
        elif number < lines:
            head.append(texts)
        elif not head and not rows and _may_be_header(cells):
            # What stands above was the title of the table, in a cell across it.
            head.append(texts)
        else:
            rows.append(texts)
    return Grid(join_header(head) if head else [], rows, across)


def _may_be_header(cells: list[Cell | None]) -> bool:
    """Tell whether each column has a cell of its own, and no cell is the heading of its row."""
    filled = [cell for cell in cells if cell is not None]
    return len({id(cell) for cell in filled}) == len(cells) and not any(cell.heading for cell in filled)


def _width(row: list[Cell]) -> int:
    return sum(cell.colspan for cell in row)


def _spread(table: RawTable, width: int) -> Iterator[list[Cell | None]]:
    """Yield each row with one cell per column: a cell that spans several stands in each of them."""
    hanging: dict[int, tuple[Cell, int]] = {}
    for own in table.rows:
        row: list[Cell | None] = [None] * width
        for column, (cell, left) in list(hanging.items()):
            row[column] = cell
            if left > 1:
                hanging[column] = cell, left - 1
            else:
                del hanging[column]
        column = 0
        for cell in own:
            while column < width and row[column] is not None:
                column += 1
            for place in range(column, min(width, column + cell.colspan)):
                row[place] = cell
                if cell.rowspan > 1:
                    hanging[place] = cell, cell.rowspan - 1
            column += cell.colspan
        yield row
