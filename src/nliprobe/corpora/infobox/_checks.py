"""Turn drafts into tables: texts on one line, repeated keys merged, empty cells dropped, oddities counted."""

from __future__ import annotations

import re

from nliprobe.base.errors import DataError
from nliprobe.corpora.infobox._draft import Draft, controls, plain
from nliprobe.corpora.infobox.notes import Notes
from nliprobe.task.table import Row, Table

# The seed kept no table with fewer rows (section 3.1).
FEWEST_ROWS = 3
# The longest value of InfoTabS has 553 characters.
LONGEST = 600
_BRACKETS = re.compile(r"\([^()]*\)|\[[^\[\]]*\]")
_LATIN = re.compile("[A-Za-zªºÀ-ÖØ-öø-ʯᴀ-ᶿḀ-ỿⱠ-Ɀ꜠-ꟿꬰ-ꭤﬀ-ﬆＡ-Ｚａ-ｚ]")


def table_from(draft: Draft, notes: Notes, *, title: str = "", category: str = "") -> Table:
    """Return the table of a draft, with the given title or category if any; it may have no rows."""
    place = draft.place
    texts = [draft.title, *(text for key, values in draft.rows for text in (key, *values))]
    notes.add("characters", place, number=sum(map(controls, texts)))
    if draft.columns:
        return _grid(draft, notes, title or plain(draft.title), category or plain(draft.category))
    cells: dict[str, list[str]] = {}
    distinct: dict[str, set[str]] = {}
    for raw_key, raw_values in draft.rows:
        key, values = plain(raw_key), [plain(value) for value in raw_values]
        filled = [value for value in values if value]
        if not key:
            notes.add("empty-keys", place, ", ".join(filled))
            continue
        notes.add("empty-values", place, key, number=len(values) - len(filled) or int(not values))
        if not filled:
            continue
        if key in cells:
            notes.add("repeated-keys", place, key)
            cells[key] += [value for value in dict.fromkeys(filled) if value not in distinct[key]]
            distinct[key].update(filled)
        else:
            cells[key], distinct[key] = filled, set(filled)
    rows = tuple(Row(key, tuple(values)) for key, values in cells.items())
    return Table(title or plain(draft.title), rows, category or plain(draft.category))


def _grid(draft: Draft, notes: Notes, title: str, category: str) -> Table:
    columns = tuple(map(plain, draft.columns))
    rows: list[Row] = []
    for number, (_, values) in enumerate(draft.rows, 1):
        cells = tuple(map(plain, values))
        if not any(cells):
            notes.add("empty-rows", draft.place)
            continue
        if len(cells) != len(columns):
            raise DataError(
                f"{draft.place}: row {number} of the table has {len(cells)} cells under {len(columns)} columns "
                f"({', '.join(columns)})."
            )
        rows.append(Row("", cells))
    return Table(title, tuple(rows), category, columns)


def check(table: Table, place: str, notes: Notes) -> None:
    """Count what the seed would have refused: few rows, cells that are not English, and very long cells."""
    if len(table.rows) < FEWEST_ROWS:
        rows = "row" if len(table.rows) == 1 else "rows"
        notes.add("few-rows", place, f"{table.title} ({len(table.rows)} {rows})")
    for row in table.rows:
        for text in (row.key, *row.values):
            what = text if text == row.key or not row.key else f"{row.key}: {text}"
            if is_foreign(text):
                notes.add("non-english", place, what)
            if len(text) > LONGEST:
                notes.add("long-cells", place, f"{row.key or text[:20]} ({len(text):,} characters)")


def is_foreign(text: str) -> bool:
    """Tell whether most letters outside brackets are not Latin; foreign words in Latin letters are not detected.

    >>> is_foreign("José"), is_foreign("Athens (Αθήνα)"), is_foreign("Αθήνα"), is_foreign("5 μm")
    (False, False, True, False)
    """
    if text.isascii():
        return False
    outside = _BRACKETS.sub("", text)
    letters = sum(map(str.isalpha, outside))
    latin = len(_LATIN.findall(outside))
    # A single letter is a symbol: Ω, µ.
    return letters - latin > 1 and 2 * latin < letters
