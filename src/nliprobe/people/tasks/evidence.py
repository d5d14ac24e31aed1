"""Mark the rows or sentences that a judgement needs, as five people did per pair (evidence probes, §5; spec T5)."""

from __future__ import annotations

import re
from collections.abc import Mapping

from nliprobe.base.errors import DataError
from nliprobe.base.fields import Fields
from nliprobe.language.sentences import split_sentences
from nliprobe.people.records import Content, Item, Json
from nliprobe.people.tasks import TASKS
from nliprobe.people.tasks._declared import DeclaredTask, Field, answer_of, read_yes
from nliprobe.people.tasks.premises import HYPOTHESIS, PREMISE, premise_of, premise_value
from nliprobe.task.evidence import Grade
from nliprobe.task.pair import Pair, Span
from nliprobe.task.table import Table
from nliprobe.task.units import Sentences

_NUMBER = re.compile(r"[0-9]{1,9}")


def _require_spans(fields: Fields, key: str) -> None:
    spans = fields.values[key]
    if not isinstance(spans, list) or not all(map(_is_span, spans)):
        fields.refuse(key, "a list of places where sentences begin and end")


def _is_span(value: object) -> bool:
    return isinstance(value, list) and len(value) == 2 and all(type(place) is int for place in value)


@TASKS.register("evidence")
class Marking(DeclaredTask):
    """The places of relevant rows or sentences, and whether knowledge from outside the premise is needed, too.

    Labels are hidden, because they would lead the marks (evidence probes, footnote 6). A text premise needs the spans
    of its ``sentences``, in characters as Python counts them (JavaScript counts some twice). An answer may name no unit
    at all: for many neutral pairs nothing is relevant.
    """

    about = "Mark the rows or sentences that are needed to judge the hypothesis, and say if that is not enough."
    fields = (PREMISE, HYPOTHESIS, Field("sentences", _require_spans, needed=False))
    cells = ("units", "outside")

    def check_content(self, item: Item) -> None:
        """Raise a DataError if a text comes without sentences, a table with them, or they lie outside the text."""
        fields = Fields(f"The item '{item.name:.60}'", item.content, error=DataError)
        premise, spans = premise_of(item.content["premise"]), sentences_of(item.content)
        if isinstance(premise, Table):
            if "sentences" in item.content:
                fields.refuse("sentences", "nothing, because the premise is a table")
            return
        try:
            Sentences(premise, spans)
        except ValueError:
            fields.refuse("sentences", "spans of the premise that follow one another")
        if not spans:
            raise DataError(f"{fields.place} has a text without 'sentences': there is nothing to mark.")

    def checked(self, item: Item, answer: Content) -> dict[str, Json]:
        """Return the places in order, each once."""
        fields = answer_of(answer, "units", "outside")
        size, kind = units_of(item.content)
        units = fields.values.get("units")
        if not isinstance(units, list) or not all(type(unit) is int for unit in units):
            fields.refuse("units", f"a list of numbers of {kind}s, from 0")
        if not all(0 <= unit < size for unit in units):
            fields.refuse("units", f"numbers of {kind}s from 0 to {size - 1}")
        outside = fields.values.get("outside")
        if not isinstance(outside, bool):
            fields.refuse("outside", "true or false: whether knowledge from outside is needed")
        places: list[Json] = sorted(set(units))
        return {"units": places, "outside": outside}

    def read_cells(self, cells: Mapping[str, str]) -> dict[str, Json]:
        """Return the units, which people count from 1, or ``none``; an empty cell beside ``outside`` is none, too."""
        text = cells.get("units", "").strip()
        pieces = [] if text.casefold() in ("", "none", "-") else re.split(r"[;,\s]+", text)
        units: list[Json] = [int(piece) - 1 if _NUMBER.fullmatch(piece) else piece for piece in pieces]
        return {"units": units, "outside": read_yes(cells.get("outside", ""))}

    def content_of(self, pair: Pair) -> dict[str, Json] | str:
        """Return a pair as raters see it; a text without sentences is cut by rules."""
        content: dict[str, Json] = {"premise": premise_value(pair.premise), "hypothesis": pair.hypothesis}
        if isinstance(pair.premise, str):
            spans = pair.sentences or split_sentences(pair.premise)
            if not spans:
                return "the premise has no sentence"
            content["sentences"] = [list(span) for span in spans]
        return content

    def known(self, pair: Pair) -> dict[str, Json] | None:
        """Return the evidence that people marked, or None if nobody did."""
        if pair.evidence is None or pair.evidence.grade is not Grade.GOLD:
            return None
        units: list[Json] = list(pair.evidence.units)
        return {"units": units, "outside": pair.evidence.outside}


def sentences_of(content: Content) -> tuple[Span, ...]:
    """Return the spans of the sentences of a checked item."""
    spans = content.get("sentences") or []
    assert isinstance(spans, list)
    return tuple((span[0], span[1]) for span in spans if isinstance(span, list))  # type: ignore[misc]


def units_of(content: Content) -> tuple[int, str]:
    """Return how many units the premise of an item has, and what they are called."""
    premise = content["premise"]
    if isinstance(premise, dict):
        rows = premise["rows"]
        assert isinstance(rows, list)
        return len(rows), "row"
    return len(sentences_of(content)), "sentence"
