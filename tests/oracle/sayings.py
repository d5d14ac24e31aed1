"""Patterns of sentences with what each of them claims about a table.

In a pattern ``@`` is the title of the table; ``{#n}`` is a whole number in figures or words, ``{=d}`` a date,
``{%m}`` the name of a month, ``{$m}`` a sum of money, ``{!s}`` a length of time, ``{x}`` any text;
``(a|b)`` are alternatives. A meaning answers True, False, or None where the table leaves it open.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias, TypeVar

from tests.oracle.amounts import WORDS, read_amount, read_seconds, whole
from tests.oracle.premise import Premise
from tests.oracle.times import MONTHS, When, read_date

_PLACEHOLDER = re.compile(r"\{([#=%$!]?)(\w+)\}")
_MONTH = "|".join(MONTHS)
_KINDS = {
    "#": rf"(?:\d[\d,]*|{'|'.join(sorted(WORDS, key=len, reverse=True))})",
    "=": rf"(?:(?:\d{{1,2}} )?(?:{_MONTH}) (?:\d{{1,2}}, )?\d{{4}}|\d{{4}})",
    "%": rf"(?:{_MONTH})",
    "$": r"\$\d[\d,]*(?:\.\d+)?(?: (?:million|billion))?",
    "!": r"\d[\d,]* (?:hours?|minutes?|seconds?)(?:(?:,| and|, and)? \d+ (?:minutes?|seconds?))*",
    "": r".+?",
}
ValueT = TypeVar("ValueT")
_ARTICLE = re.compile(r"an? ")
_THE = re.compile(r"[Tt]he ")


class Unread(ValueError):
    """A sentence that no pattern matches."""


@dataclass(frozen=True)
class Said:
    """A sentence that matched a pattern, and the table it speaks of."""

    parts: dict[str, str]
    premise: Premise

    def __getitem__(self, name: str) -> str:
        return self.parts[name].replace("@", self.premise.title)

    def bare(self, name: str) -> str:
        """A term without the article before it."""
        return self[name][match.end() :] if (match := _ARTICLE.match(self[name])) else self[name]

    def place(self, name: str) -> str:
        """A place or an instrument without the article that some have in a sentence."""
        return self[name][match.end() :] if (match := _THE.match(self[name])) else self[name]

    def number(self, name: str) -> int:
        """A number in figures or words."""
        return whole(self.parts[name])

    def sum(self, name: str) -> Fraction:
        """A sum of money."""
        return _there(read_amount(self.parts[name]))

    def seconds(self, name: str) -> int:
        """A length of time."""
        return _there(read_seconds(self.parts[name]))

    def date(self, name: str) -> When:
        """A day, a month or a year."""
        return _there(read_date(self.parts[name]))


Meaning: TypeAlias = Callable[[Said], bool | None]


class Sayings:
    """Patterns with their meanings; of all patterns that match, the one with most words of its own counts."""

    def __init__(self, *others: Sayings) -> None:
        self.patterns: list[tuple[int, re.Pattern[str], Meaning]] = [
            pattern for other in others for pattern in other.patterns
        ]
        self.patterns.sort(key=lambda pattern: -pattern[0])

    def says(self, *texts: str) -> Callable[[Meaning], Meaning]:
        """Register what sentences of these patterns claim."""

        def register(meaning: Meaning) -> Meaning:
            self.patterns.extend((len(_PLACEHOLDER.sub("", text)), _compiled(text), meaning) for text in texts)
            return meaning

        return register

    def judge(self, premise: Premise, sentence: str) -> bool | None:
        """Tell whether a sentence is true of the table."""
        if premise.title.endswith(".") and sentence.endswith(premise.title):
            sentence += "."  # one stop ends the title and the sentence
        text = re.sub(rf"(?<!\w){re.escape(premise.title)}(?!\w)", "@", sentence)
        for _, pattern, meaning in self.patterns:
            if match := pattern.fullmatch(text):
                return meaning(Said(match.groupdict(), premise))
        raise Unread(f"No pattern reads '{sentence}' (the title is '{premise.title}').")


def _compiled(text: str) -> re.Pattern[str]:
    pieces: list[str] = []
    seen: set[str] = set()
    end = 0
    for match in _PLACEHOLDER.finditer(text):
        kind, name = match.groups()
        pieces.append(_plain(text[end : match.start()]))
        pieces.append(f"(?P={name})" if name in seen else f"(?P<{name}>{_KINDS[kind]})")
        seen.add(name)
        end = match.end()
    return re.compile("".join(pieces) + _plain(text[end:]))


def _plain(text: str) -> str:
    """Return a part of a pattern as a regular expression: a full stop is one, alternatives stay."""
    return text.replace(".", r"\.").replace("(", "(?:")


def _there(value: ValueT | None) -> ValueT:
    assert value is not None, "a placeholder of this kind matches only what can be read"
    return value
