"""Units: the parts of a premise that probes edit: the rows of a table, the sentences of a passage.

An edit names a unit by its place and holds it as a text, so that edits of any kind of unit are the same data. Edits of
sentences also hold the span of the text that they replace: they can be carried out without cutting the text again.
"""

from __future__ import annotations

import json
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate, pairwise
from json.encoder import encode_basestring
from typing import ClassVar, Protocol, Self

from nliprobe.task.pair import Premise, Span
from nliprobe.task.table import Row, Table

# What stands between two sentences where a passage shows no example.
_GAP = " "


class Units(Protocol):
    """A premise seen as a sequence of units; every edit returns the units of a new premise."""

    kind: ClassVar[str]

    @property
    def premise(self) -> Premise:
        """The premise that the units make up."""
        ...

    def __len__(self) -> int: ...

    @property
    def parts(self) -> tuple[Hashable, ...]:
        """The units themselves, to compare and count them."""
        ...

    def text(self, index: int) -> str:
        """Return one unit as a readable and reversible text."""
        ...

    def delete(self, index: int) -> Self:
        """Take one unit out."""
        ...

    def keep(self, index: int) -> Self:
        """Take all units out but one."""
        ...

    def insert(self, index: int, text: str) -> Self:
        """Insert a unit before a place; the place after the last unit appends it."""
        ...

    def update(self, index: int, text: str) -> Self:
        """Replace one unit."""
        ...

    def permute(self, order: Sequence[int]) -> Self:
        """Bring the units into another order: place ``i`` holds what was at ``order[i]``."""
        ...


@dataclass(frozen=True, slots=True)
class Rows:
    """The rows of a table."""

    premise: Table

    kind: ClassVar[str] = "row"

    def __len__(self) -> int:
        return len(self.premise.rows)

    @property
    def parts(self) -> tuple[Row, ...]:
        """The rows."""
        return self.premise.rows

    def text(self, index: int) -> str:
        """Write a row as JSON: its key and its values."""
        return row_text(self.premise.rows[index])

    def delete(self, index: int) -> Rows:
        """Take one row out."""
        return Rows(self.premise.delete(index))

    def keep(self, index: int) -> Rows:
        """Take all rows out but one."""
        return Rows(self.premise.keep(index))

    def insert(self, index: int, text: str) -> Rows:
        """Insert a row before a place."""
        return Rows(self.premise.insert(index, row_from_text(text)))

    def update(self, index: int, text: str) -> Rows:
        """Replace one row."""
        return Rows(self.premise.update(index, row_from_text(text)))

    def permute(self, order: Sequence[int]) -> Rows:
        """Bring the rows into another order."""
        return Rows(self.premise.permute(order))


