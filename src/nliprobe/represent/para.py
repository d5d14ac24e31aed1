"""``para``: one sentence per row, as InfoTabS writes tables for sentence models (infotabs §6.1)."""

from __future__ import annotations

import re
from typing import ClassVar

from nliprobe.represent import REPRESENTATIONS
from nliprobe.represent._base import RowWise
from nliprobe.task.table import Row, Table

_YEAR = re.compile(r"\b(1\d{3}|20\d{2})\b|\b\d{1,4} (BC|AD|BCE|CE)\b")
_DAY = re.compile(
    r"\b(Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*\.? \d{1,2}\b"
    r"|\b\d{1,2} (Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*\b|\b\d{4}-\d{2}-\d{2}\b",
    re.IGNORECASE,
)
_LIFE = frozenset({"born", "died"})
# Participles that are the whole key of a date row and do not end in -ed.
_IRREGULAR = frozenset({"built", "begun", "written", "held", "sunk", "won", "made", "shot", "laid down"})
_ENDS = (".", "!", "?")
_SINGULAR_S = ("ss", "us", "is", "ics")


@REPRESENTATIONS.register("para")
class Para(RowWise):
    """Writes one sentence per row: The height of K2 is 8,611 m.

    In general "The *key* of *title* are *values*.", with the exceptions of the InfoTabS paper and number agreement.

    Born and died: "*title* was *key* on *values*."; rows that date an event ("Released", "Founded"): the same,
    with *in* before a bare year; yes/no rows: "*title* has *key*." or "*title* does not have *key*.".
    """

    form: ClassVar[str] = "para"

    def row(self, row: Row, title: str, columns: tuple[str, ...]) -> str:
        """Return one row as a sentence."""
        if columns:
            cells = zip(columns, row.values, strict=False)
            text = ", ".join(f"the {self.mark(_line(name))} is {self.mark(_line(cell))}" for name, cell in cells)
            return self.stop(text[:1].upper() + text[1:])
        key, values = _lower(row.key), ", ".join(_line(value) for value in row.values)
        shown_key, shown_values = self.mark(key), self.mark(values)
        if key in _LIFE:
            return self.stop(f"{title} was {shown_key} on {shown_values}")
        if len(row.values) == 1 and values.lower() in ("yes", "no"):
            return self.stop(f"{title} {_yes_no(key, yes=values.lower() == 'yes')} {shown_key}")
        if _is_event(key) and _YEAR.search(values):
            return self.stop(f"{title} was {shown_key} {'on' if _DAY.search(values) else 'in'} {shown_values}")
        verb = "are" if len(row.values) > 1 or _is_plural(key) else "is"
        return self.stop(f"The {shown_key} of {title} {verb} {shown_values}")

    def head(self, table: Table) -> str:
        """Return the title of a many-column table; infobox rows name it themselves."""
        return self.stop(table.title) if table.columns else ""

    def mark(self, text: str) -> str:
        """Return a key or a value as it appears in a sentence."""
        return text

    def stop(self, sentence: str) -> str:
        """Add a full stop to a sentence that has no end mark."""
        return sentence if sentence.endswith(_ENDS) else sentence + "."


def _yes_no(key: str, *, yes: bool) -> str:
    if key.endswith("ed") and " " not in key:
        return "is" if yes else "is not"
    return "has" if yes else "does not have"


def _line(text: str) -> str:
    return " ".join(text.split())


def _is_event(key: str) -> bool:
    return key in _IRREGULAR or (key.endswith("ed") and " " not in key)


def _is_plural(key: str) -> bool:
    head = key.split(" of ")[0].split(" (")[0]
    if key.endswith("(s)"):
        return False
    words = head.split()
    return any(
        word.endswith("s") and not word.endswith(_SINGULAR_S) and len(word) > 3 for word in (words[:1] + words[-1:])
    )


def _lower(key: str) -> str:
    words = " ".join(key.split()).split(" ")
    return " ".join(word if len(word) > 1 and word.isupper() else word.lower() for word in words)
