"""Nearest neighbours of a pair by the model's own final-layer vector, from a chosen pool (C7)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from nliprobe.explain.nearest import nearest
from nliprobe.explain.vectors import pair_vectors
from nliprobe.models.system import System
from nliprobe.task.case import Input
from nliprobe.task.pair import Pair

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

# As many as the seed shows.
COUNT = 5
_TEMPLATE, _VARIED = "template", "variation_of"


class Neighbour(NamedTuple):
    """A pair of the pool and how near it is."""

    place: int
    pair: Pair
    cosine: float


@dataclass(frozen=True)
class NeighbourPool:
    """Pairs with their vectors, among which neighbours are found.

    Attributes:
        pairs: the pairs of the pool.
        inputs: what the system reads for each.
        vectors: one vector of length 1 per pair.
        varied: the template that each template of the pool varies, or nothing.
        families: the template family of each pair; empty for a pair of no template.
    """

    pairs: Sequence[Pair]
    inputs: Sequence[Input]
    vectors: NDArray[np.float32]
    varied: Mapping[str, str]
    families: NDArray[np.str_]

    @classmethod
    def of(
        cls,
        system: System,
        pairs: Sequence[Pair],
        prepare: Callable[[System], None],
        progress: Callable[[int], None] = lambda count: None,
    ) -> NeighbourPool:
        """Read the pairs of a pool as a system reads them."""
        import numpy as np

        inputs = [system.reader.read_pair(pair) for pair in pairs]
        varied = varied_templates(pairs)
        families = np.array([family_of(pair, varied) for pair in pairs], dtype=np.str_)
        return cls(pairs, inputs, pair_vectors(system, inputs, prepare, progress), varied, families)

    def neighbours(self, pair: Pair, asked: Input, vector: NDArray[np.float32], count: int = COUNT) -> list[Neighbour]:
        """Return the nearest pairs: never the pair itself, nor one of its template or of that template's variations.

        A pair that the system reads exactly like the one asked for is the pair itself, whatever its id.

        Args:
            pair: whose neighbours.
            asked: what the system reads for it.
            vector: its vector, of length 1.
            count: how many neighbours.
        """
        import numpy as np

        own = np.fromiter((item.id == asked.id for item in self.inputs), dtype=np.bool_, count=len(self.inputs))
        family = family_of(pair, self.varied)
        if family:
            own |= self.families == family
        [found] = nearest(self.vectors, vector[None, :], count, own)
        return [Neighbour(place, self.pairs[place], near) for place, near in zip(*found, strict=True)]


def varied_templates(pairs: Iterable[Pair]) -> dict[str, str]:
    """Return for each template of some pairs the one that it varies, or nothing."""
    varied: dict[str, str] = {}
    for pair in pairs:
        facets = dict(pair.facets)
        if facets.get(_TEMPLATE):
            varied.setdefault(facets[_TEMPLATE], facets.get(_VARIED, ""))
    return varied


def family_of(pair: Pair, varied: Mapping[str, str]) -> str:
    """Return the first template of the family of a pair's template: the one it varies, or which that one varies.

    Nothing for a pair of no template. The first template need not have a pair itself.
    """
    facets = dict(pair.facets)
    root, seen = facets.get(_TEMPLATE, ""), set[str]()
    above = facets.get(_VARIED, "")
    while above and above not in seen:
        root = above
        seen.add(above)
        above = varied.get(above, "")
    return root
