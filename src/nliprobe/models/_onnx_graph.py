"""What an ONNX file names, read from its bytes: the package ``onnx`` is not needed for asking a model.

A file is a message of Protocol Buffers: fields, each a number, a kind and a value. Tensors that lie in other files
(all of them above 2 GB) name those under the key ``location``.
"""

from __future__ import annotations

import mmap
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

# The numbers of fields in onnx.proto.
_GRAPH, _NODE, _OPERATOR, _INITIALIZER, _EXTERNAL, _KEY, _VALUE = 7, 1, 4, 5, 13, 1, 2
# Operators that round what they are given by its largest value.
_ROUNDING = "DynamicQuantize"
_VARINT, _FIXED64, _BYTES, _FIXED32 = 0, 1, 2, 5


class _Field(NamedTuple):
    number: int
    kind: int
    start: int
    end: int


def external_files(path: Path) -> list[str]:
    """Return the names of the files that hold tensors of a graph, relative to its folder.

    A file that is damaged or no ONNX names none: what is wrong with it is said when it is loaded.
    """
    return sorted(_texts_of(path, _locations))


def rounds_batches(path: Path) -> bool:
    """Tell whether a graph rounds a whole batch by one scale, so that an input's answer depends on its neighbours."""
    return any(operator.startswith(_ROUNDING) for operator in _texts_of(path, _operators))


def _texts_of(path: Path, read: Callable[[mmap.mmap], Iterator[str]]) -> set[str]:
    try:
        with path.open("rb") as stream, mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ) as content:
            return set(read(content))
    except (OSError, ValueError, IndexError):  # an empty file cannot be mapped
        return set()


def _operators(content: mmap.mmap) -> Iterator[str]:
    for graph in _inside(content, _Field(0, _BYTES, 0, len(content)), _GRAPH):
        for node in _inside(content, graph, _NODE):
            yield from _texts(content, node, _OPERATOR)


def _locations(content: mmap.mmap) -> Iterator[str]:
    for graph in _inside(content, _Field(0, _BYTES, 0, len(content)), _GRAPH):
        for tensor in _inside(content, graph, _INITIALIZER):
            for entry in _inside(content, tensor, _EXTERNAL):
                key, value = ("".join(_texts(content, entry, number)) for number in (_KEY, _VALUE))
                if key == "location":
                    yield value


def _texts(content: mmap.mmap, message: _Field, number: int) -> Iterator[str]:
    for field in _inside(content, message, number):
        yield content[field.start : field.end].decode("utf-8")


def _inside(content: mmap.mmap, message: _Field, number: int) -> Iterator[_Field]:
    """Yield the fields of a message with a number, whose values are messages or texts."""
    place = message.start
    while place < message.end:
        key, place = _number(content, place)
        kind, start = key & 7, place
        if kind == _VARINT:
            _, place = _number(content, place)
        elif kind == _BYTES:
            size, start = _number(content, place)
            place = start + size
        elif kind in (_FIXED64, _FIXED32):
            place += 8 if kind == _FIXED64 else 4
        else:
            raise ValueError(f"there is no kind {kind} of fields")
        if place > message.end:
            raise ValueError("a field is longer than what holds it")
        if key >> 3 == number and kind == _BYTES:
            yield _Field(number, kind, start, place)


def _number(content: mmap.mmap, place: int) -> tuple[int, int]:
    """Return the number at a place, seven bits per byte from the lowest on, and the place after it."""
    value = shift = 0
    while True:
        byte = content[place]
        value |= (byte & 0x7F) << shift
        place, shift = place + 1, shift + 7
        if byte < 0x80:
            return value, place
        if shift > 63:
            raise ValueError("a number has more than 64 bits")
