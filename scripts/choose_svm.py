"""Choose the parameters of the SVM of InfoTabS on its dev split.

``python scripts/choose_svm.py`` trains on infotabs/train with each C of COSTS and each weight of premise words of
WEIGHTS, with the table (``para``) and without it, and writes ``benchmarks/results/svm_grid.json``. The rule: the C and
the weight with the highest mean of the two accuracies on dev, with and without the table, so that both systems have the
same C; of equal ones the smaller C, then the larger weight. No test split is read.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

RESULT = Path(__file__).parents[1] / "benchmarks" / "results" / "svm_grid.json"
COSTS = (0.01, 0.02, 0.05, 0.1)
WEIGHTS = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0)
NO_TABLE = "none"


class Choice(NamedTuple):
    """The parameters chosen, and the mean accuracy on dev that they reach."""

    C: float
    premise_weight: float
    mean: float


def choose(accuracies: Mapping[str, Mapping[str, float]]) -> Choice:
    """Apply the rule to accuracies on dev by weight (or ``none``) and C.

    >>> choose({"none": {"0.1": 60.0, "1": 61.0}, "0.5": {"0.1": 60.0, "1": 59.0}, "1": {"0.1": 60.0, "1": 50.0}})
    Choice(C=0.1, premise_weight=1.0, mean=60.0)
    """
    candidates = [
        Choice(float(cost), float(weight), (accuracy + accuracies[NO_TABLE][cost]) / 2)
        for weight, by_cost in accuracies.items()
        if weight != NO_TABLE
        for cost, accuracy in by_cost.items()
    ]
    return min(candidates, key=lambda one: (-round(one.mean, 6), one.C, -one.premise_weight))


def measure(represented: str, weights: Iterable[float | None]) -> dict[str, dict[str, float]]:
    """Return the accuracy on dev for each weight and C; the weight None means that no premise is read."""
    from nliprobe.api.sources import open_source
    from nliprobe.models.base import Example
    from nliprobe.models.svm import Svm, SvmParams
    from nliprobe.represent.controls import Control
    from nliprobe.represent.reader import Reader, build_representation

    accuracies: dict[str, dict[str, float]] = {}
    for weight in weights:
        control = Control.NONE if weight is None else Control.FULL
        reader = Reader(build_representation(represented), control, seed=0, keyed=False)
        train, dev = (
            [
                Example(reader.read_pair(pair), pair.gold)
                for pair in open_source(f"infotabs/{split}").pairs()
                if pair.gold
            ]
            for split in ("train", "dev")
        )
        by_cost = accuracies.setdefault(NO_TABLE if weight is None else f"{weight:g}", {})
        for cost in COSTS:
            model = Svm(SvmParams(C=cost, premise_weight=1.0 if weight is None else weight))
            model.fit(train)
            answers = model.predict([example.input for example in dev])
            right = sum(answer.label == example.gold for answer, example in zip(answers, dev, strict=True))
            by_cost[f"{cost:g}"] = round(100 * right / len(dev), 4)
            print(f"weight {weight}, C {cost:g}: {by_cost[f'{cost:g}']:.2f}", flush=True)
    return accuracies


def main() -> None:
    """Measure the grid and write it with what the rule chooses."""
    accuracies = measure("para", [None, *WEIGHTS])
    chosen = choose(accuracies)
    content = {"train": "infotabs/train", "dev": "infotabs/dev", "accuracy": accuracies, "chosen": chosen._asdict()}
    RESULT.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")
    print(chosen)


if __name__ == "__main__":
    main()
