"""Two specs that can answer differently have different cache identities, for every parameter of every model."""

from __future__ import annotations

import dataclasses
import os
import sys
from pathlib import Path

import pytest

from nliprobe.models import MODELS
from nliprobe.models.chat.params import BudgetParams, ChatParams
from nliprobe.models.checkpoint import CheckpointParams
from nliprobe.models.command import CommandParams
from nliprobe.models.glove import GloveParams
from nliprobe.models.http import HttpParams
from nliprobe.models.http_client import RequestPolicy
from nliprobe.models.onnx import OnnxParams
from nliprobe.models.predictions import PredictionsParams
from nliprobe.models.svm import SvmParams
from nliprobe.models.system import System, SystemSpec
from nliprobe.models.trained import TrainedParams

OTHER_VECTORS = "other.txt"
PARAMS: dict[str, type | tuple[type, ...] | None] = {
    "transformers": CheckpointParams,
    "onnx": OnnxParams,
    "trained": TrainedParams,
    "svm": SvmParams,
    "glove": GloveParams,
    "command": CommandParams,
    "http": HttpParams,
    "chat": (ChatParams, BudgetParams, RequestPolicy),
    "predictions": PredictionsParams,
    "python": None,  # takes any
    "majority": None,  # takes none
    "small": None,  # takes none
}
# Another value of each parameter that can change an answer.
CHANGES = {
    "transformers": {"max_length": "32", "version": "2", "dtype": "bfloat16"},
    "onnx": {"max_length": "32", "file": "other.onnx", "device": "cuda"},
    "trained": {},
    "svm": {"C": "1", "min_count": "2", "premise_weight": "0.5", "seed": "1"},
    "glove": {"C": "1", "vectors": OTHER_VECTORS},
    "command": {"version": "2"},
    "predictions": {
        "in_order": "1",
        "format": "jsonl",
        "split": "a",
        "quoting": "0",
        "answer": "guess",
        "scores": "s",
        "id": "uid",
        "encoding": "latin-1",
    },
    "python": {"version": "2", "word": "not", "threshold": "0.5"},
    "http": {"version": "2"},
    "chat": {
        "base_url": "https://other/v1",
        "version": "2",
        "prompt": "prompt.yaml",
        "shots": "6",
        "shots_from": "other.jsonl",
        "shots_seed": "1",
        "answer": "choice",
        "logprobs": "1",
        "top_logprobs": "5",
        "min_mass": "0.5",
        "temperature": "1",
        "top_p": "0.9",
        "max_tokens": "9",
        "seed": "1",
        "extra": '{"a":1}',
    },
    "majority": {},
    "small": {},
}
# What cannot change an answer, and why.
CANNOT = {
    "transformers": {
        "device": "its precision counts: see test_the_precision_of_the_device_counts",
        "tokens": "only how inputs are batched: padding moves the sixth digit",
        "allow_bin": "without it such weights are not read at all, and where there are others, those are read",
    },
    "onnx": {"tokens": "as above", "threads": "only how many compute"},
    "trained": {"device": "as above", "tokens": "as above"},
    "svm": {},
    "glove": {},
    "command": {"timeout": "a batch that takes longer stops the run"},
    "predictions": {"allow_unmatched": "a case without a record is unanswered either way"},
    "python": {"concurrency": "only how many calls run at a time"},
    "http": {
        "timeout": "an attempt that takes longer is made again",
        "retries": "how often",
        "concurrency": "only how many requests are under way at a time",
        "rate": "only when they are sent",
        "batch": "only how inputs are put together; the doctor says so if that changes an answer",
        "key_env": "who asks, and not what",
        "key_header": "as above",
    },
    "chat": {
        "timeout": "as above",
        "retries": "as above",
        "concurrency": "as above",
        "rate": "as above",
        "key_env": "as above",
        "key_header": "as above",
        "max_tokens_total": "only when the run stops",
        "max_cost": "as above",
        "price_in": "only what it costs",
        "price_out": "as above",
    },
    "majority": {},
    "small": {},
}
SAME = {
    "tokens": "64",
    "timeout": "5",
    "concurrency": "3",
    "allow_unmatched": "1",
    "allow_bin": "1",
    "retries": "1",
    "rate": "60",
    "batch": "2",
    "key_env": "SOME_KEY",
    "key_header": "api-key",
    "max_tokens_total": "9",
    "max_cost": "9",
    "price_in": "2",
    "price_out": "2",
}
LABELS = ("entailment,neutral,contradiction", "contradiction,neutral,entailment", "entailment,not_entailment")
LEARNS = {"svm", "glove", "majority"}


