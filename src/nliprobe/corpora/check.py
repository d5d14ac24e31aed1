"""Check that a corpus is complete, and list the corpora on this machine."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from nliprobe.corpora import CORPORA
from nliprobe.corpora.census import Census
from nliprobe.corpora.notices import Doubts, taken_columns
from nliprobe.task.source import Source


@dataclass(frozen=True, slots=True)
class CheckReport:
    """The counts and the problems of a corpus.

    Attributes:
        name: corpus and split.
        pairs: how many pairs were read.
        expected: how many there should be, or None if this is not known.
        labels: pairs by gold label.
        unlabelled: pairs without a gold label.
        tables: distinct tables; equal tables with different names count separately.
        duplicates: contents (premise and hypothesis) that occur more than once.
        conflicts: contents that occur with different gold labels.
        replaced: pairs with a character that could not be read and was replaced by U+FFFD.
        problems: what is wrong, one sentence per problem; empty if nothing is.
        columns: what the columns of a user's own pairs were taken for; empty for other corpora.
        notices: what is doubtful about a user's own pairs, one sentence per doubt.
    """

    name: str
    pairs: int
    expected: int | None
    labels: Mapping[str, int]
    unlabelled: int
    tables: int
    duplicates: int
    conflicts: int
    replaced: int
    problems: tuple[str, ...]
    columns: str = ""
    notices: tuple[str, ...] = ()


class Available(NamedTuple):
    """A split of a corpus and the folder that holds it, or None."""

    corpus: str
    split: str
    folder: Path | None


def check_corpus(corpus: Source) -> CheckReport:
    """Read a whole corpus and compare it with what it should hold.

    An error in the files ends the reading and becomes a problem of the report, with the pairs read so far.
    """
    doubts = Doubts(corpus)
    census = Census.of(corpus, doubts.add if doubts.any else None)
    expected = corpus.expected
    problems = [] if census.error is None else [str(census.error)]
    if not problems:
        problems += _differences(corpus.name, census.pairs, expected.pairs, "pairs")
        problems += _differences(corpus.name, census.unlabelled, expected.unlabelled, "pairs without a label")
    columns = None if census.error is not None else taken_columns(corpus)
    return CheckReport(
        name=corpus.name,
        pairs=census.pairs,
        expected=expected.pairs,
        labels=dict(sorted(census.labelled.items())),
        unlabelled=census.unlabelled,
        tables=len(census.tables),
        duplicates=census.duplicates,
        conflicts=census.conflicts,
        replaced=census.replaced,
        problems=tuple(problems),
        columns="" if columns is None else str(columns),
        notices=() if census.error is not None else tuple(doubts.notices()),
    )


def availability(roots: Sequence[Path]) -> list[Available]:
    """Return every split of every corpus, with the folder that holds it."""
    return [Available(name, split, kind.located(split, roots)) for name, kind in CORPORA for split in kind.splits]


def _differences(name: str, actual: int, expected: int | None, what: str) -> list[str]:
    if expected is None or actual == expected:
        return []
    return [f"{name} has {actual:,} {what} where {expected:,} are expected."]
