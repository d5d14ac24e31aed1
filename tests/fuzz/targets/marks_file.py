"""Raters' marks of rows and files of evidence, for pairs of a corpus."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from tests.fuzz.harness import Target
from tests.fuzz.targets._attempts import attempt

from nliprobe.api.marks import marks
from nliprobe.corpora.held import HeldPairs
from nliprobe.people.clean_marks import CleaningRule
from nliprobe.task.evidenced import attach_evidence
from nliprobe.task.pair import Pair
from nliprobe.task.table import Row, Table

_SEEDS = (
    "table_id,hypothesis,rater,marks\nT1,It is long.,ann,010\nT1,It is long.,bob,011\nT1,It is old.,ann,100\n",
    '{"table_id": "T1", "hypothesis": "It is long.", "raters": ["ann", "bob"], "marks": ["010", "011"], '
    '"rows": ["Born", "Length", "none"], "majority": "010", "label": "E"}\n',
    'pair_id,evidence,units,grade,outside\nown/1,"[0, 1]",from0,gold,1\nown/2,1;2,from1,gold,0\n',
    '{"table_id": "T1", "hypothesis": "It is old.", "evidence": ["Born"], "units": "keys", "grade": "edit"}\n',
)
_TABLE = Table("X", (Row("Born", ("1900",)), Row("Length", ("2 m",))))
_PAIRS = HeldPairs.of_pairs(
    "own", [Pair("own/1", _TABLE, "It is long.", group="T1"), Pair("own/2", _TABLE, "It is old.", group="T1")]
)


def _seeds() -> list[bytes]:
    return [seed.encode() for seed in _SEEDS]


def _run(data: bytes, folder: Path) -> None:
    for name in ("x.csv", "x.tsv", "x.jsonl", "x.json"):
        path = folder / name
        path.write_bytes(data)
        attempt(partial(_measure, path, folder), partial(_attach, path))


def _measure(path: Path, folder: Path) -> None:
    marks([str(path)], rule=CleaningRule(below=0.5, least=1), export=folder / "e.csv", to_mark=folder / "again.jsonl")
    attach_evidence(_PAIRS, f"file:{folder / 'e.csv'}", []).coverage()


def _attach(path: Path) -> None:
    source = attach_evidence(_PAIRS, f"file:{path}", [])
    source.digest()
    for pair in source.pairs():
        if pair.evidence is not None:
            assert all(unit < len(_TABLE.rows) for unit in pair.evidence.units)


TARGET = Target("marks_file", _seeds, _run)
