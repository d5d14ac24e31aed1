"""Read pairs from a user's own file: ``file:my.csv?premise=text&label=y``."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from pathlib import Path

from nliprobe.base.errors import DataError, UsageError
from nliprobe.base.hashing import digest, digest_files
from nliprobe.base.records.columns import column, guess_column
from nliprobe.base.records.files import RecordFile, content_files
from nliprobe.base.records.lines import Record, parse_json
from nliprobe.base.spec import Spec
from nliprobe.corpora import CORPORA
from nliprobe.corpora._derived import DerivedRows
from nliprobe.corpora._fields import (
    Golds,
    PairIds,
    facets_of,
    labelled_records,
    parse_partition,
    premise_text,
    text_of,
    value_of,
)
from nliprobe.corpora._tables import TableFolder, table_at
from nliprobe.corpora.base import Corpus
from nliprobe.task.labels import LabelMap
from nliprobe.task.pair import Pair, Premise
from nliprobe.task.partitions import Partition
from nliprobe.task.table import Table

# The names of these columns in public files, the clearest names first.
PREMISE_NAMES = ("premise", "sentence1", "context", "text1", "premise_text", "evidence", "passage", "text", "table")
HYPOTHESIS_NAMES = ("hypothesis", "sentence2", "claim", "text2", "statement", "hypothesis_text")
LABEL_NAMES = ("label", "gold_label", "gold", "y", "labels", "target")
TABLE_NAMES = ("table_id", "table", "tableID", "table_name")


@dataclass(frozen=True, slots=True)
class FileOptions:
    """The parameters of ``file:``; empty parameters are guessed or not used.

    Attributes:
        premise: the column of the premise (a text, or an infobox as a JSON object).
        hypothesis: the column of the hypothesis.
        label: the column of the gold label.
        id: the column of ids, which must be distinct.
        labels: what the labels mean: ``entailment,neutral,contradiction`` for 0, 1, 2 or ``code:label;…``.
        group: the column that names the group of a pair; pairs of a group depend on one another.
        format: csv, tsv, jsonl, json, parquet or hf; by default, the file's name decides.
        split: the split to read from a folder with several.
        name: the name in reports; by default, the file's name without its extension.
        quoting: 0 if quotes are plain text, 1 if quoted fields may span lines.
        partition: how finely the labels are told apart, for example ``E|NC``.
        table: the column of table ids, with ``tables``.
        tables: the folder of tables ``<id>.json``.
        facets: columns to keep as facets, separated by semicolons.
        delimiter: what separates fields: a character, or tab, comma, semicolon, pipe.
        base: the column with the id of the earlier row that a row was made from, with ``id`` and ``expects``.
        expects: the column of rules, as JSON or in short (``same_label``, ``monotone E down``).
    """

    premise: str = ""
    hypothesis: str = ""
    label: str = ""
    id: str = ""
    labels: str = ""
    group: str = ""
    format: str = ""
    split: str = ""
    name: str = ""
    quoting: bool | None = None
    partition: str = "E|N|C"
    table: str = ""
    tables: str = ""
    facets: str = ""
    delimiter: str = ""
    base: str = ""
    expects: str = ""


_OPTIONS = [field.name for field in fields(FileOptions)]
# Options that were added later: they change the digest only if they are used.
_LATER = ("base", "expects")


@dataclass(frozen=True, slots=True)
class _Columns:
    """The columns of a file, chosen by the user or guessed from its first record."""

    premise: str
    hypothesis: str
    label: str | None
    id: str | None
    group: str | None
    facets: tuple[str, ...]


@CORPORA.register("file")
class FileCorpus(Corpus):
    """Your own file of pairs: CSV, TSV, JSON, JSON lines or Parquet."""

    corpus_name = "file"
    title = "your own file of pairs"
    home = "your own disk"
    licence = "yours"
    argument = "PATH"
    folders = ()

    def __init__(self, path: Path, options: FileOptions | None = None) -> None:
        self.options = options or FileOptions()
        self.path = path
        super().__init__(self.options.split, path.parent)
        self._labels = LabelMap.parse(self.options.labels) if self.options.labels else LabelMap()
        self._partition = parse_partition(self.options.partition, "file?partition")
        if self.options.table and not self.options.tables:
            raise UsageError(f"table={self.options.table} needs the folder of the tables: add tables=FOLDER.")
        if self.options.base and not (self.options.id and self.options.expects):
            raise UsageError(
                f"base={self.options.base} names rows by their ids and needs a rule for each: "
                "add id=COLUMN and expects=COLUMN."
            )
        self._embedded: dict[str, Table] = {}

    @classmethod
    def from_spec(cls, spec: Spec, roots: Sequence[Path]) -> Corpus:
        """Open the file that a spec string names; its path is relative to the working folder."""
        if spec.name != cls.corpus_name or not spec.argument:
            raise UsageError(f"'{spec}' does not name a file: write file:PATH.")
        return cls(Path(spec.argument), spec.build(FileOptions))

    @classmethod
    def wanted(cls, split: str) -> Sequence[Sequence[str]]:
        """Return nothing, because the user names the file."""
        return []

    @property
    def name(self) -> str:
        """The chosen name, or the file's name without its extensions and with the split, if one is chosen."""
        if self.options.name:
            return self.options.name
        stem = (self.path.resolve() if self.path.name in ("", "..") else self.path).name.removesuffix(".gz")
        stem = stem if self.path.is_dir() else Path(stem).stem
        return f"{stem}/{self.split}" if self.split else stem

    @property
    def partition(self) -> Partition:
        """How finely the gold labels are told apart."""
        return self._partition

    @cached_property
    def records(self) -> list[RecordFile]:
        """The file, or the shards of the folder."""
        return labelled_records(self.path, self.options, self._labels)

    @cached_property
    def tables(self) -> TableFolder:
        """The tables of the folder ``tables``."""
        return TableFolder(Path(self.options.tables))

    def files(self) -> list[Path]:
        """Return the file, what describes its columns, and the tables it names."""
        files = content_files(self.records)
        if self.options.tables:
            places: dict[str, str] = {}
            for file in self.records:
                columns: _Columns | None = None
                for number, record in file.records():
                    columns = columns or self._columns(record, file.where(number))
                    places.setdefault(_plain(value_of(record, columns.premise, file, number)), file.where(number))
            files += [self.tables.path(name, place) for name, place in places.items()]
        return files

    def digest(self) -> str:
        """Return a hash of the files and the options, but not of where the files are."""
        options = [f"{key}={getattr(self.options, key)}" for key in _OPTIONS if self._counts(key)]
        return digest(self.name, str(self.version), *options, digest_files(self.files()))

    def _counts(self, option: str) -> bool:
        return option != "tables" and (option not in _LATER or bool(getattr(self.options, option)))

    def pairs(self) -> Iterator[Pair]:
        """Yield the pairs in the order of the file."""
        derived = DerivedRows(self.options.base, self.options.expects)
        ids = PairIds(self.name)
        golds = Golds(self._labels, self.partition)
        seen: dict[str, str] = {}
        for file in self.records:
            columns: _Columns | None = None
            for number, record in file.records():
                columns = columns or self._columns(record, file.where(number))
                premise, group = self._premise(record, columns, file, number)
                hypothesis = text_of(record, columns.hypothesis, "hypothesis", file, number)
                name = _id(record, columns.id, file, number, seen) if columns.id else ""
                pair_id = ids.official(name) if name else ids.content(premise, hypothesis)
                origin = derived.read(record, file.where(number))
                # The answer to a row depends on the row it was made from, so both are in one group.
                group = origin.group if origin.group and not columns.group else group
                if name:
                    derived.remember(name, pair_id, group)
                yield Pair(
                    pair_id,
                    premise,
                    hypothesis,
                    golds.read(value_of(record, columns.label, file, number), file, number) if columns.label else None,
                    group,
                    facets=facets_of(record, columns.facets),
                    bases=origin.bases,
                    expects=origin.expects,
                )
        derived.require(str(self.path))

    def _columns(self, record: Record, place: str) -> _Columns:
        options = self.options

        def needed(named: str, guesses: Sequence[str], what: str) -> str:
            return column(record, [named] if named else guesses, place, "" if named else what)

        def chosen(named: str) -> str | None:
            return column(record, [named], place) if named else None

        if options.tables:
            premise = needed(options.table, TABLE_NAMES, "table")
        else:
            premise = needed(options.premise, PREMISE_NAMES, "premise")
        return _Columns(
            premise,
            needed(options.hypothesis, HYPOTHESIS_NAMES, "hypothesis"),
            chosen(options.label) or guess_column(record, LABEL_NAMES),
            chosen(options.id),
            chosen(options.group),
            tuple(column(record, [name.strip()], place) for name in options.facets.split(";") if name.strip()),
        )

    def _premise(self, record: Record, columns: _Columns, file: RecordFile, number: int) -> tuple[Premise, str]:
        value = value_of(record, columns.premise, file, number)
        premise: Premise
        if self.options.tables:
            name = _plain(value)
            premise, group = self.tables.get(name, file.where(number)), name
        else:
            if isinstance(value, Mapping) or (isinstance(value, str) and value.lstrip().startswith('{"')):
                premise = self._table(value, file, number)
            else:
                premise = text_of(record, columns.premise, "premise", file, number)
            group = ""
        if columns.group:
            group = _plain(value_of(record, columns.group, file, number))
        return premise, group or digest(premise_text(premise))

    def _table(self, value: Mapping[str, object] | str, file: RecordFile, number: int) -> Table:
        text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
        table = self._embedded.get(text)
        if table is None:
            place = file.where(number)
            content = parse_json(value, place) if isinstance(value, str) else value
            table = self._embedded[text] = table_at(place, content)
        return table


def _id(record: Record, name: str, file: RecordFile, number: int, seen: dict[str, str]) -> str:
    value, place = _plain(value_of(record, name, file, number)), file.where(number)
    if not value:
        raise DataError(f"{place}: the id in column '{name}' is empty.")
    if value in seen:
        raise DataError(f"{place}: the id '{value}' is already that of {seen[value]}.")
    seen[value] = place
    return value


def _plain(value: object) -> str:
    return "" if value is None else str(value).strip()
