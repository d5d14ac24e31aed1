"""What participants of a study answered, as front ends write it; and the results that come out."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path

from tests.fuzz.harness import Target
from tests.fuzz.targets._attempts import attempt
from tests.people.studied import small_study

from nliprobe.people.study.answers import read_answers
from nliprobe.people.study.results import study_results

_CSV = (
    "participant,stage,item,answer,position,panel,study\n"
    "A,B1,q01,E,1,,\nA,B1,q02,,1,,\nA,B1,useful,yes,,,\nB,B1,q01,neutral,2,,\nC,B1,q01,C,1,,\n"
    "A,bids,t1,0 3 2 0 0,2,,\nA,picks,t1,20-40,3,,\nA,,easier,R2,,,\n"
)
_JSONL = (
    '{"participant": "A", "stage": "B1", "item": "q01", "answer": "E"}\n'
    '{"participant": 7, "stage": "R2", "item": "q02", "answer": null}\n'
)


def _seeds() -> list[bytes]:
    return [_CSV.encode(), _JSONL.encode()]


def _run(data: bytes, folder: Path) -> None:
    path = folder / ("x.jsonl" if data[:1] == b"{" else "x.csv")
    path.write_bytes(data)
    attempt(partial(_read, path))


def _read(path: Path) -> None:
    study, key = small_study()
    collected = read_answers(study, [path])
    for one in collected.given:
        assert sum(one.points) <= study.points
    json.dumps(study_results(study, key, collected), allow_nan=False).encode()


TARGET = Target("study_answers", _seeds, _run)
