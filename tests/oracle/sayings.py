"""Patterns of sentences with what each of them claims about a table.

In a pattern ``@`` is the title of the table, ``{#n}`` a whole number in figures or words, ``{=d}`` a date, ``{x}`` any
text; ``(a|b)`` are alternatives. A meaning answers True, False, or None where the table leaves it open.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from tests.oracle.amounts import WORDS, whole
from tests.oracle.premise import Premise
from tests.oracle.times import MONTHS, When, read_date

_PLACEHOLDER = re.compile(r"\{([#=]?)(\w+)\}")
_NUMBER = rf"(?:\d[\d,]*|{'|'.join(sorted(WORDS, key=len, reverse=True))})"
_MONTH = "|".join(MONTHS)
_DATE = rf"(?:(?:\d{{1,2}} )?(?:{_MONTH}) (?:\d{{1,2}}, )?\d{{4}}|\d{{4}})"
_LIST = re.compile(r", and |, or |, | and | or ")
_KINDS = {"#": _NUMBER, "=": _DATE, "": r".+?"}


class Unread(ValueError):
    """A sentence that no pattern matches."""


@dataclass(frozen=True)
class Said:
    """A sentence that matched a pattern, and the table it speaks of."""

    parts: dict[str, str]
    premise: Premise

    def __getitem__(self, name: str) -> str:
        return self.parts[name].replace("@", self.premise.title)

    def number(self, name: str) -> int:
        """A number in figures or words."""
        return whole(self.parts[name])

    def date(self, name: str) -> When:
        """A day, a month or a year."""
        when = read_date(self.parts[name])
        assert when is not None, self.parts[name]
        return when

    def names(self, name: str) -> list[str]:
        """The members of a list: *A, B and C*."""
        return _LIST.split(self[name])


Meaning: TypeAlias = Callable[[Said], bool | None]


class Sayings:
    """Patterns with their meanings; all patterns that match must agree on what a sentence claims."""

    def __init__(self) -> None:
        self.patterns: list[tuple[str, re.Pattern[str], Meaning]] = []

    def says(self, *patterns: str) -> Callable[[Meaning], Meaning]:
        """Register what sentences of these patterns claim."""

        def register(meaning: Meaning) -> Meaning:
            self.patterns.extend((pattern, _compiled(pattern), meaning) for pattern in patterns)
            return meaning

        return register

    def meanings(self, sentence: str, title: str) -> list[tuple[Meaning, dict[str, str]]]:
        """Return every meaning whose pattern matches a sentence about the table with this title."""
        text = sentence.replace(title, "@")
        matches = [(meaning, match) for _, pattern, meaning in self.patterns if (match := pattern.fullmatch(text))]
        return [(meaning, match.groupdict()) for meaning, match in matches]

    def judge(self, premise: Premise, sentence: str) -> bool | None:
        """Tell whether a sentence is true of the table."""
        matching = self.meanings(sentence, premise.title)
        if not matching:
            raise Unread(f"No pattern reads '{sentence}' (the title is '{premise.title}').")
        verdicts = [meaning(Said(parts, premise)) for meaning, parts in matching]
        if any(verdict != verdicts[0] for verdict in verdicts):
            raise Unread(f"Patterns differ on what '{sentence}' says.")
        return verdicts[0]


def _compiled(pattern: str) -> re.Pattern[str]:
    pieces: list[str] = []
    seen: set[str] = set()
    end = 0
    for match in _PLACEHOLDER.finditer(pattern):
        kind, name = match.groups()
        pieces.append(_plain(pattern[end : match.start()]))
        pieces.append(f"(?P={name})" if name in seen else f"(?P<{name}>{_KINDS[kind]})")
        seen.add(name)
        end = match.end()
    return re.compile("".join(pieces) + _plain(pattern[end:]))


def _plain(text: str) -> str:
    """Return a part of a pattern as a regular expression: a full stop is one, alternatives stay."""
    return text.replace(".", r"\.").replace("?", r"\?").replace("$", r"\$")
