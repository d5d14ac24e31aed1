"""Read the parts of a pair from files: texts, tables, gold label, id and facets; every error names the place."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Protocol

from nliprobe.base.errors import DataError, UsageError
from nliprobe.base.hashing import digest
from nliprobe.base.records.columns import column
from nliprobe.base.records.files import record_files
from nliprobe.base.records.read import Record, RecordFile, parse_json, read_text
from nliprobe.task.labels import LabelMap, LabelSet, Partition
from nliprobe.task.pair import Facet, Premise
from nliprobe.task.table import Row, Table, table_from_mapping


class PairIds:
    """Makes the ids of the pairs of a corpus.

    An id is the corpus's name followed by the official id, or by a hash of the content if there is none. An id that
    occurs again gets ``#2``, ``#3`` …, so that ids are distinct even where official ones are not.

    >>> ids = PairIds("multinli/dev-mismatched")
    >>> ids.official("6666c"), ids.official("6666c")
    ('multinli/dev-mismatched/6666c', 'multinli/dev-mismatched/6666c#2')
    """

    def __init__(self, corpus: str) -> None:
        self._corpus = corpus
        self._times: dict[str, int] = {}

    def official(self, name: str) -> str:
        """Return the id of a pair that has an official id."""
        return self._distinct(f"{self._corpus}/{name}")

    def content(self, premise: Premise, hypothesis: str) -> str:
        """Return the id of a pair without an official one; it stays the same when lines move."""
        return self._distinct(f"{self._corpus}/{digest(premise_text(premise), hypothesis)}")

    def _distinct(self, name: str) -> str:
        times = self._times.get(name, 0) + 1
        self._times[name] = times
        if times == 1:
            return name
        # SNLI's own ids contain '#', so the numbered id could itself be taken.
        while (numbered := f"{name}#{times}") in self._times:
            times += 1
        self._times[name] = times
        self._times[numbered] = 1
        return numbered


class Golds:
    """Reads gold labels as a file spells them, and refuses labels that its partition does not have."""

    def __init__(self, labels: LabelMap, partition: Partition) -> None:
        self._labels = labels
        self._partition = partition
        self._known: dict[str, LabelSet | None] = {}

    def read(self, value: object, file: RecordFile, number: int) -> LabelSet | None:
        """Return the gold label of a record, or None if the raters had no majority."""
        spelling = value if isinstance(value, str) else repr(value)
        if spelling not in self._known:
            try:
                gold = self._labels.read(value)
            except DataError as error:
                raise DataError(f"{file.where(number)}: {error}.") from error
            if gold is not None and not gold <= self._partition.labels:
                raise DataError(
                    f"{file.where(number)}: the label {value!r} means {gold}, which is not in {self._partition}."
                )
            self._known[spelling] = gold
        return self._known[spelling]


class ReadOptions(Protocol):
    """The parameters that files of pairs and files of ratings share."""

    @property
    def format(self) -> str:
        """The name of a format; if empty, the file's name decides."""
        ...

    @property
    def split(self) -> str:
        """The split to read from a folder with several."""
        ...

    @property
    def delimiter(self) -> str:
        """What separates fields; if empty, the format decides."""
        ...

    @property
    def quoting(self) -> bool | None:
        """Whether quotes enclose fields; if None, the format decides."""
        ...


def labelled_records(path: Path, options: ReadOptions, labels: LabelMap) -> list[RecordFile]:
    """Return the files of records at a path; numeric codes that the user declares replace the dataset's label names."""
    return record_files(
        path,
        format=options.format,
        split=options.split,
        delimiter=options.delimiter,
        quoting=options.quoting,
        label_names=not any(code.isdigit() for code in labels.codes),
    )


def parse_partition(text: str, parameter: str) -> Partition:
    """Read the partition that a user declares."""
    try:
        return Partition.parse(text)
    except ValueError as error:
        raise UsageError(f"'{parameter}' is wrong: {error}.") from None


def premise_text(premise: Premise) -> str:
    """Return the premise as one string that identifies it."""
    return premise.to_json() if isinstance(premise, Table) else premise


def value_of(record: Record, name: str, file: RecordFile, number: int) -> object:
    """Return the value in a column; JSON records may have different columns."""
    if name in record:
        return record[name]
    return record[column(record, [name], file.where(number))]


