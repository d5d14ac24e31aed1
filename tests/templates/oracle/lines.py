"""What sentences about rows, queues, floors, shelves and containers say: places on a line, and being in something."""

from __future__ import annotations

import itertools

from tests.templates.oracle.reading import Grammar, Said
from tests.templates.oracle.worlds import Formula, Number, at_most_one, every, fact, number, variable

LINE_GRAMMAR = Grammar()
says = LINE_GRAMMAR.says

_PLACES = tuple(range(6))
# To the right, higher and farther back are the larger numbers.
_FORWARD = ("right", "above", "higher up", "behind")
_BACKWARD = ("left", "below", "lower down", "in front of")


def line_background(said: Formula) -> Formula:
    """Nobody shares a place in a row or queue; what is in a thing is where the thing is; nothing is in two rooms."""
    rows = [number(one) for one in said.variables if one.about[0] == "row"]
    apart = [~one.equals(other) for one, other in itertools.combinations(rows, 2)]
    return every(*apart, _containment(said))


def _containment(said: Formula) -> Formula:
    mentioned = [one.about[1:] for one in said.variables if one.about[0] == "in"]
    places = list(dict.fromkeys(name for pair in mentioned for name in pair))
    rooms = [name for name in places if name.startswith("room ")]
    things = [name for name in places if name not in rooms]
    carried = [
        (fact("in", a, b) & fact("in", b, c)).implies(fact("in", a, c))
        for a, b in itertools.permutations(things, 2)
        for c in places
        if c not in (a, b)
    ]
    return every(*carried, *(at_most_one(*(fact("in", thing, room) for room in rooms)) for thing in things))


def _place(line: str, who: str) -> Number:
    return number(variable((line, who), _PLACES))


def _order(line: str, one: str, way: str, other: str) -> Formula:
    """One is on the given side of the other."""
    assert way in _FORWARD + _BACKWARD, f"'{way}' is no side"
    here, there = _place(line, one), _place(line, other)
    return here.above(there) if way in _FORWARD else here.below(there)


@says("In the photograph {X} stands to the {s} of {Y}.", "{X} sits to the {s} of {Y}.")
def _(said: Said) -> Formula:
    return _order("row", said["X"], said["s"], said["Y"])


@says("In a row, {X} sits to the {s} of {Y}, who sits to the {t} of {Z}.")
def _(said: Said) -> Formula:
    return _order("row", said["X"], said["s"], said["Y"]) & _order("row", said["Y"], said["t"], said["Z"])


@says("In a row, {X} sits to the {s} of {Y}, {Y} sits to the {t} of {Z}, and {Z} sits to the {u} of {W}.")
def _(said: Said) -> Formula:
    steps = (("X", "s", "Y"), ("Y", "t", "Z"), ("Z", "u", "W"))
    return every(*(_order("row", said[a], said[way], said[b]) for a, way, b in steps))


@says("In a row, {X} sits to the {s} of {Y}, and {Z} sits to the {t} of {Y}.")
def _(said: Said) -> Formula:
    return _order("row", said["X"], said["s"], said["Y"]) & _order("row", said["Z"], said["t"], said["Y"])


@says("{X} sits somewhere between {Y} and {Z}.")
def _(said: Said) -> Formula:
    one, two, three = (_place("row", said[who]) for who in "YXZ")
    return (one.below(two) & two.below(three)) | (three.below(two) & two.below(one))


@says("{X} is standing (somewhere |){w} {Y} in the queue at the {p}.", "{X} is standing {w} {Y} in the queue.")
def _(said: Said) -> Formula:
    return _order("row", said["X"], said["w"], said["Y"])


@says("In the queue at the {p}, {X} is {w} {Y} and {Y} is {u} {Z}.")
def _(said: Said) -> Formula:
    return _order("row", said["X"], said["w"], said["Y"]) & _order("row", said["Y"], said["u"], said["Z"])


@says("{X} is {w} {Y} in the queue.")
def _(said: Said) -> Formula:
    return _order("row", said["X"], said["w"], said["Y"])


@says("There is nobody between {X} and {Y} in the queue.")
def _(said: Said) -> Formula:
    return _place("row", said["X"]).distance(_place("row", said["Y"])).equals(1)


@says("The {a} is (on the shelf |)(?P<w>above|below) the {b}.")
def _(said: Said) -> Formula:
    return _order("height", said["a"], said["w"], said["b"])


@says("{X} lives on a floor {w} {Y}, and {Z} lives on a floor {u} {X}.")
def _(said: Said) -> Formula:
    return _order("height", said["X"], said["w"], said["Y"]) & _order("height", said["Z"], said["u"], said["X"])


@says("{X} and {Y} both live on floors {w} {Z}.")
def _(said: Said) -> Formula:
    return _order("height", said["X"], said["w"], said["Z"]) & _order("height", said["Y"], said["w"], said["Z"])


@says("{X} lives {w} than {Y}.")
def _(said: Said) -> Formula:
    return _order("height", said["X"], said["w"], said["Y"])


# In something


@says("The {a} is in the {b}, and the {b} is in the {c}.")
def _(said: Said) -> Formula:
    return _in(said, "a", "b") & _in(said, "b", "c")


@says("{X} put the {a} into a small bag, put the bag into the {b}, and left the {b} in the {c}.")
def _(said: Said) -> Formula:
    bag = fact("in", said["a"], "small bag") & fact("in", "small bag", said["b"])
    return bag & fact("in", said["a"], said["b"]) & _in(said, "b", "c")


@says("{X} left the {a} in the {c}.")
def _(said: Said) -> Formula:
    return _in(said, "a", "c")


@says("The {b} contains (a|an) {a} and is in {X}'s {c}.")
def _(said: Said) -> Formula:
    return _in(said, "a", "b") & _in(said, "b", "c")


@says("There is (a|an) {a} in {X}'s {c}.")
def _(said: Said) -> Formula:
    return _in(said, "a", "c")


@says("There is no {a} in {X}'s {c}.")
def _(said: Said) -> Formula:
    return ~_in(said, "a", "c")


@says("The {a} and the {b} are both in the {c}.")
def _(said: Said) -> Formula:
    return _in(said, "a", "c") & _in(said, "b", "c")


@says("The {a} is not in the {c}.")
def _(said: Said) -> Formula:
    return ~_in(said, "a", "c")


@says("The {a} is in the {c}.")
def _(said: Said) -> Formula:
    return _in(said, "a", "c")


def _in(said: Said, thing: str, place: str) -> Formula:
    """Rooms are told from other places, because a thing is in only one of them."""
    rooms = said.context.words.get("ROOM", [])
    return fact("in", said[thing], f"room {said[place]}" if said[place] in rooms else said[place])
