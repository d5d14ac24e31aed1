"""Facets of scored pairs: accuracies by facet without a run, for ``nliprobe score``."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import product
from typing import TYPE_CHECKING, NamedTuple

from nliprobe.analysis.constant import constant_answers
from nliprobe.analysis.facet_documents import FEW, Breakdown, FacetEntry
from nliprobe.analysis.facet_values import COUNT, CROSS, ROWS, ordered_values
from nliprobe.analysis.scores import ends, share_interval
from nliprobe.base.errors import NotFoundError, did_you_mean
from nliprobe.task.case import IDENTITY, Prediction
from nliprobe.task.labels import Partition
from nliprobe.task.outcomes import HOLDS, gold_table
from nliprobe.task.pair import Pair
from nliprobe.task.where import LABEL

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class ScoredPairs(NamedTuple):
    """Labelled pairs of a corpus with the answers of a system, and what both tell apart.

    Attributes:
        corpus: the name of the corpus.
        system: the name of what answered.
        pairs: the pairs, all with a gold label.
        answers: an answer per pair.
        partition: the labels that both tell apart.
        labels: those of them that gold may be.
    """

    corpus: str
    system: str
    pairs: Sequence[Pair]
    answers: Sequence[Prediction]
    partition: Partition
    labels: Partition


def scored_breakdown(scored: ScoredPairs, facet: str, *, asked: bool) -> Breakdown | None:
    """Break the accuracy down by a facet, or by several with commas between them; None if no pair has them.

    Args:
        scored: the pairs with their answers.
        facet: what :func:`facet_members` takes for a run.
        asked: whether the user asked for it; then it is an error if no pair has it.
    """
    import numpy as np

    own = {item.name for pair in scored.pairs for item in pair.facets}
    names = [facet] if facet in own else [name.strip() for name in facet.split(CROSS)]
    by_name = {name: [_values(pair, name) for pair in scored.pairs] for name in names}
    missing = next((name for name, values in by_name.items() if not any(values)), None)
    rows: dict[str, list[int]] = {}
    for row, values in enumerate(zip(*by_name.values(), strict=True)):
        for combination in product(*values):
            rows.setdefault(f"{CROSS} ".join(combination), []).append(row)
    if not rows:
        if not asked:
            return None
        if missing is None:
            raise NotFoundError(f"No labelled pair of {scored.corpus} has all of the facets {', '.join(names)}.")
        known = [*sorted(own), *(f"{COUNT}{name}" for name in sorted(own)), LABEL]
        hint = did_you_mean(missing, known)
        raise NotFoundError(f"No labelled pair of {scored.corpus} has the facet '{missing}'. {hint}")
    parts = [ordered_values(Counter(one for values in by_name[name] for one in values), name) for name in names]
    gold = np.array([0 if pair.gold is None else pair.gold.mask for pair in scored.pairs], dtype=np.uint8)
    answers = np.array([0 if item.label is None else item.label.mask for item in scored.answers], dtype=np.uint8)
    numbers: dict[str, int] = {}
    groups = np.array([numbers.setdefault(pair.group or pair.id, len(numbers)) for pair in scored.pairs])
    order = [value for value in map(f"{CROSS} ".join, product(*parts)) if value in rows]
    return Breakdown(
        corpus=scored.corpus,
        facet=facet,
        asked=asked,
        many=sum(map(len, rows.values())) > len({row for some in rows.values() for row in some}),
        values=order,
        accuracy=[_entry(scored, value, np.array(rows[value]), gold, answers, groups) for value in order],
    )


def _values(pair: Pair, name: str) -> list[str]:
    """Return the values that a pair has of one facet, given or computed, each once."""
    if name == LABEL:
        return [str(pair.gold)]
    given = list(dict.fromkeys(item.value for item in pair.facets if item.name == name))
    if given:
        return given
    if name.startswith(COUNT):
        number = len({item.value for item in pair.facets if item.name == name.removeprefix(COUNT)})
        return [str(number)] if number else []
    return [str(len(pair.evidence.units))] if name == ROWS and pair.evidence is not None else []


def _entry(
    scored: ScoredPairs,
    value: str,
    rows: NDArray[np.int64],
    gold: NDArray[np.uint8],
    answers: NDArray[np.uint8],
    groups: NDArray[np.int64],
) -> FacetEntry:
    import numpy as np

    right = gold_table(scored.partition)[gold[rows], answers[rows]] == HOLDS
    _, clusters = np.unique(groups[rows], return_inverse=True)
    interval = ends(share_interval(right, clusters))
    number = int(clusters.max()) + 1
    return FacetEntry(
        system=scored.system,
        corpus=scored.corpus,
        probe=IDENTITY,
        value=value,
        n=len(rows),
        pairs=len(rows),
        groups=number,
        count=int(right.sum()),
        unanswered=int((answers[rows] == 0).sum()),
        rate=int(right.sum()) / len(rows),
        ci95=interval,
        ci95_clustered=interval if number < len(rows) else None,
        few=len(rows) < FEW,
        constants=constant_answers(gold[rows], scored.labels),
    )
