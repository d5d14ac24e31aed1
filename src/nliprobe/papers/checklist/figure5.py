"""Figure 5: five models by capability, and how many templates they are unsure of."""

from __future__ import annotations

from nliprobe.papers.checklist._public import MODELS
from nliprobe.papers.checklist._summary import draw_summary, summary
from nliprobe.papers.recipes import Computed, Folders, recipe

_NOTE = "The figure has no printed numbers, so the cells only have our values."


@recipe(
    "checklist:figure5",
    "Accuracy by capability, and templates by accuracy, of all systems",
    draw_summary(tuple(MODELS)),
)
def figure5(folders: Folders) -> Computed:
    """Summarise the public list and the shipped answers."""
    return summary(folders, tuple(MODELS), _NOTE)
