"""The results of a simulation study as tables of texts: stages with what simple rules would get, and differences."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from nliprobe.report.words import NOTHING, around, minus, percent, plural, shortened, shortened_middle
from nliprobe.task.study_results import (
    Baseline,
    FeedbackCount,
    Measured,
    Rule,
    StageDifference,
    StageResult,
    StudyResults,
)

SIMULATED = (
    "SIMULATED: no person answered. These numbers show what the analysis makes of answers, and nothing about people."
)
_RULES: dict[Rule, str] = {
    "gold": "gold",
    "neighbours": "most shown",
    "constant": "constant",
    "chance": "chance",
}
# Characters of a free text, and how many of them are shown; characters of a system's name.
_TEXT, _TEXTS = 200, 5
_NAME = 20
_LEGEND = (
    "In percent, with 95 % intervals over participants and templates. Accuracy: how often participants foresaw the "
    "system; of bids, whether the highest bin is right. Agreement: on how many questions two participants answer the "
    "same. The other columns are what simple rules would get: always the gold label, the label of most examples shown, "
    "the best constant answer, and chance; ▲ participants get more, ▼ less, = it cannot be told."
)
_BIDS = (
    "In points, with 95 % intervals over participants and templates; Ties shared in percent. Score: points on the "
    "right bin. Best constant: what all points on that bin would get, whatever is asked. Even: what the same points on "
    "every bin would get. Ties: bids in which several bins have the most points; the lowest of them counts for the "
    "accuracy. Ties shared: the accuracy if they share the credit. Pearson: how far two participants' points on the "
    "right bin go together, from −1 to 1, the mean over pairs of participants."
)
_DIFFERENCES = (
    "In percentage points, for the same participants and templates; scores in points of a bid. A difference is called "
    "higher or lower only if the interval that holds for all of them together leaves out 0. Stages with other answers "
    "to choose from are not compared: chance alone gets more where there are fewer."
)


class StudyTable(NamedTuple):
    """A table of texts.

    Attributes:
        columns: their names.
        rows: a text per column.
        legend: what the numbers mean.
        numbers: the columns that hold numbers alone.
        rules: the columns of simple rules.
    """

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    legend: str = ""
    numbers: tuple[str, ...] = ()
    rules: tuple[str, ...] = ()


def stage_table(stages: Sequence[StageResult]) -> StudyTable:
    """Return a row per stage: accuracy and agreement of participants, and what simple rules would get."""
    rows = []
    for stage in stages:
        rules = {one["rule"]: one for one in stage["baselines"]}
        rows.append(
            (
                stage["stage"],
                shortened_middle(stage["system_name"], _NAME),
                f"{len(stage['participants'])}",
                _share(stage["accuracy"]),
                _share(stage["agreement"]),
                *(_rule(rules.get(rule)) for rule in _RULES),
            )
        )
    names = tuple(_RULES.values())
    columns = ("Stage", "System", "People", "Accuracy", "Agreement", *names)
    return StudyTable(columns, tuple(rows), _LEGEND, ("People",), names)


def bid_table(stages: Sequence[StageResult]) -> StudyTable:
    """Return a row per stage in which points were bid."""
    rows = [
        (
            stage["stage"],
            f"{_number(bids['score'])} of {bids['points']}",
            f"{bids['constant_bin']} {bids['constant_score']:.2f}",
            f"{bids['even_score']:.2f}",
            f"{bids['tied']:,} of {bids['bids']:,}",
            _share(bids["shared_accuracy"]),
            f"{_number(bids['pearson'])} ({plural(bids['pearson_pairs'], 'pair')})",
        )
        for stage in stages
        if (bids := stage["bids"]) is not None
    ]
    return StudyTable(("Bids", "Score", "Best constant", "Even", "Ties", "Ties shared", "Pearson"), tuple(rows), _BIDS)


def difference_table(document: StudyResults) -> StudyTable:
    """Return a row per measure and pair of stages."""
    rows = []
    for one in document["differences"]:
        value, ends = one["value"], one["ci95"]
        if one["measure"] == "score":
            by = _number(Measured(value=value, ci95=ends))
        else:
            by = minus(around(value, ends, sign=True))
        rows.append((f"{one['second']} against {one['first']}", one["measure"], by, _verdict(one)))
    return StudyTable(("Difference", "Measure", "By", "Verdict"), tuple(rows), _DIFFERENCES)


def said_lines(document: StudyResults, *, whole: bool = False) -> list[str]:
    """Return what participants said about stages and the study, a line per question or text.

    Args:
        document: the results.
        whole: whether all texts are returned in full; otherwise the first ones, cut where they are long.
    """
    stages = [stage["stage"] for stage in document["stages"]]
    asked = [(f"Stage {stage['stage']}: ", one) for stage in document["stages"] for one in stage["feedback"]]
    asked += [("", one) for one in document["feedback"]]
    return [line for place, one in asked for line in _said(place, one, stages, whole=whole)]


def _share(measured: Measured) -> str:
    return around(measured["value"], measured["ci95"])


def _rule(baseline: Baseline | None) -> str:
    if baseline is None:
        return NOTHING
    ends = baseline["above"]["ci95"]
    sign = ""
    if ends is not None:
        sign = " ▲" if ends[0] > 0 else " ▼" if ends[1] < 0 else " ="
    answer = f"{baseline['answer']} " if baseline["answer"] else ""
    return f"{answer}{percent(baseline['value'])}{sign}"


def _number(measured: Measured) -> str:
    if measured["value"] is None:
        return NOTHING
    ends = "" if measured["ci95"] is None else f" [{measured['ci95'][0]:.2f}, {measured['ci95'][1]:.2f}]"
    return minus(f"{measured['value']:.2f}{ends}")


def _verdict(one: StageDifference) -> str:
    ends = one["ci95_together"]
    if one["value"] is None or ends is None:
        return NOTHING
    return "higher" if ends[0] > 0 else "lower" if ends[1] < 0 else "cannot be told"


def _said(place: str, one: FeedbackCount, stages: Sequence[str], *, whole: bool) -> list[str]:
    if any(one["counts"].values()):
        # Asked about the whole study, people may name a stage, and the name of a stage may be a number.
        named = [] if place else stages
        said = [(f"stage {answer}" if answer in named else answer, n) for answer, n in one["counts"].items() if n]
        return [f"{place}{one['ask']} {', '.join(f'{answer}: {n}' for answer, n in said)}"]
    if not one["texts"]:
        return []
    shown = one["texts"] if whole else [shortened(text, _TEXT) for text in one["texts"][:_TEXTS]]
    more = len(one["texts"]) - len(shown)
    lines = [f"{place}{one['ask']}", *(f"“{text}”" for text in shown)]
    return [*lines, f"{more} more remarks are in the JSON"] if more else lines
