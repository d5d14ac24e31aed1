"""What a pair needs from a record: its texts, its gold label and its id, with the place in every complaint."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Protocol

from nliprobe.base.errors import DataError, UsageError
from nliprobe.base.hashing import digest
from nliprobe.base.records.columns import column
from nliprobe.base.records.files import RecordFile, record_files
from nliprobe.base.records.lines import Record
from nliprobe.task.labels import LabelMap, LabelSet
from nliprobe.task.pair import Facet, Premise
from nliprobe.task.partitions import Partition
from nliprobe.task.table import Table


class PairIds:
    """Makes the ids of a corpus, the only place where it is decided what they look like.

    An official id stands below the corpus's name; where there is none, a hash of the content does. What
    occurs again gets ``#2``, ``#3`` …, so that ids are distinct even where official ones are not.

    >>> ids = PairIds("multinli/dev-mismatched")
    >>> ids.official("6666c"), ids.official("6666c")
    ('multinli/dev-mismatched/6666c', 'multinli/dev-mismatched/6666c#2')
    """

    def __init__(self, corpus: str) -> None:
        self._corpus = corpus
        self._times: dict[str, int] = {}

    def official(self, name: str) -> str:
        """The id of a pair whose corpus names it."""
        return self._distinct(f"{self._corpus}/{name}")

    def content(self, premise: Premise, hypothesis: str) -> str:
        """The id of a pair without a name: it stays the same when lines move."""
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
    """Reads gold labels as one file spells them, and refuses those its partition does not have."""

    def __init__(self, labels: LabelMap, partition: Partition) -> None:
        self._labels = labels
        self._partition = partition
        self._known: dict[str, LabelSet | None] = {}

    def read(self, value: object, file: RecordFile, number: int) -> LabelSet | None:
        """The gold label of a record, or none where raters found no majority."""
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
    """The parameters that files of pairs and files of ratings have in common: how they are read."""

    @property
    def format(self) -> str:
        """The name of a format, or empty for what the file's name says."""
        ...

    @property
    def split(self) -> str:
        """Which split of a folder with several."""
        ...

    @property
    def delimiter(self) -> str:
        """What separates fields, or empty for the format's own."""
        ...

    @property
    def quoting(self) -> bool | None:
        """Whether quotes enclose fields, or none for the format's own."""
        ...


def labelled_records(path: Path, options: ReadOptions, labels: LabelMap) -> list[RecordFile]:
    """The files of records behind a path; whoever declares codes means those in the file, not the dataset's names."""
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
    """The premise as one string that identifies it."""
    return premise.to_json() if isinstance(premise, Table) else premise


def value_of(record: Record, name: str, file: RecordFile, number: int) -> object:
    """The value in a column; JSON records need not all have the same columns."""
    if name in record:
        return record[name]
    return record[column(record, [name], file.where(number))]


def text_of(record: Record, name: str, what: str, file: RecordFile, number: int) -> str:
    """The text in a column, as it is; an empty one is an error, for nothing can be inferred from it."""
    value = value_of(record, name, file, number)
    if not isinstance(value, str) and value is not None:
        raise DataError(f"{file.where(number)}: the {what} in column '{name}' is not a text, but {value!r:.60}.")
    if value is None or not value.strip():
        raise DataError(f"{file.where(number)}: the {what} in column '{name}' is empty.")
    return value


def facets_of(record: Mapping[str, object], names: Iterable[str]) -> tuple[Facet, ...]:
    """The facets in some columns; a list gives many values, nothing gives none."""
    facets: list[Facet] = []
    for name in names:
        value = record.get(name)
        items = value if isinstance(value, list | tuple) else [value]
        facets.extend(Facet(name, str(item)) for item in items if item is not None and str(item).strip())
    return tuple(facets)
