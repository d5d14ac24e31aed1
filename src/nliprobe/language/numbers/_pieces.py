"""A number before the words around it are looked at."""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

from nliprobe.language.numbers.records import Kind, Manner

CURRENCIES = frozenset("$£€¥")


class Piece(NamedTuple):
    """A number that was read.

    Attributes:
        first: its first token.
        stop: the place after its last token.
        value: what it is worth; the lower end of a range.
        kind: what it says, if its own form tells.
        manner: how it is written.
        upper: the upper end of a range.
        unit: the unit that touches it.
        end: where it ends in the text, if a unit belongs to its last token.
    """

    first: int
    stop: int
    value: Fraction
    kind: Kind | None
    manner: Manner
    upper: Fraction | None = None
    unit: str = ""
    end: int | None = None
