"""What a page holds of failing cases: premises, pairs and edits, each once, as JSON items that cards are made of."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from nliprobe.analysis.cases import NONE
from nliprobe.report.diff import packed_diff
from nliprobe.report.drawn import NEEDED, NEITHER, UNJUDGED, USED, MarksByPair
from nliprobe.report.failing import ON_SENTENCES, REWRITES, described, removed_units, shown_cells
from nliprobe.report.marked_text import marked_pieces, text_marks
from nliprobe.report.words import LONGEST, cut
from nliprobe.task.edits import Edit, apply_edits, edits_from_json
from nliprobe.task.table import Table

if TYPE_CHECKING:
    from nliprobe.analysis.case_columns import CaseColumns

_LETTERS = {NEITHER: ".", NEEDED: "n", USED: "u", UNJUDGED: "k"}
_TABLE = "table"


class Premises:
    """The distinct premises of some pairs; tables are read once."""

    def __init__(self, columns: CaseColumns) -> None:
        self.numbers: list[int] = []
        self.texts: list[str] = []
        self._kinds: list[str] = []
        self._tables: dict[int, Table] = {}
        known: dict[tuple[str, str], int] = {}
        for kind, text in columns.pairs.select("kind", "premise").iter_rows():
            number = known.setdefault((kind, text), len(known))
            if number == len(self.texts):
                self.texts.append(text)
                self._kinds.append(kind)
            self.numbers.append(number)

    def table(self, number: int) -> Table | None:
        """Return a premise as a table; None if it is a text."""
        if self._kinds[number] != _TABLE:
            return None
        if number not in self._tables:
            self._tables[number] = Table.from_json(self.texts[number])
        return self._tables[number]

    def items(self) -> Iterator[object]:
        """Yield the premises: a text, or the title and the rows of a table."""
        for number, text in enumerate(self.texts):
            table = self.table(number)
            yield cut(text) if table is None else [cut(table.title), shown_cells(table)]


class EditItems:
    """The distinct edits of some cases; the first is that of a case which is asked as it is."""

    def __init__(self, columns: CaseColumns, premises: Premises) -> None:
        self.numbers: list[int] = []
        self._items: list[object] = [0]
        self._known: dict[str, int] = {}
        self._columns, self._premises = columns, premises
        self._hypotheses: list[str] = columns.pairs["hypothesis"].to_list()
        made: dict[tuple[int, str], int] = {}
        for pair, base, text in columns.cases.select("pair", "base", "edits").iter_rows():
            if not text:
                self.numbers.append(0 if base == NONE else self._number(self._remade(pair, base)))
                continue
            # An edit of rows is the same for every hypothesis of a table.
            key = (premises.numbers[pair], text)
            if key in made:
                self.numbers.append(made[key])
                continue
            edits = edits_from_json(text)
            number = self._number(self._edited(pair, edits))
            self.numbers.append(number)
            if all(edit.op.startswith(("row", "title", "table")) for edit in edits):
                made[key] = number

    def items(self) -> Iterator[object]:
        """Yield the edits."""
        return iter(self._items)

    def _number(self, item: dict[str, object]) -> int:
        if not item:
            return 0
        number = self._known.setdefault(repr(item), len(self._items))
        if number == len(self._items):
            self._items.append(item)
        return number

    def _remade(self, pair: int, base: int) -> dict[str, object]:
        """Compare a table with the one that its corpus made it from."""
        old, new = (self._premises.table(self._premises.numbers[number]) for number in (base, pair))
        if old is None or new is None:
            return {}
        return {"diff": packed_diff(old, new, (self._hypotheses[base], self._hypotheses[pair]))}

    def _edited(self, pair: int, edits: Sequence[Edit]) -> dict[str, object]:
        number = self._premises.numbers[pair]
        table, said = self._premises.table(number), self._hypotheses[pair]
        item: dict[str, object] = {"words": " ".join(map(described, edits))}
        if any(edit.op == "swap" for edit in edits):
            item["swap"] = 1
        _mark(item, "hypothesis", said, [edit for edit in edits if edit.op == "hypothesis.replace"])
        if table is None:
            inside = [edit for edit in edits if edit.op.startswith(("premise.", "sentence"))]
            _mark(item, "premise", self._premises.texts[number], inside)
            if inside and all(edit.op in ON_SENTENCES for edit in edits):
                item["units"] = [[edit.op.partition(".")[2], edit.unit] for edit in edits]
        elif any(edit.op in REWRITES for edit in edits):
            asked, asked_of = apply_edits(table, said, tuple(edits))
            assert isinstance(asked, Table)
            item["diff"] = packed_diff(table, asked, (said, asked_of))
        else:
            removed = removed_units(tuple(edits), len(table.rows))
            if removed:
                item["removed"] = sorted(place for place in removed if place is not None)
            order = [json.loads(edit.after) for edit in edits if edit.op == "rows.permute"]
            if order:
                item["order"] = order[-1]
        return item


def _mark(item: dict[str, object], name: str, text: str, edits: Sequence[Edit]) -> None:
    """Add the marks of a text to an edit; of one that is too long to show or was rearranged, the text as asked."""
    if not edits:
        return
    pieces = marked_pieces(text, edits)
    if pieces is not None and len(text) <= LONGEST and all(len(piece.text) <= LONGEST for piece in pieces):
        item[name] = text_marks(pieces)
        return
    asked = apply_edits(text, text, tuple(edits))[name == "hypothesis"]
    item[name] = cut(str(asked))


def pair_items(columns: CaseColumns, marks: MarksByPair) -> Iterator[list[object]]:
    """Yield pairs: the id, the hypothesis, and what is known about the use of their units.

    That is a letter per unit for each system (b needed and used, n needed, u used, a dot neither; 0 if unknown), and
    for a passage its sentences.
    """
    for name, kind, said in columns.pairs.select("pair_id", "kind", "hypothesis").iter_rows():
        known = [marks.get((system, name)) for system in columns.systems]
        item: list[object] = [name, cut(said)]
        if any(known):
            item.append(["".join(_LETTERS.get(mark, "b") for mark in one.marks) if one else 0 for one in known])
            if kind != _TABLE:
                item.append([cut(text) for text in next(one for one in known if one).texts])
        yield item
