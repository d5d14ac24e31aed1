"""The exported cases as a task of Inspect: ``inspect eval suite.py --model …``.

All cases are asked once, and each part (a corpus and a probe) has its own metrics. ``-T part=NAME`` asks one part only,
together with the cases that it is compared with. Written by nliprobe.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import nliprobe_judge as judge
from inspect_ai import Epochs, Task, task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import ChatMessage, ChatMessageAssistant, ChatMessageSystem, ChatMessageUser, GenerateConfig
from inspect_ai.scorer import Metric, SampleScore, Score, Scorer, Target, metric, scorer
from inspect_ai.solver import TaskState, generate
from nliprobe_reading import read_label

HERE = Path(__file__).parent
SUITE: dict[str, Any] = json.loads((HERE / "suite.json").read_text(encoding="utf-8"))
NO_ANSWER = "no answer"
_ROLES: dict[str, Callable[..., ChatMessage]] = {
    "system": ChatMessageSystem,
    "user": ChatMessageUser,
    "assistant": ChatMessageAssistant,
}
_MEASURES: dict[str, Callable[[Sequence[judge.Item]], float]] = {
    "acc": judge.accuracy,
    "acc_se": judge.accuracy_se,
    "constant": judge.constant,
    "prohibited": judge.prohibited,
    "prohibited_se": judge.prohibited_se,
    "answered": judge.answered,
}


@task
def nliprobe(part: str = "") -> Task:
    """Ask the cases of all parts, or of one."""
    if part and part not in SUITE["parts"]:
        raise ValueError(f"There is no part '{part}'. There are {', '.join(SUITE['parts'])}.")
    with (HERE / "cases.jsonl").open(encoding="utf-8") as lines:
        cases = judge.chosen([json.loads(line) for line in lines], part)
    return Task(
        dataset=MemoryDataset([_sample(case) for case in cases], name="nliprobe"),
        solver=generate(),
        scorer=label(),
        config=GenerateConfig(temperature=0.0),
        # The answer that comes most often counts.
        epochs=Epochs(1, "mode"),
        version=SUITE["suite"],
    )


def _sample(case: dict[str, Any]) -> Sample:
    opening = [_ROLES[turn["role"]](content=turn["content"]) for turn in SUITE["opening"]]
    words = dict(zip(case["labels"], case["choices"], strict=True))
    return Sample(
        id=case["case_id"],
        input=[*opening, ChatMessageUser(content=case["prompt"])],
        target=[words[name] for name in case["right"]],
        metadata={name: value for name, value in case.items() if name != "prompt"},
    )


@metric
def by_part() -> Metric:
    """Measure each part by itself; its cases may be compared with those of others."""

    def measured(scores: list[SampleScore]) -> dict[str, float]:
        items = [{**(item.sample_metadata or {}), "label": _label(item)} for item in scores]
        parts = sorted({item["part"] for item in items if item["role"] == "case"})
        values = {
            f"{part}/{name}": measure(judge.chosen(items, part))
            for part in parts
            for name, measure in _MEASURES.items()
        }
        return {name: value for name, value in values.items() if not math.isnan(value)}

    return measured


def _label(item: SampleScore) -> str | None:
    metadata = item.sample_metadata or {}
    words = dict(zip(metadata["choices"], metadata["labels"], strict=True))
    return words.get(item.score.as_str())


@scorer(metrics=[by_part()])
def label() -> Scorer:
    """Read the label from the answer, by strict rules; the value of the score is the word that was read."""

    async def score(state: TaskState, target: Target) -> Score:
        text = state.output.completion
        reading = read_label(text, state.metadata["choices"], SUITE["answer_after"])
        return Score(value=reading.word or NO_ANSWER, answer=reading.word, explanation=reading.problem or text)

    return score
