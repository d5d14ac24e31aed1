"""Shards and their records: the number of rows of a Parquet file, its size, and the digest of its bytes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from nliprobe.base.errors import StoreError
from nliprobe.base.files import write_atomic
from nliprobe.base.hashing import digest, digest_bytes, digest_file
from nliprobe.store.frames import parquet_bytes, row_count
from nliprobe.store.sealed import read_sealed, write_sealed

if TYPE_CHECKING:
    import polars as pl


@dataclass(frozen=True)
class ShardRecord:
    """What a shard was when it was written; ``content`` is the digest of the file's bytes."""

    rows: int
    bytes: int
    content: str


@dataclass(frozen=True)
class ShardFault:
    """A shard that has changed since it was written, and a sentence that says what is wrong."""

    path: Path
    problem: str


def record_path(shard: Path) -> Path:
    """Return the file of a shard's record, which is next to the shard."""
    return shard.with_suffix(".json")


def write_shard(path: Path, frame: pl.DataFrame) -> ShardRecord:
    """Write a shard and its record.

    The record is written first. If the process is killed in between, a record without a shard remains, and the shard is
    simply written again; a killed process never leaves a shard without a record.
    """
    content = parquet_bytes(frame)
    record = ShardRecord(frame.height, len(content), digest_bytes(content))
    write_sealed(record_path(path), asdict(record))
    write_atomic(path, content)
    return record


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


def fault(shard: Path) -> ShardFault | None:
    """Read a shard's bytes, and return what is wrong with it, if anything."""
    if not shard.is_file():
        return ShardFault(shard, f"{shard} is missing.")
    record = read_record(shard)
    if record is None:
        return ShardFault(shard, f"{shard} has no record next to it, or one that was altered.")
    if shard.stat().st_size != record.bytes:
        return ShardFault(shard, f"{shard} has {shard.stat().st_size:,} bytes, but was written with {record.bytes:,}.")
    if digest_file(shard) != record.content:
        return ShardFault(shard, f"{shard} was altered after it was written: its digest is not that of its record.")
    return None


def combined(shards: Sequence[Path]) -> str | None:
    """Return one digest over the records of all shards of a kind, or none if a record is missing."""
    records = [read_record(path) for path in shards]
    contents = [record.content for record in records if record is not None]
    return digest(*contents) if len(contents) == len(shards) else None
