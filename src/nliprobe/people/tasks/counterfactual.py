"""Edit a table until a hypothesis has another label, as three people did (evidence probes, §8; spec T7)."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from enum import StrEnum

from nliprobe.base.errors import UsageError
from nliprobe.base.fields import Fields
from nliprobe.people.records import Content, Item, Json
from nliprobe.people.tasks import TASKS
from nliprobe.people.tasks._declared import DeclaredTask, Field, answer_of
from nliprobe.people.tasks.labels import label_under
from nliprobe.people.tasks.premises import HYPOTHESIS, TABLE, premise_of, premise_value, table_of
from nliprobe.people.texts import LONGEST_CELL, require_json, text_fault
from nliprobe.task.labels import LETTERS, THREE_WAY
from nliprobe.task.pair import Pair
from nliprobe.task.table import Row, Table
from nliprobe.task.table_diff import same_key, table_diff

# An edited table may have so many more rows, and so many more values in a row, than its original. None of the 2,236
# tables that were released has any.
MORE_ROWS = 20
MORE_VALUES = 50
# An item's table may have 200,000 characters: large enough for that one with the edits above.
_LONGEST_ANSWER = 300_000
_FLIPPED = {"E": "C", "C": "E"}


class Edits(StrEnum):
    """What may be edited."""

    VALUES = "values"  # the values of rows, which is all that people changed in the released tables
    ROWS = "rows"  # rows may be added and removed, too


@TASKS.register("counterfactual")
class Counterfactual(DeclaredTask):
    """A table that was edited so that the hypothesis has the wanted label; the hypothesis stays.

    The title stays, because the hypothesis is about it; so do the category, the header and the order of rows. Which
    rows have changed follows from both tables, and an edit of spaces alone is none.

    Options:
        edits: ``values`` (by default) or ``rows``, see :class:`Edits`.
        wanted: the label that is wanted of every item; by default E for contradictions and C for entailments.
    """

    about = "Edit the table until the hypothesis has the wanted label."
    fields = (TABLE, HYPOTHESIS, Field("wanted", lambda fields, key: label_under(fields, key, THREE_WAY)))
    option_names = ("edits", "wanted")

    def __init__(self, options: Content) -> None:
        super().__init__(options)
        edits, wanted = options.get("edits", Edits.VALUES.value), options.get("wanted")
        if edits not in list(Edits):
            raise UsageError(f"The option 'edits' should be {' or '.join(Edits)}, not {edits!r:.60}.")
        if wanted is not None and wanted not in list(LETTERS):
            raise UsageError(f"The option 'wanted' should be E, N or C, not {wanted!r:.60}.")
        self.edits = Edits(str(edits))
        self.wanted = None if wanted is None else str(wanted)

    def choices(self) -> dict[str, Json]:
        """Return what may be edited."""
        return {"edits": self.edits.value}

    def checked(self, item: Item, answer: Content) -> dict[str, Json]:
        """Return the edited table; cells are on one line each, and rows that nobody changed are as they were."""
        fields = answer_of(answer, "table")
        require_json(fields, "table", longest=_LONGEST_ANSWER)
        before = premise_of(item.content["premise"])
        assert isinstance(before, Table)
        plain = _plain_table(before)
        after = self._edited(fields, before, plain)
        if Counter(plain.rows) == Counter(after.rows):
            moved = plain.rows != after.rows
            wanted = "the rows in the order of the original" if moved else "a table that differs from the original"
            fields.refuse("table", f"{wanted}, with another value in a cell or more")
        kept = self._kept(fields, plain, after)
        for place, row in enumerate(after.rows):
            if place not in kept:
                _require_row(fields, row, plain, after)
        rows = tuple(before.rows[kept[place]] if place in kept else row for place, row in enumerate(after.rows))
        return {"table": premise_value(replace(before, rows=rows))}

    def _kept(self, fields: Fields, original: Table, edited: Table) -> dict[int, int]:
        """Return the places of the rows that nobody changed, with those that they have in the original."""
        if self.edits is Edits.VALUES:
            if original.keys != edited.keys:
                fields.refuse("table", "the rows of the original, with other values")
            return {place: place for place, row in enumerate(edited.rows) if row == original.rows[place]}
        diff = table_diff(original, edited)
        if diff.reordered:
            fields.refuse("table", "the rows in the order of the original")
        if not edited.rows:
            fields.refuse("table", "a table with a row or more")
        pairs = ((row.after, row.before) for row in diff.rows if not row.changed)
        return {after: before for after, before in pairs if after is not None and before is not None}

    def _edited(self, fields: Fields, before: Table, plain: Table) -> Table:
        """Return the table of an answer with plain cells; what cannot be edited must be as it was."""
        after = _plain_table(table_of(fields, "table"))
        for name, old, new in (
            ("title", plain.title, after.title),
            ("category", plain.category, after.category or plain.category),
            ("columns", plain.columns, after.columns),
        ):
            if old != new:
                fields.refuse("table", f"a table whose {name} stay{'' if name == 'columns' else 's'} {old!r:.60}")
        if len(after.rows) > len(before.rows) + MORE_ROWS:
            fields.refuse("table", f"at most {len(before.rows) + MORE_ROWS} rows")
        longest = max(len(row.values) for row in before.rows) + MORE_VALUES
        known = {*plain.texts}
        for row in after.rows:
            if len(row.values) > longest:
                fields.refuse("table", f"at most {longest} values in a row")
            for text in (row.key, *row.values):
                if text and text not in known and (fault := text_fault(text, longest=LONGEST_CELL)):
                    fields.refuse("table", f"cells of {fault}")
        return replace(after, category=plain.category)

    def content_of(self, pair: Pair) -> dict[str, Json] | str:
        """Return a pair with the label that is wanted; only a table with a label of its own can be asked about."""
        if isinstance(pair.premise, str):
            return "the premise is a text, not a table"
        gold = "" if pair.gold is None else str(pair.gold)
        wanted = self.wanted or _FLIPPED.get(gold)
        if len(gold) != 1:
            return "it has no single label to start from"
        if wanted is None:
            return "it is neutral, and no label is wanted"
        if wanted == gold:
            return "it has the wanted label already"
        return {"premise": premise_value(pair.premise), "hypothesis": pair.hypothesis, "wanted": wanted}


def _require_row(fields: Fields, row: Row, before: Table, after: Table) -> None:
    """Raise an error for a changed row without a key or value, or with a key that another row has."""
    if before.columns:
        if row.key:
            fields.refuse("table", "rows without keys, because the table has columns")
        return
    if not row.key or not row.values:
        fields.refuse("table", f"a key and a value in each row, but '{row.key:.60}' lacks one")
    held, had = (sum(same_key(other.key) == same_key(row.key) for other in table.rows) for table in (after, before))
    if held > max(1, had):
        fields.refuse("table", f"each key once, but '{row.key:.60}' is there twice")


def _plain_table(table: Table) -> Table:
    """Return a table whose cells are on one line, without spaces around them; an infobox keeps no empty value."""
    rows = (Row(_plain(row.key), tuple(map(_plain, row.values))) for row in table.rows)
    if not table.columns:
        rows = (Row(row.key, tuple(filter(None, row.values))) for row in rows)
    return Table(_plain(table.title), tuple(rows), _plain(table.category), tuple(map(_plain, table.columns)))


def _plain(text: str) -> str:
    return " ".join(text.split())
