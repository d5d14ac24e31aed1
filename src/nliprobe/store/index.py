"""The index of a run's cases: the shard and row of each case, found by sorted numbers made from the ids."""

from __future__ import annotations

import io
import re
from collections.abc import Iterable
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from nliprobe.base.files import write_atomic

if TYPE_CHECKING:
    import numpy as np
    import polars as pl
    from numpy.typing import NDArray

# Case ids are hexadecimal digests; their first 64 bits are the number by which they are found.
_HEXADECIMAL = "^[0-9a-f]{16}"
_ROW_BITS = 32


class Place(NamedTuple):
    """Where a case is: the number of its shard and its row there."""

    shard: int
    row: int


class CaseIndex:
    """Sorted keys with the place of a case for each; two cases may share a key, so callers compare ids, too."""

    def __init__(self, keys: NDArray[np.uint64], places: NDArray[np.uint64]) -> None:
        self.keys = keys
        self.places = places

    @classmethod
    def build(cls, shards: Iterable[tuple[int, pl.Series]]) -> CaseIndex:
        """Index the ids of the cases of some shards, given with the shards' numbers."""
        import numpy as np

        keys, places = [np.empty(0, dtype=np.uint64)], [np.empty(0, dtype=np.uint64)]
        for number, ids in shards:
            keys.append(_keys(ids))
            places.append(np.arange(len(ids), dtype=np.uint64) + np.uint64(number << _ROW_BITS))
        together = np.concatenate(keys)
        order = np.argsort(together, kind="stable")
        return cls(together[order], np.concatenate(places)[order])

    @classmethod
    def load(cls, path: Path) -> CaseIndex | None:
        """Map an index into memory without reading it; return none if it is missing or damaged."""
        import numpy as np

        try:
            table = np.load(path, mmap_mode="r", allow_pickle=False)
        except (OSError, ValueError):
            return None
        whole = table.dtype == np.uint64 and table.ndim == 2 and table.shape[0] == 2
        return cls(table[0], table[1]) if whole else None

    def save(self, path: Path) -> None:
        """Write the index, completely or not at all."""
        import numpy as np

        stream = io.BytesIO()
        np.save(stream, np.stack([self.keys, self.places]), allow_pickle=False)
        write_atomic(path, stream.getvalue())

    def find(self, case_id: str) -> list[Place]:
        """Return the places where a case may be: none, one, or hardly ever more."""
        import numpy as np

        key = np.uint64(_key(case_id))
        start, end = (int(np.searchsorted(self.keys, key, side=side)) for side in ("left", "right"))
        return [Place(int(item) >> _ROW_BITS, int(item) & ((1 << _ROW_BITS) - 1)) for item in self.places[start:end]]

    def rows(self, ids: pl.Series, shard: int) -> NDArray[np.int64]:
        """Return the rows of some cases in one shard, in ascending order; cases of other shards are left out."""
        import numpy as np

        keys = _keys(ids)
        starts, ends = (np.searchsorted(self.keys, keys, side=side) for side in ("left", "right"))
        # Keys that two cases share are looked up one after the other: there is hardly ever one.
        counts = ends - starts
        places = [self.places[starts[counts > more] + more] for more in range(int(counts.max(initial=0)))]
        together = np.concatenate(places) if places else np.empty(0, dtype=np.uint64)
        here = together[together >> np.uint64(_ROW_BITS) == shard]
        return np.sort(here.astype(np.int64) & ((1 << _ROW_BITS) - 1))


def _key(case_id: str) -> int:
    if re.match(_HEXADECIMAL, case_id):
        return int(case_id[:16], 16)
    return int.from_bytes(blake2b(case_id.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "big")


def _keys(ids: pl.Series) -> NDArray[np.uint64]:
    import numpy as np
    import polars as pl

    if ids.str.contains(_HEXADECIMAL).all():
        # Two halves, because Polars reads only signed numbers.
        halves = [ids.str.slice(start, 8).str.to_integer(base=16, dtype=pl.Int64).to_numpy() for start in (0, 8)]
        keys: NDArray[np.uint64] = (halves[0].astype(np.uint64) << np.uint64(32)) | halves[1].astype(np.uint64)
        return keys
    return np.array([_key(item) for item in ids.to_list()], dtype=np.uint64)
