"""Read hypotheses about imported tables from a user's file, or write a file to fill in."""

from __future__ import annotations

import csv
import difflib
import io
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from nliprobe.base.cells import guard, restore
from nliprobe.base.errors import DataError, option
from nliprobe.base.records.columns import column, guess_column
from nliprobe.base.records.options import ReadOptions
from nliprobe.base.records.read import Record
from nliprobe.corpora._choice import HYPOTHESIS_NAMES, NO_LABEL, SAMPLE, choose_label, only_column
from nliprobe.corpora._parts import Sampled, filled, labelled_records, path_and_options, value_of
from nliprobe.corpora.infobox._draft import plain
from nliprobe.corpora.infobox.notes import Notes
from nliprobe.corpora.infobox.read import Imported
from nliprobe.task.labels import LETTERS, NAMES, LabelMap

_TABLE_NAMES = ("table", "table_id", "tableID", "table_name", "title")
# The names of this many missing tables are shown.
_SHOWN = 10
_WRITTEN = ("premise", "hypothesis", "label", "table", "category", "section")


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """A hypothesis about one table, its label if it has one, and the other columns of its line."""

    table: Imported
    text: str
    label: str | None
    others: tuple[tuple[str, object], ...] = ()


@dataclass(frozen=True, slots=True)
class HypothesisOptions(ReadOptions):
    """The parameters of a file of hypotheses, as ``file:`` has them: ``mine.csv?hypothesis=claim&encoding=cp1252``.

    Attributes:
        hypothesis: the column of the hypothesis.
        label: the column of the label, or ``none``.
        table: the column of the table's id or title.
        labels: what the labels mean: ``entailment,neutral,contradiction`` for 0, 1, 2 or ``code:label;…``.
    """

    hypothesis: str = ""
    label: str = ""
    table: str = ""
    labels: str = ""


def read_hypotheses(source: str | Path, tables: Sequence[Imported], notes: Notes, labels: str = "") -> list[Hypothesis]:
    """Read the hypotheses in a file; tables are named by id or title, and need no name if there is only one.

    Args:
        source: the file, perhaps with the parameters of :class:`HypothesisOptions`.
        tables: the tables that the hypotheses are about.
        notes: counts what is left out.
        labels: what the labels mean, unless the parameters say so.
    """
    path, options = path_and_options(str(source), HypothesisOptions)
    spelled = LabelMap.parse(options.labels or labels) if options.labels or labels else LabelMap()
    finder = _Finder(tables)
    hypotheses: list[Hypothesis] = []
    for file in labelled_records(Path(path), options, spelled):
        rows = Sampled(file.records(), SAMPLE)
        columns = _columns([record for _, record in rows.sample], options, spelled, file.where(rows.sample[0][0]))
        for number, record in filled(rows.records()):
            place = file.where(number)
            text = value_of(record, columns.hypothesis, file, number)
            if text is None or (isinstance(text, str) and not text.strip()):
                notes.add("blank-hypotheses", place)
                continue
            if not isinstance(text, str):
                raise DataError(f"{place}: the hypothesis should be a text, but is {text!r:.60}.")
            table = finder.find(record.get(columns.table) if columns.table else None, place)
            try:
                gold = spelled.read(record.get(columns.label)) if columns.label else None
            except DataError as error:
                order = "entailment,neutral,contradiction"
                reason = str(error).replace(f"labels={order}", option("labels", order))
                raise DataError(f"{place}: {reason}.") from error
            used = {columns.hypothesis, columns.label, columns.table, *_TABLE_NAMES}
            others = tuple((name, value) for name, value in record.items() if name and name not in used)
            if clash := [name for name, _ in others if name in _WRITTEN]:
                raise DataError(f"{place}: the column '{clash[0]}' is one that import writes: rename or drop it.")
            label = None if gold is None else NAMES.get(str(gold), str(gold))
            if table is not None:
                hypotheses.append(Hypothesis(table, plain(text), label, others))
    finder.require_all()
    if hypotheses and not any(item.label for item in hypotheses) and options.label != NO_LABEL:
        notes.add("no-labels", str(path), number=len(hypotheses))
    used_tables = {item.table.id for item in hypotheses}
    for table in tables:
        if table.id not in used_tables:
            notes.add("no-hypotheses", table.place, table.id)
    return hypotheses


