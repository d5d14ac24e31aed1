"""Compare shards with their records, which say how many rows and bytes they had when they were written."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from nliprobe.base.errors import StoreError
from nliprobe.base.files import read_sealed
from nliprobe.base.hashing import digest_file
from nliprobe.store.frames import read_frame, record_path, row_count
from nliprobe.store.record import ShardRecord


@dataclass(frozen=True)
class ShardFault:
    """A shard that has changed since it was written, and a sentence that says what is wrong."""

    path: Path
    problem: str


def read_record(shard: Path) -> ShardRecord | None:
    """Return the record of a shard, or none if it is missing or was altered."""
    try:
        fields = read_sealed(record_path(shard))
        return ShardRecord(fields.number("rows"), fields.number("bytes"), fields.text("content"))
    except StoreError:
        return None


def looks_whole(shard: Path, record: ShardRecord) -> bool:
    """Tell whether a shard has the size and the rows of its record; this is fast, because its bytes are not read."""
    return shard.stat().st_size == record.bytes and row_count(shard) == record.rows


def misplaced(shard: Path, record: ShardRecord | None) -> ShardFault | None:
    """Return what is wrong with a shard without reading its bytes: it is missing, or not as its record says."""
    try:
        size = shard.stat().st_size
    except OSError:
        return ShardFault(shard, f"{shard} is missing.")
    if record is None:
        return ShardFault(shard, f"{shard} has no record next to it, or one that was altered.")
    if size != record.bytes:
        return ShardFault(shard, f"{shard} has {size:,} bytes, but was written with {record.bytes:,}.")
    return None


def altered(shard: Path, record: ShardRecord | None = None) -> ShardFault | None:
    """Read the bytes of a shard, and return what is wrong with them; its record is read unless given."""
    if record is None and shard.exists():
        record = read_record(shard)
    problem = misplaced(shard, record)
    if problem is not None or record is None:
        return problem
    try:
        content = digest_file(shard)
    except OSError as error:
        return ShardFault(shard, f"{shard} cannot be read: {error.strerror or error}.")
    if content != record.content:
        return ShardFault(shard, f"{shard} was altered after it was written: its digest is not that of its record.")
    return None


def unreadable(shard: Path) -> ShardFault | None:
    """Return what is wrong with a shard of a run that keeps no digests: it is missing, or no Parquet file."""
    if not shard.is_file():
        return ShardFault(shard, f"{shard} is missing.")
    try:
        read_frame(shard)
    except StoreError as error:
        return ShardFault(shard, str(error))
    return None
