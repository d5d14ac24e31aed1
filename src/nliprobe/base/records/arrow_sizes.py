"""Compare the sizes that an Arrow file claims with what it can hold, before they are believed.

Polars reserves as much memory as the columns of a file claim to need. If a damaged file claims more than there is, the
whole process is aborted, which nobody can catch. So the claims are looked at first, as the format lays them out:
messages, each a FlatBuffers table, with the lengths of columns and buffers. What cannot be followed is left to Polars.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from mmap import mmap
from typing import NamedTuple, TypeAlias

Content: TypeAlias = bytes | mmap
_MAGIC = b"ARROW1"
_CONTINUES = 0xFFFFFFFF
_DICTIONARY, _BATCH = 2, 3
# A bit is the smallest value, and no compressor shrinks more than this.
_VALUES_PER_BYTE, _RATIO = 8, 100_000
# Columns of nulls have a length and no bytes; one this long takes no memory to speak of.
_ANY_LENGTH = 1 << 24


class _Message(NamedTuple):
    """The kind of a message, the place of its table, and where its body is."""

    kind: int
    table: int
    body: int


def impossible_size(content: Content) -> int | None:
    """Return a length that an Arrow file or stream claims for a column or buffer but cannot hold, or none.

    >>> impossible_size(b"ARROW1 and nothing else")
    """
    try:
        for message in _messages(content):
            for claimed, possible in _claims(content, message):
                if not 0 <= claimed <= possible:
                    return claimed
    except (struct.error, IndexError, OverflowError):
        return None
    return None


def _messages(content: Content) -> Iterator[_Message]:
    if content[: len(_MAGIC)] != _MAGIC:
        yield from _in_order(content)
        return
    # A file ends with a table of its blocks: 24 bytes for each, with its place and the size of its message.
    end = len(content) - len(_MAGIC) - 4
    footer = end - _u32(content, end)
    table = footer + _u32(content, footer)
    for number in (2, 3):
        field = _field(content, table, number)
        if field is not None:
            vector = field + _u32(content, field)
            for block in range(_u32(content, vector)):
                yield _message(content, _i64(content, vector + 4 + 24 * block))[0]


def _in_order(content: Content) -> Iterator[_Message]:
    place = 0
    while place + 8 <= len(content):
        message, place = _message(content, place)
        yield message


def _message(content: Content, place: int) -> tuple[_Message, int]:
    """Return the message at a place, and where the next one begins in a stream."""
    size = _u32(content, place)
    place += 4
    if size == _CONTINUES:
        size = _u32(content, place)
        place += 4
    if not size:
        return _Message(0, 0, place), len(content)
    table = place + _u32(content, place)
    kind, header, length = (_field(content, table, number) for number in (1, 2, 3))
    body = place + size
    after = body + (0 if length is None else _i64(content, length))
    if kind is None or header is None:
        return _Message(0, 0, body), after
    return _Message(content[kind], header + _u32(content, header), body), after


def _claims(content: Content, message: _Message) -> Iterator[tuple[int, int]]:
    """Yield each length that a message claims with the largest that is possible."""
    table = message.table
    if message.kind == _DICTIONARY:
        data = _field(content, table, 1)
        if data is None:
            return
        table = data + _u32(content, data)
    elif message.kind != _BATCH:
        return
    left = max(0, len(content) - message.body)
    packed = _field(content, table, 3) is not None
    held = 0
    for offset, length in _pairs(content, _field(content, table, 2)):
        yield offset, left
        yield length, left
        if packed and length >= 8:
            unpacked = _i64(content, message.body + offset)
            if unpacked != -1:  # else this buffer is not compressed
                yield unpacked, length * _RATIO
                length = unpacked
        held += length
    for length, nulls in _pairs(content, _field(content, table, 1)):
        possible = max(_ANY_LENGTH, held * _VALUES_PER_BYTE)
        yield length, possible
        yield nulls, possible


def _pairs(content: Content, field: int | None) -> Iterator[tuple[int, int]]:
    if field is None:
        return
    vector = field + _u32(content, field)
    for number in range(_u32(content, vector)):
        first, second = struct.unpack_from("<qq", content, vector + 4 + 16 * number)
        yield first, second


def _field(content: Content, table: int, number: int) -> int | None:
    """Return where a field of a FlatBuffers table is, or none if the table leaves it out."""
    (back,) = struct.unpack_from("<i", content, table)
    index = table - back
    (size,) = struct.unpack_from("<H", content, index)
    if 4 + 2 * number >= size:
        return None
    (offset,) = struct.unpack_from("<H", content, index + 4 + 2 * number)
    return table + offset if offset else None


def _u32(content: Content, place: int) -> int:
    value: int = struct.unpack_from("<I", content, place)[0]
    return value


def _i64(content: Content, place: int) -> int:
    value: int = struct.unpack_from("<q", content, place)[0]
    return value