@dataclass(frozen=True, slots=True)
class Sentences:
    """The sentences of a passage: spans of its text, in order, with anything between them.

    What is between two sentences belongs to neither. It stays in place when sentences change places; a sentence that
    is taken out takes what follows it along, the last one what comes before it.
    """

    premise: str
    spans: tuple[Span, ...]

    kind: ClassVar[str] = "sentence"

    @classmethod
    def of(cls, texts: Sequence[str], gap: str = _GAP) -> Sentences:
        """Join sentences to a passage, with a gap between them.

        >>> Sentences.of(["It rained.", "We left."])
        Sentences(premise='It rained. We left.', spans=((0, 10), (11, 19)))
        """
        starts = accumulate((len(text) + len(gap) for text in texts[:-1]), initial=0)
        spans = zip(starts, texts, strict=True) if texts else ()
        return cls(gap.join(texts), tuple([(start, start + len(text)) for start, text in spans]))

    def __post_init__(self) -> None:
        ends = [0, *(place for span in self.spans for place in span), len(self.premise)]
        if any(later < earlier for earlier, later in pairwise(ends)) or any(
            start == stop for start, stop in self.spans
        ):
            raise ValueError(f"{list(self.spans)} are not sentences of a text of {len(self.premise)} characters")

    def __len__(self) -> int:
        return len(self.spans)

    @property
    def parts(self) -> tuple[str, ...]:
        """The sentences."""
        return tuple([self.premise[start:stop] for start, stop in self.spans])

    def text(self, index: int) -> str:
        """Return the sentence, without what is around it."""
        return self.premise[slice(*self.spans[self._checked(index)])]

    def deleted(self, index: int) -> Span:
        """Return what goes with a sentence that is taken out."""
        start, stop = self.spans[self._checked(index)]
        if index + 1 < len(self.spans):
            return start, self.spans[index + 1][0]
        return (self.spans[index - 1][1], stop) if index else (start, stop)

    def delete(self, index: int) -> Sentences:
        """Take one sentence out."""
        start, stop = self.deleted(index)
        return self._moved((*self.spans[:index], *_shift(self.spans[index + 1 :], start - stop)), start, stop, "")

    def keep(self, index: int) -> Sentences:
        """Take all sentences out but one, with everything around it."""
        text = self.text(index)
        return Sentences(text, ((0, len(text)),))

    def inserted(self, index: int, text: str) -> tuple[Span, str]:
        """Return where a sentence goes in, and what is written there: the sentence and a gap as the passage has it."""
        size = len(self.spans)
        if not 0 <= index <= size:
            raise IndexError(f"no place {index} in a passage of {size} sentences")
        gap = self._gap(min(max(index - 1, 0), size - 2)) if size > 1 else _GAP
        if index < size:
            start = self.spans[index][0]
            return (start, start), text + gap
        stop = self.spans[-1][1] if size else len(self.premise)
        return (stop, stop), (gap if size else "") + text

    def insert(self, index: int, text: str) -> Sentences:
        """Insert a sentence before a place."""
        (place, _), written = self.inserted(index, text)
        start = place + (written.index(text) if index == len(self.spans) else 0)
        later = _shift(self.spans[index:], len(written))
        return self._moved((*self.spans[:index], (start, start + len(text)), *later), place, place, written)

    def update(self, index: int, text: str) -> Sentences:
        """Replace one sentence."""
        start, stop = self.spans[self._checked(index)]
        later = _shift(self.spans[index + 1 :], start + len(text) - stop)
        return self._moved((*self.spans[:index], (start, start + len(text)), *later), start, stop, text)

    def permute(self, order: Sequence[int]) -> Sentences:
        """Bring the sentences into another order; what is between them stays in place."""
        if sorted(order) != list(range(len(self.spans))):
            raise ValueError(f"{list(order)} is not an order of {len(self.spans)} sentences")
        return Sentences(*arranged(self.premise, [self.spans[index] for index in order]))

    def _checked(self, index: int) -> int:
        if not 0 <= index < len(self.spans):
            raise IndexError(f"no sentence {index} in a passage of {len(self.spans)}")
        return index

    def _gap(self, index: int) -> str:
        return self.premise[self.spans[index][1] : self.spans[index + 1][0]] or _GAP

    def _moved(self, spans: tuple[Span, ...], start: int, stop: int, after: str) -> Sentences:
        return Sentences(self.premise[:start] + after + self.premise[stop:], spans)


def arranged(text: str, order: Sequence[Span]) -> tuple[str, tuple[Span, ...]]:
    """Return a text in which spans have changed places, and where they are now; what is between them stays in place."""
    places = sorted(order)
    pieces: list[str] = []
    spans: list[Span] = []
    done = length = 0
    for place, taken in zip(places, order, strict=True):
        for piece in (text[done : place[0]], text[slice(*taken)]):
            pieces.append(piece)
            length += len(piece)
        spans.append((length - len(pieces[-1]), length))
        done = place[1]
    return "".join([*pieces, text[done:]]), tuple(spans)


def _shift(spans: Sequence[Span], by: int) -> tuple[Span, ...]:
    return tuple([(start + by, stop + by) for start, stop in spans])


@lru_cache(maxsize=4096)  # the rows of a table recur for each of its hypotheses
def row_text(row: Row) -> str:
    """Write a row as one readable and reversible text: JSON."""
    # Written by hand: the general encoder takes three times as long.
    return f"[{encode_basestring(row.key)}, [{', '.join(map(encode_basestring, row.values))}]]"


def row_from_text(text: str) -> Row:
    """Read what :func:`row_text` wrote."""
    key, values = json.loads(text)
    return Row(key, tuple(values))
