"""Deletions of relevant and of irrelevant rows: which rows people needed, and what a model answers without them.

The evidence that the paper collected for dev and the test splits was not released. What there is instead is never
mixed: rows that people changed to flip a label of alpha1 (*edit evidence*), and rows that five raters marked on 140
pairs of train (*gold*), asked of a model that was trained without their 18 tables.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from nliprobe.papers.evidence._transitions import (
    Probed,
    edge_values,
    probe_model,
    prohibited_values,
    sizes_note,
)
from nliprobe.papers.evidence.answers_file import FULL, HELD_OUT, find_answers
from nliprobe.papers.recipes import Cell, Folders, Value
from nliprobe.task.pair import Pair
from nliprobe.task.relations import UnitEdit

if TYPE_CHECKING:
    from nliprobe.papers.asked import MadeCorpus
    from nliprobe.papers.probe_answers import Answers

PROBE = "rows.delete"
EDIT, GOLD = "alpha1, edit evidence", "train sample, gold"
NOTES = [
    "The paper's marks of dev, alpha1, alpha2 and alpha3 are not public, so nothing is measured on these splits as the "
    "paper did.",
    f"'{EDIT}' has the originals of the pairs of alpha1 whose label people flipped by changing the table; the rows "
    f"they "
    "changed are relevant, but others may be, too.",
    f"'{GOLD}' has the 140 released pairs of 18 tables of train with the majority of five raters, asked of a model "
    "trained without these tables.",
]


class Place(NamedTuple):
    """A column of ours: what it is called, whose answers fill it, and the corpus with the evidence."""

    column: str
    answers: str
    corpus: str


PLACES = (
    Place(EDIT, FULL, "infotabs-counterfactual/alpha1"),
    Place(GOLD, HELD_OUT, "infotabs/train-sample?evidence=gold"),
)


class Measured(NamedTuple):
    """The transitions of one place, and whose they are."""

    answers: Answers
    probed: list[Probed]


def is_source(pair: Pair) -> bool:
    """Tell whether a pair is as InfoTabS has it: not one whose table people changed."""
    return not pair.bases


def deletions(made: MadeCorpus) -> Iterator[tuple[Pair, int]]:
    """Yield the pair and the row of each deletion, in the order of the cases; each row of a pair is deleted in turn."""
    for pair, size in zip(made.pairs, made.probes[PROBE].sizes, strict=True):
        for row in range(size):
            yield pair, row


def judge_rows(kind: UnitEdit, *, relevant: bool) -> Callable[[MadeCorpus], list[str]]:
    """Return a function that judges the deletions of relevant (or of irrelevant) rows, and leaves the others out."""

    def judge(made: MadeCorpus) -> list[str]:
        rule = str(kind.relation)
        rules = []
        for pair, row in deletions(made):
            evidence = pair.evidence
            counts = evidence is not None and is_source(pair) and (row in evidence.units) == relevant
            rules.append(rule if counts else "")
        return rules

    return judge


def measure(folders: Folders, kind: UnitEdit, *, relevant: bool) -> tuple[list[Measured], list[str]]:
    """Return the transitions in every place that was asked, and notes on the others and on sizes."""
    measured: list[Measured] = []
    notes: list[str] = []
    for column, name, corpus in PLACES:
        answers = find_answers(name, folders.answers)
        if answers is None or not answers.has(corpus, PROBE):
            notes.append(f"{column}: not measured (there are no answers '{name}' to {PROBE} on {corpus}).")
            continue
        probed = probe_model(answers, {column: corpus}, PROBE, folders, judge_rows(kind, relevant=relevant))
        measured.append(Measured(answers, probed))
        notes += sizes_note(probed)
    return measured, notes


def edges(measured: Sequence[Measured]) -> dict[Cell, Value]:
    """Return the cells of a figure."""
    return {cell: value for answers, probed in measured for cell, value in edge_values(probed, answers).items()}


def prohibited(measured: Sequence[Measured], kind: UnitEdit) -> dict[Cell, Value]:
    """Return the cells of a table of prohibited transitions."""
    return {
        cell: value
        for answers, probed in measured
        for cell, value in prohibited_values(probed, answers, kind.relation).items()
    }
