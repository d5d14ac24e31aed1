"""The record of a table that is read but not yet checked, and the cleaning of its texts."""

from __future__ import annotations

import re
from dataclasses import dataclass

from nliprobe.base.halves import whole

# Control characters that no text needs, but no white space.
_CONTROL = re.compile("[\x00-\x08\x0e-\x1b\x7f]")
# What is removed, and halves of characters, which are replaced.
_CHANGED = re.compile("[\x00-\x08\x0e-\x1b\x7f\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Draft:
    """A table as a file gives it: keys may be empty or repeated, and texts are unchanged.

    Attributes:
        title: the title, or empty if the file has none.
        rows: keys with their values.
        place: where it is in the file, for messages.
        name: the id that the file gives it, if any.
        category: its category, if any.
        section: the sub-heading above its rows, if any.
        columns: the header of a many-column table, whose rows have no keys and one value per column.
    """

    title: str
    rows: tuple[tuple[str, tuple[str, ...]], ...]
    place: str
    name: str = ""
    category: str = ""
    section: str = ""
    columns: tuple[str, ...] = ()


def plain(text: str) -> str:
    """Return the text on one line, without control characters and with single spaces.

    >>> plain(" The\\n\\u00a0Tin  Lantern ")
    'The Tin Lantern'
    """
    return " ".join(without_controls(text).split())


def without_controls(text: str) -> str:
    """Return the text without control characters and halves of characters, with its lines and spaces."""
    return whole(_CONTROL.sub("", text))


def controls(text: str) -> int:
    """Count the control characters and halves of characters that ``plain`` removes or replaces."""
    return len(_CHANGED.findall(text))
