"""Read the parts of a pair from files: texts, tables, gold label, id and facets; every error names the place."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import TypeVar
from urllib.parse import unquote

from nliprobe.base.errors import DataError, UsageError
from nliprobe.base.files import member
from nliprobe.base.halves import whole_json
from nliprobe.base.hashing import digest
from nliprobe.base.records.columns import column
from nliprobe.base.records.options import ReadOptions
from nliprobe.base.records.read import Numbered, Record, RecordFile
from nliprobe.base.records.text import parse_json, read_text
from nliprobe.base.registry import Spec
from nliprobe.corpora._grid_forms import grid as grid_from
from nliprobe.corpora._grid_forms import grid_of, is_grid
from nliprobe.task.labels import LabelMap, LabelSet, Partition
from nliprobe.task.pair import Facet, Premise
from nliprobe.task.table import Table, table_from_mapping

# The names of this many missing tables are shown.
_SHOWN = 10
# No id comes again more often than a number of so many digits says.
_LONGEST_NUMBER = 12
SUFFIXES = (".json", ".csv", ".tsv", ".html", ".htm")


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
        times = self._taken(name) + 1
        if times == 1:
            self._times[name] = 1
            return name
        # SNLI's own ids contain '#', so the numbered id could itself be taken.
        while self._taken(numbered := f"{name}#{times}"):
            times += 1
        self._times[name] = times
        return numbered

    def _taken(self, name: str) -> int:
        """Return how often an id was asked for; one that was made from another by a number counts once.

        Those need not be held, because the number of the other one tells them: a file that repeats one pair a million
        times costs no memory.
        """
        times = self._times.get(name)
        if times is not None:
            return times
        other, _, number = name.rpartition("#")
        if not other or len(number) > _LONGEST_NUMBER or not number.isdecimal() or not number.isascii():
            return 0
        return int(number[0] != "0" and 2 <= int(number) <= self._times.get(other, 0))


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


def labelled_records(path: Path, options: ReadOptions, labels: LabelMap) -> list[RecordFile]:
    """Return the files of records at a path; numeric codes that the user declares replace the dataset's label names."""
    return options.files_at(path, label_names=not any(code.isdigit() for code in labels.codes))


class Sampled:
    """The first records of a file, and the way to all of them without reading any twice."""

    def __init__(self, rows: Numbered, size: int) -> None:
        self.sample: list[tuple[int, Record]] = []
        self._rows = rows
        self._fault: DataError | None = None
        try:
            self.sample.extend(islice(rows, size))
        except DataError as fault:
            if not self.sample:
                raise
            # Who asks for the records before it gets them.
            self._fault = fault

    def records(self) -> Numbered:
        """Yield all records in order."""
        yield from self.sample
        if self._fault is not None:
            raise self._fault
        yield from self._rows


def filled(records: Numbered) -> Numbered:
    """Yield records without the empty ones at the end, which spreadsheets write below the last row."""
    waiting: list[tuple[int, Record]] = []
    for number, record in records:
        if any(value is not None and value != "" for value in record.values()):
            yield from waiting
            waiting.clear()
            yield number, record
        else:
            waiting.append((number, record))


T = TypeVar("T")


