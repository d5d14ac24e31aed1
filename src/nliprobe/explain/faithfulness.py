"""Whether an explanation is faithful: does the answer rest on the features it names, more than on others?"""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean

from nliprobe.base.seeds import draws
from nliprobe.explain.features import Features
from nliprobe.explain.target import Answered, Target
from nliprobe.task.explanation import Faithfulness, Step

# Random choices with which the named features are compared.
RANDOM_DRAWS = 20


def faithfulness(
    target: Target, features: Features, named: Sequence[int], seed: int, *names: str
) -> Faithfulness | None:
    """Take the named features out one after the other, and compare with as many at random.

    Args:
        target: asks the system.
        features: of the input.
        named: the columns of the named features, the most important first.
        seed: of the random choices.
        names: what the draws are for.

    Returns:
        None if nothing is named, or nothing would be left.
    """
    import numpy as np

    size = len(features.listed)
    # The last feature stays: most systems answer nothing to nothing.
    named = named[: size - 1]
    if not named:
        return None
    generator = draws(seed, "faithfulness", *names)
    orders = [generator.sample(range(size), len(named)) for _ in range(RANDOM_DRAWS)]
    kept = np.ones(((1 + len(orders)) * len(named), size), dtype=np.bool_)
    row = 0
    for order in [list(named), *orders]:
        for steps in range(1, len(named) + 1):
            kept[row, order[:steps]] = False
            row += 1
    said = target.ask(features.inputs(kept))
    whole, first, rest = Answered(target.label, target.value), said[: len(named)], said[len(named) :]
    random = [[rest[draw * len(named) + step] for draw in range(len(orders))] for step in range(len(named))]
    return Faithfulness(
        named=[_step(removed, item) for removed, item in enumerate([whole, *first])],
        random_value=[_mean([item.value for item in items]) for items in random],
        random_changed=[fmean(item.label != target.label for item in items) for items in random],
        draws=len(orders),
        drop=_drop([item.value for item in first], [_mean([item.value for item in items]) for items in random]),
    )


def _step(removed: int, item: Answered) -> Step:
    label = None if item.label is None else str(item.label)
    return Step(removed=removed, label=label, value=None if item.value is None else round(item.value, 6))


def _mean(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return round(fmean(known), 6) if known else None


def _drop(named: Sequence[float | None], random: Sequence[float | None]) -> float | None:
    both = [
        other - value for value, other in zip(named, random, strict=True) if value is not None and other is not None
    ]
    return round(fmean(both), 6) if both else None
