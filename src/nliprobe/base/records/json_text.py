"""Read the records of JSON files: one per line, or one value per file, whose array of records is read one by one."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NoReturn

from nliprobe.base.errors import DataError, where
from nliprobe.base.records.json_shapes import Numbered, kind_of, records_in
from nliprobe.base.records.text import (
    LONGEST,
    STRICT,
    parse_json,
    read_lines,
    read_pieces,
    read_text,
    refuse_syntax,
    refuse_value,
)

_SPACE = re.compile(r"[ \t\n\r]*")
# The most characters that are held at first.
_WINDOW = 1 << 17
# An error so near to the end of what is held may come from what is not; the longest word of JSON is -Infinity.
_NEAR_END = 16


def read_json_lines(path: Path, encoding: str = "") -> Numbered:
    """Yield the records of a file with one JSON object per line; blank lines are skipped."""
    for number, line in read_lines(path, encoding):
        if not line or line.isspace():
            continue
        content = parse_json(line, where(path, number))
        if not isinstance(content, dict):
            raise DataError(f"{where(path, number)}: expected a JSON object, but found {kind_of(content)}.")
        yield number, content


def read_json_items(path: Path, encoding: str = "") -> Numbered:
    """Number the records of a file that is one JSON value; of an array of objects, one is held at a time."""
    items = _Array(path, encoding).items()
    first = next(items, None)
    if not isinstance(first, dict):
        # Columns, rows without names, records inside an object, or no JSON: that takes the whole value.
        yield from enumerate(records_in(parse_json(read_text(path, encoding), str(path)), str(path)), 1)
        return
    yield 1, first
    for number, item in enumerate(items, 2):
        if not isinstance(item, dict):
            raise DataError(f"{path}, item {number}: expected a JSON object, but found {kind_of(item)}.")
        yield number, item


class _Array:
    """The items of a JSON array in a file, of which a part is held that grows to the longest item.

    A file that is no array has no items here, and neither has one whose first item cannot be read.
    """

    def __init__(self, path: Path, encoding: str) -> None:
        self._path = path
        self._pieces = read_pieces(path, encoding)
        self._text = ""
        self._place = 0
        self._ended = False
        # What was dropped before the text: its line ends, and the characters after the last of them.
        self._lines = 0
        self._columns = 0

    def items(self) -> Iterator[object]:
        """Yield the items in order; an error in the first one is left to who reads the whole value."""
        if self._next() != "[":
            return
        self._place += 1
        number = 0
        while self._next() != "]" or number:
            try:
                item = self._item()
            except DataError:
                if number == 0:
                    return
                raise
            number += 1
            yield item
            follows = self._next()
            if follows == "]":
                self._place += 1
                if self._next():
                    self._refuse_at("Extra data", self._place)
                return
            if follows != ",":
                self._refuse_at("Expecting ',' delimiter", self._place)
            self._place += 1

    def _next(self) -> str:
        """Go to the next character that is not white space, and return it; at the end there is none."""
        while True:
            match = _SPACE.match(self._text, self._place)
            assert match is not None
            self._place = match.end()
            if self._place < len(self._text) or self._ended:
                return self._text[self._place : self._place + 1]
            self._read_on()

    def _item(self) -> object:
        while True:
            try:
                item, end = STRICT.raw_decode(self._text, self._place)
            except json.JSONDecodeError as error:
                cut = error.pos > len(self._text) - _NEAR_END or error.msg.startswith("Unterminated string")
                if self._ended or not cut:
                    self._refuse_at(error.msg, error.pos, error)
            except (ValueError, RecursionError) as error:
                refuse_value(str(self._path), error)
            else:
                if end < len(self._text) or self._ended:
                    return self._whole(item, end)
            if len(self._text) - self._place > LONGEST:
                raise DataError(f"{self._path} holds an item of more than {LONGEST >> 20} MB: is this the right file?")
            self._read_on()

    def _whole(self, item: object, end: int) -> object:
        start, self._place = self._place, end
        if self._text.find("\\ud", start, end) < 0 and self._text.find("\\uD", start, end) < 0:
            return item
        return parse_json(self._text[start:end], str(self._path))

    def _read_on(self) -> None:
        """Drop what was used, and read as much again as is held: so an item is parsed a few times at most."""
        last_line = self._text.rfind("\n", 0, self._place)
        self._lines += self._text.count("\n", 0, self._place)
        self._columns = self._place - last_line - 1 if last_line >= 0 else self._columns + self._place
        held = [self._text[self._place :]]
        wanted = max(len(held[0]), _WINDOW)
        while wanted > 0 and not self._ended:
            piece = next(self._pieces, None)
            self._ended = piece is None
            held.append(piece or "")
            wanted -= len(held[-1])
        self._text = "".join(held)
        self._place = 0

    def _refuse_at(self, what: str, place: int, error: Exception | None = None) -> NoReturn:
        last_line = self._text.rfind("\n", 0, place)
        line = self._lines + self._text.count("\n", 0, place) + 1
        column = place - last_line if last_line >= 0 else self._columns + place + 1
        refuse_syntax(str(self._path), what, line, column, error)
