"""Answers that were computed elsewhere, in every format and form."""

from __future__ import annotations

import io
from functools import partial
from pathlib import Path

from tests.fuzz.harness import Target
from tests.fuzz.targets._attempts import attempt, require_answers_can_be_written

from nliprobe.base.registry import Spec
from nliprobe.models.predictions import Predictions
from nliprobe.task.case import Input
from nliprobe.task.labels import LabelMap

_ORDER = "entailment,neutral,contradiction"
_SEEDS = (
    '{"id": "x/1", "label": "entailment", "raw": "Yes \\u2013 it does."}\n{"id": "x/2", "logits": [0.1, 2, -3e2]}\n',
    '{"id": 1, "probabilities": {"entailment": 0.2, "neutral": 0.3, "contradiction": 0.5}}\n',
    "id,prediction,label\nx/1,E,N\nx/2,neutral,C\n",
    "pairID,entailment,neutral,contradiction\n1,0.2,0.3,0.5\n2,1,0,0\n",
    "premise\thypothesis\tpredicted\tscores\nA.\tB.\t2\t[0.1, 0.2, 0.7]\nC.\tD.\t0\t0.9 0.05 0.05\n",
    "0\n1\n2\n",
    '["entailment", "neutral"]',
    "[[0.1, 0.2, 0.7], [0.3, 0.3, 0.4]]",
    '{"x/1": "entailment", "x/2": 1}',
)
_NAMES = ("x.jsonl", "x.csv", "x.tsv", "x.json", "x.txt", "x.npy", "x.npz")
_ASKED = [Input("a", ("A.",), "B.", "x/1"), Input("b", ("C.",), "D.", "x/2")]


def _seeds() -> list[bytes]:
    import numpy as np

    array, archive = io.BytesIO(), io.BytesIO()
    np.save(array, np.array([[0.1, 0.2, 0.7], [0.5, 0.25, 0.25]]))
    np.savez(archive, logits=np.array([[1.0, 2.0, 3.0]]))
    return [*(seed.encode() for seed in _SEEDS), array.getvalue(), archive.getvalue()]


def _run(data: bytes, folder: Path) -> None:
    for name in _NAMES:
        path = folder / name
        path.write_bytes(data)
        attempt(*(partial(_read, path, labels, in_order) for labels in ("", _ORDER) for in_order in (False, True)))


def _read(path: Path, labels: str, in_order: bool) -> None:
    spec = Spec.parse(f"predictions:{path}" + ("?in_order=1" if in_order else ""))
    model = Predictions.from_spec(spec, LabelMap.parse(labels) if labels else None)
    model.check()
    model.fingerprint()
    str(model.partition)
    require_answers_can_be_written(model.predict(_ASKED))
    for note in model.notes():
        note.encode()


TARGET = Target("predictions_file", _seeds, _run)
