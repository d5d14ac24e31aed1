"""Logs of samples of lm-evaluation-harness and Inspect, of exported tasks and of others."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path

from tests.fuzz.harness import Target
from tests.fuzz.targets._attempts import attempt, require_answers_can_be_written

from nliprobe.base.registry import Spec
from nliprobe.models.predictions import Predictions
from nliprobe.task.case import Input
from nliprobe.task.labels import LabelMap

_MEANING = "True:E;Neither:N;False:C"
_ASKED = [Input("a", ("A.",), "B.", "x/1")]
_SCORES = [["-0.5", "False"], ["-1.5", "False"], ["-2", "True"]]
_OURS = {"nliprobe_id": "x/1", "labels": ["E", "N", "C"], "choices": ["entailment", "neutral", "contradiction"]}
_THEIRS = {"premise": "A.", "hypothesis": "B.", "label": 0}
_ARGUMENTS = {
    f"gen_args_{n}": {"arg_0": "", "arg_1": f" {word}"} for n, word in enumerate(("True", "Neither", "False"))
}


def _seeds() -> list[bytes]:
    samples = [
        {"doc_id": 0, "doc": _OURS, "resps": [[score] for score in _SCORES], "filtered_resps": _SCORES},
        {"doc_id": 0, "doc": _THEIRS, "arguments": _ARGUMENTS, "resps": [], "filtered_resps": _SCORES},
        {"doc_id": 0, "doc": _THEIRS, "arguments": {}, "resps": [["True."]], "filtered_resps": ["True."]},
    ]
    inspected = [
        {"metadata": _OURS, "output": {"completion": "Neutral."}, "scores": {"label": {"answer": "neutral"}}},
        {"metadata": _THEIRS, "choices": ["True", "Neither", "False"], "scores": {"choice": {"answer": "A"}}},
        {"metadata": _THEIRS, "output": {"completion": "False"}},
    ]
    logs = [{"version": 2, "status": "success", "eval": {}, "samples": [sample]} for sample in inspected]
    return [json.dumps(item).encode() for item in (*samples, *logs)]


def _run(data: bytes, folder: Path) -> None:
    for name in ("samples_x.jsonl", "log.json"):
        (folder / name).write_bytes(data)
        attempt(*(partial(_read, folder / name, labels) for labels in ("", _MEANING)))


def _read(path: Path, labels: str) -> None:
    model = Predictions.from_spec(Spec.parse(f"predictions:{path}"), LabelMap.parse(labels) if labels else None)
    model.check()
    require_answers_can_be_written(model.predict(_ASKED))


TARGET = Target("harness_log", _seeds, _run)
