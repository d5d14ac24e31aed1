"""Silver evidence: the rows that a program ranked highest for each hypothesis of InfoTabS."""

from __future__ import annotations

import re
from collections.abc import Collection, Hashable, Mapping, Sequence
from functools import cached_property
from pathlib import Path

from nliprobe.base.errors import DataError, NotFoundError, UsageError
from nliprobe.base.hashing import digest, digest_files
from nliprobe.base.records.read import Format, Quotes, RecordFile
from nliprobe.base.registry import Spec
from nliprobe.corpora._parts import text_of
from nliprobe.corpora.evidence._released import infotabs_split, no_parameters, released
from nliprobe.corpora.infotabs import plain_hypothesis
from nliprobe.task.evidence import Evidence, Grade
from nliprobe.task.evidenced import EVIDENCE, Dropped, EvidenceSource, table_id
from nliprobe.task.pair import Pair
from nliprobe.task.source import PairSource
from nliprobe.task.table import Table

_FOLDERS = ("infotabs-row-ranking", ".")
_HOME = "https://github.com/aashnajena/infotabs"
_FILES = {
    "dev": "infotabs_dev_prune_rows.tsv",
    "alpha1": "infotabs_test_alpha1_prune_rows.tsv",
    "alpha2": "infotabs_test_alpha2_prune_rows.tsv",
    "alpha3": "infotabs_test_alpha3_prune_rows.tsv",
}
SIZES = (4, 6, 8, 12)
# The cells of the ranked rows: row of the web page's table, cell, columns that the cell spans.
_CELL = re.compile(r"\((\d+), \d+, \d+\)")

_Key = tuple[str, str]


@EVIDENCE.register("ranking-k")
class RankingEvidence(EvidenceSource):
    """The rows of the released sets ``top_4_rows`` to ``top_12_rows``, without their order, which is not released.

    The files number the rows of the web page's table, where 0 is the title and rows may stand that the JSON tables do
    not have. The numbers of a table are used only if they are verified: the largest set of one of its hypotheses has
    fewer than 12 rows and is therefore the whole table, and it holds exactly the title and the rows of the JSON table.
    The title is no evidence, so a set of 4 names 3 or 4 rows.
    """

    def __init__(self, size: int, path: Path) -> None:
        self.size = size
        self.path = path

    @classmethod
    def from_spec(cls, spec: Spec, whole: PairSource, roots: Sequence[Path]) -> EvidenceSource:
        """Find the ranking of the corpus's split."""
        no_parameters(spec)
        size = spec.name.rpartition("-")[2]
        if size not in map(str, SIZES):
            raise UsageError(f"The ranking has sets of 4, 6, 8 and 12 rows, not of '{size}': write ranking-4.")
        split = infotabs_split(whole)
        if split not in _FILES:
            raise NotFoundError(
                f"There is no ranking of the rows of {whole.name}. "
                f"Available: {', '.join(f'infotabs/{name}' for name in _FILES)}."
            )
        file = _FILES[split]
        return cls(int(size), released(roots, _FOLDERS, [file], "rankings of rows", _HOME) / file)

    @property
    def grade(self) -> Grade:
        """A program's guess."""
        return Grade.SILVER

    def files(self) -> list[Path]:
        """Return the ranking."""
        return [self.path]

    def digest(self) -> str:
        """Return a hash of the ranking and of the size of the sets."""
        return digest("ranking", "1", str(self.size), digest_files(self.files()))

    def entries(self) -> Collection[Hashable]:
        """Return tables and hypotheses."""
        return self._sets.keys()

    def entry(self, pair: Pair) -> Hashable:
        """Return the table and the hypothesis."""
        return table_id(pair), pair.hypothesis

    def look_up(self, pair: Pair) -> Evidence | Dropped | None:
        """Return the rows of a pair's set, if the numbers of its table are verified."""
        name = table_id(pair)
        rows = self._sets.get((name, pair.hypothesis))
        if rows is None or not isinstance(pair.premise, Table):
            return None
        whole = self._tables[name]
        if whole is None:
            return Dropped("no set of the ranking holds the whole table, so its row numbers cannot be verified")
        if whole != frozenset(range(len(pair.premise.rows) + 1)):
            return Dropped("the ranking numbers other rows than the table has")
        return Evidence(tuple(sorted(row - 1 for row in rows if row > 0)), Grade.SILVER)

    @cached_property
    def _read(self) -> tuple[Mapping[_Key, frozenset[int]], Mapping[str, frozenset[int] | None]]:
        sets: dict[_Key, frozenset[int]] = {}
        seen: dict[str, set[int]] = {}
        complete: set[str] = set()
        file = RecordFile(self.path, Format.TSV, delimiter="\t", quotes=Quotes.OFF)
        for number, record in file.records():
            table = text_of(record, "table_id", "table", file, number)
            hypothesis = plain_hypothesis(text_of(record, "hypothesis", "hypothesis", file, number))
            largest, wanted = (
                _rows(text_of(record, f"top_{size}_rows", "set of rows", file, number), file.where(number))
                for size in (SIZES[-1], self.size)
            )
            sets.setdefault((table, hypothesis), wanted)
            seen.setdefault(table, set()).update(largest)
            if len(largest) < SIZES[-1]:
                complete.add(table)
        return sets, {table: frozenset(rows) if table in complete else None for table, rows in seen.items()}

    @property
    def _sets(self) -> Mapping[_Key, frozenset[int]]:
        """The wanted set of each table and hypothesis, in the ranking's numbers."""
        return self._read[0]

    @property
    def _tables(self) -> Mapping[str, frozenset[int] | None]:
        """All row numbers of each table, or None where no set shows the whole table."""
        return self._read[1]


def _rows(text: str, place: str) -> frozenset[int]:
    cells = text.split("|")
    matches = [_CELL.fullmatch(cell.strip()) for cell in cells]
    if not all(matches):
        raise DataError(f"{place}: a set of rows should look like (0, 0, 2)|(1, 0, 1), not {text!r:.60}.")
    return frozenset(int(match[1]) for match in matches if match)
