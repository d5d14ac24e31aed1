"""Parse premise and hypothesis texts with placeholders in braces."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

from nliprobe.templates.expression import Expression, Name, parse_expression
from nliprobe.templates.place import Place, TemplateError

_ALTERNATION = re.compile(r"\s*(?:(?P<name>[A-Z][A-Z0-9_]*)\s*:)?(?P<options>[^()'\[\]]*/[^()'\[\]]*)")
_BRACE = re.compile(r"\{\{|\}\}|\{|\}")
# A sentence begins after these; quotes and brackets may come between.
_SENTENCE_END = re.compile(r"(?:^|[.!?:]['\")\]]*\s+)['\"(\[]*$")


@dataclass(frozen=True, slots=True)
class Literal:
    """Text that is always the same."""

    text: str


@dataclass(frozen=True, slots=True)
class Slot:
    """A placeholder for the value of an expression, with a capital letter if it starts a sentence."""

    expression: Expression
    starts: bool
    place: Place


@dataclass(frozen=True, slots=True)
class Alternation:
    """A choice of words inside the text, which becomes a variable."""

    name: str
    options: tuple[str, ...]


Part: TypeAlias = Literal | Slot


@dataclass(frozen=True, slots=True)
class Pattern:
    """A text divided into literals and placeholders."""

    text: str
    parts: tuple[Part, ...]


def parse_pattern(text: str, place: Place, unnamed: int) -> tuple[Pattern, list[Alternation]]:
    """Parse a pattern and its alternations; ``unnamed`` counts the unnamed alternations before it."""
    parts: list[Part] = []
    alternations: list[Alternation] = []
    before = ""
    for piece, inside, at in _pieces(text, place):
        if not inside:
            if piece:
                parts.append(Literal(piece))
                before = piece if not before else before + piece
            continue
        starts = bool(_SENTENCE_END.search(before)) if before else not parts
        match = _ALTERNATION.fullmatch(piece)
        if match is not None and "//" not in piece:
            options = tuple(option.strip() for option in match["options"].split("/"))
            if len(set(options)) < len(options):
                raise TemplateError(place.moved(at), f"'{{{piece}}}' offers a choice twice.")
            number = unnamed + sum(item.name.startswith("ALT") for item in alternations) + 1
            name = match["name"] or f"ALT{number}"
            alternations.append(Alternation(name, options))
            parts.append(Slot(Name(name, "", 0), starts, place.moved(at)))
        else:
            parts.append(Slot(parse_expression(piece, place.moved(at)), starts, place.moved(at)))
        before = "x"  # no sentence begins right after a value
    return Pattern(text, tuple(parts)), alternations


def _pieces(text: str, place: Place) -> Iterator[tuple[str, bool, int]]:
    """Yield the text cut at braces: (piece, whether it was in braces, where it begins)."""
    literal, start, opened = "", 0, -1
    for match in _BRACE.finditer(text):
        mark, at = match[0], match.start()
        if opened >= 0:
            if mark == "}":
                yield text[opened:at], True, opened
                opened, start = -1, at + 1
            elif mark == "}}":
                raise TemplateError(place.moved(at + 1), "a '}' has no '{' before it.")
            else:
                raise TemplateError(place.moved(at), "a '{' is inside another placeholder.")
            continue
        literal += text[start:at]
        start = match.end()
        if mark in ("{{", "}}"):
            literal += mark[0]
        elif mark == "{":
            yield literal, False, at
            literal, opened = "", at + 1
        else:
            raise TemplateError(place.moved(at), "a '}' has no '{' before it.")
    if opened >= 0:
        raise TemplateError(place.moved(opened - 1), "a '{' is never closed.")
    yield literal + text[start:], False, start
