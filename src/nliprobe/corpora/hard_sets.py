"""Released hard subsets: the pairs of a corpus that their authors' hypothesis-only model got wrong."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from typing import NamedTuple

from nliprobe.base.errors import DataError, NotFoundError
from nliprobe.task.pair import Pair
from nliprobe.task.same_texts import plain_text, same_texts
from nliprobe.task.source import PairSource, Source
from nliprobe.task.sources import open_source, origin

# The hard subset of each corpus that has a released one (Gururangan et al. 2018; Karimi Mahabadi et al. 2020).
RELEASED = {
    "snli/test": "snli-hard/test",
    "multinli/dev-matched": "mnli-hard/matched",
    "multinli/dev-mismatched": "mnli-hard/mismatched",
}
# Of the ids of a subset, so many must name a pair with the same hypothesis; otherwise ids agree by accident.
_ENOUGH = 0.95


class MatchedBy(StrEnum):
    """How the pairs of a subset were recognised in the corpus."""

    ID = "pair id"
    TEXTS = "texts"


class HardSet(NamedTuple):
    """The pairs of a corpus that are in a released hard subset.

    Attributes:
        name: the subset.
        by: how its pairs were recognised.
        ids: the ids that they have in the corpus.
        size: how many pairs the subset has.
        unmatched: how many of them are not among the pairs of the corpus.
    """

    name: str
    by: MatchedBy
    ids: frozenset[str]
    size: int
    unmatched: int


def released_hard_set(source: PairSource) -> str:
    """Return the name of the released hard subset of a corpus, or an empty text if it has none."""
    return RELEASED.get(origin(source).name, "")


def open_if_here(name: str, root: Path | None = None) -> Source | None:
    """Open a corpus, or return None if it is not on this machine."""
    try:
        return open_source(name, root)
    except NotFoundError:
        return None


def find_hard_pairs(pairs: Sequence[Pair], corpus: str, subset: PairSource) -> HardSet:
    """Recognise the pairs of a hard subset among those of a corpus: by their ids, or by their texts.

    Ids decide if nearly all of those in the subset name a pair with the same hypothesis. Otherwise texts are compared
    without case, spaces and punctuation, in which copies of a corpus differ.

    Args:
        pairs: the pairs of the corpus.
        corpus: its name, with which their ids begin.
        subset: the hard pairs.
    """
    wanted = list(subset.pairs())
    whole = origin(subset).name
    bare = {pair.id.removeprefix(f"{corpus}/"): pair for pair in pairs}
    by_id = [bare.get(pair.id.removeprefix(f"{whole}/")) for pair in wanted]
    named = [pair for pair, hard in zip(by_id, wanted, strict=True) if pair is not None and _same_text(pair, hard)]
    # A view of the corpus has only some of the pairs, so it is those whose ids are there that must agree.
    if named and len(named) >= _ENOUGH * sum(pair is not None for pair in by_id):
        ids = frozenset(pair.id for pair in named)
        return HardSet(subset.name, MatchedBy.ID, ids, len(wanted), len(wanted) - len(named))
    texts = {same_texts(pair) for pair in wanted}
    present = {pair.id: same_texts(pair) for pair in pairs}
    ids = frozenset(pair_id for pair_id, text in present.items() if text in texts)
    there = set(present.values())
    unmatched = sum(same_texts(pair) not in there for pair in wanted)
    if not ids:
        raise DataError(
            f"{subset.name} is not a part of {corpus}: none of its {len(wanted):,} pairs has the id and the hypothesis "
            "of one, or its texts."
        )
    return HardSet(subset.name, MatchedBy.TEXTS, ids, len(wanted), unmatched)


def _same_text(one: Pair, other: Pair) -> bool:
    return plain_text(one.hypothesis) == plain_text(other.hypothesis)