def text_of(record: Record, name: str, what: str, file: RecordFile, number: int) -> str:
    """Return the text in a column, unchanged; an empty text is an error because nothing can be inferred from it."""
    value = value_of(record, name, file, number)
    if not isinstance(value, str) and value is not None:
        raise DataError(f"{file.where(number)}: the {what} in column '{name}' is not a text, but {value!r:.60}.")
    if value is None or not value.strip():
        raise DataError(f"{file.where(number)}: the {what} in column '{name}' is empty.")
    return value


def facets_of(record: Mapping[str, object], names: Iterable[str]) -> tuple[Facet, ...]:
    """Return the facets in the given columns: one per value of a list, none for an empty cell."""
    facets: list[Facet] = []
    for name in names:
        value = record.get(name)
        items = value if isinstance(value, list | tuple) else [value]
        facets.extend(Facet(name, str(item)) for item in items if item is not None and str(item).strip())
    return tuple(facets)


class TableFolder:
    """A folder of infoboxes ``<id>.json``; each is parsed once, and every caller gets the same object."""

    def __init__(
        self, folder: Path, categories: Mapping[str, str] | None = None, *, merge_repeated: bool = False
    ) -> None:
        self.folder = folder
        self._categories = categories or {}
        self._merge_repeated = merge_repeated
        self._tables: dict[str, Table] = {}

    def get(self, name: str, place: str) -> Table:
        """Return the table with an id; ``place`` says in errors what asked for it."""
        table = self._tables.get(name)
        if table is None:
            table = self._tables[name] = self._read(name, place)
        return table

    def path(self, name: str, place: str) -> Path:
        """Return the file of a table, which must exist."""
        path = self.folder / (name if name.endswith(".json") else f"{name}.json")
        if not name or not path.is_file():
            raise DataError(f"{place}: the table '{name}' is missing: there is no {path}.")
        return path

    def _read(self, name: str, place: str) -> Table:
        path = self.path(name, place)
        full_place = f"{place}: {path}"
        content = parse_json(read_text(path), full_place, pairs=_merged if self._merge_repeated else None)
        return table_at(full_place, content, category=self._categories.get(name, ""))


def table_at(place: str, content: object, *, category: str = "") -> Table:
    """Return the table in a JSON value; every error names the place."""
    if not isinstance(content, Mapping):
        raise DataError(f"{place}: the table should be a JSON object of keys and values.")
    try:
        return table_of(content, category=category)
    except DataError as error:
        raise DataError(f"{place}: {error}.") from error


def table_of(content: Mapping[str, object], *, category: str = "") -> Table:
    """Return the table in a JSON object: an infobox of key → values, or the form that ``Table.to_json`` writes.

    Keys without a value (null) are left out, because columnar files give every infobox the keys of all others.
    """
    if isinstance(content.get("rows"), list) and isinstance(content.get("title"), str):
        return _canonical(content)
    return table_from_mapping({key: value for key, value in content.items() if value is not None}, category=category)


def grid(title: str, columns: Sequence[str], rows: Sequence[Sequence[str]], *, place: str) -> Table:
    """Return a many-column table: its rows have no key and one value per column."""
    if not rows:
        raise DataError(f"{place}: the table has no rows.")
    for index, row in enumerate(rows, 1):
        if len(row) != len(columns):
            raise DataError(f"{place}: row {index} of the table has {len(row)} cells under {len(columns)} columns.")
    return Table(title, tuple(Row("", tuple(row)) for row in rows), columns=tuple(columns))


def _canonical(content: Mapping[str, object]) -> Table:
    try:
        table = Table.from_json(json.dumps(content))
    except (KeyError, TypeError, ValueError) as error:
        raise DataError("the rows of the table should be [key, [value, …]]") from error
    if not table.rows:
        raise DataError("the table has no rows")
    return table


def _merged(items: list[tuple[str, object]]) -> dict[str, object]:
    """Merge a key given twice into one key with the values of both; plain JSON readers keep only the last."""
    merged: dict[str, object] = {}
    for key, value in items:
        earlier = merged.get(key)
        if isinstance(earlier, list) and isinstance(value, list):
            merged[key] = earlier + [item for item in value if item not in earlier]
        else:
            merged[key] = value
    return merged
