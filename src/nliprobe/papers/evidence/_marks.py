"""The agreement of the raters of the released sample, for the tables and figures about people."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from nliprobe.corpora.base import data_roots
from nliprobe.papers.recipes import Folders, Value

if TYPE_CHECKING:
    from nliprobe.people.marks import MarksAgreement
    from nliprobe.stats.matches import Measure
    from nliprobe.task.marks import MarkedPair

SAMPLE = "infotabs/train-sample"
NOTE = (
    "The paper collected marks for the 7,200 pairs of dev, alpha1, alpha2 and alpha3, which are not public. Ours are "
    "the released sample: {pairs} pairs of {tables} tables of train with five ratings each, by {raters} raters. The "
    "mark for knowledge from outside the table counts like that of a row."
)
BELOW = 0.8


def marked_pairs(folders: Folders) -> tuple[MarkedPair, ...]:
    """Read the released marks."""
    return _marked_pairs(tuple(data_roots(folders.root)))


@cache
def _marked_pairs(roots: tuple[Path, ...]) -> tuple[MarkedPair, ...]:
    from nliprobe.corpora.marks import open_marks

    return open_marks(SAMPLE, roots).pairs


def agreement(folders: Folders) -> MarksAgreement:
    """Measure the agreement of the raters."""
    return _agreement(tuple(data_roots(folders.root)))


@cache
def _agreement(roots: tuple[Path, ...]) -> MarksAgreement:
    from nliprobe.people.marks import marks_agreement

    return marks_agreement(_marked_pairs(roots))


def note(folders: Folders) -> str:
    """Return what the numbers rest on."""
    pairs = marked_pairs(folders)
    raters = {mark.rater for pair in pairs for mark in pair.marks}
    return NOTE.format(pairs=len(pairs), tables=len({pair.group for pair in pairs}), raters=len(raters))


def by(folders: Folders) -> str:
    """Return what produced the values, for the reader of a table."""
    return f"{len(marked_pairs(folders))} released pairs of train"


def percent(measure: Measure, folders: Folders) -> Value:
    """Return a measure in percent."""
    ends = measure.ci95
    interval = None if ends is None else (100 * ends.low, 100 * ends.high)
    return Value(None if measure.value is None else 100 * measure.value, by(folders), None, interval)
