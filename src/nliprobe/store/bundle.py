"""Several shards in one file, which is written whole or not at all; each part is verified when it is read.

A file of its own per shard would mean a wait for the disk each. The parts follow one another. A sealed record at the
end says what they are, and the last 8 bytes say how long it is.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from types import TracebackType
from typing import NamedTuple, Self

from nliprobe.base.errors import StoreError
from nliprobe.base.fields import Fields
from nliprobe.base.files import check_seal, sealed, set_aside, writing
from nliprobe.base.hashing import digest_bytes
from nliprobe.store.record import ShardRecord

_LENGTH_BYTES = 8


class DamagedBundleError(StoreError):
    """A bundle cannot be read, or is not what was written."""


class Part(NamedTuple):
    """The bytes of one shard under a name, with the number of its rows."""

    name: str
    rows: int
    content: bytes


def write_bundle(path: Path, parts: Iterable[Part], about: Mapping[str, object]) -> None:
    """Write parts as they come, one at a time in memory, and what else there is to know about them."""
    records: dict[str, object] = {}
    with writing(path) as stream:
        for name, rows, content in parts:
            stream.write(content)
            records[name] = asdict(ShardRecord(rows, len(content), digest_bytes(content)))
        end = sealed({"about": dict(about), "parts": records})
        stream.write(end)
        stream.write(len(end).to_bytes(_LENGTH_BYTES, "little"))


class Bundle:
    """A bundle that is open to be read, also after another process has deleted it.

    One that is not there is a :class:`FileNotFoundError`. One that is damaged is set aside, and a
    :class:`DamagedBundleError` says what is wrong.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            self._stream = path.open("rb")
        except FileNotFoundError:
            raise
        except OSError as error:
            raise self.damaged(f"it cannot be read ({error.strerror or error})") from error
        try:
            end = self._end()
            self.about = end.inner("about")
            parts = end.inner("parts")
            self.parts = {name: _record(parts.inner(name)) for name in parts.values}
        except BaseException:
            self._stream.close()
            raise
        self._starts: dict[str, int] = {}
        start = 0
        for name, record in self.parts.items():
            self._starts[name] = start
            start += record.bytes

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stream.close()

    def read(self, name: str) -> bytes:
        """Return the bytes of a part if they are those that were written."""
        record = self.parts.get(name)
        if record is None:
            raise self.damaged(f"it has no part '{name}'")
        content = self._bytes(self._starts[name], record.bytes)
        if digest_bytes(content) != record.content:
            raise self.damaged(f"the digest of '{name}' is not that of its record")
        return content

    def check(self) -> None:
        """Read every byte."""
        for name in self.parts:
            self.read(name)

    def damaged(self, reason: str) -> DamagedBundleError:
        """Set the file aside, and return the error that says why."""
        with suppress(StoreError):  # on a disk that cannot be written; it is not used all the same
            set_aside(self.path)
        return DamagedBundleError(f"{self.path} is damaged: {reason}.")

    def _end(self) -> Fields:
        """Return the record at the end of the file."""
        size = os.fstat(self._stream.fileno()).st_size
        length = int.from_bytes(self._bytes(max(0, size - _LENGTH_BYTES), _LENGTH_BYTES), "little")
        if length > size - _LENGTH_BYTES:
            raise self.damaged("its end is missing or was altered")
        text = self._bytes(size - _LENGTH_BYTES - length, length)
        try:
            content = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise self.damaged("its record is no JSON") from error
        if not isinstance(content, dict):
            raise self.damaged("its record is no JSON object")
        try:
            return check_seal(self.path, content)
        except StoreError as error:
            raise self.damaged("its record was altered") from error

    def _bytes(self, start: int, length: int) -> bytes:
        try:
            self._stream.seek(start)
            return self._stream.read(length)
        except OSError as error:
            raise self.damaged(f"it cannot be read ({error.strerror or error})") from error


def _record(fields: Fields) -> ShardRecord:
    return ShardRecord(fields.count("rows"), fields.count("bytes"), fields.text("content"))
