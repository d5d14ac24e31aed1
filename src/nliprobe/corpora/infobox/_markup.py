"""Parse the tables in an HTML page, even a malformed one, into cells with their text, lines and spans."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from typing import NamedTuple

from nliprobe.corpora.infobox._tags import Attributes, TagReader

_VOID = frozenset(
    {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track", "wbr"}
)
_BLOCKS = frozenset(
    {"address", "article", "blockquote", "center", "dd", "div", "dl", "dt", "h1", "h2", "h3", "h4", "h5", "h6"}
) | {"hr", "li", "ol", "p", "pre", "section", "table", "ul"}
_CELLS = frozenset({"td", "th", "caption"})
_PARTS = frozenset({"thead", "tbody", "tfoot", "colgroup"})
_UNSEEN = frozenset(["script", "style", "template", "noscript", "iframe", "object", "annotation", "annotation-xml"])
_PICTURES = frozenset(["img", "svg", "picture", "figure", "audio", "video", "canvas", "map"])
_FOOTNOTES = frozenset({"reference", "mw-ref", "inline-template"})
_HIDDEN = frozenset({"mw-editsection", "navbar", "geo-nondefault", "geo-multi-punct", "mw-collapsible-toggle"})
_INVISIBLE = re.compile(r"(?:display\s*:\s*none|visibility\s*:\s*hidden)", re.IGNORECASE)
_INLINE = re.compile(r"display\s*:\s*inline", re.IGNORECASE)
_MARK = re.compile(r"\s*\[[^\[\]]{1,30}\]\s*")
# A footnote mark has few pieces; longer superscripts are not searched.
_PIECES = 8
# Tables nested deeper than this are read as text; only a hostile page has them.
_DEEPEST = 20


@dataclass(slots=True)
class Cell:
    """A cell of a table; its parts are pieces of text, nested tables, and None for a new line."""

    heading: bool = False
    classes: frozenset[str] = frozenset()
    colspan: int = 1
    rowspan: int = 1
    parts: list[str | RawTable | None] = field(default_factory=list)
    # The parts that are the name marked by a microformat (class fn), and the bold words at the start.
    name: tuple[int, int] | None = None
    bold: tuple[int, int] | None = None
    images: int = 0
    captions: int = 0


@dataclass(slots=True)
class RawTable:
    """A table as the page has it; ``dropped`` counts what was skipped inside it, ``head`` the rows of its ``thead``."""

    line: int
    classes: frozenset[str] = frozenset()
    rows: list[list[Cell]] = field(default_factory=list)
    caption: Cell | None = None
    dropped: Counter[str] = field(default_factory=Counter)
    head: int = 0


class _Open(NamedTuple):
    tag: str
    skip: str
    mark: str
    start: int
    own: bool
    block: bool


class _Frame:
    """The open elements inside one table, or outside all tables."""

    def __init__(self, table: RawTable | None = None) -> None:
        self.table = table
        self.row: list[Cell] | None = None
        self.cell: Cell | None = None
        self.part = ""
        self.stack: list[_Open] = []
        self.open: Counter[str] = Counter()


class Markup(TagReader):
    """Collects the tables of a page, and its heading and title.

    Elements are on a stack and not in a tree, so that depth costs nothing. An end tag closes the nearest element of
    its name inside the same cell; an end tag without such an element is ignored.
    """

    def __init__(self) -> None:
        super().__init__()
        self.tables: list[RawTable] = []
        self.heading: list[str] = []
        self.title: list[str] = []
        self._frames = [_Frame()]
        self._skipping = 0
        self._sink: list[str] | None = None

    def start_tag(self, tag: str, attributes: Attributes) -> None:
        """Open an element."""
        frame = self._frames[-1]
        if tag in _VOID:
            self._void(frame, tag, attributes)
            return
        direct = frame.table is not None and not frame.open["table"]
        if tag == "table":
            self._table(frame, attributes)
        elif direct and tag in _PARTS:
            self._close_all(frame)
            frame.part = tag
        elif direct and tag == "tr":
            self._close_all(frame)
            frame.row = []
            assert frame.table is not None
            frame.table.rows.append(frame.row)
            # A header is above the rows, so a later one is none.
            frame.table.head += frame.part == "thead" and frame.table.head == len(frame.table.rows) - 1
            self._push(frame, tag, attributes, own=True)
        elif direct and tag in _CELLS:
            self._cell(frame, tag, attributes)
        else:
            block = tag in _BLOCKS and not _is_inline(attributes)
            if block:
                self._break(frame)
            self._push(frame, tag, attributes, block=block)
            if tag in ("h1", "title") and len(self._frames) == 1 and not self._skipping:
                self._sink = self.heading if tag == "h1" else self.title

    def end_tag(self, tag: str) -> None:
        """Close an element and the open elements inside it."""
        frame = self._frames[-1]
        if tag in ("br", "p") and not frame.open[tag]:
            self._break(frame)
        elif frame.open[tag]:
            while self._pop(frame) != tag:
                pass
        elif tag == "table" and frame.table is not None:
            self._close_all(frame)
            self._frames.pop()
        elif tag in _PARTS and frame.table is not None and not frame.open["table"]:
            self._close_all(frame)
            frame.part = ""

    def data(self, text: str) -> None:
        """Add text to the open cell."""
        if self._skipping:
            return
        frame = self._frames[-1]
        if frame.cell is not None:
            frame.cell.parts.append(text)
        elif frame.table is not None and text.strip():
            frame.table.dropped["loose-text"] += 1
        elif self._sink is not None:
            self._sink.append(text)

    def read(self, text: str) -> None:
        """Read a whole page, and close what is open at its end."""
        super().read(text)
        while self._frames:
            self._close_all(self._frames.pop())

    def _table(self, frame: _Frame, attrs: Attributes) -> None:
        if self._skipping or len(self._frames) > _DEEPEST or _skip("table", attrs):
            self._break(frame)
            self._push(frame, "table", attrs, block=True)
            return
        if frame.table is not None and frame.cell is None:
            self._close_all(self._frames.pop())
            frame = self._frames[-1]
        table = RawTable(self.line(), _classes(attrs))
        if frame.cell is not None:
            frame.cell.parts += [None, table, None]
        else:
            self.tables.append(table)
        self._frames.append(_Frame(table))

    def _cell(self, frame: _Frame, tag: str, attrs: Attributes) -> None:
        assert frame.table is not None
        while frame.stack and (tag == "caption" or frame.stack[-1].tag != "tr"):
            self._pop(frame)
        cell = Cell(tag == "th", _classes(attrs), _span(attrs, "colspan"), _span(attrs, "rowspan"))
        if tag == "caption":
            frame.table.caption = frame.table.caption or cell
        else:
            if frame.row is None:
                frame.row = []
                frame.table.rows.append(frame.row)
            frame.row.append(cell)
        frame.cell = cell
        self._push(frame, tag, attrs, own=True)

    def _void(self, frame: _Frame, tag: str, attrs: Attributes) -> None:
        if tag == "img" and frame.cell is not None and not self._skipping:
            frame.cell.images += 1
            self._drop(frame, "images")
        elif tag in ("br", "hr"):
            self._break(frame)

    def _push(self, frame: _Frame, tag: str, attrs: Attributes, *, own: bool = False, block: bool = False) -> None:
        skip = _skip(tag, attrs)
        mark = ""
        if frame.cell is not None and not self._skipping:
            names = _classes(attrs)
            mark = "name" if "fn" in names else "bold" if tag in ("b", "strong") else "sup" if tag == "sup" else ""
            if skip == "images":
                frame.cell.images += 1
            if skip == "captions":
                frame.cell.captions += 1
        if skip:
            if not self._skipping:
                self._drop(frame, skip)
            self._skipping += 1
        start = len(frame.cell.parts) if frame.cell is not None else 0
        frame.stack.append(_Open(tag, skip, mark, start, own, block))
        frame.open[tag] += 1

    def _pop(self, frame: _Frame) -> str:
        entry = frame.stack.pop()
        frame.open[entry.tag] -= 1
        cell = frame.cell
        if entry.skip:
            self._skipping -= 1
        if cell is not None:
            self._mark(frame, cell, entry)
        if entry.own and entry.tag == "tr":
            frame.row = None
        elif entry.own:
            frame.cell = None
        elif entry.block:
            self._break(frame)
        if entry.tag in ("h1", "title"):
            self._sink = None
        return entry.tag

    def _mark(self, frame: _Frame, cell: Cell, entry: _Open) -> None:
        span = entry.start, len(cell.parts)
        if entry.mark == "name":
            cell.name = cell.name or span
        elif entry.mark == "bold":
            cell.bold = cell.bold or span
        elif entry.mark == "sup" and span[1] - span[0] <= _PIECES:
            inside = cell.parts[entry.start :]
            text = "".join(part for part in inside if isinstance(part, str))
            if all(isinstance(part, str) for part in inside) and _MARK.fullmatch(text):
                del cell.parts[entry.start :]
                self._drop(frame, "footnotes")

    def _close_all(self, frame: _Frame) -> None:
        while frame.stack:
            self._pop(frame)

    def _break(self, frame: _Frame) -> None:
        if frame.cell is not None and not self._skipping:
            frame.cell.parts.append(None)

    def _drop(self, frame: _Frame, kind: str) -> None:
        if frame.table is not None:
            frame.table.dropped[kind] += 1


def parse_markup(text: str) -> Markup:
    """Parse a whole page."""
    markup = Markup()
    markup.read(text)
    return markup


def _skip(tag: str, attrs: Attributes) -> str:
    """Return the kind under which an element is dropped, or nothing if it is kept."""
    if tag in _UNSEEN:
        return "hidden"
    if tag in _PICTURES:
        return "images"
    for name, value in attrs:
        if name == "hidden" or (name == "style" and value and _INVISIBLE.search(value)):
            return "hidden"
    names = _classes(attrs)
    if names & _FOOTNOTES:
        return "footnotes"
    if "infobox-caption" in names:
        return "captions"
    return "hidden" if names & _HIDDEN else ""


def _is_inline(attrs: Attributes) -> bool:
    return any(name == "style" and value and _INLINE.search(value) for name, value in attrs)


def _classes(attrs: Attributes) -> frozenset[str]:
    return frozenset(name for key, value in attrs if key == "class" and value for name in value.lower().split())


def _span(attrs: Attributes, name: str) -> int:
    value = next((value for key, value in attrs if key == name and value), "1").strip()
    # 1,000 is the limit of the HTML standard for columns; longer numbers are not read.
    return min(max(int(value), 1), 1000) if value.isascii() and value.isdigit() and len(value) < 9 else 1
