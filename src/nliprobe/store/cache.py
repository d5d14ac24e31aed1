"""The cache of answers: immutable Parquet files per system fingerprint, with sorted keys and without locks.

The name of a file is the digest of its bytes, by which it is verified when it is read. Files of earlier versions have
names of 32 digits that say nothing; they are read if their answers pass the checks that fresh ones pass.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from nliprobe.base.errors import StoreError
from nliprobe.base.files import set_aside, sweep_partials, write_atomic
from nliprobe.base.hashing import digest_bytes
from nliprobe.store.answer_index import AnswerIndex
from nliprobe.store.frames import cache_frame, input_keys, parquet_bytes, read_frame, row_count, schema
from nliprobe.task.case import TOLERANCE, Prediction, Status
from nliprobe.task.labels import SETS

if TYPE_CHECKING:
    import polars as pl

_KEYS = ("high", "low")
# Files of nliprobe 0.1 hold masks and codes instead of labels and statuses.
_OLD_STATUSES = (Status.OK, Status.NO_ANSWER, Status.FAILED)
# More small files than this are merged when the cache is next opened for writing.
_MERGE_ABOVE = 64
# Files with this many answers are not merged any more: merging ten million at once takes 3 GB.
_MERGED = 1 << 20
# The names of files that are digests of their content.
_VERIFIABLE = re.compile("[0-9a-f]{24}")


class AnswerCache:
    """What one system has answered before, in any run.

    Files are written under a temporary name and renamed, and never changed: several processes may add at
    the same time, also on network disks. A damaged file is set aside and its answers are asked again.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.damaged: list[Path] = []
        self._index = AnswerIndex()
        self._read_files: set[Path] = set()
        # Another process may merge files away while they are read; then their answers are in a new file.
        while self._read_new():
            pass

    def __len__(self) -> int:
        return len(self._index)

    def get(self, ids: Sequence[str]) -> dict[str, Prediction]:
        """Return the known answers by input id."""
        return self._index.get(ids)

    def holds(self, ids: Sequence[str]) -> bool:
        """Tell whether all inputs have an answer that need not be asked for."""
        return self._index.holds(ids)

    def add(self, answers: dict[str, Prediction]) -> None:
        """Write new answers to a new file."""
        import numpy as np

        if not answers:
            return
        names, given = list(answers), list(answers.values())
        high, low = input_keys(names)
        # Not by Polars, which could break off for a Ctrl-C before anything is written.
        order = np.lexsort((low, high)).tolist()
        frame = cache_frame([names[place] for place in order], [given[place] for place in order])
        self._read_files.add(self._write(frame))
        self._index.add(frame)

    def merge(self) -> None:
        """Merge many small files into few large ones; readers of the old files are not disturbed.

        Only files that this object has read or written are deleted: others may have been added meanwhile.
        """
        if self.folder.is_dir():
            sweep_partials(self.folder)
        files = sorted(path for path in self._read_files if path.is_file())
        if len(files) <= _MERGE_ABOVE:
            return
        small = {path: rows for path in files if (rows := row_count(path) or 0) < _MERGED}
        if len(small) > _MERGE_ABOVE:
            for group in _groups(small):
                self._merge(group)

    def _merge(self, files: Sequence[Path]) -> None:
        import polars as pl

        frames: dict[Path, pl.DataFrame] = {}
        for path in files:
            try:
                frames[path] = _read_file(path)
            except (FileNotFoundError, StoreError):
                continue  # merged by another process, or damaged meanwhile: the next that reads it sets it aside
        if len(frames) < 2:
            return
        merged = pl.concat(frames.values()).unique(_KEYS, keep="first").sort(_KEYS)
        written = self._write(merged)
        for path in frames:
            if path != written:
                path.unlink(missing_ok=True)
        self._read_files.difference_update(frames)
        self._read_files.add(written)

    def _write(self, frame: pl.DataFrame) -> Path:
        content = parquet_bytes(frame)
        path = self.folder / f"{digest_bytes(content)}.parquet"
        write_atomic(path, content)
        return path

    def _read_new(self) -> bool:
        """Read the files that have not been read, and tell whether some of them vanished meanwhile."""
        vanished = False
        files = sorted(self.folder.glob("*.parquet")) if self.folder.is_dir() else []
        for path in files:
            if path in self._read_files:
                continue
            try:
                self._index.add(_read_file(path))
                self._read_files.add(path)
            except FileNotFoundError:
                vanished = True
            except StoreError:
                self.damaged.append(_aside(path))
        return vanished


def _aside(path: Path) -> Path:
    try:
        return set_aside(path)
    except StoreError:
        return path  # on a disk that cannot be written; it is not used all the same


def _groups(rows: Mapping[Path, int]) -> Iterator[list[Path]]:
    """Yield files in their order, as many together as have about :data:`_MERGED` answers."""
    group: list[Path] = []
    total = 0
    for path, number in rows.items():
        group.append(path)
        total += number
        if total >= _MERGED:
            yield group
            group, total = [], 0
    yield group


def _read_file(path: Path) -> pl.DataFrame:
    """Return the answers of a file if it is whole and all of them can be used; otherwise raise an error."""
    try:
        content = path.read_bytes()
    except FileNotFoundError:
        raise
    except OSError as error:
        raise StoreError(f"Cannot read {path}: {error.strerror or error}.") from error
    if _VERIFIABLE.fullmatch(path.stem) and digest_bytes(content) != path.stem:
        raise StoreError(f"{path} was altered after it was written: its digest is not its name.")
    frame = _current(path, read_frame(path, content=content))
    _require_usable(path, frame)
    return frame


def _require_usable(path: Path, frame: pl.DataFrame) -> None:
    """Raise an error unless all answers of a file pass the checks of fresh ones."""
    import polars as pl

    shares = [pl.col(name).cast(pl.Float64) for name in ("p_e", "p_n", "p_c")]
    within = [share.is_between(-TOLERANCE, 1 + TOLERANCE) for share in shares]
    total, partial = pl.sum_horizontal(*shares), pl.any_horizontal(share.is_null() for share in shares)
    # A sum with NaN or infinity in it is not near one, either. A two-way model has no probability of each label.
    likely = pl.all_horizontal(*(one.fill_null(value=True) for one in within), total - 1 <= TOLERANCE)
    likely &= partial | (1 - total <= TOLERANCE)
    none = pl.all_horizontal(share.is_null() for share in shares)
    answered = pl.col("status") == Status.OK.value
    usable = (answered == pl.col("label").is_not_null()) & (none | likely)
    if not frame.select(usable.all()).item():
        raise StoreError(f"{path} holds answers that cannot be used: labels or probabilities are impossible.")


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