def path_and_options(text: str, kind: type[T]) -> tuple[str, T]:
    """Split ``path?key=value&…`` into a path and the parameters in the dataclass ``kind``."""
    head, mark, tail = text.partition("?")
    if not mark or Path(text).exists():
        return text, kind()
    return unquote(head), Spec.parse(f"file?{tail}").build(kind)


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
    """A folder of tables, one per file; each is parsed once, and every caller gets the same object.

    A table is named by its file, with or without the suffix. Infoboxes are JSON, and a key that they give twice has the
    values of both; tables that people have themselves may also be CSV, TSV or HTML.
    """

    def __init__(self, folder: Path, categories: Mapping[str, str] | None = None, *, infoboxes: bool = False) -> None:
        self.folder = folder
        self._categories = categories or {}
        self._infoboxes = infoboxes
        self._tables: dict[tuple[str, str], Table] = {}
        self._found: dict[str, Path] = {}

    def get(self, name: str, place: str, title: str = "") -> Table:
        """Return the table with an id; ``place`` says in errors what asked for it, ``title`` names one without."""
        table = self._tables.get((name, title))
        if table is None:
            table = self._tables[name, title] = self._read(name, place, title)
        return table

    def find(self, name: str) -> Path | None:
        """Return the file of a table, or None if there is none."""
        # A file that was found is remembered: a run hashes all tables before it reads them.
        path = self._found.get(name)
        if path is None:
            path = self._look_for(name)
            if path is not None:
                self._found[name] = path
        return path

    def _look_for(self, name: str) -> Path | None:
        # A table may be called 2-1234.html.csv, so a suffix does not mean that the name is complete.
        names = [name] if name.endswith(SUFFIXES) else []
        candidates = (member(self.folder, one) for one in (*names, *(f"{name}{suffix}" for suffix in SUFFIXES)))
        return next((path for path in candidates if path is not None and path.is_file()), None)

    def path(self, name: str, place: str) -> Path:
        """Return the file of a table, which must exist."""
        path = self.find(name)
        if path is None:
            named = member(self.folder, name if name.endswith(SUFFIXES) else f"{name}.json")
            if named is None:
                raise DataError(f"{place}: the table {name!r:.80} cannot be the name of a file in {self.folder}.")
            raise DataError(f"{place}: the table '{name}' is missing: there is no {named}.")
        return path

    def paths(self, places: Mapping[str, str]) -> list[Path]:
        """Return the files of tables by id; all that are missing are named at once, with the first place of each."""
        missing = [name for name in places if self.find(name) is None]
        if len(missing) > 1:
            shown = ", ".join(f"'{name}' ({places[name]})" for name in missing[:_SHOWN])
            raise DataError(
                f"{len(missing):,} of {len(places):,} tables are missing from {self.folder}: {shown}"
                f"{', …' if len(missing) > _SHOWN else ''}. Expected a file per table, such as {missing[0]}.json."
            )
        return [self.path(name, place) for name, place in places.items()]

    def _read(self, name: str, place: str, title: str) -> Table:
        path = self.path(name, place)
        full_place = f"{place}: {path}"
        category = self._categories.get(name, "")
        if path.suffix != ".json":
            from nliprobe.corpora.infobox.single import read_table

            return read_table(path, full_place, title=title, category=category)
        content = parse_json(read_text(path), full_place, pairs=_merged if self._infoboxes else None)
        return table_at(full_place, content, category=category, title=title, grids=not self._infoboxes)


def table_at(
    place: str, content: object, *, category: str = "", header: object = None, title: str = "", grids: bool = True
) -> Table:
    """Return the table in a JSON value; every error names the place.

    Args:
        place: where it is, for messages.
        content: an infobox, or a many-column table in one of the forms of :func:`grid_of`.
        category: the table's category.
        header: the header of a many-column table, if it stands elsewhere.
        title: the title, if it stands elsewhere.
        grids: whether it may be a many-column table; an infobox may have keys that are called rows or data, too.
    """
    try:
        if header is not None or (grids and is_grid(content)):
            return grid_of(content, header=header, title=title, category=category)
        if not isinstance(content, Mapping):
            raise DataError("the table should be a JSON object of keys and values, or a header and rows")
        return table_of(content, category=category, title=title)
    except DataError as error:
        raise DataError(f"{place}: {error}.") from error


def table_of(content: Mapping[str, object], *, category: str = "", title: str = "") -> Table:
    """Return the table in a JSON object: an infobox of key → values, or the form that ``Table.to_json`` writes.

    Keys without a value (null) are left out, because columnar files give every infobox the keys of all others.
    """
    if isinstance(content.get("rows"), list) and isinstance(content.get("title"), str):
        return _canonical(content)
    filled = {key: value for key, value in content.items() if value is not None}
    return table_from_mapping(filled, title=title, category=category)


def whole_table(table: Table) -> Table:
    """Return a table in which no text holds half a character; mostly, that is the table itself."""
    text = table.to_json()
    fixed = whole_json(text)
    return table if fixed == text else Table.from_json(fixed)


def grid(title: str, columns: Sequence[str], rows: Sequence[Sequence[str]], *, place: str) -> Table:
    """Return a many-column table: its rows have no key and one value per column; errors name the place."""
    try:
        return grid_from(title, columns, rows)
    except DataError as error:
        raise DataError(f"{place}: {error}.") from error


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
