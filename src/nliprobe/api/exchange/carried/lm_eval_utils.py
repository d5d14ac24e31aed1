"""Load exported cases for lm-evaluation-harness, and keep what its metrics need of each answer.

Written by nliprobe. The metrics are in ``nliprobe_judge.py``.
"""

from __future__ import annotations

import importlib.util
import json
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

HERE = Path(__file__).parent
_KEPT = ("case_id", "input_id", "bases", "group", "certainty", "role", "labels", "right", "rule")


@cache
def _judge() -> ModuleType:
    # Tasks are loaded by their path, so that a neighbour cannot be imported by its name.
    spec = importlib.util.spec_from_file_location("nliprobe_judge", HERE / "nliprobe_judge.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@cache
def _cases() -> list[dict[str, Any]]:
    with (HERE / "cases.jsonl").open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def dataset(part: str, metrics: list[str], **settings: object) -> dict[str, Any]:
    """Return the cases of a part and those that they are compared with, as the split ``test``."""
    from datasets import Dataset

    return {"test": Dataset.from_list([{**case, "metrics": metrics} for case in _judge().chosen(_cases(), part)])}


def process_results(doc: dict[str, Any], results: Sequence[tuple[float, bool]]) -> dict[str, Any]:
    """Keep the label with the highest likelihood; of equal ones, the first."""
    likelihoods = [likelihood for likelihood, _ in results]
    label = doc["labels"][likelihoods.index(max(likelihoods))]
    item = {**{name: doc[name] for name in _KEPT}, "label": label}
    return dict.fromkeys(doc["metrics"], item)
