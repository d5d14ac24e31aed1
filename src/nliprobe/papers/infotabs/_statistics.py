"""Count the statistics behind the data tables of InfoTabS, once per process."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from nliprobe.api.sources import open_source
from nliprobe.corpora.base import data_roots
from nliprobe.corpora.statistics import Composition, statistics
from nliprobe.task.statistics import CorpusStats

TRAIN = "train"
# The order of every table of the paper.
TESTED = ("dev", "alpha1", "alpha2", "alpha3")
SPLITS = (TRAIN, *TESTED)
LABELS = {"Entail": "E", "Neutral": "N", "Contradict": "C"}


def split_statistics(split: str, root: Path | None) -> CorpusStats:
    """Return the statistics of a split, and what it shares with the training split."""
    roots = tuple(data_roots(root))
    against = None if split == TRAIN else _census(TRAIN, roots, root)
    return statistics(_census(split, roots, root), against)


@cache
def _census(split: str, roots: tuple[Path, ...], root: Path | None) -> Composition:
    # The roots are in the key because NLIPROBE_DATA may change within a process.
    return Composition.of(open_source(f"infotabs/{split}", root))
