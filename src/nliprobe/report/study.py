"""The results of a simulation study on the terminal: stages with what simple rules would get, and their differences."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from nliprobe.base.visible import revealed
from nliprobe.report._tables import new_table
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

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.text import Text

_SIMULATED = (
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


def render_study(document: StudyResults) -> RenderableType:
    """Turn the results of a study into something Rich can print."""
    from rich.console import Group
    from rich.text import Text

    head = f"{revealed(document['title'])}  {plural(document['participants'], 'participant')}"
    parts: list[RenderableType] = [Text(head, style="bold")]
    if document["simulated"]:
        parts.append(Text(_SIMULATED, style="bold yellow"))
    parts += ["", _stages(document["stages"]), Text(_LEGEND, style="dim")]
    if any(stage["bids"] is not None for stage in document["stages"]):
        parts += ["", _bids(document["stages"])]
    if document["differences"]:
        parts += ["", _differences(document["differences"]), Text(_DIFFERENCES, style="dim")]
    parts += _feedback(document)
    if document["notes"]:
        parts.append("")
        parts += [Text(revealed(note), style="yellow") for note in document["notes"]]
    return Group(*parts)


_LEGEND = (
    "In percent, with 95 % intervals over participants and templates. Accuracy: how often participants foresaw the "
    "system; of bids, whether the highest bin is right. Agreement: on how many questions two participants answer the "
    "same. On the right, what always giving the gold label, the label of most examples shown, the best constant "
    "answer and chance would get; ▲ participants get more, ▼ less, = it cannot be told."
)
_DIFFERENCES = (
    "In percentage points, for the same participants and templates; scores in points of a bid. A difference is called "
    "higher or lower only if the interval that holds for all of them together leaves out 0. Stages with other answers "
    "to choose from are not compared: chance alone gets more where there are fewer."
)


def _stages(stages: Sequence[StageResult]) -> RenderableType:
    from rich.text import Text

    table = new_table()
    table.add_column("Stage", no_wrap=True)
    table.add_column("System", no_wrap=True)
    table.add_column("People", justify="right", no_wrap=True)
    table.add_column("Accuracy", no_wrap=True)
    table.add_column("Agreement", no_wrap=True)
    for rule in _RULES.values():
        table.add_column(rule, justify="right")
    for stage in stages:
        rules = {one["rule"]: one for one in stage["baselines"]}
        table.add_row(
            Text(revealed(stage["stage"])),
            Text(revealed(shortened_middle(stage["system_name"], _NAME))),
            f"{len(stage['participants'])}",
            _share(stage["accuracy"]),
            _share(stage["agreement"]),
            *(_rule(rules.get(rule)) for rule in _RULES),
        )
    return table


def _share(measured: Measured) -> str:
    return around(measured["value"], measured["ci95"])


def _rule(baseline: Baseline | None) -> Text:
    from rich.text import Text

    if baseline is None:
        return Text(NOTHING)
    ends = baseline["above"]["ci95"]
    sign = ""
    if ends is not None:
        sign = " ▲" if ends[0] > 0 else " ▼" if ends[1] < 0 else " ="
    answer = f"{baseline['answer']} " if baseline["answer"] else ""
    return Text(f"{answer}{percent(baseline['value'])}{sign}")


def _bids(stages: Sequence[StageResult]) -> RenderableType:
    table = new_table()
    for name in ("Bids", "Score", "Best constant", "Even", "Ties", "Ties shared", "Pearson"):
        table.add_column(name, no_wrap=True)
    for stage in stages:
        bids = stage["bids"]
        if bids is None:
            continue
        table.add_row(
            revealed(stage["stage"]),
            f"{_number(bids['score'])} of {bids['points']}",
            f"{bids['constant_bin']} {bids['constant_score']:.2f}",
            f"{bids['even_score']:.2f}",
            f"{bids['tied']:,} of {bids['bids']:,}",
            _share(bids["shared_accuracy"]),
            f"{_number(bids['pearson'])} ({plural(bids['pearson_pairs'], 'pair')})",
        )
    return table


def _number(measured: Measured) -> str:
    if measured["value"] is None:
        return NOTHING
    ends = "" if measured["ci95"] is None else f" [{measured['ci95'][0]:.2f}, {measured['ci95'][1]:.2f}]"
    return minus(f"{measured['value']:.2f}{ends}")


def _differences(differences: Sequence[StageDifference]) -> RenderableType:
    table = new_table()
    for name in ("Difference", "Measure", "By", ""):
        table.add_column(name, no_wrap=True)
    for one in differences:
        value, ends = one["value"], one["ci95"]
        if one["measure"] == "score":
            by = _number(Measured(value=value, ci95=ends))
        else:
            by = minus(around(value, ends, sign=True))
        table.add_row(revealed(f"{one['second']} against {one['first']}"), one["measure"], by, _verdict(one))
    return table


def _verdict(one: StageDifference) -> str:
    ends = one["ci95_together"]
    if one["value"] is None or ends is None:
        return NOTHING
    return "higher" if ends[0] > 0 else "lower" if ends[1] < 0 else "cannot be told"


def _feedback(document: StudyResults) -> list[RenderableType]:
    from rich.text import Text

    asked = [(stage["stage"], one) for stage in document["stages"] for one in stage["feedback"]]
    asked += [("", one) for one in document["feedback"]]
    lines = [line for stage, one in asked for line in _said(stage, one)]
    return ["", *(Text(revealed(line)) for line in lines)] if lines else []


def _said(stage: str, one: FeedbackCount) -> list[str]:
    place = f"{stage}: " if stage else ""
    if any(one["counts"].values()):
        counts = ", ".join(f"{answer} {count}" for answer, count in one["counts"].items() if count)
        return [f"{place}{one['ask']} {counts}"]
    texts = [f"{place}“{shortened(text, _TEXT)}”" for text in one["texts"][:_TEXTS]]
    more = len(one["texts"]) - _TEXTS
    return [*texts, f"{place}{more} more remarks are in the JSON"] if more > 0 else texts
