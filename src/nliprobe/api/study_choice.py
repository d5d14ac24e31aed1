"""Choosing the templates of a study: balanced over bins of accuracy for every system, and over capabilities."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from nliprobe.base.seeds import draws, shuffled

# What counts most: no bin is empty that need not be, then different families, then equal bins, then capabilities, and
# of templates that are alike in all that, those whose bin is sure.
_EMPTY, _FAMILY, _BIN, _CAPABILITY, _UNSURE = 1000.0, 50.0, 4.0, 1.0, 0.5


class Candidate(NamedTuple):
    """A template that may be asked about.

    Attributes:
        template: its id.
        capability: what it tests.
        family: the first of the templates that are variations of one another.
        bins: its bin of accuracy for each system.
        unsure: for how many systems the interval of its accuracy reaches into another bin.
    """

    template: str
    capability: str
    family: str
    bins: tuple[str, ...]
    unsure: int = 0


def choose_templates(candidates: Sequence[Candidate], count: int, bins: Sequence[str], seed: int) -> list[Candidate]:
    """Choose templates so that the bins of every system, and the capabilities, have about equally many.

    One template after the other is taken that balances best; then templates are exchanged as long as that helps. The
    same candidates and seed always give the same choice.

    Args:
        candidates: the templates to choose from.
        count: how many; all of them if there are fewer.
        bins: the names of all bins.
        seed: decides among templates that balance equally well.
    """
    order = [candidates[place] for place in shuffled(len(candidates), draws(seed, "study templates"))]
    if len(order) <= count:
        return order
    balance = _Balance(order, count, bins)
    chosen: list[Candidate] = []
    for _ in range(count):
        left = [one for one in order if one not in chosen]
        chosen.append(min(left, key=lambda one: balance.cost([*chosen, one])))
    return _exchanged(chosen, order, balance)


def _exchanged(chosen: list[Candidate], order: Sequence[Candidate], balance: _Balance) -> list[Candidate]:
    cost = balance.cost(chosen)
    improved = True
    while improved:
        improved = False
        for place in range(len(chosen)):
            left = [one for one in order if one not in chosen]
            best = min(left, key=lambda one: balance.cost([*chosen[:place], one, *chosen[place + 1 :]]))
            other = [*chosen[:place], best, *chosen[place + 1 :]]
            if balance.cost(other) < cost - 1e-9:
                chosen, cost, improved = other, balance.cost(other), True
    return chosen


class _Balance:
    """How far a choice is from balanced."""

    def __init__(self, candidates: Sequence[Candidate], count: int, bins: Sequence[str]) -> None:
        systems = range(len(candidates[0].bins))
        self._share = count / len(bins)
        self._available = [[name for name in bins if any(one.bins[at] == name for one in candidates)] for at in systems]

    def cost(self, chosen: Sequence[Candidate]) -> float:
        """Return the cost of a choice; less is better."""
        total = _FAMILY * (len(chosen) - len({one.family for one in chosen}))
        for system, available in enumerate(self._available):
            counts = Counter(one.bins[system] for one in chosen)
            for name in available:
                total += _EMPTY * (not counts[name]) + _BIN * (counts[name] - self._share) ** 2
        total += _CAPABILITY * sum(number**2 for number in Counter(one.capability for one in chosen).values())
        return total + _UNSURE * sum(one.unsure for one in chosen)
