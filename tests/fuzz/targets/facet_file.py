"""Files of facets, for pairs of a corpus."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from tests.fuzz.harness import Target
from tests.fuzz.targets._attempts import attempt, require_pairs_can_be_written

from nliprobe.corpora.held import HeldPairs
from nliprobe.task.faceted import attach_facets
from nliprobe.task.pair import Pair

_SEEDS = (
    "pair_id,guessable,score\nown/1,yes,0.50\nown/2,no,0.07\nown/1#2,no,007\n",
    "id;name;value\n1;kind;a\n1;kind;b\n2;size;\n",
    '{"pair_id": "own/1", "tags": ["x", "\\ud83d\\ude00"], "n": 1.0}\n{"pair_id": "own/2", "other": null}\n',
    '[{"uid": 1, "a": true}, {"uid": 2.0, "a": {"b": 1}}]',
)
_PAIRS = HeldPairs.of_pairs("own", [Pair("own/1", "p", "h"), Pair("own/2", "p", "h"), Pair("own/1#2", "q", "h")])


def _seeds() -> list[bytes]:
    return [seed.encode() for seed in _SEEDS]


def _run(data: bytes, folder: Path) -> None:
    for name in ("x.csv", "x.tsv", "x.jsonl", "x.json", "x.parquet"):
        path = folder / name
        path.write_bytes(data)
        attempt(partial(_attach, path))


def _attach(path: Path) -> None:
    source = attach_facets(_PAIRS, f"file:{path}")
    source.digest()
    counted = source.coverage()
    assert counted.with_facets <= counted.pairs == 3
    require_pairs_can_be_written(source.pairs())


TARGET = Target("facet_file", _seeds, _run)
