"""What simple rules would get in a stage, so that no accuracy of people stands alone."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from nliprobe.people.study.key import KeyAnswer, StudyKey
from nliprobe.people.study.records import Question
from nliprobe.people.study.stage_data import StageData
from nliprobe.task.labels import LabelSet
from nliprobe.task.study_results import Baseline, Rule

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


def baselines(data: StageData, key: StudyKey) -> list[Baseline]:
    """Return what answering gold, the majority of shown examples, a constant and at random would get."""
    import numpy as np

    stage = data.stage
    found: list[Baseline] = []
    if stage.question is Question.LABEL:
        golds = [key.by_item[one.item].gold for one in data.key]
        hits = [bool(gold) and _within(gold, one.truth) for gold, one in zip(golds, data.key, strict=True)]
        found.append(_baseline(data, "gold", np.array(hits, dtype=np.float64)))
        if all(one.shown for one in data.key):
            found.append(_baseline(data, "neighbours", np.array([majority_hit(one) for one in data.key])))
    counts = Counter(one.truth for one in data.key)
    constant = max(stage.answers, key=lambda answer: counts[answer])
    hits = [one.truth == constant for one in data.key]
    found.append(_baseline(data, "constant", np.array(hits, dtype=np.float64), constant))
    found.append(_baseline(data, "chance", np.full(len(data.key), 1 / len(stage.answers))))
    return found


def majority_hit(answer: KeyAnswer) -> float:
    """Return 1 if most of the examples shown have the label that is right, 1/k if k labels share the most, else 0."""
    counts = Counter(pair.label for pair in answer.shown)
    most = max(counts.values())
    top = [label for label, count in counts.items() if count == most]
    return 1 / len(top) if answer.truth in top else 0.0


def _baseline(
    data: StageData,
    rule: Rule,
    hits: NDArray[np.float64],
    answer: str | None = None,
) -> Baseline:
    value = round(float(hits.mean()), 6)
    return Baseline(rule=rule, answer=answer, value=value, above=data.mean(data.right - hits[None, :], -1.0))


def _within(gold: str, truth: str) -> bool:
    return LabelSet.of(gold) <= LabelSet.of(truth)
