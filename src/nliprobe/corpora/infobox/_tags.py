"""Read the tags and texts of an HTML page in one pass, as the HTML standard divides it, however malformed it is.

Python's own parser takes quadratic time for pages such as ``<a <a <a …`` in many of its versions, and has an assertion
for ``<![ x``. Here every character is looked at a fixed number of times: what is opened and never closed (a comment, a
tag, a quote) ends with the page, as in browsers, and is not searched for again.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from html import unescape
from typing import NamedTuple

Attributes = list[tuple[str, str | None]]

# Elements whose content is no markup.
_RAW = {tag: re.compile(rf"</{tag}(?=[\s/>])", re.IGNORECASE) for tag in ("script", "style")}
_LETTER = re.compile(r"[A-Za-z]")
_TAG_NAME = re.compile(r"[^\s/>]*")
_BETWEEN = re.compile(r"[\s/]*")
_NAME = re.compile(r"=?[^\s/>=]*")
_EQUALS = re.compile(r"\s*=\s*")
_UNQUOTED = re.compile(r"[^\s>]*")
_COMMENT_END = re.compile(r"--!?>")
# Python refuses to convert such a number; no character has one.
_ENDLESS_NUMBER = re.compile(r"&#[0-9]{10,}")
_NO_CHARACTER = "&#1114112"


class _Rest(NamedTuple):
    """What follows the name of a tag: its attributes, where it ends, and whether it ends in a slash."""

    attributes: Attributes
    end: int
    closed: bool


class TagReader(ABC):
    """Calls a method for every start tag, end tag and text of a page, in order."""

    def __init__(self) -> None:
        self._text = ""
        self._place = 0
        self._line = 1
        self._counted = 0

    @abstractmethod
    def start_tag(self, tag: str, attributes: Attributes) -> None:
        """Open an element; names are in lower case."""

    @abstractmethod
    def end_tag(self, tag: str) -> None:
        """Close an element, which need not be open; a tag such as ``<br/>`` opens and closes one."""

    @abstractmethod
    def data(self, text: str) -> None:
        """Take a text; one text may come in several pieces."""

    def line(self) -> int:
        """Return the line of the tag that is being read, from 1."""
        self._line += self._text.count("\n", self._counted, self._place)
        self._counted = self._place
        return self._line

    def read(self, text: str) -> None:
        """Read a whole page."""
        self._text = text
        while self._place < len(text):
            opened = text.find("<", self._place)
            if opened != self._place:
                end = opened if opened >= 0 else len(text)
                self.data(_unescaped(text[self._place : end]))
                self._place = end
            else:
                self._place = self._markup(text, opened)

    def _markup(self, text: str, start: int) -> int:
        """Read what begins with ``<``; return where it ends."""
        follows = text[start + 1 : start + 2]
        if _LETTER.match(follows):
            return self._start(text, start + 1)
        if follows == "/":
            if _LETTER.match(text[start + 2 : start + 3]):
                return self._end(text, start + 2)
            if start + 2 < len(text):
                return _after(text, ">", start + 2)
        elif text.startswith("<!--", start):
            if text.startswith((">", "->"), start + 4):
                return text.index(">", start) + 1
            match = _COMMENT_END.search(text, start + 4)
            return match.end() if match else len(text)
        elif follows in ("!", "?") and follows:
            return _after(text, ">", start + 2)
        self.data("<")
        return start + 1

    def _start(self, text: str, start: int) -> int:
        tag, place = _tag_name(text, start)
        rest = _rest_of_tag(text, place)
        if rest is None:
            return len(text)
        self.start_tag(tag, rest.attributes)
        if rest.closed:
            self.end_tag(tag)
        elif tag in _RAW:
            match = _RAW[tag].search(text, rest.end)
            stop = match.start() if match else len(text)
            if stop > rest.end:
                self.data(text[rest.end : stop])
            return stop
        return rest.end

    def _end(self, text: str, start: int) -> int:
        tag, place = _tag_name(text, start)
        rest = _rest_of_tag(text, place)
        if rest is None:
            return len(text)
        self.end_tag(tag)
        return rest.end


def _tag_name(text: str, start: int) -> tuple[str, int]:
    match = _TAG_NAME.match(text, start)
    assert match is not None
    return match[0].lower(), match.end()


def _rest_of_tag(text: str, place: int) -> _Rest | None:
    """Return what follows the name of a tag, or None if the page ends before the tag does."""
    attributes: Attributes = []
    while True:
        start, place = place, _end_of(_BETWEEN, text, place)
        if place >= len(text):
            return None
        if text[place] == ">":
            return _Rest(attributes, place + 1, place > start and text[place - 1] == "/")
        end = _end_of(_NAME, text, place)
        name = text[place:end].lower()
        place = end
        value: str | None = None
        if equals := _EQUALS.match(text, place):
            place = equals.end()
            quote = text[place : place + 1]
            if quote and quote in "\"'":
                end = text.find(quote, place + 1)
                if end < 0:
                    return None
                value = text[place + 1 : end]
                place = end + 1
            else:
                end = _end_of(_UNQUOTED, text, place)
                value = text[place:end]
                place = end
        attributes.append((name, _unescaped(value) if value else value))


def _end_of(pattern: re.Pattern[str], text: str, place: int) -> int:
    match = pattern.match(text, place)
    assert match is not None
    return match.end()


def _after(text: str, mark: str, start: int) -> int:
    place = text.find(mark, start)
    return place + len(mark) if place >= 0 else len(text)


def _unescaped(text: str) -> str:
    if "&" not in text:
        return text
    return unescape(_ENDLESS_NUMBER.sub(_NO_CHARACTER, text) if "&#" in text else text)
