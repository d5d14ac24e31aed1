"""Read pairs from a user's own file: ``file:my.csv?premise=text&label=y``."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import ClassVar

from nliprobe.base.errors import DataError, NliprobeError, UsageError
from nliprobe.base.halves import whole
from nliprobe.base.hashing import digest, digest_files
from nliprobe.base.limited import exists
from nliprobe.base.records.columns import guess_column, plain_name
from nliprobe.base.records.files import content_files
from nliprobe.base.records.options import ReadOptions
from nliprobe.base.records.read import Numbered, Record, RecordFile
from nliprobe.base.registry import Spec
from nliprobe.corpora import CORPORA
from nliprobe.corpora._cells import may_be_table, table_in_cell
from nliprobe.corpora._choice import SAMPLE, Columns, choose_columns, label_faults
from nliprobe.corpora._derived import DerivedRows
from nliprobe.corpora._file_evidence import COLUMN, EvidenceReader, joined_sentences
from nliprobe.corpora._parts import (
    Golds,
    PairIds,
    Sampled,
    TableFolder,
    facets_of,
    filled,
    labelled_records,
    parse_partition,
    premise_text,
    text_of,
    value_of,
    whole_table,
)
from nliprobe.corpora.base import Corpus
from nliprobe.corpora.executable import is_own, own_facets, own_options, program_of, written_as
from nliprobe.task.evidenced import attach_evidence, is_evidence
from nliprobe.task.faceted import FILE, attach_facets, facet_pieces
from nliprobe.task.labels import LabelMap, LabelSet, Partition
from nliprobe.task.pair import Pair, Premise, Span
from nliprobe.task.source import Source
from nliprobe.task.table import Table


@dataclass(frozen=True, slots=True)
class FileOptions(ReadOptions):
    """The parameters of ``file:``; empty parameters are guessed or not used.

    Attributes:
        premise: the column of the premise: a text, or a table as JSON or HTML.
        hypothesis: the column of the hypothesis.
        label: the column of the gold label, or ``none``.
        id: the column of ids, which must be distinct; by default one named id, pairID, uid or the like, if it is.
        labels: what the labels mean: ``entailment,neutral,contradiction`` for 0, 1, 2 or ``code:label;…``.
        group: the column that names the group of a pair; pairs of a group depend on one another.
        name: the name in reports; by default, the file's name without its extension.
        partition: how finely the labels are told apart, for example ``E|NC``.
        table: the column of table ids, with ``tables``.
        tables: the folder of tables, one per file: ``<id>.json``, ``.csv``, ``.tsv`` or ``.html``.
        facets: columns to keep as facets, and ``file:PATH`` for a file of facets, separated by semicolons.
        base: the column with the id of the earlier row that a row was made from, with ``id``; a row without a label
            also needs a rule (``expects``).
        expects: the column of rules, as JSON or in short (``same_label``, ``monotone E down``).
        header: the column of a table's header, if ``premise`` has only its rows.
        title: the column of a table's title, if the table does not hold it.
        sentences: the column of a premise that is a list of sentences; they are joined by spaces.
        evidence: the column of the rows or sentences that matter, with ``units`` and ``grade``; or evidence to attach,
            such as ``lexical`` (then ``column:NAME`` is a column of that name).
        units: how ``evidence`` names them: ``from0``, ``from1`` (numbers), ``keys`` or ``marks`` (0 and 1, the last one
            for knowledge from outside).
        grade: how the evidence is known: gold, edit or silver.
        outside: the column that says whether knowledge from outside the premise is needed, too.
        program: the column of the programs of executable hypotheses.
    """

    premise: str = ""
    hypothesis: str = ""
    label: str = ""
    id: str = ""
    labels: str = ""
    group: str = ""
    name: str = ""
    partition: str = "E|N|C"
    table: str = ""
    tables: str = ""
    facets: str = ""
    base: str = ""
    expects: str = ""
    header: str = ""
    title: str = ""
    sentences: str = ""
    evidence: str = ""
    units: str = ""
    grade: str = ""
    outside: str = ""
    program: str = ""


# The options in the digest, in an order that stays: the same files must continue the same runs.
_OPTIONS = (
    "premise", "hypothesis", "label", "id", "labels", "group", "format", "split", "name", "quoting", "partition",
    "table", "facets", "delimiter",
)  # fmt: skip
# Options that were added later: they change the digest only if they are used.
_LATER = (
    "base", "expects", "encoding", "header", "title", "sentences", "evidence", "units", "grade", "outside",
    "program",
)  # fmt: skip


# A user who gives one of these says what the columns mean.
_SAID = (
    "premise", "hypothesis", "label", "id", "group", "table", "tables", "base", "expects", "header", "title",
    "sentences", "evidence", "program",
)  # fmt: skip


@CORPORA.register("file")
class FileCorpus(Corpus):
    """Your own file of pairs: CSV, TSV, JSON, JSON lines or Parquet."""

    corpus_name = "file"
    title = "your own file of pairs"
    home = "your own disk"
    licence = "yours"
    argument = "PATH"
    folders = ()
    # 2: more columns are recognised, quoted fields may span lines: the same file may hold other pairs than before.
    version: ClassVar[int] = 2
    own_attached = True

    def __init__(self, path: Path, options: FileOptions | None = None) -> None:
        self.options = options or FileOptions()
        self.path = path
        super().__init__(self.options.split, path.parent)
        self._labels = LabelMap.parse(self.options.labels) if self.options.labels else LabelMap()
        self._partition = parse_partition(self.options.partition, "file?partition")
        if self.options.table and not self.options.tables:
            raise UsageError(f"table={self.options.table} needs the folder of the tables: add tables=FOLDER.")
        if self.options.base and not self.options.id:
            raise UsageError(f"base={self.options.base} names rows by their ids: add id=COLUMN.")
        self._evidence = EvidenceReader(self.options)
        self._embedded: dict[str, Table | None] = {}
        self._chosen: dict[str, Columns] = {}
        # Whether ids are whole already: those of pairs that nliprobe generated.
        self.own_ids = False

    @classmethod
    def from_spec(cls, spec: Spec, roots: Sequence[Path]) -> Source:
        """Open the file that a spec string names; its path is relative to the working folder."""
        if spec.name != cls.corpus_name or not spec.argument:
            raise UsageError(f"'{spec}' does not name a file: write file:PATH.")
        path, options = Path(spec.argument), spec.build(FileOptions)
        columns, files = _facet_names(options.facets)
        own = cls._own(path, replace(options, facets=";".join(columns)))
        if own is not None:
            return attach_facets(own, ";".join(files)) if files else own
        source = cls._with_evidence(path, replace(options, facets=";".join(columns)), roots)
        return attach_facets(source, ";".join(files)) if files else source

    @classmethod
    def _own(cls, path: Path, options: FileOptions) -> FileCorpus | None:
        """Open a file that ``nliprobe generate tables`` wrote, unless the user says what its columns mean."""
        if any(getattr(options, key) for key in _SAID) or not written_as(path):
            return None
        try:
            first = next((record for _, record in cls(path, options).records[0].records()), {})
        except NliprobeError:
            return None  # said again when the pairs are read
        if not is_own(first):
            return None
        corpus = cls(path, own_options(first, options))
        corpus.own_ids = True
        return corpus

    @classmethod
    def _with_evidence(cls, path: Path, options: FileOptions, roots: Sequence[Path]) -> Source:
        """Open the file, with evidence from elsewhere if the parameter names some that is no column."""
        if not options.evidence or options.units or options.grade or not is_evidence(options.evidence):
            corpus = cls(path, options)
            corpus._refuse_file_as_column()
            return corpus
        corpus = cls(path, replace(options, evidence=""))
        corpus._refuse_file_as_column()
        if guess_column(next(corpus.records[0].records())[1], [options.evidence]) is not None:
            raise UsageError(
                f"'{options.evidence}' is a column of {path} and also the name of evidence that can be attached. "
                f"Write evidence={COLUMN}{options.evidence} for the column, or rename it."
            )
        return attach_evidence(corpus, options.evidence, roots)

    @classmethod
    def wanted(cls, split: str) -> Sequence[Sequence[str]]:
        """Return nothing, because the user names the file."""
        return []

    @property
    def name(self) -> str:
        """The chosen name, or the file's name without its extensions and with the split, if one is chosen."""
        if self.options.name:
            return whole(self.options.name)
        stem = (self.path.resolve() if self.path.name in ("", "..") else self.path).name.removesuffix(".gz")
        stem = stem if self.path.is_dir() else Path(stem).stem
        # The name of a file may be any bytes, and those of ids and reports may not.
        return whole(f"{stem}/{self.split}" if self.split else stem)

    @property
    def partition(self) -> Partition:
        """How finely the gold labels are told apart."""
        return self._partition

    @property
    def executable(self) -> bool:  # type: ignore[override]  # read-only where it depends on parameters
        """Whether the file has a column of programs."""
        return bool(self.options.program)

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
                columns, records = self._read(file)
                for number, record in records:
                    places.setdefault(_plain(value_of(record, columns.premise, file, number)), file.where(number))
            files += self.tables.paths(places)
        return files

    def digest(self) -> str:
        """Return a hash of the files and the options, but not of where the files are."""
        used = [key for key in _LATER if getattr(self.options, key)]
        options = [f"{key}={getattr(self.options, key)}" for key in (*_OPTIONS, *used)]
        taken = self.taken()
        options += [f"id is {taken.id}"] if taken.guessed_id else []
        return digest(self.name, str(self.version), *options, digest_files(self.files()))

    def pairs(self) -> Iterator[Pair]:
        """Yield the pairs in the order of the file."""
        derived = DerivedRows(self.options.base, self.options.expects)
        ids = PairIds(self.name)
        golds = Golds(self._labels, self.partition)
        seen: dict[str, str] = {}
        for file in self.records:
            columns, records = self._read(file)
            for number, record in filled(records):
                place = file.where(number)
                premise, group, sentences = self._premise(record, columns, file, number)
                hypothesis = text_of(record, columns.hypothesis, "hypothesis", file, number)
                name = self._id(record, columns, file, number, seen)
                pair_id = name if self.own_ids else ids.official(name) if name else ids.content(premise, hypothesis)
                gold = self._gold(golds, record, columns.label, file, number) if columns.label else None
                origin = derived.read(record, place, labelled=gold is not None)
                # The answer to a row depends on the row it was made from, so both are in one group.
                group = origin.group if origin.group and not columns.group else group
                if name:
                    derived.remember(name, pair_id, group)
                yield Pair(
                    pair_id,
                    premise,
                    hypothesis,
                    gold,
                    group,
                    program=program_of(record, self.options.program, place) if self.options.program else None,
                    facets=(own_facets if self.own_ids else facets_of)(record, columns.facets),
                    evidence=self._evidence.read(record, premise, sentences, place),
                    bases=origin.bases,
                    expects=origin.expects,
                    sentences=sentences,
                )
        derived.require(str(self.path))

    def taken(self) -> Columns:
        """Return what the columns of the first file were taken for."""
        return self._read(self.records[0])[0]

    def notices(self) -> list[str]:
        """Say what the columns leave in doubt, one sentence per doubt; what must be asked is an error instead."""
        columns = self.taken()
        doubts = [
            f"Column '{name}' has the name of a label, but its values are not labels: it is not used."
            for name in columns.passed_over
        ]
        if columns.premise != self.options.premise and plain_name(columns.premise) == "evidence":
            doubts.append(
                f"Column '{columns.premise}' is taken for the premise. If it names the rows or sentences that matter, "
                f"say so: premise=COLUMN&evidence={columns.premise}."
            )
        return doubts

    def _read(self, file: RecordFile) -> tuple[Columns, Numbered]:
        """Return what the columns of a file mean, and all its records; the file is read once."""
        head = Sampled(file.records(), SAMPLE)
        columns = self._chosen.get(str(file.path))
        if columns is None:
            columns = self._chosen[str(file.path)] = choose_columns(
                [record for _, record in head.sample],
                self.options,
                self._labels,
                source=str(file.path),
                place=file.where(head.sample[0][0]),
                ask=self._ask,
            )
        return columns, head.records()

    def _refuse_file_as_column(self) -> None:
        """Say what to write if a facet is not a column but a file."""
        for name in filter(None, self.options.facets.split(";")):
            if exists(Path(name)) and guess_column(next(self.records[0].records())[1], [name]) is None:
                raise UsageError(
                    f"'{name}' is not a column of {self.path} but a file. To attach the facets in it, write "
                    f"facets=file:{name}."
                )

    def _ask(self, what: str, name: str) -> str:
        return f"{what}={name}"

    def _id(self, record: Record, columns: Columns, file: RecordFile, number: int, seen: dict[str, str]) -> str:
        if columns.id is None:
            return ""
        if columns.guessed_id:
            # Only its first values were looked at: one that comes again is numbered, and an empty one is no id.
            return _plain(record.get(columns.id))
        return _named_id(record, columns.id, file, number, seen)

    def _gold(self, golds: Golds, record: Record, name: str, file: RecordFile, number: int) -> LabelSet | None:
        value = value_of(record, name, file, number)
        try:
            return golds.read(value, file, number)
        except DataError as error:
            values = (row.get(name) for each in self.records for _, row in each.records())
            raise DataError(label_faults(error, values, name, self._labels)) from error

    def _premise(
        self, record: Record, columns: Columns, file: RecordFile, number: int
    ) -> tuple[Premise, str, tuple[Span, ...]]:
        value = value_of(record, columns.premise, file, number)
        title = _plain(value_of(record, self.options.title, file, number)) if self.options.title else ""
        premise: Premise
        sentences: tuple[Span, ...] = ()
        if self.options.sentences:
            premise, sentences = joined_sentences(value, columns.premise, file.where(number))
            group = ""
        elif self.options.tables:
            name = _plain(value)
            if self.tables.find(name) is None:
                self.files()  # names all tables that are missing, not only this one
            premise, group = self.tables.get(name, file.where(number), title), name
        else:
            header = value_of(record, self.options.header, file, number) if self.options.header else None
            table = self._table(value, header, title, file.where(number))
            premise = table or text_of(record, columns.premise, "premise", file, number)
            group = ""
        if columns.group:
            group = _plain(value_of(record, columns.group, file, number))
        return premise, group or digest(premise_text(premise)), sentences

    def _table(self, value: object, header: object, title: str, place: str) -> Table | None:
        """Return the table that a premise is, or None for a text; equal tables are one object."""
        if isinstance(value, Table):
            return whole_table(value)
        if isinstance(value, str) and not may_be_table(value):
            return None
        key = json.dumps([value, header, title], ensure_ascii=False, default=str)
        if key not in self._embedded:
            self._embedded[key] = table_in_cell(value, header, title, place)
        return self._embedded[key]


def _facet_names(text: str) -> tuple[list[str], list[str]]:
    """Return the columns and the files that ``facets=`` names."""
    pieces = facet_pieces(text)
    return [piece for piece in pieces if not piece.startswith(FILE)], [
        piece for piece in pieces if piece.startswith(FILE)
    ]


def _named_id(record: Record, name: str, file: RecordFile, number: int, seen: dict[str, str]) -> str:
    value, place = _plain(value_of(record, name, file, number)), file.where(number)
    if not value:
        raise DataError(f"{place}: the id in column '{name}' is empty.")
    if value in seen:
        raise DataError(f"{place}: the id '{value}' is already that of {seen[value]}.")
    seen[value] = place
    return value


def _plain(value: object) -> str:
    return "" if value is None else str(value).strip()
