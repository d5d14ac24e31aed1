"""Count the statistics behind the data tables of InfoTabS, once per process."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from nliprobe.corpora.base import data_roots
from nliprobe.corpora.open import open_corpus
from nliprobe.corpora.statistics import Census, statistics, take_census
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
def _census(split: str, roots: tuple[Path, ...], root: Path | None) -> Census:
    # The roots are in the key because NLIPROBE_DATA may change within a process.
    return take_census(open_corpus(f"infotabs/{split}", root))
