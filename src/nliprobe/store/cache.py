"""The cache of answers: immutable Parquet files per system fingerprint, with sorted keys and without locks."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from nliprobe.base.errors import StoreError
from nliprobe.base.files import set_aside
from nliprobe.store.frames import KEY_PARTS, cache_frame, read_frame, schema, to_predictions, write_frame
from nliprobe.task.case import Prediction, Status
from nliprobe.task.labels import SETS

if TYPE_CHECKING:
    import numpy as np
    import polars as pl
    from numpy.typing import NDArray

    Keys = NDArray[np.uint64]

_KEYS = ("high", "low")
# Files of nliprobe 0.1 hold masks and codes instead of labels and statuses.
_OLD_STATUSES = (Status.OK, Status.NO_ANSWER, Status.FAILED)
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
        """Return the known answers by input id."""
        import numpy as np

        if not ids or not self._shards:
            return {}
        high, low = (
            np.fromiter((int(item[start:end], 16) for item in ids), dtype=np.uint64, count=len(ids))
            for start, end in KEY_PARTS
        )
        answers_by_id: dict[str, Prediction] = {}
        for shard in self._shards:
            places = np.searchsorted(shard.high, high).clip(max=len(shard.high) - 1)
            # The first 64 bits hardly ever collide; where they do, the last 32 differ and it counts as a miss.
            hits = np.flatnonzero((shard.high[places] == high) & (shard.low[places] == low))
            if len(hits):
                answers = to_predictions(shard.answers[places[hits]])
                answers_by_id.update(zip([ids[hit] for hit in hits.tolist()], answers, strict=True))
        return answers_by_id

    def add(self, answers: dict[str, Prediction]) -> None:
        """Write new answers to a new file."""
        if not answers:
            return
        ordered = sorted(answers.items())
        frame = cache_frame([key for key, _ in ordered], [answer for _, answer in ordered])
        write_frame(self.folder / f"{uuid.uuid4().hex}.parquet", frame)
        self._shards.append(_shard(frame))

    def merge(self) -> None:
        """Merge many small files into one; readers of the old files are not disturbed."""
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
            shard = _shard(_current(path, read_frame(path)))
            if bool((shard.high[1:] < shard.high[:-1]).any()):
                raise StoreError(f"The keys of {path} are not sorted.")
        except FileNotFoundError:
            return None  # another process merged it away; its answers are in the merged file
        except StoreError:
            if path.exists():
                self.damaged.append(set_aside(path))
            return None
        return shard


def _current(path: Path, frame: pl.DataFrame) -> pl.DataFrame:
    """Return the answers of a file with the columns of today; one of an unknown layout is an error."""
    import polars as pl

    kinds = schema("cache")
    if frame.columns == list(kinds) and frame["label"].dtype == frame["status"].dtype == pl.UInt8:
        labels = pl.Series([None, *(str(item) for item in SETS[1:])], dtype=pl.String)
        statuses = pl.Series([item.value for item in _OLD_STATUSES], dtype=pl.String)
        if (frame["label"] >= len(labels)).any() or (frame["status"] >= len(statuses)).any():
            raise StoreError(f"The labels of {path} are not those of an earlier version.")
        frame = frame.with_columns(
            labels.gather(frame["label"]).alias("label"),
            statuses.gather(frame["status"]).alias("status"),
            pl.col("p_e", "p_n", "p_c").cast(pl.Float32),
        )
    if frame.schema != pl.Schema(kinds):
        raise StoreError(f"The columns of {path} are not those of the cache.")
    return frame


def _shard(frame: pl.DataFrame) -> _Shard:
    import polars as pl

    empty = [name for name in frame.columns if name not in _KEYS and frame[name].null_count() == frame.height]
    # In memory a few words repeated a million times take a byte each.
    label, status = pl.Enum([str(item) for item in SETS if item]), pl.Enum([item.value for item in Status])
    try:
        answers = frame.with_columns(pl.col("label").cast(label), pl.col("status").cast(status)).drop(*_KEYS, *empty)
    except pl.exceptions.PolarsError as error:
        raise StoreError("A file of the cache holds unknown labels or statuses.") from error
    if frame["status"].has_nulls():
        raise StoreError("A file of the cache holds answers without a status.")
    return _Shard(frame["high"].to_numpy(), frame["low"].to_numpy(), answers)


def _whole(shard: _Shard) -> pl.DataFrame:
    import polars as pl

    keys = {"high": pl.Series(shard.high), "low": pl.Series(shard.low)}
    missing = [
        pl.lit(None, dtype=kind).alias(name)
        for name, kind in schema("cache").items()
        if name not in (*keys, *shard.answers.columns)
    ]
    return shard.answers.with_columns(*missing, **keys).select(pl.col(*schema("cache"))).cast(schema("cache"))  # type: ignore[arg-type]
