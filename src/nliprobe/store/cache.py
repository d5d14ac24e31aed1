"""The cache of answers: immutable Parquet files per system fingerprint, keys as sorted arrays, no lock."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from nliprobe.base.errors import StoreError
from nliprobe.base.files import set_aside
from nliprobe.store.frames import read_frame, write_frame
from nliprobe.task.labels import SETS
from nliprobe.task.prediction import Prediction, Status

if TYPE_CHECKING:
    import numpy as np
    import polars as pl
    from numpy.typing import NDArray

    Keys = NDArray[np.uint64]

_STATUSES = (Status.OK, Status.NO_ANSWER, Status.FAILED)
_COLUMNS = ("high", "low", "label", "p_e", "p_n", "p_c", "status", "raw")
# More files than this are merged into one when the cache is next opened for writing.
_MERGE_ABOVE = 64


class _Shard(NamedTuple):
    """The keys of one file in order, and its answers; columns that hold nothing are not kept in memory."""

    high: Keys
    low: Keys
    answers: pl.DataFrame


class AnswerCache:
    """What one system has answered before, in any run.

    Files are written under a temporary name and renamed, and never changed: several processes may add at
    the same time, also on network disks. A damaged file is set aside and its answers are asked again.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.damaged: list[Path] = []
        self._shards: list[_Shard] = []
        for path in sorted(folder.glob("*.parquet")) if folder.is_dir() else ():
            shard = self._read(path)
            if shard is not None:
                self._shards.append(shard)

    def __len__(self) -> int:
        return sum(len(shard.high) for shard in self._shards)

    def get(self, ids: Sequence[str]) -> dict[str, Prediction]:
        """The answers known for some input ids."""
        import numpy as np

        if not ids or not self._shards:
            return {}
        high = np.fromiter((int(item[:16], 16) for item in ids), dtype=np.uint64, count=len(ids))
        low = np.fromiter((int(item[16:], 16) for item in ids), dtype=np.uint64, count=len(ids))
        found: dict[str, Prediction] = {}
        for shard in self._shards:
            places = np.searchsorted(shard.high, high).clip(max=len(shard.high) - 1)
            # The first 64 bits hardly ever collide; where they do, the last 32 differ and it counts as a miss.
            hits = np.flatnonzero((shard.high[places] == high) & (shard.low[places] == low))
            if len(hits):
                rows = shard.answers[places[hits]].iter_rows(named=True)
                found.update((ids[hit], _prediction(row)) for hit, row in zip(hits.tolist(), rows, strict=True))
        return found

    def add(self, answers: dict[str, Prediction]) -> None:
        """Keep new answers: one new file."""
        import polars as pl

        if not answers:
            return
        ordered = sorted(answers.items())
        labels = [0 if answer.label is None else answer.label.mask for _, answer in ordered]
        probabilities = [answer.probabilities or (None, None, None) for _, answer in ordered]
        frame = pl.DataFrame(
            {
                "high": pl.Series([int(key[:16], 16) for key, _ in ordered], dtype=pl.UInt64),
                "low": pl.Series([int(key[16:], 16) for key, _ in ordered], dtype=pl.UInt64),
                "label": pl.Series(labels, dtype=pl.UInt8),
                "p_e": pl.Series([item[0] for item in probabilities], dtype=pl.Float64),
                "p_n": pl.Series([item[1] for item in probabilities], dtype=pl.Float64),
                "p_c": pl.Series([item[2] for item in probabilities], dtype=pl.Float64),
                "status": pl.Series([_STATUSES.index(answer.status) for _, answer in ordered], dtype=pl.UInt8),
                "raw": pl.Series([answer.raw for _, answer in ordered], dtype=pl.String),
            }
        )
        write_frame(self.folder / f"{uuid.uuid4().hex}.parquet", frame)
        self._shards.append(_shard(frame))

    def merge(self) -> None:
        """Put many small files together into one; readers of the old files are not disturbed."""
        import polars as pl

        files = sorted(self.folder.glob("*.parquet")) if self.folder.is_dir() else []
        if len(files) <= _MERGE_ABOVE or not self._shards:
            return
        merged = pl.concat([_whole(shard) for shard in self._shards]).unique(["high", "low"], keep="first")
        merged = merged.sort("high", "low")
        write_frame(self.folder / f"{uuid.uuid4().hex}.parquet", merged)
        for path in files:
            path.unlink(missing_ok=True)
        self._shards = [_shard(merged)]

    def _read(self, path: Path) -> _Shard | None:
        try:
            frame = read_frame(path, _COLUMNS)
            shard = _shard(frame)
            if bool((shard.high[1:] < shard.high[:-1]).any()):
                raise StoreError(f"The keys of {path} are not sorted.")
        except FileNotFoundError:
            return None  # another process merged it away; its answers are in the merged file
        except StoreError:
            if path.exists():
                self.damaged.append(set_aside(path))
            return None
        return shard


def _shard(frame: pl.DataFrame) -> _Shard:
    empty = [name for name in _COLUMNS if frame[name].null_count() == frame.height]
    return _Shard(frame["high"].to_numpy(), frame["low"].to_numpy(), frame.drop("high", "low", *empty, strict=False))


def _whole(shard: _Shard) -> pl.DataFrame:
    import polars as pl

    kinds = {"label": pl.UInt8, "p_e": pl.Float64, "p_n": pl.Float64, "p_c": pl.Float64, "status": pl.UInt8}
    missing = [
        pl.lit(None, dtype=kinds.get(name, pl.String)).alias(name)
        for name in _COLUMNS[2:]
        if name not in shard.answers.columns
    ]
    keys = [pl.Series("high", shard.high), pl.Series("low", shard.low)]
    return shard.answers.with_columns(*keys, *missing).select(_COLUMNS)


def _prediction(row: dict[str, object]) -> Prediction:
    mask, status, raw = row.get("label"), row.get("status"), row.get("raw")
    p_e, p_n, p_c = row.get("p_e"), row.get("p_n"), row.get("p_c")
    known = isinstance(p_e, float) and isinstance(p_n, float) and isinstance(p_c, float)
    return Prediction(
        SETS[mask] if isinstance(mask, int) and mask else None,
        (p_e, p_n, p_c) if known else None,  # type: ignore[arg-type]
        _STATUSES[status] if isinstance(status, int) else Status.FAILED,
        raw if isinstance(raw, str) else None,
    )
