"""Measures: the single numbers that a contract may put a limit on, each with its 95 % interval."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from nliprobe.analysis.cases import NOT_ASKED, RunData, Slice, SystemAnswers
from nliprobe.analysis.documents import Ends, Rate
from nliprobe.analysis.expectations import expectations
from nliprobe.analysis.scores import FULL_PREMISE, accuracy_gain, ends, scores
from nliprobe.analysis.transitions import transitions
from nliprobe.task.case import IDENTITY

if TYPE_CHECKING:
    from nliprobe.stats.intervals import Interval


class Measure(NamedTuple):
    """A number and its interval; none where there was nothing to compute it from."""

    value: float | None
    ci95: Ends


# Corpus, probe and metric.
Place = tuple[str, str, str]
# Why a metric may be absent from a corpus and probe that the run has.
NEEDS = {
    "accuracy": "its cases have no gold label",
    "macro_f1": "its cases have no gold label",
    "gain": "that needs gold labels, the probe gold and another system of the run with premise=none",
    "prohibited": "no transition between its answers and those to their bases is prohibited",
    "changed": "no transition between its answers and those to their bases is prohibited",
    "broken": "its cases expect nothing of their answers",
    "unanswered": "the system was not asked",
}


def measures(data: RunData, system: str, *, seed: int = 0) -> dict[Place, Measure]:
    """Compute every metric of one system of a run, by corpus, probe and metric; the numbers are those of ``show``."""
    [mine] = [item for item in data.systems if item.name == system]
    controls = tuple(item for item in data.systems if item.premise != FULL_PREMISE and item is not mine)
    alone = RunData(data.cases, (mine,), data.partitions)
    found: dict[Place, Measure] = {}
    for entry in scores(alone, seed=seed):
        place = entry["corpus"], entry["probe"]
        found[*place, "accuracy"] = Measure(entry["accuracy"], entry["ci95_clustered"] or entry["ci95"])
        found[*place, "macro_f1"] = Measure(entry["macro_f1"], entry["macro_f1_ci95"])
    for gain in accuracy_gain(RunData(data.cases, (mine, *controls), data.partitions), seed=seed):
        if gain["system"] == system:
            found[gain["corpus"], IDENTITY, "gain"] = Measure(gain["gain"], gain["ci95"])
    for followed in transitions(alone, seed=seed):
        place = followed["corpus"], followed["probe"]
        found[*place, "prohibited"] = _rate(followed["prohibited_overall"])
        found[*place, "changed"] = _rate(followed["changed"])
    for expected in expectations(alone, seed=seed):
        found[expected["corpus"], expected["probe"], "broken"] = _rate(expected["rate"])
    for part in data.cases.slices():
        silent = _unanswered(mine, part, seed)
        if silent is not None:
            found[part.corpus, part.probe, "unanswered"] = silent
    return found


def _rate(rate: Rate) -> Measure:
    return Measure(rate["rate"], rate["ci95"])


def _unanswered(system: SystemAnswers, part: Slice, seed: int) -> Measure | None:
    """The share of cases without an answer, whether or not anything was expected of it."""
    import numpy as np

    from nliprobe.stats.bootstrap import generator, ratio_intervals

    answers = system.answers[part.rows]
    asked = answers != NOT_ASKED
    if not asked.any():
        return None
    sizes = np.bincount(part.clusters[asked])
    silent = np.bincount(part.clusters[asked & (answers == 0)], minlength=len(sizes))
    random = generator(seed, "unanswered", system.name, part.corpus, part.probe)
    interval: Interval | None = ratio_intervals(silent[:, None], sizes[:, None], random)[0]
    return Measure(int(silent.sum()) / int(sizes.sum()), ends(interval))
