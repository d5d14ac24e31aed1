"""Parse JSON: one value per line, or one value per file; an array of records is read one by one."""

from __future__ import annotations

import json
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NoReturn

from nliprobe.base.errors import DataError, where
from nliprobe.base.halves import whole_json
from nliprobe.base.records.json_shapes import Numbered, Record, kind_of, records_in
from nliprobe.base.records.text import LONGEST, read_lines, read_pieces, read_text

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


def parse_json(text: str, place: str, *, pairs: Callable[[list[tuple[str, object]]], Record] | None = None) -> object:
    """Parse JSON; errors name the place, and a key given twice in an object is an error.

    ``pairs`` makes an object from its keys and values, for callers that treat repeated keys differently.
    """
    try:
        decoder = _STRICT if pairs is None else json.JSONDecoder(object_pairs_hook=pairs)
        content: object = decoder.decode(whole_json(text) if "\\ud" in text or "\\uD" in text else text)
        return content
    except json.JSONDecodeError as error:
        _refuse_syntax(place, error.msg, error.lineno, error.colno, error)
    except (ValueError, RecursionError) as error:
        _refuse(place, error)


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
                item, end = _STRICT.raw_decode(self._text, self._place)
            except json.JSONDecodeError as error:
                cut = error.pos > len(self._text) - _NEAR_END or error.msg.startswith("Unterminated string")
                if self._ended or not cut:
                    self._refuse_at(error.msg, error.pos, error)
            except (ValueError, RecursionError) as error:
                _refuse(str(self._path), error)
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
        _refuse_syntax(str(self._path), what, line, column, error)


def _refuse_syntax(place: str, what: str, line: int, column: int, error: Exception | None) -> NoReturn:
    spot = f"column {column}" if line == 1 else f"line {line}, column {column}"
    raise DataError(f"{place}: this is not JSON ({what}, {spot}).") from error


def _refuse(place: str, error: ValueError | RecursionError) -> NoReturn:
    if isinstance(error, DataError):
        raise DataError(f"{place}: {error}.") from error
    if isinstance(error, RecursionError):
        raise DataError(f"{place}: this is not JSON that can be read (it is nested too deeply).") from error
    # The only other thing that Python refuses: it takes time that grows with the square of the digits.
    digits = sys.get_int_max_str_digits()
    raise DataError(f"{place}: a number has more than {digits:,} digits. Write it as a text, in quotes.") from error


def _unique(items: list[tuple[str, object]]) -> Record:
    record = dict(items)
    if len(record) != len(items):
        times = Counter(key for key, _ in items)
        raise DataError(f"the key '{next(key for key in times if times[key] > 1):.80}' is given twice")
    return record


# Made once: json.loads would make a decoder for every line.
_STRICT = json.JSONDecoder(object_pairs_hook=_unique)
