"""What *before*, *after*, *while* and *until* say of events: moments on a line, with room between them."""

from __future__ import annotations

import itertools

from tests.templates.oracle.dates import DATE_GRAMMAR, ordered
from tests.templates.oracle.reading import Grammar, Said
from tests.templates.oracle.worlds import TRUE, Formula, Number, count, every, number, variable

EVENT_GRAMMAR = Grammar()
says = EVENT_GRAMMAR.says

_PLACES = tuple(range(5))
# Minutes: enough of them for less than ten and for more than twenty minutes between two moments.
_MOMENTS = tuple(range(0, 36, 5))
_ORDER = "(?P<o>before|after)"
_ORDINALS = ("first", "second", "third", "fourth")


def _event(said: Said, name: str) -> str:
    return said[name].split(" ", 1)[1]


def _place(event: str) -> Number:
    return number(variable(("event", event), _PLACES))


def _in_order(*events: str) -> Formula:
    return every(*(_place(one).below(_place(other)) for one, other in itertools.pairwise(events)))


@says("{X} has {e}, then {f}, then {g} and finally {h}.")
def _(said: Said) -> Formula:
    return _in_order(*(_event(said, name) for name in "efgh"))


@says("{X} has {e}, then {f} and then {g}.", "{X} has {e} followed by {f} followed by {g}.")
def _(said: Said) -> Formula:
    return _in_order(*(_event(said, name) for name in "efg"))


@says("{X} has {e} followed by {f}.", "{X} has {e} and then {f}.", "After {e}, {X} has {f}.")
def _(said: Said) -> Formula:
    return _in_order(_event(said, "e"), _event(said, "f"))


@says("Today {X} has {e} and {f}.")
def _(said: Said) -> Formula:
    return TRUE


@says("Both {e} and {f} come before {g}.")
def _(said: Said) -> Formula:
    first, second = (_in_order(_event(said, name), _event(said, "g")) for name in "ef")
    return first & second


@says("{e} comes " + _ORDER + " {f}.")
def _(said: Said) -> Formula:
    return ordered(_place(_event(said, "e")), said["o"], _place(_event(said, "f")))


@says("{e} is the (?P<o>first|last|second|third|fourth) of the (two|three|four) events.")
def _(said: Said) -> Formula:
    rest = [_place(one.split(" ", 1)[1]) for one in said.context.words["EVENT"]]
    here = _place(_event(said, "e"))
    before = count(one.below(here) for one in rest)
    return before.equals(len(rest) - 1 if said["o"] == "last" else _ORDINALS.index(said["o"]))


@says("{e} is the second event after {f}.")
def _(said: Said) -> Formula:
    one, other = _place(_event(said, "e")), _place(_event(said, "f"))
    events = [_place(event.split(" ", 1)[1]) for event in said.context.words["EVENT"]]
    between = count(event.above(other) & event.below(one) for event in events)
    return one.above(other) & between.equals(1)


# What people did


def _moment(said: Said, who: str, what: str) -> Number:
    return number(variable(("moment", said[who], said.lemma(what)), _MOMENTS))


def _while(said: Said) -> Formula:
    """The moment lies within the time of the action."""
    begins, ends = (number(variable((end, said["X"], said.lemma("v")), _MOMENTS)) for end in ("begins", "ends"))
    moment = _moment(said, "Y", "w")
    return begins.below(moment) & ends.above(moment)


@says("{X} {v} after {Y} {w}, and {Y} {w} after {Z} {u}.")
def _(said: Said) -> Formula:
    first, second, third = _moment(said, "X", "v"), _moment(said, "Y", "w"), _moment(said, "Z", "u")
    return first.above(second) & second.above(third)


@says("{X} {v} after {Z} {u}, and {Y} {w} after {Z} {u}.")
def _(said: Said) -> Formula:
    first, second, third = _moment(said, "X", "v"), _moment(said, "Y", "w"), _moment(said, "Z", "u")
    return first.above(third) & second.above(third)


@says("By the time {X} {v}, {Y} had already {w}.")
def _(said: Said) -> Formula:
    return _moment(said, "Y", "w").below(_moment(said, "X", "v"))


@says("{X} {v} " + _ORDER + " {Y} had {w}.")
def _(said: Said) -> Formula:
    return ordered(_moment(said, "X", "v"), said["o"], _moment(said, "Y", "w"))


@says("{X} had begun to {v} more than twenty minutes before {Y} {w}.")
def _(said: Said) -> Formula:
    begins = number(variable(("begins", said["X"], said.lemma("v")), _MOMENTS))
    return begins.plus(20).below(_moment(said, "Y", "w"))


@says("{Y} had {w} less than ten minutes before {X} {v}.")
def _(said: Said) -> Formula:
    early, late = _moment(said, "Y", "w"), _moment(said, "X", "v")
    return early.below(late) & late.below(early.plus(10))


@says("{X} was {v} when {Y} {w}.", "{Y} {w} while {X} was {v}.", "While {X} was {v}, {Y} {w}.")
def _(said: Said) -> Formula:
    return _while(said)


@says("When {Y} {w}, {X} had not yet begun to {v}.")
def _(said: Said) -> Formula:
    begins = number(variable(("begins", said["X"], said.lemma("v")), _MOMENTS))
    return ~begins.below(_moment(said, "Y", "w"))


@says("{X} did not {v} until {Y} {w}.")
def _(said: Said) -> Formula:
    return ~_moment(said, "X", "v").below(_moment(said, "Y", "w"))


@says("The first of the two things {X} did was to {v}.")
def _(said: Said) -> Formula:
    deed = said.lemma("v")
    other = next(text for text in said.context.words["DEED"] if text != deed)
    one, two = (number(variable(("moment", said["X"], text), _MOMENTS)) for text in (deed, other))
    return one.below(two)


EVENT_GRAMMAR.include(DATE_GRAMMAR)


@says("{X} {v} " + _ORDER + " {Y} {w}.")
def _(said: Said) -> Formula:
    return ordered(_moment(said, "X", "v"), said["o"], _moment(said, "Y", "w"))


@says("{X} {v} " + _ORDER + " {w}.")
def _(said: Said) -> Formula:
    return ordered(_moment(said, "X", "v"), said["o"], _moment(said, "X", "w"))
