"""SummEdits: edits of summaries that keep or break their consistency with the document (Laban et al. 2023)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from nliprobe.base.errors import DataError
from nliprobe.base.hashing import digest
from nliprobe.base.records.columns import column
from nliprobe.base.records.files import guess_format
from nliprobe.base.records.read import Record, RecordFile
from nliprobe.corpora import CORPORA
from nliprobe.corpora._parts import Golds, facets_of, text_of, value_of
from nliprobe.corpora.base import Corpus, Split
from nliprobe.task.labels import LabelMap, LabelSet, Partition
from nliprobe.task.pair import Facet, Pair

# Pairs per domain, as the paper and the files have them.
_DOMAINS = {
    "billsum": 853,
    "ectsum": 668,
    "news": 819,
    "podcast": 500,
    "qmsumm": 431,
    "sales_call": 520,
    "sales_email": 613,
    "samsum": 664,
    "scitldr": 466,
    "shakespeare": 814,
}
_ALL = "all"
_PREFIX = "summedits_"
_HUB = ["summedits.jsonl", "data/train-*.parquet", "default/train/*.parquet"]
# The unedited summary is called by the first name in the official files, by the second in the copy on the hub.
_SEED_COLUMNS = ("original_summary", "seed_summary")


class _Row(NamedTuple):
    place: str
    domain: str
    name: str
    document: str
    summary: str
    seed: str
    gold: LabelSet | None
    edit_types: tuple[Facet, ...]


@CORPORA.register("summedits")
class SummEdits(Corpus):
    """SummEdits: summaries of documents, consistent or not, most of them edits of a consistent seed summary.

    The seed summary of a document is a pair itself, and the base of the pairs whose summary was made from it. ``all``
    has the domains whose files are there.
    """

    corpus_name = "summedits"
    title = "SummEdits: edits of summaries that keep or break their consistency with the document"
    home = "https://github.com/salesforce/factualNLG"
    licence = "Apache-2.0"
    splits = {**{name: Split(size) for name, size in _DOMAINS.items()}, _ALL: Split(None)}
    folders = ("summedits", "factualNLG", "factualNLG/data/summedits")
    gold_partition = Partition.parse("E|NC")

    @classmethod
    def wanted(cls, split: str) -> Sequence[Sequence[str]]:
        """Name the file of a domain, or the files of all; the copy on the hub has all domains in one."""
        name = f"{_PREFIX}{'*' if split == _ALL else split}.json"
        return [[name, f"data/summedits/{name}", *_HUB]]

    @property
    def expected(self) -> Split:
        """How many pairs the files should hold; of ``all``, those that are there."""
        if self.split != _ALL:
            return super().expected
        domains = [path.stem.removeprefix(_PREFIX) for path in self.files() if path.stem.startswith(_PREFIX)]
        sizes = [_DOMAINS.get(domain) for domain in domains or _DOMAINS]
        return Split(None if None in sizes else sum(size or 0 for size in sizes))

    def pairs(self) -> Iterator[Pair]:
        """Yield the pairs in the order of the files, with each seed summary before the edits of it."""
        seen: dict[str, str] = {}
        for path in self.files():
            yield from self._of_file(RecordFile(path, guess_format(path)), seen)

    def _of_file(self, file: RecordFile, seen: dict[str, str]) -> Iterator[Pair]:
        rows = [row for row in self._rows(file) if self.split in (_ALL, row.domain)]
        if not rows:
            raise DataError(f"{file.path} has no pairs of the domain '{self.split}'.")
        families: dict[tuple[str, str], list[_Row]] = {}
        for row in rows:
            if row.name in seen:
                raise DataError(f"{row.place}: the id '{row.name}' is already that of {seen[row.name]}.")
            seen[row.name] = row.place
            families.setdefault((row.document, row.seed), []).append(row)
        for family in families.values():
            seed = next((row for row in family if row.summary == row.seed), None)
            if seed is not None:
                yield self._pair(seed, ())
            bases = () if seed is None else (self._id(seed),)
            for row in family:
                if row is not seed:
                    yield self._pair(row, bases)

    def _rows(self, file: RecordFile) -> Iterator[_Row]:
        golds = Golds(LabelMap({"1": "E", "0": "NC"}), self.partition)
        file_domain = file.path.stem.removeprefix(_PREFIX) if file.path.stem.startswith(_PREFIX) else ""
        for number, record in file.records():
            place = file.where(number)
            yield _Row(
                place,
                file_domain or text_of(record, "domain", "domain", file, number),
                text_of(record, "id", "id", file, number),
                text_of(record, "doc", "document", file, number),
                text_of(record, "summary", "summary", file, number),
                text_of(record, column(record, _SEED_COLUMNS, place), "seed summary", file, number),
                golds.read(value_of(record, "label", file, number), file, number),
                _edit_types(record, place),
            )

    def _id(self, row: _Row) -> str:
        return f"{self.name}/{row.name}"

    def _pair(self, row: _Row, bases: tuple[str, ...]) -> Pair:
        role = "seed" if row.summary == row.seed else "edited"
        facets = (Facet("domain", row.domain), Facet("summary", role), *row.edit_types)
        group = digest(row.document)
        return Pair(self._id(row), row.document, row.summary, row.gold, group, facets=facets, bases=bases)


def _edit_types(record: Record, place: str) -> tuple[Facet, ...]:
    value = record.get("edit_types")
    if value is not None and not isinstance(value, list):
        raise DataError(f"{place}: 'edit_types' should be a list, not {value!r:.60}.")
    return facets_of(record, ["edit_types"])
