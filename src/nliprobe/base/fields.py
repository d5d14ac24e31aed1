"""Reading the values of a JSON object by key and type, with errors that name the file and the key."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import NoReturn, TypeGuard, TypeVar

from nliprobe.base.errors import NliprobeError, StoreError

T = TypeVar("T")


@dataclass(frozen=True)
class Fields:
    """Returns the values of a JSON object with the types they must have; an error names the file and the key.

    Attributes:
        place: the file, as errors name it.
        values: the object.
        under: the keys that lead to this object inside the file, such as ``suite.corpora[0].``.
        error: the class of the error that is raised.
        remedy: a sentence for errors that says what to do, or empty.
    """

    place: str
    values: Mapping[str, object]
    under: str = ""
    error: type[NliprobeError] = StoreError
    remedy: str = ""

    def text(self, key: str) -> str:
        """Return a text that must be there."""
        value = self._value(key)
        return value if _is_text(value) else self._refuse(key, value, "a text")

    def text_or_none(self, key: str) -> str | None:
        """Return a text, or none if the key is missing or null."""
        return None if self.values.get(key) is None else self.text(key)

    def number(self, key: str) -> int:
        """Return a whole number that must be there."""
        value = self._value(key)
        return value if isinstance(value, int) and not isinstance(value, bool) else self._refuse(key, value, "a number")

    def count(self, key: str, least: int = 0) -> int:
        """Return a whole number that must be there and must not be smaller than ``least``."""
        number = self.number(key)
        return number if number >= least else self._refuse(key, number, f"a number from {least}")

    def number_or_none(self, key: str) -> int | None:
        """Return a whole number, or none if the key is missing or null."""
        return None if self.values.get(key) is None else self.number(key)

    def texts(self, key: str) -> tuple[str, ...]:
        """Return a list of texts that must be there."""
        value = self._value(key)
        if not isinstance(value, list) or not all(map(_is_text, value)):
            self._refuse(key, value, "a list of texts")
        return tuple(value)

    def parsed(self, key: str, parse: Callable[[str], T], expected: str) -> T:
        """Return a text as ``parse`` reads it, which raises ValueError for a text that is not valid."""
        text = self.text(key)
        try:
            return parse(text)
        except ValueError:
            self._refuse(key, text, expected)

    def inner(self, key: str) -> Fields:
        """Return an object that must be there."""
        value = self._value(key)
        return self._inside(key, value) if isinstance(value, dict) else self._refuse(key, value, "an object")

    def inner_or_none(self, key: str) -> Fields | None:
        """Return an object, or none if the key is missing or null."""
        return None if self.values.get(key) is None else self.inner(key)

    def each(self, key: str) -> tuple[Fields, ...]:
        """Return a list of objects that must be there."""
        value = self._value(key)
        if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
            self._refuse(key, value, "a list of objects")
        return tuple(self._inside(f"{key}[{number}]", item) for number, item in enumerate(value))

    def refuse(self, key: str, expected: str) -> NoReturn:
        """Raise the error for a value that has the right type but is not valid."""
        self._refuse(key, self.values.get(key), expected)

    def _value(self, key: str) -> object:
        if key not in self.values:
            raise self.error(self._sentence(f"{self.place} lacks the key '{self.under}{key}'."))
        return self.values[key]

    def _inside(self, key: str, values: Mapping[str, object]) -> Fields:
        return Fields(self.place, values, f"{self.under}{key}.", self.error, self.remedy)

    def _refuse(self, key: str, value: object, expected: str) -> NoReturn:
        # Escaped, because a text may be refused for what cannot be written.
        shown = json.dumps(value, ensure_ascii=not _is_text(value), default=str)
        cut = shown if len(shown) <= 60 else f"{shown[:57]}…"
        raise self.error(self._sentence(f"{self.place} has {cut} under '{self.under}{key}': expected {expected}."))

    def _sentence(self, text: str) -> str:
        return f"{text} {self.remedy}" if self.remedy else text


def _is_text(value: object) -> TypeGuard[str]:
    """Tell whether a value is a text that can be written; half of a surrogate pair cannot."""
    if not isinstance(value, str):
        return False
    try:
        value.encode()
    except UnicodeEncodeError:
        return False
    return True