class _Columns(NamedTuple):
    hypothesis: str
    label: str | None
    table: str | None


def _columns(sample: Sequence[Record], options: HypothesisOptions, labels: LabelMap, place: str) -> _Columns:
    record = sample[0]

    def ask(what: str, name: str) -> str:
        return f"{what}={name}"

    named = column(record, [options.hypothesis], place) if options.hypothesis else ""
    text = named or only_column(record, HYPOTHESIS_NAMES, "hypothesis", source=place, place=place, ask=ask)
    table = column(record, [options.table], place) if options.table else guess_column(record, _TABLE_NAMES)
    label: str | None = None
    if options.label and options.label != NO_LABEL:
        label = column(record, [options.label], place)
    elif not options.label:
        free = [name for name in record if name and name not in (text, table)]
        label, _ = choose_label(sample, free, labels, source=place, ask=ask)
    return _Columns(text, label, table)


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
        names = guard(item.id), guard(item.table.title)
        writer.writerows([*names, "", NAMES[letter]] for letter in LETTERS)
    return stream.getvalue()


class _Finder:
    """Finds tables by id, else by title, else by either without regard to case."""

    def __init__(self, tables: Sequence[Imported]) -> None:
        self._tables = tables
        self._missing: dict[str, str] = {}
        self._steps: list[dict[str, list[Imported]]] = [{}, {}, {}]
        for table in tables:
            id_, title = plain(table.id), plain(table.table.title)
            for step, names in zip(self._steps, ({id_}, {title}, {id_.casefold(), title.casefold()}), strict=True):
                for name in names:
                    step.setdefault(name, []).append(table)

    def find(self, value: object, place: str) -> Imported | None:
        """Return the table of a line; one that is not there is remembered, and :meth:`require_all` names them all."""
        wanted = "" if value is None else plain(str(value))
        if not wanted:
            if len(self._tables) == 1:
                return self._tables[0]
            names = ", ".join(table.id for table in self._tables[:5])
            raise DataError(
                f"{place}: the line does not say its table, and there are {len(self._tables)}. Add a column 'table' "
                f"with an id or a title: {names}{', …' if len(self._tables) > 5 else ''}."
            )
        # The template guards names that a spreadsheet would run.
        spellings = [(wanted, wanted, wanted.casefold()), (text := restore(wanted), text, text.casefold())]
        for step, name in (item for spelling in spellings for item in zip(self._steps, spelling, strict=True)):
            matches = step.get(name, [])
            if len(matches) == 1:
                return matches[0]
            if matches:
                ids = ", ".join(table.id for table in matches[:8])
                raise DataError(f"{place}: {len(matches)} tables are called '{wanted}'. Name one by its id: {ids}.")
        self._missing.setdefault(wanted, place)
        return None

    def require_all(self) -> None:
        """Raise an error if tables were asked for that are not there."""
        if not self._missing:
            return
        wanted, place = next(iter(self._missing.items()))
        others = ", ".join(f"'{name}' ({where})" for name, where in list(self._missing.items())[1:_SHOWN])
        more = f" Missing as well: {others}{', …' if len(self._missing) > _SHOWN else ''}." if others else ""
        raise DataError(f"{place}: there is no table '{wanted}'. {self._near(wanted)}{more}")

    def _near(self, wanted: str) -> str:
        names = sorted({name for table in self._tables for name in (table.id, table.table.title)})
        plainly = {name.casefold(): name for name in names}
        near = [plainly[name] for name in difflib.get_close_matches(wanted.casefold(), plainly, n=3, cutoff=0.6)]
        if near:
            return f"Did you mean {' or '.join(repr(name) for name in near)}?"
        shown = ", ".join(table.id for table in self._tables[:8])
        return f"There are: {shown}{', …' if len(self._tables) > 8 else ''}."
