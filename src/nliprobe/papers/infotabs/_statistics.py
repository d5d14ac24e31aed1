"""Count the statistics behind the data tables of InfoTabS, once per process."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Literal

from nliprobe.api.sources import open_source
from nliprobe.corpora.base import data_roots
from nliprobe.corpora.statistics import Composition, statistics
from nliprobe.papers.recipes import Cell
from nliprobe.task.statistics import CorpusStats

TRAIN = "train"
# The order of every table of the paper.
TESTED = ("dev", "alpha1", "alpha2", "alpha3")
SPLITS = (TRAIN, *TESTED)
_DEVIATION = "standard deviation"
LABELS = {"Entail": "E", "Neutral": "N", "Contradict": "C"}


def split_statistics(split: str, root: Path | None) -> CorpusStats:
    """Return the statistics of a split, and what it shares with the training split."""
    roots = tuple(data_roots(root))
    against = None if split == TRAIN else _census(TRAIN, roots, root)
    return statistics(_census(split, roots, root), against)


def spreads_by_label(
    name: Literal["words", "overlap_cased"], root: Path | None
) -> tuple[dict[Cell, float | None], str]:
    """Return mean and standard deviation of a statistic for each label and split, and a note on the deviations.

    The paper prints the deviations of its tables 9 and 10 only as a range.
    """
    means: dict[Cell, float | None] = {}
    deviations: dict[Cell, float | None] = {}
    for split in SPLITS:
        hypotheses = split_statistics(split, root)["hypotheses"]
        for row, label in LABELS.items():
            spread = hypotheses[label][name] if label in hypotheses else None
            means[Cell(row, split)] = spread and spread["mean"]
            deviations[Cell(f"{row} {_DEVIATION}", split)] = spread and spread["sd"]
    known = sorted((value, cell) for cell, value in deviations.items() if value is not None)
    (lowest, low), (highest, high) = known[0], known[-1]
    extremes: dict[Cell, float | None] = {Cell(_DEVIATION, "lowest"): lowest, Cell(_DEVIATION, "highest"): highest}
    note = (
        "The paper prints the standard deviations only as a range. Ours are of a sample (divided by n - 1); the lowest "
        f"is that of {low.row.removesuffix(_DEVIATION)}{low.col}, the highest that of "
        f"{high.row.removesuffix(_DEVIATION)}{high.col}."
    )
    return {**means, **extremes, **deviations}, note


@cache
def _census(split: str, roots: tuple[Path, ...], root: Path | None) -> Composition:
    # The roots are in the key because NLIPROBE_DATA may change within a process.
    return Composition.of(open_source(f"infotabs/{split}", root))
