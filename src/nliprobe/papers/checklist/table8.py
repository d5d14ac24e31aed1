"""Table 8: the second pilot study, with explanations for each question."""

from __future__ import annotations

from statistics import fmean

from nliprobe.papers.recipes import Cell, Computed, Folders, Value, recipe

_OUT_OF = 25
_NOTES = [
    f"All scores are out of {_OUT_OF}, scaled if there were more or fewer questions. agreement: the number of "
    "questions that two participants answer the same, the mean over pairs of participants.",
]


@recipe("checklist:table8", "Pilot study 2: accuracy and agreement of participants, by kind of explanation")
def table8(folders: Folders) -> Computed:
    """Score the answers of a file of responses."""
    from nliprobe.papers.checklist._responses import NO_FILE, PHASE_2, panel_notes, read_responses
    from nliprobe.people.study.scoring import foreseen, mutual

    values: dict[Cell, float | Value | None] = dict.fromkeys(table8.printed())
    if folders.responses is None:
        return Computed(values, [NO_FILE, *_NOTES])
    responses = read_responses(folders.responses).of(PHASE_2)
    if not responses.answers:
        no_answers = f"{folders.responses} holds no answers of the stages {', '.join(PHASE_2)}: nothing for this table."
        return Computed(values, [no_answers, *_NOTES])
    for stage in PHASE_2:
        if of_stage := responses.of([stage]).answers:
            by = responses.by(stage)
            values[Cell("accuracy", stage)] = Value(fmean(foreseen(of_stage, _OUT_OF)), by)
            values[Cell("agreement", stage)] = Value(mutual(of_stage, _OUT_OF), by)
    return Computed(values, [*panel_notes(responses), *_NOTES])
