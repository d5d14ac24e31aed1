"""People's ratings of pairs, one per line or as lists in cells."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from tests.fuzz.harness import Target
from tests.fuzz.targets._attempts import attempt

from nliprobe.api.agreement import agreement
from nliprobe.corpora.ratings import open_ratings

_SEEDS = (
    "item,WorkerId,label,gold\n7,a,E,E\n7,b,neutral,E\n8,a,C,C\n8,b,C,C\n",
    '{"pair_id": "1", "annotator_labels": ["entailment", "neutral", "entailment"], "gold_label": "entailment"}\n'
    '{"pair_id": "2", "annotator_labels": ["neutral", "", "contradiction"], "gold_label": "-"}\n',
    "table_id\thypothesis\torignal_worker_id\tfirst_human_label\tmajoritylabel\tother_human_labels\tother_worker_id\n"
    "T1\tIt is high.\tw1\t0\t0\t[0, 1, 0]\t['w2', 'w3', 'w4']\n",
)


def _seeds() -> list[bytes]:
    return [seed.encode() for seed in _SEEDS]


def _run(data: bytes, folder: Path) -> None:
    for name in ("x.csv", "x.tsv", "x.jsonl", "x.json"):
        path = folder / name
        path.write_bytes(data)
        attempt(*(partial(_read, f"{path}{options}") for options in ("", "?labels=entailment,neutral,contradiction")))


def _read(source: str) -> None:
    for ratings in open_ratings(source):
        for rating in ratings.ratings:
            (rating.item + rating.rater).encode()
    agreement([source])


TARGET = Target("ratings_file", _seeds, _run)
