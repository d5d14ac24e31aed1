"""The index of a run's cases: the shard and row of each case, found by sorted numbers made from the ids."""

from __future__ import annotations

import io
import re
from collections.abc import Iterable
from dataclasses import asdict
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from nliprobe.base.files import write_atomic, write_sealed
from nliprobe.base.hashing import digest_bytes
from nliprobe.store.frames import record_path
from nliprobe.store.record import ShardRecord
from nliprobe.store.shards import altered

if TYPE_CHECKING:
    import numpy as np
    import polars as pl
    from numpy.typing import NDArray

# Case ids are hexadecimal digests; their first 64 bits are the number by which they are found.
_HEXADECIMAL = "^[0-9a-f]{16}"
_ROW_BITS = 32
# Marks a position that has become a place, while an index is built; no run has so many cases or shards.
_WRITTEN = 1 << 63


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

        # A run of a million cases is indexed within 25 MB: places take the place of the order they are computed from.
        parts, bounds = [np.empty(0, dtype=np.uint64)], [(0, 0, 0)]
        for number, ids in shards:
            parts.append(_keys(ids))
            end = bounds[-1][2]
            bounds.append((number, end, end + len(ids)))
        keys = np.concatenate(parts)
        del parts
        order = np.argsort(keys, kind="stable").view(np.uint64)
        keys.sort(kind="stable")
        for number, start, end in bounds:
            here = (order >= start) & (order < end)
            order[here] += np.uint64((number << _ROW_BITS) - start + _WRITTEN)
        order -= np.uint64(_WRITTEN)
        return cls(keys, order)

    @classmethod
    def load(cls, path: Path) -> CaseIndex | None:
        """Map an index into memory; return none if it is missing or not as its record says."""
        import numpy as np

        if altered(path) is not None:
            return None
        try:
            table = np.load(path, mmap_mode="r", allow_pickle=False)
        except (OSError, ValueError):
            return None
        whole = table.dtype == np.uint64 and table.ndim == 2 and table.shape[0] == 2
        return cls(*table) if whole else None

    def save(self, path: Path) -> None:
        """Write the index and its record, completely or not at all."""
        import numpy as np

        stream = io.BytesIO()
        description = {"descr": "<u8", "fortran_order": False, "shape": (2, len(self.keys))}
        np.lib.format.write_array_header_1_0(stream, description)
        # The numbers follow their header as they are: a copy of a million places would only take memory.
        rows = [row.astype("<u8", copy=False).view(np.uint8).data for row in (self.keys, self.places)]
        pieces: list[bytes | memoryview] = [stream.getvalue(), *rows]
        record = ShardRecord(len(self.keys), sum(map(len, pieces)), digest_bytes(*pieces))
        write_sealed(record_path(path), asdict(record))
        write_atomic(path, *pieces)

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

    if ids.str.contains(_HEXADECIMAL).all():
        # Two halves, because Polars reads only signed numbers.
        halves = [ids.str.slice(start, 8).str.to_integer(base=16).to_numpy() for start in (0, 8)]
        keys: NDArray[np.uint64] = (halves[0].astype(np.uint64) << np.uint64(32)) | halves[1].astype(np.uint64)
        return keys
    return np.array([_key(item) for item in ids.to_list()], dtype=np.uint64)
