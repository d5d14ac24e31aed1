"""``stress.numerical``: a sentence with a quantity, the same with a wider quantity, and the same with another one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from random import Random
from typing import ClassVar, NamedTuple

from nliprobe.language.numbers import Manner, Number, write_number
from nliprobe.probes import PROBES
from nliprobe.probes._new_pairs import NewPairProbe
from nliprobe.probes._quantities import CURRENCIES, PERCENT, quantity_of
from nliprobe.probes._texts import Change
from nliprobe.task.about import About
from nliprobe.task.case import Case, Skip
from nliprobe.task.labels import LabelSet
from nliprobe.task.pair import Facet, Pair

_MORE, _LESS = "more than", "less than"
_OTHER = "other number"
_TIMES_TEXT = "seconds minutes hours days weeks months years decades centuries nights hrs mins yrs"
_TIMES = frozenset(_TIMES_TEXT.split())
_MEASURES_TEXT = """
miles feet foot inches yards metres meters kilometres kilometers centimetres centimeters km cm mm ft m kg g mg lb lbs
pounds ounces oz tons tonnes kilograms kilos grams litres liters gallons acres hectares degrees mph kph volts watts
"""
_MEASURES = frozenset(_MEASURES_TEXT.split())


class _Form(NamedTuple):
    """What takes the place of a quantity."""

    name: str
    value: Fraction


@PROBES.register("stress.numerical")
@dataclass(frozen=True)
class StressNumerical(NewPairProbe):
    """Make three pairs from a sentence with a quantity: E widens it, N is that pair swapped, C changes it."""

    about: ClassVar[About] = About(
        "A quantity of a sentence is widened (5 men, less than 8 men), the same is asked the other way round, and the "
        "quantity is changed (5 men, 3 men). The labels are entailment, neutral and contradiction.",
        "The model does not reason about numbers.",
    )

    def new_pairs(self, pair: Pair, sentence: str) -> Iterator[Case | Skip]:
        """Yield the three pairs of a sentence, or the reason why it has no quantity that can be widened."""
        number = quantity_of(sentence)
        if isinstance(number, str):
            yield self.skip(number)
            return
        draws = self.draws(pair)
        wide, changed = _wider(number, draws), _other(number, draws)
        widened, other = [_change(sentence, number, form) for form in (wide, changed)]
        about = (Facet("quantity", _sort(number)), Facet("written", number.manner.value))
        for label, premise, hypothesis, form in (
            ("E", (), (widened,), wide),
            ("N", (widened,), (), wide),
            ("C", (), (other,), changed),
        ):
            yield self.new_pair(
                pair,
                sentence,
                LabelSet.of(label),
                premise=premise,
                hypothesis=hypothesis,
                facets=(*about, Facet("form", form.name)),
            )


def _other_values(number: Number) -> list[Fraction]:
    """List the values with another first digit; not one, because what is counted would need another form."""
    assert number.value is not None
    place = Fraction(1)
    while number.value >= 10 * place:
        place *= 10
    digit = number.value // place
    values = [number.value + (first - digit) * place for first in range(1, 10) if first != digit]
    return [value for value in values if value != 1]


def _wider(number: Number, draws: Random) -> _Form:
    assert number.value is not None
    # "Less than three" of what is done together means two, so the swapped pair would not be neutral.
    bounds = [value for value in _other_values(number) if not (number.value == 2 and value == 3)]
    bound = draws.choice(bounds)
    return _Form(_MORE if bound < number.value else _LESS, bound)


def _other(number: Number, draws: Random) -> _Form:
    """Draw what contradicts the quantity: another number, or more or less than the same number, half and half."""
    assert number.value is not None
    if draws.random() < 0.5:
        return _Form(_OTHER, draws.choice(_other_values(number)))
    # The direction is drawn as for entailment, so that "more than" and "less than" alone tell nothing about the label.
    return _Form(_wider(number, draws).name, number.value)


def _change(sentence: str, number: Number, form: _Form) -> Change:
    """Write a form in place of the quantity; at the beginning of a sentence the first word keeps its capital letter."""
    start, stop = number.phrase[0], number.stop
    before, written = sentence[start : number.start], sentence[number.start : stop]
    text = write_number(form.value, written, number.manner) if form.value != number.value else written
    if form.name == _OTHER:
        return Change(start, stop, before + text)
    is_capital = sentence[start].isupper() or (number.manner is not Manner.WORDS and not sentence[:start].strip())
    name = form.name.capitalize() if is_capital else form.name
    if text[0].isupper():
        text = text[0].lower() + text[1:]
    return Change(start, stop, f"{name} {before}{text}")


def _sort(number: Number) -> str:
    """Say what a number is: money, a percentage, a time, a measure, or a number of things."""
    if number.unit in CURRENCIES or number.unit in ("dollars", "cents", "pence", "euros"):
        return "money"
    if number.unit in PERCENT:
        return "percentage"
    return "time" if number.unit in _TIMES else "measure" if number.unit in _MEASURES else "count"
