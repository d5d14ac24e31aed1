"""Columns: the values of many examples at once, so that a template is rendered column by column."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from nliprobe.language.lexicon import TEXT, Lexicon

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Texts: TypeAlias = "NDArray[np.object_]"
Numbers: TypeAlias = "NDArray[np.int64]"
Truths: TypeAlias = "NDArray[np.bool_]"


@dataclass(frozen=True)
class Entries:
    """A column of entries of a lexicon, by their indices in it."""

    lexicon: Lexicon
    places: Numbers

    def field(self, name: str) -> Texts:
        """Return one field of each entry."""
        return self._cached_column(name, None)[self.places]

    def mapped(self, function: Callable[[str], str], field: str = TEXT) -> Texts:
        """Apply a function to one field of each entry, computed once per entry of the lexicon."""
        return self._cached_column(field, function)[self.places]

    def _cached_column(self, field: str, function: Callable[[str], str] | None) -> Texts:
        cache = self.lexicon.kept
        column = cache.get((field, function))
        if column is None:
            values = self.lexicon.column(field)
            column = cache[field, function] = texts_of([function(value) for value in values] if function else values)
        return column  # type: ignore[return-value]


@dataclass(frozen=True)
class Wide:
    """A column of whole numbers of which some need more than 64 bits, as Python's own numbers."""

    numbers: NDArray[np.object_]


Column: TypeAlias = "Entries | Wide | Texts | Numbers | Truths"


def texts_of(values: list[str]) -> Texts:
    """Make a column of texts."""
    import numpy as np

    column = np.empty(len(values), dtype=object)
    column[:] = values
    return column


def plain(column: Column) -> Texts | Numbers | Truths:
    """Return a column with texts in place of entries and of numbers that need more than 64 bits."""
    if isinstance(column, Wide):
        return texts_of([str(number) for number in column.numbers.tolist()])
    return column.field(TEXT) if isinstance(column, Entries) else column


def is_text(column: Column) -> bool:
    """Tell whether a column holds texts or entries, not numbers or truth values."""
    return not isinstance(column, Wide) and (isinstance(column, Entries) or column.dtype == object)


def is_truth(column: Column) -> bool:
    """Tell whether a column holds truth values, as a condition does."""
    return not isinstance(column, Entries | Wide) and column.dtype == bool


def as_texts(column: Column) -> Texts:
    """Return a column as it is written in a sentence."""
    values = plain(column)
    if values.dtype == object:
        return values  # type: ignore[return-value]
    return texts_of([str(value) for value in values.tolist()])


def mapped(column: Column, function: Callable[[str], str]) -> Texts:
    """Apply a function to each text, computed once per distinct text."""
    if isinstance(column, Entries):
        return column.mapped(function)
    values = as_texts(column).tolist()
    known = {value: function(value) for value in dict.fromkeys(values)}
    return texts_of([known[value] for value in values])
