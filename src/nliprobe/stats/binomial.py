"""The upper tail of the binomial distribution: how often chance alone gives at least so many successes."""

from __future__ import annotations

import math

# Terms below this share of their sum cannot change a double any more.
_NEGLIGIBLE = 1e-18


def binomial_tail(successes: int, trials: int, chance: float) -> float:
    """Return the probability of at least this many successes.

    If trials have different chances, whose mean is ``chance``, the tail above the mean is at most this one (Hoeffding,
    1956): so it is an upper bound for answers that are drawn without looking at the question.

    >>> binomial_tail(4, 4, 0.5)
    0.0625
    >>> binomial_tail(0, 4, 0.5)
    1.0

    Args:
        successes: how many there are.
        trials: of how many.
        chance: the probability of a success in one trial.
    """
    if not 0 <= chance <= 1:
        raise ValueError(f"a chance is from 0 to 1, not {chance}")
    if successes <= 0:
        return 1.0
    if successes > trials or chance == 0:
        return 0.0
    if chance == 1:
        return 1.0
    if successes <= chance * trials:
        # The shorter way round, where terms shrink quickly.
        return 1 - binomial_tail(trials - successes + 1, trials, 1 - chance)
    choices = math.lgamma(trials + 1) - math.lgamma(successes + 1) - math.lgamma(trials - successes + 1)
    first = math.exp(choices + successes * math.log(chance) + (trials - successes) * math.log1p(-chance))
    term = total = 1.0
    for above in range(successes, trials):
        term *= (trials - above) / (above + 1) * chance / (1 - chance)
        total += term
        if term < _NEGLIGIBLE * total:
            break
    return min(1.0, first * total)
