"""Cut texts where their lines say so: blank lines, bullets, turns of a dialogue, headings."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

Span = tuple[int, int]

# A line ends at any mark that text editors take for one, and at the tag that web pages have instead.
_LINE = re.compile(r"(?:\r\n|[\n\r\x0b\x0c\x85\u2028\u2029]|<br\s{0,3}/?>)", re.IGNORECASE)
_BULLET = re.compile(r"(?:[-*•·▪◦‣–—]|\(?\d{1,3}[.)]|\(?[a-z][.)]|\(?[A-Z]\)|\(?[ivx]{1,4}[.)])\s+\S")
# A speaker: up to four words before a colon that something follows, the first with a capital.
_NAME = r"[^\W\d_a-zß-öø-ÿ][^\s:.!?,;]{0,24}(?: [^\s:.!?,;]{1,24}){0,3}"
_TURN = re.compile(rf"(?P<name>{_NAME})\s?:\s+\S")
# A turn inside a line: after a full stop that stands by itself, as chats are written on one line.
_LINE_TURN = re.compile(rf"(?<!\s)\s+\.\s+(?=(?P<name>{_NAME})\s?:\s+\S)")
# Or after a sentence: then the name is made of capitalised words, because a colon may follow any others.
_CAPITALS = r"[A-Z][^\s:.!?,;]{0,24}(?: [A-Z][^\s:.!?,;]{0,24}){0,2}"
_END_TURN = re.compile(rf"(?<=[.!?…])\s+(?=(?P<name>{_CAPITALS})\s?:\s+\S)")
_ENDS = ".!?…:;,。！？\"'”’»)]"


class Block(NamedTuple):
    """A part of a text that no sentence crosses; it is one unit, or it is cut further."""

    span: Span
    whole: bool


class _Line(NamedTuple):
    start: int
    stop: int
    # A tag or an empty line comes before it.
    parted: bool


def blocks(text: str) -> Iterator[Block]:
    """Yield the parts of a text, in order, without the white space around them."""
    lines = list(_lines(text))
    turns = _turns(text, lines)
    widest = max((line.stop - line.start for line in lines), default=0)
    if len(lines) == 1 and turns:
        chat = list(_chat(text, lines[0]))
        if len(chat) > 1:
            yield from chat
            return
        turns = frozenset()
    begin, whole = 0, False
    for place, line in enumerate(lines):
        is_turn = place in turns
        is_bullet = len(lines) > 1 and _BULLET.match(text, line.start, line.stop) is not None
        if place and (line.parted or is_turn or is_bullet or _breaks(text, lines[place - 1], line, widest)):
            yield Block((lines[begin].start, lines[place - 1].stop), whole)
            begin = place
        if begin == place:
            whole = is_turn or is_bullet
    if lines:
        yield Block((lines[begin].start, lines[-1].stop), whole)


def _lines(text: str) -> Iterator[_Line]:
    done, parted = 0, False
    ends = [(found.start(), found.end(), found[0][0] == "<") for found in _LINE.finditer(text)]
    for stop, after, tag in [*ends, (len(text), len(text), False)]:
        piece = text[done:stop]
        stripped = piece.strip()
        if stripped:
            start = done + len(piece) - len(piece.lstrip())
            yield _Line(start, start + len(stripped), parted)
            parted = tag
        else:
            parted = True
        done = after


def _turns(text: str, lines: Sequence[_Line]) -> frozenset[int]:
    """Return the lines that begin with a speaker, if the text is a dialogue.

    It is one if a speaker speaks twice, or if two speakers follow one another.
    """
    names: dict[int, str] = {}
    for place, line in enumerate(lines):
        found = _TURN.match(text, line.start, line.stop)
        if found is not None:
            names[place] = found["name"]
    spoken = list(names.values())
    if len(lines) > 1:
        dialogue = len(set(spoken)) < len(spoken) or any(place + 1 in names for place in names)
        return frozenset(names) if dialogue else frozenset()
    return frozenset(names)


def _chat(text: str, line: _Line) -> Iterator[Block]:
    """Yield the turns of a dialogue that is written on one line."""
    first = _TURN.match(text, line.start, line.stop)
    assert first is not None
    cuts = list(_LINE_TURN.finditer(text, line.start, line.stop))
    if not cuts:
        cuts = list(_END_TURN.finditer(text, line.start, line.stop))
        names = [first["name"], *(cut["name"] for cut in cuts)]
        if len(set(names)) == len(names):  # one of the speakers has to speak twice
            return
    begin = line.start
    for cut in cuts:
        yield Block((begin, cut.start()), whole=True)
        begin = cut.end()
    yield Block((begin, line.stop), whole=True)


def _breaks(text: str, before: _Line, line: _Line, widest: int) -> bool:
    """Tell whether a line was ended on purpose: its end is no end of a sentence, but the next word had room on it."""
    first, last = text[line.start], text[before.stop - 1]
    if first.islower() or last in _ENDS:
        return False
    # A word longer than this would not be carried over as a whole.
    piece = text[line.start : min(line.stop, line.start + 40)].split()[0]
    return before.stop - before.start + 1 + len(piece) < widest
