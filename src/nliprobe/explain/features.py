"""Features of an input: what masks keep or take out, the words of both texts or the units of the premise."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, NamedTuple, Protocol, TypeAlias

from nliprobe.explain.words import Words
from nliprobe.language.sentences import split_sentences
from nliprobe.represent.controls import Control
from nliprobe.represent.reader import Reader
from nliprobe.task.case import Input, identity_case, input_id, keyed_input_id
from nliprobe.task.pair import Pair, Premise, Span
from nliprobe.task.table import Table
from nliprobe.task.units import Rows, Sentences, Units

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Part: TypeAlias = Literal["premise", "hypothesis"]
Kind: TypeAlias = Literal["word", "row", "sentence"]


class Feature(NamedTuple):
    """One thing that can be taken out.

    Attributes:
        part: which text it belongs to.
        kind: what it is.
        place: which of its part it is, from 0.
        text: what it says.
        span: where a word is in the text as the system reads it, a sentence in the premise; None for a row.
    """

    part: Part
    kind: Kind
    place: int
    text: str
    span: Span | None = None


class Features(Protocol):
    """Features of one input, and what the system reads without some of them."""

    @property
    def listed(self) -> Sequence[Feature]:
        """The features, in the order of the columns of masks."""
        ...

    def inputs(self, kept: NDArray[np.bool_]) -> list[Input]:
        """Return what the system reads for each mask."""
        ...


@dataclass(frozen=True)
class WordFeatures:
    """The words of premise and hypothesis as a system reads them.

    A premise in a form that the system is told, such as JSON, has no words here: without some of them it would lose
    its form.
    """

    asked: Input
    premise: Words
    hypothesis: Words

    @classmethod
    def of(cls, asked: Input, *, additive: bool = False) -> WordFeatures:
        """Find the words of an input.

        Args:
            asked: what the system reads.
            additive: whether its model is additive, and so faster with short segments.
        """
        premise = Words(asked.segments, ()) if asked.form else Words.of(*asked.segments)
        return cls(asked, premise.in_short_segments() if additive else premise, Words.of(asked.hypothesis))

    @property
    def listed(self) -> list[Feature]:
        """The words of the premise, then those of the hypothesis."""
        return [
            Feature(part, "word", place, words.text[slice(*span)], span)
            for part, words in self._parts
            for place, span in enumerate(words.spans)
        ]

    def inputs(self, kept: NDArray[np.bool_]) -> list[Input]:
        """Return the texts without the words that are not kept."""
        border = len(self.premise)
        premises, hypotheses = self.premise.masked(kept[:, :border]), self.hypothesis.masked(kept[:, border:])
        form = self.asked.form
        made: list[Input] = []
        for segments, claim in zip(premises, hypotheses, strict=True):
            text = "".join(claim)
            name = input_id("".join(segments), text)
            made.append(Input(keyed_input_id(name, form) if form else name, segments, text, form=form))
        return made

    @property
    def _parts(self) -> list[tuple[Part, Words]]:
        return [("premise", self.premise), ("hypothesis", self.hypothesis)]


@dataclass(frozen=True)
class UnitFeatures:
    """The rows or sentences of a premise, taken out before the system's representation writes the rest."""

    pair: Pair
    reader: Reader
    units: Units

    @classmethod
    def of(cls, pair: Pair, reader: Reader) -> UnitFeatures | None:
        """Return the units of a premise, or None if it has fewer than two or the system is not shown it."""
        if reader.control is not Control.FULL:
            return None
        units = units_of(pair)
        return cls(pair, reader, units) if len(units) > 1 else None

    @property
    def listed(self) -> list[Feature]:
        """The units, in order."""
        kind: Kind = "row" if isinstance(self.units, Rows) else "sentence"
        spans: Sequence[Span | None] = (
            self.units.spans if isinstance(self.units, Sentences) else [None] * len(self.units)
        )
        return [Feature("premise", kind, place, self.units.text(place), span) for place, span in enumerate(spans)]

    def inputs(self, kept: NDArray[np.bool_]) -> list[Input]:
        """Return what the system reads without the units that are not kept."""
        case = identity_case(self.pair)
        return [self.reader.read(case._replace(premise=self._without(row))) for row in kept.tolist()]

    def _without(self, kept: Sequence[bool]) -> Premise:
        units = self.units
        for place in range(len(kept) - 1, -1, -1):
            if not kept[place]:
                units = units.delete(place)
        return units.premise


def units_of(pair: Pair) -> Units:
    """Return the rows of a table or the sentences of a text: those that its corpus lists, else those of rules."""
    if isinstance(pair.premise, Table):
        return Rows(pair.premise)
    return Sentences(pair.premise, pair.sentences or tuple(split_sentences(pair.premise)))
