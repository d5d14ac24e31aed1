"""From drafts to tables: texts on one line, repeated keys merged, empty cells dropped; what is odd is counted."""

from __future__ import annotations

import re

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
    """The table of a draft, under another title or category where one is given; it may have no rows."""
    place = draft.place
    texts = [draft.title, *(text for key, values in draft.rows for text in (key, *values))]
    notes.add("characters", place, number=sum(map(controls, texts)))
    found: dict[str, list[str]] = {}
    known: dict[str, set[str]] = {}
    for raw_key, raw_values in draft.rows:
        key, values = plain(raw_key), [plain(value) for value in raw_values]
        kept = [value for value in values if value]
        if not key:
            notes.add("empty-keys", place, ", ".join(kept))
            continue
        notes.add("empty-values", place, key, number=len(values) - len(kept) or int(not values))
        if not kept:
            continue
        if key in found:
            notes.add("repeated-keys", place, key)
            found[key] += [value for value in dict.fromkeys(kept) if value not in known[key]]
            known[key].update(kept)
        else:
            found[key], known[key] = kept, set(kept)
    rows = tuple(Row(key, tuple(values)) for key, values in found.items())
    return Table(title or plain(draft.title), rows, category or plain(draft.category))


def check(table: Table, place: str, notes: Notes) -> None:
    """Count what the seed would not have taken: few rows, cells that are not English, and cells beyond all measure."""
    if len(table.rows) < FEWEST_ROWS:
        rows = "row" if len(table.rows) == 1 else "rows"
        notes.add("few-rows", place, f"{table.title} ({len(table.rows)} {rows})")
    for row in table.rows:
        for text in (row.key, *row.values):
            what = text if text == row.key else f"{row.key}: {text}"
            if is_foreign(text):
                notes.add("non-english", place, what)
            if len(text) > LONGEST:
                notes.add("long-cells", place, f"{row.key} ({len(text):,} characters)")


def is_foreign(text: str) -> bool:
    """Whether most letters outside brackets are not Latin; foreign words in Latin letters are not seen.

    >>> is_foreign("José"), is_foreign("Athens (Αθήνα)"), is_foreign("Αθήνα"), is_foreign("5 μm")
    (False, False, True, False)
    """
    if text.isascii():
        return False
    outside = _BRACKETS.sub("", text)
    letters = sum(map(str.isalpha, outside))
    latin = len(_LATIN.findall(outside))
    # One letter alone is a symbol: Ω, µ.
    return letters - latin > 1 and 2 * latin < letters
