"""A table as it is read, before it is checked; and the texts in it."""

from __future__ import annotations

import re
from dataclasses import dataclass

# Control characters that no text needs, and halves of characters that UTF-8 cannot hold. White space is not among them.
_CONTROL = re.compile("[\x00-\x08\x0e-\x1b\x7f\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Draft:
    """A table as a file gives it: keys may be empty or repeated, and texts are as they were.

    Attributes:
        title: the title, or nothing where the file has none.
        rows: keys with their values.
        place: where it was found, for messages.
        name: the id that the file gives it, if any.
        category: its category, if any.
        section: the sub-heading that its rows stood under, if any.
    """

    title: str
    rows: tuple[tuple[str, tuple[str, ...]], ...]
    place: str
    name: str = ""
    category: str = ""
    section: str = ""


def plain(text: str) -> str:
    """The text on one line: without control characters, with single spaces.

    >>> plain(" The\\n\\u00a0Tin  Lantern ")
    'The Tin Lantern'
    """
    return " ".join(without_controls(text).split())


def without_controls(text: str) -> str:
    """The text without control characters; its lines and spaces stay."""
    return _CONTROL.sub("", text)


def controls(text: str) -> int:
    """How many characters ``plain`` takes away that are not white space."""
    return len(_CONTROL.findall(text))
