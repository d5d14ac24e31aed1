"""Name the answers that the tables of the paper read, and find them: in a folder of the user, or in the package."""

from __future__ import annotations

from pathlib import Path

from nliprobe.papers.probe_answers import Answers, find_probe_answers

SHIPPED = Path(__file__).parent / "answers"
# The model itself, its twin that sees no premise, and the model that never saw the tables of the sample with evidence.
FULL, HYPOTHESIS_ONLY, HELD_OUT = "evidence-para", "evidence-hypothesis", "evidence-held-out"
# The same model and its twin on perturbed hypotheses, and a linear SVM with its twin, which are trained in a minute.
PERTURBED = ("evidence-perturbed-para", "evidence-perturbed-hypothesis")
PERTURBED_SVM = ("evidence-perturbed-svm", "evidence-perturbed-svm-hypothesis")
NAMES = (FULL, HYPOTHESIS_ONLY, HELD_OUT, *PERTURBED, *PERTURBED_SVM)


def find_answers(name: str, folder: Path | None) -> Answers | None:
    """Return the answers of a name: from the user's folder if it has them, else the shipped ones, else None."""
    return find_probe_answers(name, folder, SHIPPED)
