"""Mark rows or sentences: each of them is a box to tick."""

from __future__ import annotations

from typing import NamedTuple

from nliprobe.base.errors import DataError
from nliprobe.people.records import Content, Item, Json
from nliprobe.people.tasks.evidence import sentences_of, units_of
from nliprobe.studio.work.faces import FACES
from nliprobe.studio.work.faces._face import Face, Values, is_ticked, number_in, texts_in, ticked

# The keys 1 to 9 and 0 tick the first ten units; others are reached by arrows.
_KEYS = "1234567890"


class Unit(NamedTuple):
    """A sentence to tick, with what stands before it and belongs to no sentence, such as a heading."""

    before: str
    text: str


@FACES.register("evidence")
class Marking(Face):
    """The rows or sentences that are needed, knowledge from outside, or that nothing is needed."""

    template = "evidence.html"
    script = "evidence.js"
    numbers = "mark the row or sentence with that number (0 is the tenth)"

    def question(self, shown: Content) -> str:
        """Ask for what is needed."""
        what = "rows" if isinstance(shown["premise"], dict) else "sentences"
        return f"Which {what} do you need to judge the hypothesis?"

    def view(self, item: Item, values: Values) -> dict[str, object]:
        """Return the sentences of a text, what is ticked, and the keys."""
        size, kind = units_of(item.content)
        keys = [_KEYS[place] if place < len(_KEYS) else "" for place in range(size)]
        marked = {str(unit) for unit in texts_in(values, "unit")}
        sentences = _sentences(item)
        return {"sentences": sentences, "rest": _rest(item), "keys": keys, "marked": marked, "kind": kind}

    def answer(self, item: Item, values: Values) -> dict[str, Json]:
        """Return the ticked units.

        Raises:
            DataError: nothing is ticked, not even that nothing is needed; or that and something else.
        """
        units = [number_in(text) for text in texts_in(values, "unit")]
        outside, nothing = is_ticked(values, "outside"), is_ticked(values, "nothing")
        kind = units_of(item.content)[1]
        if nothing and (units or outside):
            raise DataError("You marked something, and also that nothing is needed: take back one or the other.")
        if not nothing and not units and not outside:
            raise DataError(f"Mark a {kind} or more, or say that nothing is needed.")
        return {"units": units, "outside": outside}

    def values(self, item: Item, answer: Content) -> dict[str, Json]:
        """Return the boxes to tick."""
        units = answer["units"]
        assert isinstance(units, list)
        nothing = not units and not answer["outside"]
        marked: list[Json] = [str(unit) for unit in units]
        return {"unit": marked, "outside": ticked(on=answer["outside"] is True), "nothing": ticked(on=nothing)}

    def said(self, item: Item, answer: Content) -> str:
        """Return the numbers of the units, from 1."""
        units = answer["units"]
        assert isinstance(units, list)
        kind = units_of(item.content)[1]
        numbers = ", ".join(str(unit + 1) for unit in units if isinstance(unit, int))
        said = [f"{kind}{'s' if len(units) > 1 else ''} {numbers}"] if units else []
        said += ["knowledge from outside"] if answer["outside"] else []
        return " and ".join(said).capitalize() or "Nothing is needed"


def _sentences(item: Item) -> list[Unit]:
    """Cut a text into its sentences here: scripts count some characters twice, and so would cut elsewhere."""
    premise, spans = item.content["premise"], sentences_of(item.content)
    if not isinstance(premise, str):
        return []
    ends = [0, *(stop for _, stop in spans)]
    return [
        Unit(premise[end:start].strip(), premise[start:stop]) for end, (start, stop) in zip(ends, spans, strict=False)
    ]


def _rest(item: Item) -> str:
    """Return what stands after the last sentence."""
    premise, spans = item.content["premise"], sentences_of(item.content)
    return premise[spans[-1][1] :].strip() if isinstance(premise, str) and spans else ""
