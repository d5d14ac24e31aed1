"""Name the answers that the tables of the paper read, what was asked, and where the answers are."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from nliprobe.base.errors import DataError
from nliprobe.papers.probe_answers import Answers, find_probe_answers

SHIPPED = Path(__file__).parent / "answers"
# MiniLM and a linear SVM, each with a twin that sees no premise.
FULL, HYPOTHESIS_ONLY, SVM, SVM_HYPOTHESIS_ONLY = "swap-nli", "swap-hypothesis", "swap-svm", "swap-svm-hypothesis"
BENCHED = (FULL, HYPOTHESIS_ONLY, SVM, SVM_HYPOTHESIS_ONLY)
# The networks of the zoo, trained on SNLI, by what the paper calls them, and two that see no premise.
ZOO = {
    "zoo-cbow": "CBOW",
    "zoo-infersent": "InferSent",
    "zoo-dga": "DGA",
    "zoo-esim": "ESIM",
    "zoo-kim": "KIM",
    "zoo-adv-decatt": "ADV",
    "zoo-adv-esim": "ADV over ESIM",
    "zoo-decatt": "decomposable attention",
    "zoo-cbow-hypothesis": "CBOW",
    "zoo-infersent-hypothesis": "InferSent",
}
# InferSent over word vectors that stay as they are, by the share of N and C pairs that it learnt swapped.
SWAPPED = {f"infersent-swapped-{share}": f"InferSent, {share} % swapped" for share in (0, 25, 50, 75, 100)}
NAMES = (*BENCHED, *ZOO, *SWAPPED)
# What the zoo was asked.
ZOO_ON = ("snli/dev", "snli/test")
# The pairs that were swapped and stressed, and the released test sets that were asked as they are.
BENCH = ("snli/dev", "snli/test", "multinli/dev-matched", "multinli/dev-mismatched")
RELEASED = (
    "nli-stress/antonymy-matched",
    "nli-stress/antonymy-mismatched",
    "nli-stress/numerical",
    "nli-stress/spelling-mismatched",
    "hans/evaluation",
    "becel/snli-negation",
    "becel/snli-paraphrase",
    "becel/snli-symmetric",
    "becel/snli-transitive",
    "becel/rte-negation",
    "becel/rte-paraphrase",
    "becel/rte-symmetric",
)
SWAP = "swap"
STRESS = (
    "stress.antonymy",
    "stress.antonymy?of=hypothesis",
    "stress.numerical",
    "stress.numerical?of=hypothesis",
    "stress.overlap",
    "stress.negation",
    "stress.length",
    "stress.spelling",
    "stress.spelling?kind=keyboard",
)


def shipped_answers(names: Iterable[str]) -> dict[str, Answers]:
    """Return the answers of some names by what pages call the models."""
    by_model = {}
    for name in names:
        answers = find_answers(name, None)
        if answers is None:
            raise DataError(f"There are no answers '{name}' in the package.")
        by_model[answers.name + (", hypothesis only" if answers.premise == "none" else "")] = answers
    return by_model


def find_answers(name: str, folder: Path | None) -> Answers | None:
    """Return the answers of a name: from the user's folder if it has them, else the shipped ones, else None."""
    return find_probe_answers(name, folder, SHIPPED)
