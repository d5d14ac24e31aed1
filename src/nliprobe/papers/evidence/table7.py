"""Table 7: how far raters agree with the majority, before and after those with poor agreement are left out."""

from __future__ import annotations

from nliprobe.papers.recipes import Cell, Computed, Folders, Value, recipe

_NOTES = [
    "Averages over raters, each compared with the majority that the rater is part of, as in the paper; against the "
    "majority of the others ('others'), agreement is lower.",
    "The paper left out 22 raters, but not by a rule that it states. After: without raters whose F1 is below {}; the "
    "released sample may have been cleaned before.",
]


@recipe("evidence:table7", "Raters' agreement with the majority before and after cleaning")
def table7(folders: Folders) -> Computed:
    """Compare each rater with the majority, clean the marks, and compare again."""
    from nliprobe.papers.evidence._marks import BELOW, agreement, by, marked_pairs, note, percent
    from nliprobe.people.clean_marks import CleaningRule, clean_marks
    from nliprobe.people.marks import MarksAgreement, marks_agreement

    cleaned = clean_marks(marked_pairs(folders), CleaningRule(below=BELOW))
    values: dict[Cell, float | Value | None] = {}
    stages: dict[str, MarksAgreement] = {"Before": agreement(folders), "After": marks_agreement(cleaned.pairs)}
    for row, measured in stages.items():
        values[Cell(row, "annotators")] = Value(len(measured.raters), by(folders))
        for col, measure in measured.by_rater._asdict().items():
            values[Cell(row, col)] = percent(measure, folders)
    for row, measured in stages.items():
        for col, measure in measured.by_rater_others._asdict().items():
            values[Cell(f"{row}, others", col)] = percent(measure, folders)
    left = f"{len(cleaned.wanting)} pairs would need new marks after it." if cleaned.wanting else ""
    return Computed(values, [_NOTES[0], f"{_NOTES[1].format(BELOW)} {left}".strip(), note(folders)])
