"""Measures: the single numbers that a contract may put a limit on, each with its 95 % interval."""

from __future__ import annotations

from typing import NamedTuple

from nliprobe.analysis.cases import RunData
from nliprobe.analysis.controls import controls
from nliprobe.analysis.documents import Ends, Rate
from nliprobe.analysis.expectations import expectations
from nliprobe.analysis.scores import accuracy_gain, ends, scores, share_interval
from nliprobe.analysis.slices import AskedSlice, asked_slices
from nliprobe.analysis.transitions import transitions
from nliprobe.task.case import IDENTITY


class Measure(NamedTuple):
    """A number and its interval; both are None if there was nothing to compute them from."""

    value: float | None
    ci95: Ends


# Corpus, probe and metric.
Place = tuple[str, str, str]
# Why a metric may be absent from a corpus and probe that the run has.
NEEDS = {
    "accuracy": "its cases have no gold label",
    "macro_f1": "its cases have no gold label",
    "gain": "that needs gold labels, the probe gold and another system of the run with premise=none",
    "prohibited": "its cases do not expect moves between labels alone; if they expect anything, limit 'broken'",
    "changed": "its cases are not compared with those they are derived from",
    "broken": "its cases expect nothing of their answers",
    "unanswered": "the system was not asked",
}


def measures(data: RunData, system: str) -> dict[Place, Measure]:
    """Compute every metric of one system of a run by corpus, probe and metric, with the numbers that ``show`` gives."""
    [chosen] = [item for item in data.systems if item.name == system]
    blind = tuple(item for item in controls(data) if item is not chosen)
    alone = RunData(data.cases, (chosen,), data.partitions)
    by_place: dict[Place, Measure] = {}
    for entry in scores(alone):
        place = entry["corpus"], entry["probe"]
        by_place[*place, "accuracy"] = Measure(entry["accuracy"], entry["ci95"])
        by_place[*place, "macro_f1"] = Measure(entry["macro_f1"], entry["macro_f1_ci95"])
    for gain in accuracy_gain(RunData(data.cases, (chosen, *blind), data.partitions)):
        if gain["system"] == system:
            by_place[gain["corpus"], IDENTITY, "gain"] = Measure(gain["gain"], gain["ci95"])
    for followed in transitions(alone):
        place = followed["corpus"], followed["probe"]
        by_place[*place, "prohibited"] = by_place[*place, "broken"] = _rate(followed["prohibited_overall"])
        by_place[*place, "changed"] = _rate(followed["changed"])
    for expected in expectations(alone):
        place = expected["corpus"], expected["probe"]
        by_place[*place, "broken"] = _rate(expected["rate"])
        by_place[*place, "changed"] = _rate(expected["changed"])
    for item in asked_slices(alone):
        by_place[item.part.corpus, item.part.probe, "unanswered"] = _unanswered(item)
    return by_place


def _rate(rate: Rate) -> Measure:
    return Measure(rate["rate"], rate["ci95"])


def _unanswered(item: AskedSlice) -> Measure:
    """Compute the share of cases without an answer, whether or not anything was expected of it."""
    part = item.part.where(item.asked)
    silent = item.system.answers[part.rows] == 0
    return Measure(int(silent.sum()) / len(silent), ends(share_interval(silent, part.clusters)))
