"""InfoTabS: hypotheses about Wikipedia infoboxes (Gupta et al. 2020)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from pathlib import Path

from nliprobe.corpora import CORPORA
from nliprobe.corpora._base import Corpus, Split
from nliprobe.corpora._fields import Golds, PairIds, text_of, value_of
from nliprobe.corpora._records import Format, RecordFile
from nliprobe.corpora._tables import TableFolder
from nliprobe.task.labels import LabelMap
from nliprobe.task.pair import Facet, Pair

_NAMES = {"alpha1": "test_alpha1", "alpha2": "test_alpha2", "alpha3": "test_alpha3"}


@CORPORA.register("infotabs")
class InfoTabs(Corpus):
    """InfoTabS as in its repository: pairs in ``maindata``, tables and their categories in ``tables``.

    The pairs have no ids and four training contents carry two labels, so a pair's id is its row. Three
    tables give the key "Years active" twice; such a key becomes one row with the values of both.
    """

    name_ = "infotabs"
    title = "InfoTabS: inference over infobox tables"
    home = "https://github.com/infotabs/infotabs"
    licence = "Apache-2.0"
    splits = {
        "train": Split(16_538),
        "dev": Split(1_800),
        "alpha1": Split(1_800),
        "alpha2": Split(1_800),
        "alpha3": Split(1_800),
    }
    folders = ("infotabs", "infotabs/data", "data")

    @classmethod
    def wanted(cls, split: str) -> Sequence[Sequence[str]]:
        """The pairs, the categories and the tables."""
        pairs = f"maindata/infotabs_{_NAMES.get(split, split)}.tsv"
        return [[pairs], ["tables/table_categories.tsv"], ["tables/json/*.json"]]

    @cached_property
    def tables(self) -> TableFolder:
        """The tables by id, each read when first asked for."""
        file = RecordFile(self.found(1)[0], Format.TSV)
        categories = {
            text_of(record, "table_id", "table", file, number): text_of(record, "category", "category", file, number)
            for number, record in file.records()
        }
        return TableFolder(self.folder / "tables" / "json", categories, merge_repeated=True)

    def files(self) -> list[Path]:
        """The pairs, the categories, and the tables that the pairs name (not all 2,719)."""
        file = self._pairs_file()
        places: dict[str, str] = {}
        for number, record in file.records():
            places.setdefault(text_of(record, "table_id", "table", file, number), file.where(number))
        tables = [self.tables.path(name, place) for name, place in places.items()]
        return [file.path, *self.found(1), *tables]

    def pairs(self) -> Iterator[Pair]:
        """The pairs, in the order of the file; all pairs of a table share one table object."""
        file = self._pairs_file()
        ids = PairIds(self.name)
        golds = Golds(LabelMap(), self.partition)
        for index, (number, record) in enumerate(file.records()):
            name = text_of(record, "table_id", "table", file, number)
            table = self.tables.get(name, file.where(number))
            facets = [Facet("author", text_of(record, "annotater_id", "author", file, number))]
            if table.category:
                facets.append(Facet("category", table.category))
            yield Pair(
                ids.official(str(index)),
                table,
                text_of(record, "hypothesis", "hypothesis", file, number),
                golds.read(value_of(record, "label", file, number), file, number),
                name,
                facets=(*facets, Facet("table", name)),
            )

    def _pairs_file(self) -> RecordFile:
        # Hypotheses contain quotes: the TSV format reads them as plain characters.
        return RecordFile(self.found(0)[0], Format.TSV)
