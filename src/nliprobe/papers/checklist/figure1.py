"""Figure 1: three models by capability, and how many templates they are unsure of."""

from __future__ import annotations

from nliprobe.papers.checklist._public import THREE
from nliprobe.papers.checklist._summary import draw_summary, summary
from nliprobe.papers.recipes import Computed, Folders, recipe

_NOTE = (
    "Printed are only the templates that a model is unsure of, in the text: 58/194 (BERT), 52/194 (DistilBERT) and "
    "28/194 (RoBERTa), here in percent."
)


@recipe("checklist:figure1", "Accuracy by capability, and templates by accuracy, of three models", draw_summary(THREE))
def figure1(folders: Folders) -> Computed:
    """Summarise the public list and the shipped answers."""
    return summary(folders, THREE, _NOTE)
