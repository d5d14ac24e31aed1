"""Hypotheses about imported tables."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from tests.fuzz.harness import Target
from tests.fuzz.targets._attempts import attempt

from nliprobe.corpora.infobox.hypotheses import pair_lines, read_hypotheses
from nliprobe.corpora.infobox.notes import Notes
from nliprobe.corpora.infobox.read import Imported
from nliprobe.task.table import Row, Table

_TABLES = [
    Imported("k2", Table("K2", (Row("Height", ("8,611 m",)),), "Mountain"), "k2.json"),
    Imported("tarn", Table("Tarn", (Row("Population", ("12,000",)),)), "tarn.json", "Census"),
]
_SEEDS = (
    "table,title,hypothesis,label,author\nk2,K2,K2 is high.,entailment,ann\nTarn,,Tarn is large.,neutral,\n",
    '{"table": "k2", "hypothesis": "K2 is low.", "label": 2}\n{"table": "tarn", "claim": "x", "label": null}\n',
    "table;claim;gold\nk2;Höher als 8000 m;0\ntarn;x;1\n",
)


def _seeds() -> list[bytes]:
    return [seed.encode() for seed in _SEEDS]


def _run(data: bytes, folder: Path) -> None:
    for name in ("x.csv", "x.jsonl", "x.json"):
        path = folder / name
        path.write_bytes(data)
        for options in ("", "?label=none", "?hypothesis=claim&labels=entailment,neutral,contradiction"):
            attempt(partial(_read, f"{path}{options}", _TABLES), partial(_read, f"{path}{options}", _TABLES[:1]))


def _read(source: str, tables: list[Imported]) -> None:
    pair_lines(read_hypotheses(source, tables, Notes()), sections=True).encode()


TARGET = Target("hypotheses_file", _seeds, _run)
