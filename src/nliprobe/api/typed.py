"""What somebody typed or pasted as a premise: a text, or a table in one of several forms."""

from __future__ import annotations

import json
from typing import Final, NamedTuple

from nliprobe.base.errors import DataError, UsageError
from nliprobe.base.halves import whole
from nliprobe.corpora.case_file import is_read_as_table
from nliprobe.corpora.infobox.notes import KINDS, Notes
from nliprobe.corpora.infobox.typed import COLUMNS, HTML, JSON, LINES, TYPED_FORMS, read_typed
from nliprobe.task.pair import Premise
from nliprobe.task.table import Table

TEXT, AUTO = "text", "auto"
# What a premise can be said to be, in the words of the form that asks.
PREMISE_FORMS: Final = {
    AUTO: "a table if it is HTML or JSON, else a text",
    TEXT: "a text",
    LINES: "a table, a key: value per line",
    COLUMNS: "a table, CSV or TSV",
    HTML: "a table, HTML",
    JSON: "a table, JSON",
}
# A network that reads 512 tokens sees a sixth of this.
MOST_WORDS = 3000
_MOST_CHARACTERS = 20 * MOST_WORDS
MOST_CELLS = 1000


class TypedPremise(NamedTuple):
    """A premise that was read.

    Attributes:
        premise: the text or the table.
        form: what it was read as.
        notes: what was left out or changed, in sentences.
    """

    premise: Premise
    form: str
    notes: tuple[str, ...] = ()


def read_premise(text: str, form: str = AUTO, *, title: str = "") -> TypedPremise:
    """Read what was typed.

    Args:
        text: what was typed or pasted.
        form: one of :data:`PREMISE_FORMS`.
        title: of a table that has none of its own.

    Raises:
        DataError: there is nothing, too much, or no table.
    """
    if form not in PREMISE_FORMS:
        raise UsageError(f"A premise is not typed as '{form}': expected {', '.join(PREMISE_FORMS)}.")
    text = tidy(text)
    if not text:
        raise DataError("The premise is empty: type a text, or paste a table.")
    form = _seen(text) if form == AUTO else form
    if form not in TYPED_FORMS:
        require_askable(text)
        return TypedPremise(text, TEXT)
    notes = Notes()
    table = read_typed(text, form, notes, title=tidy(title))
    require_askable(table)
    counts = notes.counts.items()
    told = (f"{number} {KINDS[kind].one if number == 1 else KINDS[kind].many}." for kind, number in counts)
    return TypedPremise(table, form, tuple(told))


def tidy(text: str) -> str:
    """Return a text as files of pairs can hold it: line breaks of one kind, no halves of characters, nothing around."""
    return whole(text.replace("\r\n", "\n").replace("\r", "\n").replace("\0", "")).strip()


def require_askable(premise: Premise) -> None:
    """Raise a DataError if a premise is larger than what is asked about, or a text that files cannot hold as one."""
    texts = premise.texts if isinstance(premise, Table) else (premise,)
    if isinstance(premise, Table):
        # Rows of many columns have no keys.
        cells = len(premise.columns) + sum(bool(row.key) + len(row.values) for row in premise.rows)
        if cells > MOST_CELLS:
            raise DataError(f"The table has {cells:,} cells: at most {MOST_CELLS:,} are asked about.")
    if isinstance(premise, str) and is_read_as_table(premise):
        raise DataError(
            "This text is a table to whoever reads it from a file of pairs. Say that the premise is a table, or begin "
            "the text with a word."
        )
    require_short("premise", " ".join(texts))


def require_short(what: str, text: str) -> None:
    """Raise a DataError if a text has too many words."""
    words = len(text.split())
    if words > MOST_WORDS:
        raise DataError(f"The {what} has {words:,} words: at most {MOST_WORDS:,} are asked about.")
    # A text without blanks has one word.
    if len(text) > _MOST_CHARACTERS:
        raise DataError(f"The {what} has {len(text):,} characters: at most {_MOST_CHARACTERS:,} are asked about.")


def _seen(text: str) -> str:
    """Tell what a premise is by its beginning; commas, tabs and colons are in texts, too, so they say nothing."""
    if text.startswith("<") and "<table" in text.lower():
        return HTML
    if not text.startswith(("{", "[")):
        return TEXT
    try:
        return JSON if isinstance(json.loads(text), dict | list) else TEXT
    except (ValueError, RecursionError):
        # "[sic]" and "{x} is a set" are texts.
        return TEXT
