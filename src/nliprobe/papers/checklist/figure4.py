"""Figure 4: the study in which people predict the answers of BERT and RoBERTa."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean, stdev

from nliprobe.papers.recipes import Cell, CellDocument, Chart, Computed, Folders, Value, recipe
from nliprobe.report.bars import Bar

_OUT_OF = 125
_NOTES = [
    f"B1 and B2: stages 1 and 2 for BERT, R2: stage 2 for RoBERTa. accuracy and agreement are out of {_OUT_OF}, "
    "scaled if there were more or fewer questions. agreement: the number of questions that two participants answer "
    "the same, the mean over pairs of participants.",
    "For R2 the text prints only the gain over B2 (12.5 % and 2.62 %), which we take as a share of B2.",
]


def _draw(cells: Sequence[CellDocument]) -> list[Chart]:
    charts: list[Chart] = []
    for col in ("accuracy", "agreement"):
        bars: list[Bar] = []
        for cell in cells:
            if cell["col"] == col:
                for name, number in (("paper", cell["paper"]), ("ours", cell["ours"])):
                    if number is not None:
                        bars.append(Bar(f"{cell['row']}, {name}", (("all", number),), f"{number:g}"))
        charts.append(Chart(f"{col}, out of {_OUT_OF}", bars))
    return charts


@recipe("checklist:figure4", "Study: how well people foresee BERT and RoBERTa, and how far they agree", _draw)
def figure4(folders: Folders) -> Computed:
    """Score the answers of a file of responses."""
    from nliprobe.papers.checklist._responses import NO_FILE, STUDY, panel_notes, read_responses
    from nliprobe.people.study.scoring import foreseen, mutual

    values: dict[Cell, float | Value | None] = dict.fromkeys(figure4.printed())
    if folders.responses is None:
        return Computed(values, [NO_FILE, *_NOTES])
    responses = read_responses(folders.responses).of(STUDY)
    if not responses.answers:
        no_answers = f"{folders.responses} holds no answers of the stages {', '.join(STUDY)}: nothing for this figure."
        return Computed(values, [no_answers, *_NOTES])
    measured: dict[tuple[str, str], float | None] = {}
    for stage in STUDY:
        if of_stage := responses.of([stage]).answers:
            scores = foreseen(of_stage, _OUT_OF)
            measured[stage, "accuracy"] = fmean(scores)
            measured[stage, "accuracy_sd"] = stdev(scores) if len(scores) > 1 else None
            measured[stage, "agreement"] = mutual(of_stage, _OUT_OF)
    values.update({Cell(stage, col): Value(number, responses.by(stage)) for (stage, col), number in measured.items()})
    for col in ("accuracy", "agreement"):
        before, after = measured.get(("B2", col)), measured.get(("R2", col))
        if before and after is not None:
            values[Cell("R2 over B2", f"{col}_gain_percent")] = Value(100 * (after / before - 1), responses.by())
    return Computed(values, [*panel_notes(responses), *_NOTES])
