"""SciTab: claims from papers about their tables (Lu et al. 2023)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from nliprobe.base.errors import DataError
from nliprobe.base.hashing import digest
from nliprobe.base.records.read import Format, RecordFile
from nliprobe.corpora import CORPORA
from nliprobe.corpora._parts import Golds, PairIds, facets_of, grid, text_of, value_of
from nliprobe.corpora.base import Corpus, Split
from nliprobe.task.labels import LabelMap
from nliprobe.task.pair import Pair
from nliprobe.task.table import Table

# Layout marks from the papers' sources; "<u>" and "[URL]" are content (an unknown word, an address).
_MARKERS = re.compile(r"\[(?:BOLD|ITALIC|EMPTY|CONTINUE)\]\s*|</?(?:bold|italic|ref)(?:\s[^<>]*)?>")


@CORPORA.register("scitab")
class SciTab(Corpus):
    """SciTab: claims about the tables of scientific papers."""

    corpus_name = "scitab"
    title = "SciTab: claims about the tables of scientific papers"
    home = "https://github.com/XinyuanLu00/SciTab"
    licence = "MIT"
    splits = {"all": Split(1_224)}
    folders = ("scitab", "SciTab", "SciTab/dataset")

    @classmethod
    def wanted(cls, split: str) -> Sequence[Sequence[str]]:
        """Name one file."""
        return [["sci_tab.json", "dataset/sci_tab.json"]]

    def pairs(self) -> Iterator[Pair]:
        """Yield the pairs in the order of the file; all claims about a table share one table object."""
        file = RecordFile(self.files_at(0)[0], Format.JSON)
        ids = PairIds(self.name)
        golds = Golds(LabelMap(), self.partition)
        tables: dict[str, Table] = {}
        for number, record in file.records():
            place = file.where(number)
            caption = clean(text_of(record, "table_caption", "caption", file, number))
            columns = _cells(value_of(record, "table_column_names", file, number), place)
            rows = value_of(record, "table_content_values", file, number)
            if not isinstance(rows, list):
                raise DataError(f"{place}: the table should be an array of rows.")
            # By content, because three table ids name two different tables each.
            key = digest(caption, repr(columns), repr(rows))
            if key not in tables:
                tables[key] = grid(caption, columns, [_cells(row, place) for row in rows], place=place)
            yield Pair(
                ids.official(text_of(record, "id", "id", file, number)),
                tables[key],
                clean(text_of(record, "claim", "claim", file, number)),
                golds.read(value_of(record, "label", file, number), file, number),
                text_of(record, "table_id", "table id", file, number),
                facets=facets_of(record, ["paper"]),
            )


def clean(text: str) -> str:
    """Remove the marks of layout from a cell, caption or claim.

    >>> clean("[BOLD] 0.93"), clean("[EMPTY]"), clean("CoNLL <italic>F</italic>1")
    ('0.93', '', 'CoNLL F1')
    """
    return _MARKERS.sub("", text).strip()


def _cells(row: object, place: str) -> list[str]:
    if not isinstance(row, list):
        raise DataError(f"{place}: a row of the table should be an array of cells.")
    return [clean(str(cell)) for cell in row]
