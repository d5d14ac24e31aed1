"""Compute word mover's distance: the cost of moving the words of one text to those of another (Kusner et al. 2015).

A text is the bag of its words; moving a word costs the Euclidean distance of the two vectors, and the distance is the
least total cost. A text without a known word is infinitely far from everything.
"""

from __future__ import annotations

import os
import sys
from bisect import insort
from collections.abc import Callable, Sequence
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from math import inf
from types import ModuleType
from typing import TYPE_CHECKING, NamedTuple

from nliprobe.base.errors import MissingExtraError, NliprobeError
from nliprobe.language.vectors import Vectors
from nliprobe.represent._bags import Bag, Space

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

# Distances are compared to nine decimals: smaller differences are rounding, and then the order of the texts decides.
_DECIMALS = 9
# A text is left out unmeasured only if its lower bound is above the limit by more than rounding explains.
_SLACK = 1e-8
# Squared distances below this share of the squared lengths are computed again from differences: the matrix product
# gets them right only to eight digits of the lengths.
_CLOSE = 1e-6
# How many sets of rows have their layout cached: the pairs of a table and its edits mostly come one after another.
_CACHED_LAYOUTS = 64
# The status with which POT's solver marks an optimal solution.
_OPTIMAL = 1


class _Layout(NamedTuple):
    """The words of several texts one after another, so that one product gives all distances."""

    known: list[str]
    bags: list[Bag]
    places: NDArray[np.intp]
    starts: NDArray[np.intp]
    counts: Floats
    shares: Floats
    vectors: Floats
    squares: Floats


class _Way:
    """What is known about the way from the hypothesis to one text."""

    __slots__ = ("bound", "costs", "demand", "exact", "total")

    def __init__(self, bound: float, exact: float | None, costs: Floats, demand: Floats, total: int) -> None:
        self.bound = bound
        self.exact = exact
        self.costs = costs
        self.demand = demand
        self.total = total


