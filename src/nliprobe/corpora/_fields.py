"""Read the parts of a pair from a record: texts, gold label, id and facets; every error names the place."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import islice
from pathlib import Path
from typing import Protocol, TypeVar
from urllib.parse import unquote

from nliprobe.base.errors import DataError, UsageError
from nliprobe.base.hashing import digest
from nliprobe.base.records.columns import column
from nliprobe.base.records.files import RecordFile, record_files
from nliprobe.base.records.lines import Numbered, Record
from nliprobe.base.spec import Spec
from nliprobe.task.labels import LabelMap, LabelSet
from nliprobe.task.pair import Facet, Premise
from nliprobe.task.partitions import Partition
from nliprobe.task.table import Table


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

    @property
    def encoding(self) -> str:
        """The encoding of text files without a byte order mark; if empty, UTF-8."""
        ...


def labelled_records(path: Path, options: ReadOptions, labels: LabelMap) -> list[RecordFile]:
    """Return the files of records at a path; numeric codes that the user declares replace the dataset's label names."""
    return record_files(
        path,
        format=options.format,
        split=options.split,
        delimiter=options.delimiter,
        quoting=options.quoting,
        encoding=options.encoding,
        label_names=not any(code.isdigit() for code in labels.codes),
    )


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
