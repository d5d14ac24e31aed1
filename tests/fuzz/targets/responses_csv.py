"""What the participants of a study answered."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from tests.fuzz.harness import Target
from tests.fuzz.targets._attempts import attempt

from nliprobe.papers.checklist._responses import read_responses

_SEEDS = (
    "stage,participant,template,b1,b2,b3,b4,b5,true_bin\n1,P1,a,5,0,0,0,0,1\n1,P2,a,0,2.5,2.5,,,1\n2,Zoe,a,0,0,0,5,0,1\n",
    "stage,participant,item,answer,truth\nB2,A,q1,e,E\nB2,B,q1,,E\nR2,A,q1,n,N\n",
)


def _seeds() -> list[bytes]:
    return [seed.encode() for seed in _SEEDS]


def _run(data: bytes, folder: Path) -> None:
    path = folder / "x.csv"
    path.write_bytes(data)
    attempt(partial(_read, path))


def _read(path: Path) -> None:
    for bid in read_responses(path).bids:
        assert 0 <= bid.score <= 5


TARGET = Target("responses_csv", _seeds, _run)
