"""Read hypotheses about imported tables from a user's file, or write a file to fill in."""

from __future__ import annotations

import csv
import difflib
import io
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from nliprobe.base.errors import DataError, option
from nliprobe.base.records.columns import column, guess_column
from nliprobe.base.records.files import record_files
from nliprobe.corpora._choice import HYPOTHESIS_NAMES, LABEL_NAMES
from nliprobe.corpora.infobox._draft import plain
from nliprobe.corpora.infobox.notes import Notes
from nliprobe.corpora.infobox.read import Imported
from nliprobe.task.labels import LETTERS, NAMES, LabelMap

_TABLE_NAMES = ("table", "table_id", "tableID", "table_name", "title")
_WRITTEN = ("premise", "hypothesis", "label", "table", "category", "section")


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """A hypothesis about one table, its label if it has one, and the other columns of its line."""

    table: Imported
    text: str
    label: str | None
    others: tuple[tuple[str, object], ...] = ()


def read_hypotheses(path: Path, tables: Sequence[Imported], notes: Notes, labels: str = "") -> list[Hypothesis]:
    """Read the hypotheses in a file; tables are named by id or title, and need no name if there is only one."""
    spelled = LabelMap.parse(labels) if labels else LabelMap()
    finder = _Finder(tables)
    hypotheses: list[Hypothesis] = []
    for file in record_files(path):
        for number, record in file.records():
            place = file.where(number)
            text_column = column(record, HYPOTHESIS_NAMES, place)
            label_column = guess_column(record, LABEL_NAMES)
            table_column = guess_column(record, _TABLE_NAMES)
            text = record[text_column]
            if text is None or (isinstance(text, str) and not text.strip()):
                notes.add("blank-hypotheses", place)
                continue
            if not isinstance(text, str):
                raise DataError(f"{place}: the hypothesis should be a text, but is {text!r:.60}.")
            table = finder.find(record[table_column] if table_column else None, place)
            try:
                gold = spelled.read(record[label_column]) if label_column else None
            except DataError as error:
                order = "entailment,neutral,contradiction"
                reason = str(error).replace(f"labels={order}", option("labels", order))
                raise DataError(f"{place}: {reason}.") from error
            used = {text_column, label_column, *_TABLE_NAMES}
            others = tuple((name, value) for name, value in record.items() if name not in used)
            if clash := [name for name, _ in others if name in _WRITTEN]:
                raise DataError(f"{place}: the column '{clash[0]}' is one that import writes: rename or drop it.")
            label = None if gold is None else NAMES.get(str(gold), str(gold))
            hypotheses.append(Hypothesis(table, plain(text), label, others))
    used_tables = {item.table.id for item in hypotheses}
    for table in tables:
        if table.id not in used_tables:
            notes.add("no-hypotheses", table.place, table.id)
    return hypotheses


def pair_lines(hypotheses: Iterable[Hypothesis], *, sections: bool) -> str:
    """Return one pair per line, as ``file:`` reads them, with the table as the premise."""
    lines = []
    for item in hypotheses:
        record: dict[str, object] = {
            "premise": json.loads(item.table.table.to_json()),
            "hypothesis": item.text,
            "label": item.label,
            "table": item.table.id,
            "category": item.table.table.category,
        }
        if sections:
            record["section"] = item.table.section
        lines.append(json.dumps(record | dict(item.others), ensure_ascii=False) + "\n")
    return "".join(lines)


def table_lines(tables: Iterable[Imported]) -> str:
    """Return one table per line, in a form that import can read again."""
    lines = []
    for item in tables:
        record = {"id": item.id, "section": item.section, **json.loads(item.table.to_json())}
        if not item.section:
            del record["section"]
        lines.append(json.dumps(record, ensure_ascii=False) + "\n")
    return "".join(lines)


def template(tables: Iterable[Imported]) -> str:
    """Return a CSV file to fill in, with one line per table and label, because the seed asked authors for all three."""
    stream = io.StringIO(newline="")
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(["table", "title", "hypothesis", "label"])
    for item in tables:
        writer.writerows([item.id, item.table.title, "", NAMES[letter]] for letter in LETTERS)
    return stream.getvalue()


class _Finder:
    """Finds tables by id, else by title, else by either without regard to case."""

    def __init__(self, tables: Sequence[Imported]) -> None:
        self._tables = tables
        self._steps: list[dict[str, list[Imported]]] = [{}, {}, {}]
        for table in tables:
            id_, title = plain(table.id), plain(table.table.title)
            for step, names in zip(self._steps, ({id_}, {title}, {id_.casefold(), title.casefold()}), strict=True):
                for name in names:
                    step.setdefault(name, []).append(table)

    def find(self, value: object, place: str) -> Imported:
        wanted = "" if value is None else plain(str(value))
        if not wanted:
            if len(self._tables) == 1:
                return self._tables[0]
            names = ", ".join(table.id for table in self._tables[:5])
            raise DataError(
                f"{place}: the line does not say its table, and there are {len(self._tables)}. Add a column 'table' "
                f"with an id or a title: {names}{', …' if len(self._tables) > 5 else ''}."
            )
        for step, name in zip(self._steps, (wanted, wanted, wanted.casefold()), strict=True):
            matches = step.get(name, [])
            if len(matches) == 1:
                return matches[0]
            if matches:
                ids = ", ".join(table.id for table in matches[:8])
                raise DataError(f"{place}: {len(matches)} tables are called '{wanted}'. Name one by its id: {ids}.")
        raise DataError(f"{place}: there is no table '{wanted}'. {self._near(wanted)}")

    def _near(self, wanted: str) -> str:
        names = sorted({name for table in self._tables for name in (table.id, table.table.title)})
        plainly = {name.casefold(): name for name in names}
        near = [plainly[name] for name in difflib.get_close_matches(wanted.casefold(), plainly, n=3, cutoff=0.6)]
        if near:
            return f"Did you mean {' or '.join(repr(name) for name in near)}?"
        shown = ", ".join(table.id for table in self._tables[:8])
        return f"There are: {shown}{', …' if len(self._tables) > 8 else ''}."
