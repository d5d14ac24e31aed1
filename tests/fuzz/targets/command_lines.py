"""The lines that a program prints as its answers."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from tests.fuzz.harness import Target
from tests.fuzz.targets._attempts import attempt, require_answers_can_be_written

from nliprobe.base.registry import Spec
from nliprobe.models.command import CommandModel
from nliprobe.task.labels import LabelMap

_SEEDS = (
    '{"id": "a", "label": "entailment", "raw": "Yes \\ud83d\\ude00"}\n{"id": 7, "logits": [1, 2.5, -3e2]}\n',
    '{"id": "b", "probabilities": {"entailment": 0.5, "neutral": 0.25, "contradiction": 0.25}}\n\n[1]\nLoading...\n',
)


def _seeds() -> list[bytes]:
    return [seed.encode() for seed in _SEEDS]


def _run(data: bytes, folder: Path) -> None:
    model = CommandModel.from_spec(Spec("command", "x"), LabelMap.parse("entailment,neutral,contradiction"))
    attempt(*(partial(_read, model, line) for line in data.split(b"\n")))


def _read(model: CommandModel, line: bytes) -> None:
    name, answer = model._read(line)
    name.encode()
    require_answers_can_be_written([answer])


TARGET = Target("command_lines", _seeds, _run)
