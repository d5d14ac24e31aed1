"""Baselines: what every unit, none, one at random, or those that share most words with the hypothesis would get."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from nliprobe.analysis.evidence.documents import Baseline
from nliprobe.analysis.evidence.measures import (
    ALL,
    IRRELEVANT_ONLY,
    NOTHING,
    PARTIAL,
    UnitUse,
    pair_counts,
    pair_kinds,
    precisions,
    recalls,
)
from nliprobe.language.words import FUNCTION_WORDS, lower_words

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

EVERY, NONE, RANDOM, OVERLAP = "every unit", "no unit", "a random unit", "most shared words"


def baselines(use: UnitUse, shared: NDArray[np.bool_]) -> list[Baseline]:
    """Return what things without a model get on the same pairs.

    Args:
        use: the pairs; what the system uses does not matter.
        shared: the units that share most words with their hypothesis, from :func:`most_shared`.
    """
    import numpy as np

    if not len(use.right):
        return []
    return [
        _fixed(EVERY, use, np.ones(len(use.pair), dtype=bool)),
        _fixed(NONE, use, np.zeros(len(use.pair), dtype=bool)),
        _random(use),
        _fixed(OVERLAP, use, shared),
    ]


def most_shared(hypothesis: str, units: Sequence[str]) -> list[bool]:
    """Mark the units that share most words with a hypothesis; none if no unit shares any.

    Function words do not count, nor does a word that all units have.

    >>> most_shared("It was built in 1924.", ["Built 1924", "Rebuilt 1987", "Beds 48"])
    [True, False, False]
    """
    words = [set(lower_words(unit)) - FUNCTION_WORDS for unit in units]
    common = set.intersection(*words) if len(words) > 1 else set()
    asked = set(lower_words(hypothesis)) - FUNCTION_WORDS - common
    counts = [len(asked & unit) for unit in words]
    highest = max(counts, default=0)
    return [count == highest > 0 for count in counts]


def _fixed(name: str, use: UnitUse, used: NDArray[np.bool_]) -> Baseline:
    counts = pair_counts(use._replace(used=used))
    kinds, some = pair_kinds(counts), counts.used > 0
    exact = (counts.both == counts.marked) & (counts.used == counts.marked)
    return Baseline(
        name=name,
        precision=float(precisions(counts).mean()),
        precision_where_some=float(precisions(counts)[some].mean()) if some.any() else None,
        recall=float(recalls(counts).mean()),
        exact=float(exact.mean()),
        all=float((kinds == ALL).mean()),
        partial=float((kinds == PARTIAL).mean()),
        irrelevant_only=float((kinds == IRRELEVANT_ONLY).mean()),
        nothing=float((kinds == NOTHING).mean()),
    )


def _random(use: UnitUse) -> Baseline:
    """Return what one unit drawn at random gets on average over all draws; nothing is drawn."""
    counts = pair_counts(use)
    hit, one = counts.marked / counts.units, counts.marked == 1
    return Baseline(
        name=RANDOM,
        precision=float(hit.mean()),
        precision_where_some=float(hit.mean()),
        recall=float((1 / counts.units).mean()),
        exact=float((hit * one).mean()),
        all=float((hit * one).mean()),
        partial=float((hit * ~one).mean()),
        irrelevant_only=float((1 - hit).mean()),
        nothing=0.0,
    )
