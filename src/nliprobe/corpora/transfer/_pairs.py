"""Read pairs of texts: the paraphrases of MRPC, and SICK with its relatedness scores and entailment labels."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from nliprobe.base.errors import DataError, where
from nliprobe.corpora.transfer._lines import Item, lines_of, require_columns
from nliprobe.corpora.transfer.task import DEV, TEST, TRAIN

_MRPC = (("Quality",), ("#1 String",), ("#2 String",))
_SICK = (
    ("sentence_A",),
    ("sentence_B",),
    ("relatedness_score",),
    ("entailment_judgment", "entailment_label"),
)
_SEMEVAL = {"TRAIN": TRAIN, "TRIAL": DEV, "TEST": TEST}
# The scale on which people rated how related two sentences are.
LOWEST, HIGHEST = 1.0, 5.0


class _Pair(NamedTuple):
    split: str
    first: str
    second: str
    score: str
    label: str


def _rows(path: Path, wanted: tuple[tuple[str, ...], ...]) -> Iterator[tuple[int, list[str]]]:
    places: list[int] = []
    width = 0
    for number, line in lines_of(path):
        # Quotes are part of the sentences: nothing in these files is quoted.
        cells = line.split("\t")
        if not places:
            places, width = require_columns(path, line, wanted), len(cells)
            continue
        if len(cells) != width:
            raise DataError(
                f"{where(path, number)}: expected {width} columns as in line 1, but there are {len(cells)}."
            )
        yield number, [cells[place].strip() for place in places]


def paraphrases(path: Path, split: str, codes: Mapping[str, int]) -> Iterator[Item]:
    """Read MRPC: whether each pair is a paraphrase."""
    for number, (label, first, second) in _rows(path, _MRPC):
        if label not in codes:
            raise DataError(f"{where(path, number)}: expected {' or '.join(codes)} as Quality, not {label!r}.")
        yield Item(split, first, second, codes[label])


def entailments(path: Path, split: str, codes: Mapping[str, int]) -> Iterator[Item]:
    """Read SICK with its entailment labels; without a split, the file has a column for it."""
    for number, pair in _sick(path, split):
        if pair.label not in codes:
            raise DataError(f"{where(path, number)}: expected one of {', '.join(codes)}, not {pair.label!r}.")
        yield Item(pair.split, pair.first, pair.second, codes[pair.label])


def relatedness(path: Path, split: str, codes: Mapping[str, int]) -> Iterator[Item]:
    """Read SICK with its relatedness scores; without a split, the file has a column for it."""
    for number, pair in _sick(path, split):
        try:
            score = float(pair.score)
        except ValueError:
            score = float("nan")
        if not LOWEST <= score <= HIGHEST:
            raise DataError(
                f"{where(path, number)}: expected a relatedness score from {LOWEST:g} to {HIGHEST:g}, not "
                f"{pair.score!r}. A spreadsheet may have turned scores into dates: take the original file."
            )
        yield Item(pair.split, pair.first, pair.second, score)


def _sick(path: Path, split: str) -> Iterator[tuple[int, _Pair]]:
    wanted = _SICK if split else (*_SICK, ("SemEval_set",))
    for number, (first, second, score, label, *sets) in _rows(path, wanted):
        if sets and sets[0] not in _SEMEVAL:
            raise DataError(f"{where(path, number)}: expected one of {', '.join(_SEMEVAL)}, not {sets[0]!r}.")
        yield number, _Pair(_SEMEVAL[sets[0]] if sets else split, first, second, score, label)
