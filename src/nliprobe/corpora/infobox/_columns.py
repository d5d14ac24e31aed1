"""Read tables from CSV and TSV: a key and value per line, and perhaps their table; or one table with a header."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Literal

from nliprobe.base.errors import DataError, where
from nliprobe.base.records.read import csv_rows
from nliprobe.corpora._grid_forms import join_header
from nliprobe.corpora.infobox._draft import Draft, plain

_NAMES = {
    "key": ("key", "keys", "field", "attribute", "property", "row"),
    "value": ("value", "values", "cell"),
    "name": ("table", "table_id", "tableid", "id"),
    "title": ("title", "page", "entity", "name"),
    "category": ("category", "type"),
    "section": ("section", "heading"),
}
# The last is that of TabFact.
_DELIMITERS = (",", "\t", ";", "|", "#")
# This many lines are enough to tell the delimiter.
_SAMPLE = 50

# A key and a value, perhaps under a title.
WIDEST_KEYED = 3

_Line = tuple[int, list[str]]


def read_columns(
    text: str,
    place: str,
    *,
    tabs: bool = False,
    form: str = "auto",
    delimiter: str = "",
    header: int = 1,
    widest: int = WIDEST_KEYED,
    quoted: bool = False,
) -> Iterator[Draft]:
    """Yield the tables in a delimited text, in the order of their first lines.

    A text with more than ``widest`` columns, none of them called a key or a value, is one many-column table with
    ``header`` lines of names above its rows. If ``quoted``, quotes count between tabs, too, as spreadsheets copy cells.
    """
    lines = _best(text, place, (delimiter,) if delimiter else ("\t",) if tabs else _DELIMITERS, quoted=quoted)
    columns = _header(lines[0][1])
    width = len(lines[0][1])
    if form == "grid" or (form == "auto" and columns is None and width > widest):
        yield _grid(lines, place, header)
        return
    if columns is None:
        columns = {2: {"key": 0, "value": 1}, 3: {"title": 0, "key": 1, "value": 2}}.get(width)
        if columns is None:
            raise DataError(
                f"{where(place, lines[0][0])}: {_fields(width)} and no header that names them. Expected key and value, "
                "or title, key and value; with other columns, add a header such as title,category,key,value."
            )
    else:
        lines = lines[1:]
    groups: dict[tuple[str, str], list[_Line]] = {}
    for number, fields in lines:
        if len(fields) != width:
            raise DataError(
                f"{where(place, number)}: {_fields(len(fields))} where the first line has {width}. Put a text that "
                "contains the separator between double quotes."
            )
        # The ids tell tables apart, or the titles if there are no ids.
        group = plain(_at(fields, columns, "name")) or plain(_at(fields, columns, "title"))
        section = plain(_at(fields, columns, "section"))
        groups.setdefault((group, section), []).append((number, fields))
    if not groups:
        raise DataError(f"{place} has a header and nothing below it: expected one key and value per line.")
    for (_, section), members in groups.items():
        yield _draft(members, columns, place, section)


def _grid(lines: list[_Line], place: str, header: int) -> Draft:
    """Return a many-column table; empty fields after the last column are left out, as in files of pairs."""
    if len(lines) <= header:
        raise DataError(f"{place} has a header and nothing below it: expected the rows of a table.")
    try:
        names = join_header([fields for _, fields in lines[:header]])
    except DataError as error:
        raise DataError(f"{where(place, lines[0][0])}: {error}.") from error
    width = max([1, *(index for _, fields in lines for index, field in enumerate(fields, 1) if field.strip())])
    width = max(width, len(names) if names[-1] else 0)
    rows: list[tuple[str, tuple[str, ...]]] = []
    for number, fields in lines[header:]:
        if not len(names) >= width <= len(fields):
            raise DataError(
                f"{where(place, number)}: {_fields(len(fields))} where the header has {len(names)}. Put a text that "
                "contains the separator between double quotes."
            )
        rows.append(("", tuple(" ".join(field.split()) for field in fields[:width])))
    return Draft("", tuple(rows), where(place, lines[0][0]), columns=tuple(names[:width]))


def _draft(lines: list[_Line], columns: dict[str, int], place: str, section: str) -> Draft:
    title = next((text for _, fields in lines if (text := plain(_at(fields, columns, "title")))), "")
    category = next((text for _, fields in lines if (text := plain(_at(fields, columns, "category")))), "")
    rows: list[tuple[str, tuple[str, ...]]] = []
    # Consecutive lines with the same key are one row of the table with several values.
    for key, group in groupby(lines, key=lambda line: plain(line[1][columns["key"]])):
        # A line break inside a quoted field is a new value, as <br> is in HTML.
        rows.append((key, tuple(text for _, fields in group for text in fields[columns["value"]].split("\n"))))
    if "title" not in columns and (named := [row for row in rows if row[0] == "title"]):
        title = " ".join(named[0][1])
        rows = [row for row in rows if row[0] != "title"]
    name = plain(_at(lines[0][1], columns, "name"))
    return Draft(title or name, tuple(rows), where(place, lines[0][0]), name, category, section)


def _best(text: str, place: str, delimiters: Sequence[str], *, quoted: bool) -> list[_Line]:
    """Return the lines, split by the delimiter that gives most lines the same number of fields, at least two."""
    sample = "".join(text.splitlines(keepends=True)[:_SAMPLE]) if len(delimiters) > 1 else ""
    scores: list[tuple[float, int, str]] = []
    for order, delimiter in enumerate(delimiters):
        widths = [len(fields) for _, fields in _lines(sample, delimiter, place, strict=False, quoted=quoted)]
        alike = max((widths.count(width) for width in set(widths) if width > 1), default=0)
        scores.append((-alike, order, delimiter))
    lines = list(_lines(text, min(scores)[2], place, strict=True, quoted=quoted))
    if not lines:
        raise DataError(f"{place} is empty: expected one key and value per line.")
    if len(lines[0][1]) < 2:
        raise DataError(
            f"{where(place, lines[0][0])}: one field where a key and a value are expected. Separate them by a comma, "
            "tab, semicolon or |."
        )
    return lines


def _lines(text: str, delimiter: str, place: str, *, strict: bool, quoted: bool) -> Iterator[_Line]:
    # In TSV files a quote is a character like any other.
    quoting: Literal[0, 3] = csv.QUOTE_NONE if delimiter == "\t" and not quoted else csv.QUOTE_MINIMAL
    hint = "Write a quote inside a quoted text twice."
    for start, fields in csv_rows(
        io.StringIO(text, newline=""), delimiter, place, hint, strict=strict, quoting=quoting
    ):
        if any(field.strip() for field in fields):
            yield start, fields


def _header(fields: Sequence[str]) -> dict[str, int] | None:
    """Return the index of each column, if the first line names a key and a value."""
    plainly = [field.strip().casefold() for field in fields]
    columns: dict[str, int] = {}
    for what, names in _NAMES.items():
        place = next((plainly.index(name) for name in names if name in plainly), None)
        if place is not None:
            columns[what] = place
    if "key" not in columns and "value" in columns and plainly[columns.get("title", -1)] == "name":
        columns["key"] = columns.pop("title")
    return columns if {"key", "value"} <= set(columns) else None


def _at(fields: Sequence[str], columns: dict[str, int], what: str) -> str:
    return fields[columns[what]] if what in columns else ""


def _fields(number: int) -> str:
    return f"{number} field" if number == 1 else f"{number} fields"
