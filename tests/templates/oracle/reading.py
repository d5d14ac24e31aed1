"""Reading sentences of a controlled English into formulas: patterns of sentences with what each of them says.

In a pattern ``{X}`` (one capital letter) stands for a name, ``{#n}`` for a whole number in figures or words, and
``{words}`` for any text within a sentence; a repeated placeholder is the same text again; the rest is a regular
expression, except that a full stop is a full stop.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeAlias

from tests.templates.oracle.worlds import Formula, every

_SMALL = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
]
_TENS = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
NUMBERS = {word: value for value, word in enumerate(_SMALL)} | {
    f"{ten}-{_SMALL[unit]}" if unit else ten: 20 + 10 * place + unit
    for place, ten in enumerate(_TENS)
    for unit in range(10)
}
_PLACEHOLDER = re.compile(r"\{(#?)(\w+)\}")
_NUMBER = rf"(?:-?\d+|{'|'.join(sorted(NUMBERS, key=len, reverse=True))})"
_NAME = r"(?!(?:Among|Both|He|If|In|It|Neither|Nobody|Now|Of|She|So|The|There)\b)[A-Z]\w+"
_SENTENCES = re.compile(r"(?<=[.?!]) (?=[A-Z])")
# A full stop ends a sentence; within brackets it belongs to a regular expression.
_STOP = re.compile(r"\.(?![^\[]*\])")
_LIST = re.compile(r", | and | or ")


class Unread(ValueError):
    """A sentence that no pattern of a grammar matches."""


@dataclass
class Context:
    """What the sentences of one example share.

    Attributes:
        entries: the drawn entries of lexicons, field by field.
        words: the drawn texts by the lexicon they come from.
        noted: what earlier sentences left for later ones: who "he" is, where "there" is.
    """

    entries: list[dict[str, str]] = field(default_factory=list)
    words: dict[str, list[str]] = field(default_factory=dict)
    noted: dict[str, str] = field(default_factory=dict)

    @property
    def people(self) -> list[str]:
        """The drawn names."""
        return self.words.get("NAME", [])

    @property
    def everybody(self) -> list[str]:
        """The people of the example, and one who is not named."""
        return [*self.people, "somebody else"]

    def lemma(self, form: str) -> str:
        """The first field of the drawn entry that has a form, or the form itself."""
        return next((entry["text"] for entry in self.entries if form in entry.values()), form)


@dataclass(frozen=True)
class Said:
    """A sentence that matched a pattern."""

    match: re.Match[str]
    context: Context
    grammar: Grammar

    def __getitem__(self, name: str) -> str:
        return self.match[name]

    def number(self, name: str) -> int:
        """A number in figures or words."""
        return whole(self.match[name])

    def names(self, name: str) -> list[str]:
        """The members of a list: *A, B and C*."""
        return _LIST.split(self.match[name])

    def lemma(self, name: str) -> str:
        """The first field of the entry that a placeholder shows in some form."""
        return self.context.lemma(self.match[name])

    def clause(self, name: str) -> Formula:
        """A sentence within the sentence."""
        text = self.match[name]
        return self.grammar.read(text[0].upper() + text[1:] + ".", self.context)


Meaning: TypeAlias = Callable[[Said], Formula]


class Grammar:
    """Patterns of sentences with their meanings; the first pattern that matches counts."""

    def __init__(self) -> None:
        self.patterns: list[tuple[re.Pattern[str], Meaning]] = []

    def says(self, *patterns: str) -> Callable[[Meaning], Meaning]:
        """Give the meaning of sentences (or whole texts) like these."""

        def add(meaning: Meaning) -> Meaning:
            self.patterns += [(_compiled(pattern), meaning) for pattern in patterns]
            return meaning

        return add

    def include(self, other: Grammar) -> None:
        """Read what another grammar reads, too."""
        self.patterns += other.patterns

    def read(self, text: str, context: Context) -> Formula:
        """What a text says: by a pattern for the whole, or else sentence by sentence."""
        found = self._whole(text, context)
        if found is not None:
            return found
        sentences = _SENTENCES.split(text)
        if len(sentences) == 1:
            raise Unread(text)
        return every(*(self.read(sentence, context) for sentence in sentences))

    def _whole(self, text: str, context: Context) -> Formula | None:
        for pattern, meaning in self.patterns:
            match = pattern.fullmatch(text)
            if match is not None:
                return meaning(Said(match, context, self))
        return None


def whole(text: str) -> int:
    """A whole number from figures or words."""
    return NUMBERS[text] if text in NUMBERS else int(text)


def _compiled(pattern: str) -> re.Pattern[str]:
    seen: set[str] = set()

    def group(match: re.Match[str]) -> str:
        name = match[2]
        if name in seen:
            return f"(?P={name})"
        seen.add(name)
        return f"(?P<{name}>{_NUMBER if match[1] else _NAME if len(name) == 1 and name.isupper() else '[^.?!]+?'})"

    return re.compile(_PLACEHOLDER.sub(group, _STOP.sub(r"\.", pattern).replace("? ", r"\? ")))
