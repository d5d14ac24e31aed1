"""TabFact: statements about Wikipedia tables with many columns (Chen et al. 2020)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from nliprobe.base.errors import DataError
from nliprobe.base.records.text import parse_json, read_text
from nliprobe.corpora import CORPORA
from nliprobe.corpora._grids import GridStore
from nliprobe.corpora._parts import PairIds
from nliprobe.corpora.base import Corpus, Split, first_match
from nliprobe.task.labels import C, E, Partition
from nliprobe.task.pair import Facet, Pair

# The official tokenised statements mark linked cells: "#new york;3,1#" means "new york".
_LINK = re.compile(r"#([^#;]+);-?\d+,-?\d+#")
_PARENT = {"test-simple": "test", "test-complex": "test", "small-test": "test"}
_SELECTIONS = {
    "test-simple": ("simple_ids.json", "data/simple_ids.json"),
    "test-complex": ("complex_ids.json", "data/complex_ids.json"),
    "small-test": ("small_test_id.json", "data/small_test_id.json"),
}
_GOLDS = {1: E, 0: C}


class _Statements(NamedTuple):
    texts: list[str]
    labels: list[int]
    caption: str


@CORPORA.register("tabfact")
class TabFact(Corpus):
    """TabFact: statements about Wikipedia tables with many columns.

    Statements that are not lemmatised are preferred, if their file is there. ``test-simple`` and ``test-complex`` are
    the two rounds of collection; ``small-test`` is the part on which people were measured.
    """

    corpus_name = "tabfact"
    title = "TabFact: statements about many-column Wikipedia tables"
    home = "https://github.com/wenhuchen/Table-Fact-Checking"
    licence = "MIT"
    splits = {
        "train": Split(92_283),
        "val": Split(12_792),
        "test": Split(12_779),
        "test-simple": Split(4_171),
        "test-complex": Split(8_608),
        "small-test": Split(1_998),
    }
    folders = ("tabfact", "Table-Fact-Checking")
    gold_partition = Partition.parse("E|C")

    @classmethod
    def wanted(cls, split: str) -> Sequence[Sequence[str]]:
        """Name the statements, the tables, and the list of tables if the split is a part of another."""
        stem = f"{_PARENT.get(split, split)}_examples.json"
        statements = [f"gnn_{stem}", f"tokenized_data/{stem}", stem]
        tables = ["all_csv/*.csv", "data/all_csv/*.csv", "all_csv.tar.gz", "data/all_csv.tar.gz"]
        return [statements, tables, *([_SELECTIONS[split]] if split in _SELECTIONS else [])]

    @cached_property
    def tables(self) -> GridStore:
        """The tables by name."""
        folders = [self.folder / "all_csv", self.folder / "data" / "all_csv"]
        present = next((folder for folder in folders if folder.is_dir()), None)
        return GridStore(present or self.files_at(1)[0])

    def files(self) -> list[Path]:
        """Return the statements, the lists of tables, and the tables that the statements name."""
        lists = [path for names in _SELECTIONS.values() for path in first_match(self.folder, names)]
        return [self.files_at(0)[0], *lists, *self.tables.files(list(self._statements()))]

    def pairs(self) -> Iterator[Pair]:
        """Yield the pairs in the order of the file; all statements about a table share one table object."""
        ids = PairIds(self.name)
        rounds = dict.fromkeys(self._listed("test-complex"), "complex")
        rounds.update((name, "simple") for name in self._listed("test-simple"))
        statements = self._statements()
        place = str(self.files_at(0)[0])
        self.tables.load(list(statements))
        for name, (texts, labels, caption) in statements.items():
            table = self.tables.get(name, caption, place)
            facets = (Facet("complexity", rounds[name]),) if name in rounds else ()
            for index, (text, label) in enumerate(zip(texts, labels, strict=True)):
                hypothesis = _LINK.sub(r"\1", text)
                if not hypothesis.strip():
                    raise DataError(f"{place}: statement {index + 1} about {name} is empty.")
                if label not in _GOLDS:
                    raise DataError(f"{place}: unknown label {label!r} of statement {index + 1} about {name}.")
                yield Pair(ids.official(f"{name}/{index}"), table, hypothesis, _GOLDS[label], name, facets=facets)

    def _statements(self) -> dict[str, _Statements]:
        path = self.files_at(0)[0]
        content = parse_json(read_text(path), str(path))
        if not isinstance(content, dict) or not content:
            raise DataError(f"{path}: expected a JSON object from table names to statements.")
        chosen = set(self._listed(self.split)) if self.split in _SELECTIONS else content.keys()
        return {name: _entry(entry, f"{path}, '{name}'") for name, entry in content.items() if name in chosen}

    def _listed(self, selection: str) -> list[str]:
        path = next(iter(first_match(self.folder, _SELECTIONS[selection])), None)
        if path is None:
            return []
        names = parse_json(read_text(path), str(path))
        if not isinstance(names, list):
            raise DataError(f"{path}: expected a JSON array of table names.")
        return [str(name) for name in names]


def _entry(entry: object, place: str) -> _Statements:
    """Read [statements, labels, caption]; files from the graph model have linked columns after the statements."""
    if isinstance(entry, list) and len(entry) in (3, 4):
        texts, labels, caption = entry[0], entry[-2], entry[-1]
        if isinstance(texts, list) and isinstance(labels, list) and isinstance(caption, str):
            if len(texts) != len(labels):
                raise DataError(f"{place}: {len(texts)} statements, but {len(labels)} labels.")
            return _Statements([str(text) for text in texts], labels, caption)
    raise DataError(f"{place}: expected [statements, labels, caption].")
