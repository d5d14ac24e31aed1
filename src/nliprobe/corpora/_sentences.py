"""The base of corpora of sentence pairs: columns, label codes, ids and groups."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import ClassVar

from nliprobe.base.hashing import digest
from nliprobe.base.records.columns import column, guess_column
from nliprobe.base.records.files import guess_format
from nliprobe.base.records.read import Record, RecordFile
from nliprobe.corpora._parts import Golds, PairIds, facets_of, text_of, value_of
from nliprobe.corpora.base import Corpus
from nliprobe.task.labels import LabelMap
from nliprobe.task.pair import Facet, Pair

# The official text files end with up to five raters' labels; a line may have fewer.
RATERS = tuple(f"label{index}" for index in range(1, 6))


def official_names(stem: str) -> list[str]:
    """Return the possible names of an official file, JSON lines first because they have the most columns."""
    return [stem + suffix for suffix in (".jsonl", ".jsonl.gz", ".txt", ".csv")]


class SentenceCorpus(Corpus):
    """A corpus of sentence pairs, one record per pair."""

    premise_columns: ClassVar[Sequence[str]] = ("sentence1", "premise", "context")
    hypothesis_columns: ClassVar[Sequence[str]] = ("sentence2", "hypothesis")
    label_columns: ClassVar[Sequence[str]] = ("gold_label", "label")
    id_columns: ClassVar[Sequence[str]] = ("pairID", "uid")
    facet_columns: ClassVar[Sequence[str]] = ()
    # The codes of the copies on the Hugging Face hub.
    labels: ClassVar[LabelMap] = LabelMap({"0": "E", "1": "N", "2": "C"})

    def record_files(self) -> list[RecordFile]:
        """Return the files of the split, each with its format."""
        return [RecordFile(path, guess_format(path), optional=RATERS) for path in self.files()]

    def group_of(self, record: Record, name: str, premise: str) -> str:
        """Return what dependent pairs share; by default, their premise."""
        return digest(premise)

    def facets_of_split(self) -> tuple[Facet, ...]:
        """Return the facets that all pairs of the split have; by default, none."""
        return ()

    def pairs(self) -> Iterator[Pair]:
        """Yield the pairs in the order of the files."""
        ids = PairIds(self.name)
        golds = Golds(self.labels, self.partition)
        for file in self.record_files():
            yield from self._pairs_of(file, ids, golds)

    def _pairs_of(self, file: RecordFile, ids: PairIds, golds: Golds) -> Iterator[Pair]:
        premise_column = ""
        shared = self.facets_of_split()
        for number, record in file.records():
            if not premise_column:
                place = file.where(number)
                premise_column = column(record, self.premise_columns, place)
                hypothesis_column = column(record, self.hypothesis_columns, place)
                label_column = column(record, self.label_columns, place)
                id_column = guess_column(record, self.id_columns)
            premise = text_of(record, premise_column, "premise", file, number)
            hypothesis = text_of(record, hypothesis_column, "hypothesis", file, number)
            name = str(record.get(id_column) or "") if id_column else ""
            yield Pair(
                ids.official(name) if name else ids.content(premise, hypothesis),
                premise,
                hypothesis,
                golds.read(value_of(record, label_column, file, number), file, number),
                self.group_of(record, name, premise),
                facets=shared + facets_of(record, self.facet_columns),
            )