@pytest.fixture
def specs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """The spec of each model without parameters, except a version for those that need one."""
    (tmp_path / "config.json").write_text("{}")
    for name, number in (("vectors.txt", 1), (OTHER_VECTORS, 2)):
        (tmp_path / name).write_text(f"the {number} 0\ndog 0 1\n")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "answers.jsonl").write_text('{"id": "1", "label": "E"}\n')
    for name in ("shots", "other"):
        lines = [f'{{"premise": "{name} {n}", "hypothesis": "h", "label": "{label}"}}' for n in "ab" for label in "ENC"]
        (tmp_path / f"{name}.jsonl").write_text("\n".join(lines))
    (tmp_path / "prompt.yaml").write_text("user: '{premise} {hypothesis}'\nlabels: {E: entailment, N: neutral, C: no}")
    (tmp_path / "answer.py").write_text("def f(pairs, **params):\n    return ['E' for _ in pairs]\n")
    (tmp_path / "graphs").mkdir()
    for name in ("model.onnx", "other.onnx", "tokenizer.json", "config.json"):
        (tmp_path / "graphs" / name).write_text(f'{{"name": "{name}"}}')
    return {
        "transformers": f"transformers:{tmp_path}?device=cpu",
        "onnx": f"onnx:{tmp_path / 'graphs'}?file=model.onnx",
        "svm": "svm?represent=para",
        "glove": f"glove?represent=para&vectors={tmp_path / 'vectors.txt'}",
        "majority": "majority?represent=para",
        "small": "small?represent=para",
        "command": f"command:{sys.executable} {tmp_path / 'answer.py'}?version=1",
        "predictions": f"predictions:{tmp_path / 'answers.jsonl'}?represent=para",
        "python": f"python:{tmp_path / 'answer.py'}:f?version=1",
        "http": "http:https://host/nli?version=1",
        "chat": "chat:m?base_url=https://host/v1&version=1&shots=3&shots_from=shots.jsonl&price_in=1",
    }


def key(spec: str, more: dict[str, str] | None = None, train: str = "t") -> str | None:
    parsed = SystemSpec.parse(spec)
    params = {**dict(parsed.model.params), **(more or {})}
    labels = params.pop("labels", "")
    model = dataclasses.replace(parsed.model, params=tuple(sorted(params.items())))
    parsed = dataclasses.replace(parsed, model=model, labels=labels)
    return System.build(parsed, train={"c/train": train} if parsed.model.name in LEARNS else None).fingerprint()


def test_every_parameter_of_every_model_is_looked_at() -> None:
    ours = {name for name, kind in MODELS if kind.__module__.startswith("nliprobe.")}
    assert set(PARAMS) == set(CHANGES) == set(CANNOT) == ours
    for name, kind in PARAMS.items():
        if kind is not None:
            kinds = kind if isinstance(kind, tuple) else (kind,)
            fields = {field.name for one in kinds for field in dataclasses.fields(one)}
            assert fields == {*CHANGES[name], *CANNOT[name]}, f"say whether a new parameter of {name} changes answers"


@pytest.mark.parametrize("name", sorted(set(PARAMS) - {"trained"}))
def test_another_parameter_is_another_key(name: str, specs: dict[str, str]) -> None:
    changed = [key(specs[name]), *(key(specs[name], {field: value}) for field, value in CHANGES[name].items())]
    assert None not in changed
    assert len(set(changed)) == len(CHANGES[name]) + 1


@pytest.mark.parametrize("name", sorted(set(PARAMS) - {"trained"}))
def test_what_cannot_change_an_answer_keeps_the_key(name: str, specs: dict[str, str]) -> None:
    for field in CANNOT[name]:
        if field in SAME:
            assert key(specs[name], {field: SAME[field]}) == key(specs[name]), field


def test_the_manner_of_asking_is_what_cannot_change_an_answer() -> None:
    for name, reasons in CANNOT.items():
        assert MODELS.get(name).manner <= reasons.keys()
    assert MODELS.get("http").manner == CANNOT["http"].keys()


@pytest.mark.parametrize("name", ["transformers", "command", "python", "http", "predictions"])
def test_another_order_of_labels_is_another_key(name: str, specs: dict[str, str]) -> None:
    keys = {key(specs[name], {"labels": labels} if labels else None) for labels in ("", *LABELS)}
    assert len(keys) == len(LABELS) + 1


@pytest.mark.parametrize("name", sorted(LEARNS))
def test_other_training_pairs_are_another_key(name: str, specs: dict[str, str]) -> None:
    assert key(specs[name]) != key(specs[name], train="other")


@pytest.mark.parametrize(
    ("name", "file"),
    [
        ("transformers", "config.json"),
        ("command", "answer.py"),
        ("python", "answer.py"),
        ("predictions", "answers.jsonl"),
    ],
)
def test_other_content_of_the_same_size_and_time_is_another_key(
    name: str, file: str, specs: dict[str, str], tmp_path: Path
) -> None:
    before, path = key(specs[name]), tmp_path / file
    state = path.stat()
    path.write_bytes(path.read_bytes().replace(b"E", b"C") if file != "config.json" else b"[]")
    os.utime(path, ns=(state.st_atime_ns, state.st_mtime_ns))
    assert path.stat().st_size == state.st_size
    assert key(specs[name]) != before


def test_the_precision_of_the_device_counts(specs: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    before = key(specs["transformers"])
    monkeypatch.setattr("nliprobe.models.checkpoint.settle_dtype", lambda dtype, device: "half")
    assert key(specs["transformers"]) != before
