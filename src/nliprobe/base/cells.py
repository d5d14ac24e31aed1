"""Cells of CSV and TSV files that a spreadsheet would run as formulas: guarded when written, restored when read.

A cell that begins with ``=``, ``+``, ``-``, ``@`` or white space that is not a blank gets an apostrophe in front,
unless it is a plain number. So does a cell in which only apostrophes stand before such a character, so that taking one
away always gives back the text.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Mapping, Sequence

MARK = "'"
# The column of a file for programs that names the guarded cells of a line: files of others are never changed.
GUARDED = "guarded"
# Spreadsheets in East Asian languages take the wide forms for the same signs.
_START = "=+\\-@\t\r\n\uff0b\uff0d\uff1d\uff20"
_NUMBER = r"[+-]?[0-9][0-9,]*(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?"
_FORMULA = re.compile(rf"{MARK}*(?!{_NUMBER}\Z)[{_START}]")


def guard(text: str) -> str:
    """Return a text as a cell that every spreadsheet shows and none runs.

    >>> guard('=HYPERLINK("http://x")'), guard("-5"), guard("'=1+1"), guard("'tis")
    ('\\'=HYPERLINK("http://x")', '-5', "''=1+1", "'tis")
    """
    return MARK + text if _FORMULA.match(text) else text


def restore(cell: str) -> str:
    """Return the text of a cell that :func:`guard` made.

    >>> restore("'=1+1"), restore("''=1+1"), restore("'tis")
    ('=1+1', "'=1+1", "'tis")
    """
    return cell[1:] if cell.startswith(MARK) and _FORMULA.match(cell) else cell


def may_run(texts: Iterable[str]) -> bool:
    """Tell whether :func:`guard` would change one of some texts."""
    return any(_FORMULA.match(text) for text in texts)


def restore_named(record: Mapping[str, object]) -> dict[str, object]:
    """Return a line of a file for programs with the texts of its guarded cells."""
    names = str(record[GUARDED]).split()
    return {name: restore(str(cell)) if name in names else cell for name, cell in record.items()}


def guarded_lines(columns: Sequence[str], rows: Sequence[Mapping[str, object]]) -> list[list[str]]:
    """Return records as the cells of a file for programs, below a line with the names of the columns.

    Only cells that a spreadsheet would run are changed; a last column then names them, see :func:`restore_named`.

    >>> guarded_lines(["item", "text"], [{"item": "1", "text": "=1+1"}, {"item": "2", "text": "fine"}])
    [['item', 'text', 'guarded'], ['1', "'=1+1", 'text'], ['2', 'fine', '']]
    """
    lines = [[guard(str(row[name])) for name in columns] for row in rows]
    marks = [
        " ".join(name for name, cell in zip(columns, cells, strict=True) if cell != str(row[name]))
        for row, cells in zip(rows, lines, strict=True)
    ]
    if not any(marks):
        return [list(columns), *lines]
    return [[*columns, GUARDED], *([*cells, mark] for cells, mark in zip(lines, marks, strict=True))]


def csv_text(lines: Iterable[Sequence[str]]) -> str:
    """Return lines of cells as CSV."""
    text = io.StringIO(newline="")
    csv.writer(text, lineterminator="\n").writerows(lines)
    return text.getvalue()
