"""Tell how a delimited file is laid out: what separates its fields, and what a quote means in it."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from nliprobe.base.records.read import Quotes, separator
from nliprobe.base.records.text import encoding_of, read_lines

# In this order of preference if the header shows several.
DELIMITERS = (",", ";", "\t", "|")


class Layout(NamedTuple):
    """What separates the fields of a file, and what a quote means in it."""

    delimiter: str
    quotes: Quotes


def layout_of(path: Path, *, tabs: bool, encoding: str = "") -> Layout:
    """Return the layout that the first lines of a file show.

    The delimiter is the one of its name, unless the header has none of those: then it is the next one that the header
    has, because a file of pairs has several columns. In CSV files, quotes enclose fields. In files with tabs they are
    plain text, as in most public corpora; but spreadsheets export tabs as UTF-16, with quotes around fields.
    """
    usual = "\t" if tabs else ","
    lines = (line for _, line in read_lines(path, encoding) if line.strip())
    header = next(lines, "")
    declared = separator(header)
    if declared:
        return Layout(declared, Quotes.CHECKED)
    seen = [delimiter for delimiter in (usual, *DELIMITERS) if delimiter in header]
    delimiter = seen[0] if seen else usual
    exported = encoding_of(path, encoding).startswith("utf-16")
    return Layout(delimiter, Quotes.OFF if tabs and delimiter == usual and not exported else Quotes.CHECKED)
