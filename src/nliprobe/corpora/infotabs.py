"""InfoTabS: hypotheses about Wikipedia infoboxes (Gupta et al. 2020)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from pathlib import Path

from nliprobe.base.records.read import Format, Quotes, Record, RecordFile
from nliprobe.corpora import CORPORA
from nliprobe.corpora._parts import Golds, PairIds, TableFolder, text_of, value_of
from nliprobe.corpora.base import Corpus, Split
from nliprobe.task.labels import LabelMap
from nliprobe.task.pair import Facet, Pair

_NAMES = {"alpha1": "test_alpha1", "alpha2": "test_alpha2", "alpha3": "test_alpha3"}
# Pairs whose kinds of reasoning three experts agreed on. reasoning-dev has pairs of dev; reasoning-alpha3 has tables
# of its own, T2246 to T2269, which are in no other split.
_REASONED = {"reasoning-dev": "dev", "reasoning-alpha3": "test_alpha3"}
# The 18 tables of train whose rows five raters marked (evidence-probes §5): the released sample has all their pairs.
# Results on these marks need a model that was trained without the tables.
_SAMPLE_TABLES = "T54 T108 T317 T344 T397 T469 T480 T485 T613 T697 T801 T808 T914 T1110 T1322 T1353 T1453 T1976"
SAMPLE_TABLES = frozenset(_SAMPLE_TABLES.split())
_SAMPLE, _WITHOUT_SAMPLE = "train-sample", "train-without-sample"
_PARTS = {_SAMPLE: "train", _WITHOUT_SAMPLE: "train"}

# Fields that a CSV writer quoted: quotation marks around them, and all of those inside doubled.
_CSV_QUOTED = re.compile(r'"(?:[^"]|"")+"')
# Author, table and hypothesis identify a pair, because it has no id.
_Key = tuple[str, str, str]


@CORPORA.register("infotabs")
class InfoTabs(Corpus):
    """InfoTabS: hypotheses about Wikipedia infoboxes, as its repository has them.

    Pairs are in the folder ``maindata``, tables and their categories in ``tables``. The kinds of reasoning (the
    experts' consensus, section 5 of the paper) become the multi-valued facet ``reasoning`` and their number the facet
    ``types``; the folder ``reasoning`` may be missing.

    The pairs have no ids and four training contents have two labels, so a pair's id is its row. Three
    tables have the key "Years active" twice; such a key becomes one row with the values of both. 99 hypotheses of the
    released files are quoted as in CSV (85 of train, 5 of dev, 9 of the test splits); they are read without that
    quoting, so that models see what a person would read.

    ``train-sample`` has the 140 pairs of train whose rows people marked (:data:`SAMPLE_TABLES`), and
    ``train-without-sample`` all others; a pair's number is its row in train in both. ``?evidence=gold`` adds the marks.
    """

    corpus_name = "infotabs"
    title = "InfoTabS: inference over infobox tables"
    home = "https://github.com/infotabs/infotabs"
    licence = "Apache-2.0"
    splits = {
        "train": Split(16_538),
        "dev": Split(1_800),
        "alpha1": Split(1_800),
        "alpha2": Split(1_800),
        "alpha3": Split(1_800),
        "reasoning-dev": Split(160),
        "reasoning-alpha3": Split(160),
        _SAMPLE: Split(140),
        _WITHOUT_SAMPLE: Split(16_398),
    }
    folders = ("infotabs", "infotabs/data", "data")
    version = 3  # 2: kinds of reasoning as facets; 3: hypotheses without the quoting of CSV

    @classmethod
    def wanted(cls, split: str) -> Sequence[Sequence[str]]:
        """Name the pairs, the categories and the tables."""
        folder, name = ("reasoning", _REASONED[split]) if split in _REASONED else ("maindata", _file_name(split))
        pairs = f"{folder}/infotabs_{name}.tsv"
        return [[pairs], ["tables/table_categories.tsv"], ["tables/json/*.json"]]

    @cached_property
    def tables(self) -> TableFolder:
        """The tables by id, each read at its first use."""
        path = self.files_at(1)[0]
        return TableFolder(self.folder / "tables" / "json", _categories(path, path.stat().st_mtime_ns), infoboxes=True)

    @cached_property
    def reasoning(self) -> Mapping[_Key, tuple[str, ...]]:
        """The kinds of reasoning that pairs need, by author, table and hypothesis; empty if not annotated."""
        file = self._reasoning_file()
        if file is None:
            return {}
        kinds_by_pair: dict[_Key, tuple[str, ...]] = {}
        for number, record in file.records():
            author = text_of(record, "annotater_id", "author", file, number)
            table = text_of(record, "table_id", "table", file, number)
            kinds = text_of(record, "consensus", "consensus", file, number).split(",")
            kinds_by_pair[author, table, _hypothesis(record, file, number)] = tuple(
                dict.fromkeys(kind.strip() for kind in kinds if kind.strip())
            )
        return kinds_by_pair

    def files(self) -> list[Path]:
        """Return the pairs, their kinds of reasoning, the categories, and the tables they name (not all 2,719)."""
        file = self._pairs_file()
        places: dict[str, str] = {}
        for number, record in file.records():
            if record.get("table_id") in places:
                continue
            name = text_of(record, "table_id", "table", file, number)
            if self._holds(name):
                places[name] = file.where(number)
        tables = [self.tables.path(name, place) for name, place in places.items()]
        reasoned = self._reasoning_file()
        others = [] if reasoned is None or reasoned.path == file.path else [reasoned.path]
        return [file.path, *others, *self.files_at(1), *tables]

    def pairs(self) -> Iterator[Pair]:
        """Yield the pairs in the order of the file; all pairs of a table share one table object."""
        file = self._pairs_file()
        ids = PairIds(self.name)
        golds = Golds(LabelMap(), self.partition)
        for index, (number, record) in enumerate(file.records()):
            name = text_of(record, "table_id", "table", file, number)
            if not self._holds(name):
                continue
            table = self.tables.get(name, file.where(number))
            author = text_of(record, "annotater_id", "author", file, number)
            hypothesis = _hypothesis(record, file, number)
            facets = [Facet("author", author)]
            if table.category:
                facets.append(Facet("category", table.category))
            if kinds := self.reasoning.get((author, name, hypothesis)):
                facets += [*(Facet("reasoning", kind) for kind in kinds), Facet("types", str(len(kinds)))]
            yield Pair(
                ids.official(str(index)),
                table,
                hypothesis,
                golds.read(value_of(record, "label", file, number), file, number),
                name,
                facets=(*facets, Facet("table", name)),
            )

    def _holds(self, table: str) -> bool:
        """Tell whether a table of the file belongs to the split."""
        return self.split not in _PARTS or (table in SAMPLE_TABLES) == (self.split == _SAMPLE)

    def _pairs_file(self) -> RecordFile:
        return _as_it_is(self.files_at(0)[0])

    def _reasoning_file(self) -> RecordFile | None:
        name = _REASONED.get(self.split, "dev" if self.split == "dev" else "")
        path = self.folder / "reasoning" / f"infotabs_{name}.tsv"
        return _as_it_is(path) if name and path.is_file() else None


def _file_name(split: str) -> str:
    return _NAMES.get(split) or _PARTS.get(split, split)


def _as_it_is(path: Path) -> RecordFile:
    # Read without quoting: a stray quotation mark must not join or lose fields.
    return RecordFile(path, Format.TSV, delimiter="\t", quotes=Quotes.OFF)


@lru_cache(maxsize=4)  # one file for all splits
def _categories(path: Path, changed: int) -> Mapping[str, str]:
    """Return the category of each table; ``changed`` is when the file was last written."""
    file = _as_it_is(path)
    return {
        text_of(record, "table_id", "table", file, number): text_of(record, "category", "category", file, number)
        for number, record in file.records()
    }


def _hypothesis(record: Record, file: RecordFile, number: int) -> str:
    return plain_hypothesis(text_of(record, "hypothesis", "hypothesis", file, number))


def plain_hypothesis(text: str) -> str:
    """Return a hypothesis as a person would read it: without the quoting of CSV, and otherwise unchanged.

    >>> plain_hypothesis('"It is called ""The Road""."')
    'It is called "The Road".'
    """
    return text[1:-1].replace('""', '"') if _CSV_QUOTED.fullmatch(text) else text
