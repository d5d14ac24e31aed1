"""Views of a source: a part of its pairs with unchanged ids, under a name and digest of its own."""

from __future__ import annotations

import heapq
from abc import abstractmethod
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path

from nliprobe.base.errors import DataError
from nliprobe.base.hashing import digest
from nliprobe.task.pair import Pair
from nliprobe.task.partitions import Partition
from nliprobe.task.source import PairSource
from nliprobe.task.sources import Source, Split
from nliprobe.task.where import Condition, Matcher


class View(Source):
    """A part of a source, chosen by parameters that are written after the source's name."""

    def __init__(self, whole: PairSource, *params: str) -> None:
        self.whole = whole
        self._params = params

    @property
    def name(self) -> str:
        """The source's name and the parameters: ``snli/dev?limit=100``."""
        return f"{self.whole.name}{'&' if '?' in self.whole.name else '?'}{'&'.join(self._params)}"

    @property
    def partition(self) -> Partition:
        """The partition of the source."""
        return self.whole.partition

    def files(self) -> list[Path]:
        """Return the files of the source."""
        return self.whole.files() if isinstance(self.whole, Source) else []

    def digest(self) -> str:
        """Return a hash of the source and the parameters."""
        return digest(self.whole.digest(), *self._params)

    @abstractmethod
    def pairs(self) -> Iterator[Pair]:
        """Yield the chosen pairs in the order of the source."""

    def _at_most(self, n: int) -> Split:
        total = self.whole.expected.pairs if isinstance(self.whole, Source) else None
        return Split(None if total is None else min(total, n), None)


class Limited(View):
    """The first pairs of a source; the rest is not parsed."""

    def __init__(self, whole: PairSource, limit: int) -> None:
        super().__init__(whole, f"limit={limit}")
        self.limit = limit

    @property
    def expected(self) -> Split:
        """As many pairs as the limit, or all if the source has fewer."""
        return self._at_most(self.limit)

    def pairs(self) -> Iterator[Pair]:
        """Yield the first pairs."""
        return islice(self.whole.pairs(), self.limit)


class Sampled(View):
    """A sample without replacement: the pairs with the smallest hash(seed, id), which depends on nothing else.

    A larger sample with the same seed includes the smaller ones. A pair made from others is drawn with them.
    """

    def __init__(self, whole: PairSource, size: int, seed: int = 0, *, seed_key: str = "seed") -> None:
        super().__init__(whole, f"sample={size}", f"{seed_key}={seed}")
        self.size = size
        self.seed = seed

    @property
    def expected(self) -> Split:
        """As many pairs as are drawn, or all if the source has fewer."""
        return self._at_most(self.size)

    def digest(self) -> str:
        """Return a hash of the source, the size and the seed, whatever the seed's parameter is called."""
        return digest(self.whole.digest(), f"sample={self.size}", f"seed={self.seed}")

    def pairs(self) -> Iterator[Pair]:
        """Yield the drawn pairs in the order of the source, holding no more of them than the sample's size."""
        # The largest hash is on top and is replaced by smaller ones; among equal hashes, the later pair is on top.
        heap: list[tuple[int, int, Pair]] = []
        roots: dict[str, str] = {}
        for place, pair in enumerate(self.whole.pairs()):
            root = pair.id
            if pair.bases:
                root = roots[pair.id] = roots.get(pair.bases[0], pair.bases[0])
            item = (-int(digest(str(self.seed), root), 16), -place, pair)
            if len(heap) < self.size:
                heapq.heappush(heap, item)
            elif item[:2] > heap[0][:2]:
                heapq.heapreplace(heap, item)
        bases = _BaseCheck(self.name)
        for _, _, pair in sorted(heap, key=lambda item: -item[1]):
            yield bases.checked(pair)


class Filtered(View):
    """The pairs of a source that meet conditions on their facets and gold labels."""

    def __init__(self, whole: PairSource, conditions: Sequence[Condition]) -> None:
        super().__init__(whole, f"where={'+'.join(map(str, conditions))}")
        self.conditions = tuple(conditions)

    def pairs(self) -> Iterator[Pair]:
        """Yield the pairs that meet all conditions; if there are none, the error names the values there are."""
        matcher, bases = Matcher(self.conditions, self.whole.name), _BaseCheck(self.name)
        for pair in self.whole.pairs():
            if matcher.matches(pair):
                yield bases.checked(pair)
        matcher.require_any()


class _BaseCheck:
    """Refuses a pair that must be compared with another pair which the view leaves out."""

    def __init__(self, view: str) -> None:
        self._view = view
        self._ids: set[str] = set()

    def checked(self, pair: Pair) -> Pair:
        missing = next((base for base in pair.bases if base not in self._ids), None)
        if missing is not None:
            raise DataError(
                f"{self._view} has the pair {pair.id} but leaves out {missing}, from which it was made. "
                "Choose by something that both have."
            )
        self._ids.add(pair.id)
        return pair


def origin(source: PairSource) -> PairSource:
    """Return the source behind all views."""
    while isinstance(source, View):
        source = source.whole
    return source
