"""Values of many examples at once: a column holds one value for each, and a template is rendered column by column."""

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
    """Entries of a lexicon, by their places in it."""

    lexicon: Lexicon
    places: Numbers

    def field(self, name: str) -> Texts:
        """One field of each."""
        return self._kept(name, None)[self.places]

    def mapped(self, function: Callable[[str], str], field: str = TEXT) -> Texts:
        """A function of one field of each, worked out once for each entry of the lexicon."""
        return self._kept(field, function)[self.places]

    def _kept(self, field: str, function: Callable[[str], str] | None) -> Texts:
        kept = self.lexicon.kept
        found = kept.get((field, function))
        if found is None:
            values = self.lexicon.column(field)
            found = kept[field, function] = texts_of([function(value) for value in values] if function else values)
        return found  # type: ignore[return-value]


Column: TypeAlias = "Entries | Texts | Numbers | Truths"


def texts_of(values: list[str]) -> Texts:
    """A column of texts."""
    import numpy as np

    made = np.empty(len(values), dtype=object)
    made[:] = values
    return made


def plain(column: Column) -> Texts | Numbers | Truths:
    """A column without its entries: their texts."""
    return column.field(TEXT) if isinstance(column, Entries) else column


def as_texts(column: Column) -> Texts:
    """A column as it is written in a sentence."""
    found = plain(column)
    if found.dtype == object:
        return found  # type: ignore[return-value]
    return texts_of([str(value) for value in found.tolist()])


def mapped(column: Column, function: Callable[[str], str]) -> Texts:
    """A function of each text, worked out once for each distinct one."""
    if isinstance(column, Entries):
        return column.mapped(function)
    values = as_texts(column).tolist()
    known = {value: function(value) for value in dict.fromkeys(values)}
    return texts_of([known[value] for value in values])
