"""Table 8: the second pilot study, with explanations for each question."""

from __future__ import annotations

from statistics import fmean

from nliprobe.papers.recipes import Cell, Computed, Folders, Value, recipe

_OUT_OF = 25
_NOTES = [
    f"All scores are out of {_OUT_OF}, to scale where there were more questions or fewer. agreement: the mean over "
    "pairs of participants of the questions that both answer the same.",
]


@recipe("checklist:table8", "Pilot study 2: accuracy and agreement of participants, by kind of explanation")
def table8(folders: Folders) -> Computed:
    """Score the answers of a file of responses."""
    from nliprobe.papers.checklist._people import foreseen, mutual
    from nliprobe.papers.checklist._responses import NO_FILE, PHASE_2, read_responses

    values: dict[Cell, float | Value | None] = dict.fromkeys(table8.printed())
    if folders.responses is None:
        return Computed(values, [NO_FILE, *_NOTES])
    answers = read_responses(folders.responses).of(PHASE_2).answers
    if not answers:
        none = f"{folders.responses} holds no answers of the stages {', '.join(PHASE_2)}: nothing for this table."
        return Computed(values, [none, *_NOTES])
    by = f"participants of {folders.responses.name}"
    for stage in PHASE_2:
        if some := [answer for answer in answers if answer.stage == stage]:
            values[Cell("accuracy", stage)] = Value(fmean(foreseen(some, _OUT_OF)), by)
            values[Cell("agreement", stage)] = Value(mutual(some, _OUT_OF), by)
    return Computed(values, list(_NOTES))
