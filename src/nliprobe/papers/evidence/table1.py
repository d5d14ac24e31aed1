"""Table 1: how often people and models are right, on each split of InfoTabS."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nliprobe.papers.recipes import Cell, Computed, Folders, Value, recipe
from nliprobe.papers.seeds import over_seeds

if TYPE_CHECKING:
    from nliprobe.papers.probe_answers import Answers

_NOTES = [
    "The paper repeats these numbers from InfoTabS (infotabs:table2, table3 and table6). Human accuracy is computed "
    "from the released ratings; the paper cuts percentages off instead of rounding them.",
    "The paper's models are not available. Rows that begin with the name of another model are of the model named under "
    "'by'; they reproduce no row of the paper.",
]
_SPLITS = ("dev", "alpha1", "alpha2", "alpha3")


@recipe("evidence:table1", "Accuracy of people and of models on InfoTabS")
def table1(folders: Folders) -> Computed:
    """Compute the accuracy of people from their ratings, and that of the models that were asked."""
    from nliprobe.api.agreement import agreement
    from nliprobe.papers.evidence.answers_file import FULL, HYPOTHESIS_ONLY, find_answers

    values: dict[Cell, float | Value | None] = dict.fromkeys(table1.printed())
    for verified in agreement(["infotabs"], folders.root)["files"]:
        rate = verified["accuracy"]["value"]
        cell = Cell("Human", verified["name"].partition("/")[2])
        if cell in values and rate is not None:
            values[cell] = 100 * rate
    notes = list(_NOTES)
    for name, reading in ((HYPOTHESIS_ONLY, "Hypothesis Only"), (FULL, "Para")):
        answers = find_answers(name, folders.answers)
        if answers is None:
            notes.append(f"{reading}: not measured (there are no answers '{name}').")
            continue
        for split in _SPLITS:
            corpus = f"infotabs/{split}"
            if answers.has(corpus, "gold"):
                values[Cell(f"{answers.name} {reading}", split)] = _accuracy(answers, corpus, folders)
            else:
                notes.append(f"{answers.name} {reading}: not measured on {split}.")
    return Computed(values, notes)


def _accuracy(answers: Answers, corpus: str, folders: Folders) -> Value:
    """Return the accuracy of a model on a corpus, over its seeds."""
    from nliprobe.analysis.scores import scores
    from nliprobe.papers.asked import asked_run, make_cases

    entries = scores(asked_run(answers, [make_cases(corpus, ["gold"], folders.root)]))
    shares = [None if entry["accuracy"] is None else 100 * entry["accuracy"] for entry in entries]
    ends = [None if entry["ci95"] is None else [100 * end for end in entry["ci95"]] for entry in entries]
    return over_seeds(shares, ends, answers.by)