class Nearest:
    """Chooses the texts nearest to a hypothesis.

    Few distances are computed: the larger of the two relaxed distances, in which each word of one text goes to its
    nearest in the other, is never above the distance, so texts whose bound is above the k-th best distance so far
    are left out. The choice is the same as if every text were measured.

    Results for the last hypothesis are kept, because edited tables come with the same hypothesis and rows.

    Attributes:
        measured: how many distances had to be computed so far.
    """

    def __init__(self, vectors: Vectors) -> None:
        self._space = Space(vectors)
        self._solve = _solver()
        self._hypothesis: str | None = None
        self._bag: Bag | None = None
        self._ways: dict[str, _Way | None] = {}
        self._layouts: dict[tuple[str, ...], _Layout] = {}
        self.measured = 0

    def choose(self, hypothesis: str, texts: Sequence[str], k: int) -> list[int]:
        """Return the places of the k nearest texts, in the order of the texts; among equally near ones, the first."""
        if k >= len(texts):
            return list(range(len(texts)))
        if hypothesis != self._hypothesis:
            self._hypothesis, self._bag, self._ways = hypothesis, self._space.bag(hypothesis), {}
        ways = self._ways
        if self._bag is None:
            return list(range(k))
        missing = tuple([text for text in texts if text not in ways])
        if missing:
            self._bound(self._bag, missing)
        best: list[tuple[float, int]] = []
        limit = inf
        for bound, place in sorted([(way.bound if (way := ways[text]) else inf, at) for at, text in enumerate(texts)]):
            if bound > limit:
                break
            insort(best, (self._distance(self._bag, ways[texts[place]]), place))
            if len(best) >= k:
                limit = best[k - 1][0] + _SLACK
        return sorted([place for _, place in best[:k]])

    def distances(self, hypothesis: str, texts: Sequence[str]) -> list[float]:
        """Return the distance of every text, none left out."""
        bag = self._space.bag(hypothesis)
        if bag is None:
            return [inf] * len(texts)
        self._hypothesis, self._bag, self._ways = hypothesis, bag, {}
        self._bound(bag, tuple(texts))
        return [self._distance(bag, self._ways[text]) for text in texts]

    def _distance(self, bag: Bag, way: _Way | None) -> float:
        if way is None:
            return inf
        if way.exact is None:
            # Counts times the other's total: whole numbers with equal sums, so no mass is lost to rounding.
            cost = self._solve(bag.counts * way.total, way.demand, way.costs.copy())
            way.exact = round(cost / (bag.total * way.total), _DECIMALS)
            self.measured += 1
        return way.exact

    def _bound(self, bag: Bag, texts: tuple[str, ...]) -> None:
        import numpy as np

        layout = self._layouts.get(texts)
        if layout is None:
            if len(self._layouts) >= _CACHED_LAYOUTS:
                self._layouts.clear()
            layout = self._layouts[texts] = self._lay_out(texts)
        ways = self._ways
        ways.update(dict.fromkeys(texts))
        if not layout.bags:
            return
        vectors, squares = self._space.of(bag.places)
        costs = vectors @ layout.vectors.T
        costs *= -2.0
        costs += squares[:, None]
        costs += layout.squares
        here, there = np.nonzero(costs < _CLOSE * (squares.max() + layout.squares.max()))
        if len(here):
            costs[here, there] = ((vectors[here] - layout.vectors[there]) ** 2).sum(axis=1)
        np.sqrt(costs, out=costs)
        out = (bag.counts / bag.total) @ np.minimum.reduceat(costs, layout.starts, axis=1)
        back = np.add.reduceat(costs.min(axis=0) * layout.shares, layout.starts)
        bounds = np.maximum(out, back).tolist()
        demands = layout.counts * bag.total
        single = len(bag.places) == 1
        start = 0
        for text, other, bound in zip(layout.known, layout.bags, bounds, strict=True):
            end = start + len(other.places)
            # If one side is a single word, there is one way to move, and the bound is its cost.
            exact = round(bound, _DECIMALS) if single or end - start == 1 else None
            ways[text] = _Way(bound, exact, costs[:, start:end], demands[start:end], other.total)
            start = end

    def _lay_out(self, texts: tuple[str, ...]) -> _Layout:
        import numpy as np

        known, bags = [], []
        for text in texts:
            bag = self._space.bag(text)
            if bag is not None:
                known.append(text)
                bags.append(bag)
        if not bags:
            nothing = np.empty(0)
            return _Layout([], [], np.empty(0, dtype=np.intp), np.empty(0, dtype=np.intp), *[nothing] * 4)
        places = np.concatenate([bag.places for bag in bags])
        counts = np.concatenate([bag.counts for bag in bags])
        shares = np.concatenate([bag.counts / bag.total for bag in bags])
        starts = np.cumsum([0, *(len(bag.places) for bag in bags[:-1])])
        return _Layout(known, bags, places, starts, counts, shares, *self._space.of(places))


def require_pot() -> None:
    """Raise if the package that solves the transport is missing, without importing it."""
    if find_spec("ot") is None:
        raise MissingExtraError("Word mover's distance (wmd-k) needs POT, which is not installed", "wmd")


@cache
def _solver() -> Callable[[Floats, Floats, Floats], float]:
    """Return POT's network simplex without its checks, which take longer than solving ten by ten words."""
    require_pot()
    emd_c = _import_pot().emd_c

    def solve(supply: Floats, demand: Floats, costs: Floats) -> float:
        _, cost, _, _, status = emd_c(supply, demand, costs, 1_000_000, 1)
        if status != _OPTIMAL:
            raise NliprobeError(f"POT found no optimal transport for {costs.shape} words (status {status}).")
        return float(cost)

    return solve


def _import_pot() -> ModuleType:
    # POT imports every array library it can work with; torch alone takes two seconds and is not used here.
    switches = [f"POT_BACKEND_DISABLE_{name}" for name in ("PYTORCH", "JAX", "CUPY", "TENSORFLOW")]
    added = [name for name in switches if name not in os.environ and "torch" not in sys.modules]
    os.environ.update(dict.fromkeys(added, "1"))
    try:
        return import_module("ot.lp.emd_wrap")
    finally:
        for name in added:
            del os.environ[name]
