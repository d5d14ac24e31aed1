"""Table 10: the printed examples of perturbed hypotheses, and the labels that our rules give to their like."""

from __future__ import annotations

from typing import NamedTuple

from nliprobe.papers.evidence._printed import ALBUM, H1, H2, LABELS, made_of, share_entailed
from nliprobe.papers.recipes import Cell, Computed, Folders, Value, recipe
from nliprobe.task.case import Certainty


class _Example(NamedTuple):
    """A printed example: the hypothesis, its label, the probe of its type, and the perturbed hypothesis."""

    hypothesis: str
    label: str
    probe: str
    perturbed: str


_EXAMPLES = {
    "H1, nominal modifier": _Example(
        H1,
        "E",
        "hypothesis.modifier",
        "Breakfast in America which was produced by Pert Handerson is a pop album with a length of 46 minutes.",
    ),
    "H1, temporal expression": _Example(
        H1, "E", "hypothesis.temporal", "Breakfast in America is a pop album with a length of 56 minutes."
    ),
    "H2, negation": _Example(
        H2, "C", "hypothesis.negation", "Breakfast in America was not released towards the end of 1979."
    ),
    "H2, temporal expression": _Example(
        H2, "C", "hypothesis.temporal", "Breakfast in America was released towards the end of 1989."
    ),
}
_NOTES = [
    LABELS,
    "'as printed' counts our cases with exactly the printed text. The others differ in what is drawn: the step (46 "
    "minutes become 69 or 23, half the number), or the row of the modifier.",
    "The printed modifier has its name wrong: the table says Peter Henderson.",
    "Figure 1 prints H2 as 'released at the end of 1979'; the examples change 'towards the end of 1979'.",
]


@recipe("evidence:table10", "Examples of perturbed hypotheses with their labels")
def table10(folders: Folders) -> Computed:
    """Perturb the printed hypotheses by the rules of the printed type, and compare the labels."""
    values: dict[Cell, float | Value | None] = {}
    for row, example in _EXAMPLES.items():
        cases = made_of(ALBUM, example.hypothesis, example.label, example.probe)
        values[Cell(row, "label before")] = float(example.label == "E")
        values[Cell(row, "label after")] = share_entailed(cases)
        values[Cell(row, "cases")] = len(cases)
        values[Cell(row, "certain")] = sum(case.certainty is Certainty.CERTAIN for case in cases)
        values[Cell(row, "as printed")] = sum(case.hypothesis == example.perturbed for case in cases)
    return Computed(values, _NOTES)
