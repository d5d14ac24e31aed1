"""Shards with a record: how many rows a Parquet file holds, how large it is, and the digest of its bytes."""

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
    """What is known of one shard since it was written; ``content`` is the digest of the file's bytes."""

    rows: int
    bytes: int
    content: str


@dataclass(frozen=True)
class ShardFault:
    """A shard that is not as it was written, and a sentence that says what is wrong."""

    path: Path
    problem: str


def record_path(shard: Path) -> Path:
    """Where the record of a shard is: beside it."""
    return shard.with_suffix(".json")


def write_shard(path: Path, frame: pl.DataFrame) -> ShardRecord:
    """Write a shard and its record.

    The record comes first. A kill in between leaves a record without a shard, which is simply written again; a shard
    without a record is never the result of a kill.
    """
    content = parquet_bytes(frame)
    record = ShardRecord(frame.height, len(content), digest_bytes(content))
    write_sealed(record_path(path), asdict(record))
    write_atomic(path, content)
    return record


def read_record(shard: Path) -> ShardRecord | None:
    """Return the record of a shard, or none where there is none that can be trusted."""
    try:
        fields = read_sealed(record_path(shard))
        return ShardRecord(fields.number("rows"), fields.number("bytes"), fields.text("content"))
    except StoreError:
        return None


def looks_whole(shard: Path, record: ShardRecord) -> bool:
    """Whether a shard has the size and the rows of its record: fast, for its bytes are not read."""
    return shard.stat().st_size == record.bytes and row_count(shard) == record.rows


def fault(shard: Path) -> ShardFault | None:
    """Read a shard's bytes and say what is wrong with it, if anything."""
    if not shard.is_file():
        return ShardFault(shard, f"{shard} is missing.")
    record = read_record(shard)
    if record is None:
        return ShardFault(shard, f"{shard} has no record beside it, or one that was altered.")
    if shard.stat().st_size != record.bytes:
        return ShardFault(shard, f"{shard} has {shard.stat().st_size:,} bytes, but was written with {record.bytes:,}.")
    if digest_file(shard) != record.content:
        return ShardFault(shard, f"{shard} was altered after it was written: its digest is not that of its record.")
    return None


def combined(shards: Sequence[Path]) -> str | None:
    """Return one digest over the records of all shards of a kind, or none where a record is missing."""
    records = [read_record(path) for path in shards]
    contents = [record.content for record in records if record is not None]
    return digest(*contents) if len(contents) == len(shards) else None
