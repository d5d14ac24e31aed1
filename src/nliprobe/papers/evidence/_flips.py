"""Originals and their counterfactuals, as a model that sees the table and one that does not answer them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from nliprobe.papers.evidence.answers_file import FULL, HYPOTHESIS_ONLY, find_answers
from nliprobe.papers.probe_answers import Answers
from nliprobe.papers.recipes import Folders
from nliprobe.task.case import Certainty

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from nliprobe.papers.asked import MadeCorpus

    Marks = NDArray[np.bool_]

RELOCATE = "counterfactual.relocate"
# The names of the splits in tables 14 and 15 and in table 13, and the corpora.
CORPORA = {"train": "infotabs-counterfactual/train", "alpha1": "infotabs-counterfactual/alpha1"}
NOTES = [
    "The paper's models are not available. Rows that begin with the name of another model are of the models named "
    "under 'by'; they reproduce no row of the paper.",
    "People's label-flipped pairs were released: 1,127 of alpha1 and 1,109 of train, of which the paper analysed 942 "
    "and 885. One modified table of train equals its original and is left out. The originals of train were seen in "
    "training, as in the paper.",
]


class Pairing(NamedTuple):
    """Originals and the counterfactuals made from them, by the places of their cases.

    Attributes:
        original: the place of each original among the gold cases.
        counterfactual: the place of each counterfactual among the cases of its probe.
        probe: the probe whose cases the counterfactuals are: ``gold`` for people's.
        groups: the table of each.
    """

    original: list[int]
    counterfactual: list[int]
    probe: str
    groups: list[str]


def flipped(made: MadeCorpus) -> Pairing:
    """Return people's counterfactuals with their originals; those whose table is the original's are left out."""
    places = {name: place for place, name in enumerate(made.probes["gold"].ids)}
    pairing = Pairing([], [], "gold", [])
    for place, bases in enumerate(made.probes["gold"].bases):
        for base in bases:
            if made.pairs[place].premise != made.pairs[places[base]].premise:
                pairing.original.append(places[base])
                pairing.counterfactual.append(place)
                pairing.groups.append(made.pairs[place].group)
    return pairing


def preserved(made: MadeCorpus, certainty: Certainty) -> Pairing:
    """Return the relocations of originals whose label is so certain."""
    moved = made.probes[RELOCATE]
    wanted = tuple(Certainty).index(certainty)
    pairing = Pairing([], [], RELOCATE, [])
    for place, (pair, level) in enumerate(zip(moved.pair, moved.certainty, strict=True)):
        if level == wanted and not made.pairs[pair].bases:
            pairing.original.append(pair)
            pairing.counterfactual.append(place)
            pairing.groups.append(made.pairs[pair].group)
    return pairing


class Right(NamedTuple):
    """Which originals and counterfactuals one seed of a model answers right."""

    original: Marks
    counterfactual: Marks


def right_answers(answers: Answers, made: MadeCorpus, pairing: Pairing) -> list[Right]:
    """Return which answers are right, for each seed."""
    return [
        Right(of_gold[pairing.original], of_probe[pairing.counterfactual])
        for of_gold, of_probe in zip(_right(answers, made, "gold"), _right(answers, made, pairing.probe), strict=True)
    ]


def _right(answers: Answers, made: MadeCorpus, probe: str) -> list[Marks]:
    """Return for each seed which cases of a probe have the answer that their gold label says."""
    import numpy as np

    from nliprobe.papers.asked import asked_run

    # Given as one run, a case that is read like its base has the base's answer.
    data = asked_run(answers, [made])
    number = data.cases.probes.index(probe)
    rows = np.flatnonzero(data.cases.probe == number)
    return [system.answers[rows] == data.cases.gold[rows] for system in data.systems]


class Models(NamedTuple):
    """The model and its twin that sees no premise, as far as they were asked."""

    full: Answers | None
    blind: Answers | None


def models(folders: Folders, notes: list[str]) -> Models:
    """Return the answers of both models; what is missing is noted."""
    found = [find_answers(name, folders.answers) for name in (FULL, HYPOTHESIS_ONLY)]
    asked: list[Answers | None] = []
    for name, answers in zip((FULL, HYPOTHESIS_ONLY), found, strict=True):
        lacking = [corpus for corpus in CORPORA.values() if answers is None or not answers.has(corpus, RELOCATE)]
        if lacking:
            notes.append(f"Not measured: there are no answers '{name}' to {RELOCATE} on {', '.join(lacking)}.")
        asked.append(None if lacking else answers)
    return Models(*asked)


def share_ends(marks: Marks, groups: Sequence[str]) -> list[float] | None:
    """Return the interval of a share in percent, by table."""
    from nliprobe.stats.grouped import group_sums, share_interval

    interval = share_interval(*group_sums(marks, clusters(groups)))
    return None if interval is None else [100 * interval.low, 100 * interval.high]


def crossed_marks(right: Right) -> dict[str, Marks]:
    """Mark the pairs of each kind that :class:`nliprobe.analysis.counterfactual.measures.Crossed` counts."""
    original, counterfactual = right
    return {
        "both": original & counterfactual,
        "only_original": original & ~counterfactual,
        "only_counterfactual": ~original & counterfactual,
        "neither": ~original & ~counterfactual,
    }


def clusters(groups: Sequence[str]) -> NDArray[np.int64]:
    """Number groups from 0."""
    import numpy as np

    numbers: dict[str, int] = {}
    return np.array([numbers.setdefault(group, len(numbers)) for group in groups], dtype=np.int64)
