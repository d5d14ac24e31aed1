"""What sentences about directions and distances say: coordinates, compass directions, miles."""

from __future__ import annotations

import itertools

from tests.templates.oracle.lines import LINE_GRAMMAR, line_background
from tests.templates.oracle.reading import Grammar, Said
from tests.templates.oracle.worlds import Formula, Number, Variable, at_most_one, every, fact, has, number, variable

SPACE_GRAMMAR = Grammar()
says = SPACE_GRAMMAR.says

_COMPASS = ("north", "east", "south", "west")
# A turn is a turn by a right angle, or about.
_TURNS = {"right": 1, "back": 2, "left": 3}
_DIRECTION = "(?P<d>north|east|south|west)"
# Without numbers only the order of distances counts, and a few of them are enough.
_MILES, _STEPS = tuple(range(1, 250)), tuple(range(1, 7))
_GRID, _WALK = tuple(range(4)), tuple(range(-40, 41))


def space_background(said: Formula) -> Formula:
    """Two sides of a triangle are together at least as long as the third; what is near is not far."""
    sides = {frozenset(v.about[1:]): number(v) for v in said.variables if v.about[0] == "distance"}
    triangles = [
        ~sides[one].above(sides[two].plus(sides[three]))
        for one, two, three in itertools.permutations(sides, 3)
        if len(one | two | three) == 3
    ]
    ways: dict[tuple[str, ...], list[Formula]] = {}
    for one in said.variables:
        if one.about[0] == "near" and one.about[1] in ("near", "far from"):
            ways.setdefault(one.about[2:], []).append(has(one, 1))
    return every(*triangles, *(at_most_one(*group) for group in ways.values()), line_background(said))


# Facing and turning


def _facing(person: str) -> Variable:
    return variable(("facing", person), _COMPASS)


def _turned(direction: str, *turns: str) -> str:
    return _COMPASS[(_COMPASS.index(direction) + sum(_TURNS[turn] for turn in turns)) % 4]


@says("{X} was facing {d} and then made a half turn.")
def _(said: Said) -> Formula:
    return has(_facing(said["X"]), _turned(said["d"], "back"))


@says("{X} was facing {d} and (then|has just) made a quarter turn to the (?P<t>left|right).")
def _(said: Said) -> Formula:
    return has(_facing(said["X"]), _turned(said["d"], said["t"]))


@says("{X} was facing {d}, made a quarter turn to the {t}, and then (one|another one) to the (?P<u>left|right).")
def _(said: Said) -> Formula:
    return has(_facing(said["X"]), _turned(said["d"], said["t"], said["u"]))


@says("{X} was facing {d} and then made a quarter turn (to one side|to the left or to the right).")
def _(said: Said) -> Formula:
    left, right = (has(_facing(said["X"]), _turned(said["d"], turn)) for turn in ("left", "right"))
    return left | right


@says("{X} is no longer facing {d}.")
def _(said: Said) -> Formula:
    return ~has(_facing(said["X"]), said["d"])


@says(f"{{X}} is (now |still |)facing {_DIRECTION}.", f"(Now|In the end) {{X}} (is|was) facing {_DIRECTION}.")
def _(said: Said) -> Formula:
    return has(_facing(said["X"]), said["d"])


# Miles


def _distance(said: Said, one: str, other: str) -> Number:
    domain = _MILES if "miles" in said.context.noted else _STEPS
    return number(variable(("distance", *sorted((said[one], said[other]))), domain))


def _miles(said: Said, one: str, other: str, how_many: str) -> Formula:
    said.context.noted["miles"] = "yes"
    return _distance(said, one, other).equals(said.number(how_many))


@says("{a} lies {#n} miles from {b} and {#m} miles from {c}.")
def _(said: Said) -> Formula:
    return _miles(said, "a", "b", "n") & _miles(said, "a", "c", "m")


@says("{a} is {#n} miles from {b}, and {b} is {#m} miles from {c}, as the crow flies.")
def _(said: Said) -> Formula:
    return _miles(said, "a", "b", "n") & _miles(said, "b", "c", "m")


@says("The only road from {a} to {c} passes through {b}.")
def _(said: Said) -> Formula:
    return _road(said, "a", "c").equals(_road(said, "a", "b").plus(_road(said, "b", "c")))


@says("By this road it is {#n} miles from {a} to {b} and {#m} miles from {b} to {c}.")
def _(said: Said) -> Formula:
    return _road(said, "a", "b").equals(said.number("n")) & _road(said, "b", "c").equals(said.number("m"))


@says("By this road it is {#n} miles from {a} to {c}.")
def _(said: Said) -> Formula:
    return _road(said, "a", "c").equals(said.number("n"))


def _road(said: Said, one: str, other: str) -> Number:
    return number(variable(("road", *sorted((said[one], said[other]))), _MILES))


@says("{b} lies on the straight road from {a} to {c}, between the two.")
def _(said: Said) -> Formula:
    return _distance(said, "a", "c").equals(_distance(said, "a", "b").plus(_distance(said, "b", "c")))


@says("{a} is {#n} miles from {b}.")
def _(said: Said) -> Formula:
    return _miles(said, "a", "b", "n")


@says("(As the crow flies, |){a} is (?P<how>nearer|farther) (to|from) {b} than (to|from) {c}.")
def _(said: Said) -> Formula:
    return _nearer(said, _distance(said, "a", "b"), _distance(said, "a", "c"))


@says("{a} is (?P<how>nearer|farther) (to|from) {b} than {c} is.")
def _(said: Said) -> Formula:
    return _nearer(said, _distance(said, "a", "b"), _distance(said, "c", "b"))


def _nearer(said: Said, one: Number, other: Number) -> Formula:
    return one.below(other) if said["how"] == "nearer" else one.above(other)


# North, east, south, west


def _ahead(one: tuple[Number, Number], direction: str, other: tuple[Number, Number]) -> Formula:
    """One place is farther in a direction than another."""
    axis = 0 if direction in ("east", "west") else 1
    return one[axis].above(other[axis]) if direction in ("north", "east") else one[axis].below(other[axis])


def _due(one: tuple[Number, Number], direction: str, other: tuple[Number, Number]) -> Formula:
    axis = 1 if direction in ("east", "west") else 0
    return _ahead(one, direction, other) & one[axis].equals(other[axis])


def _town(name: str) -> tuple[Number, Number]:
    return number(variable(("east", name), _GRID)), number(variable(("north", name), _GRID))


@says(f"{{a}} lies due {_DIRECTION} of {{b}}, and {{c}} lies due (?P<e>north|east|south|west) of {{b}}.")
def _(said: Said) -> Formula:
    first = _due(_town(said["a"]), said["d"], _town(said["b"]))
    return first & _due(_town(said["c"]), said["e"], _town(said["b"]))


@says(f"{{a}} lies due {_DIRECTION} of {{b}}.")
def _(said: Said) -> Formula:
    return _due(_town(said["a"]), said["d"], _town(said["b"]))


@says(f"{{a}} lies {_DIRECTION} of {{b}}, and {{b}} lies (?P=d) of {{c}}, all within one county.")
def _(said: Said) -> Formula:
    return _ahead(_town(said["a"]), said["d"], _town(said["b"])) & _ahead(_town(said["b"]), said["d"], _town(said["c"]))


@says(f"{{a}} and {{b}} both lie {_DIRECTION} of {{c}}.")
def _(said: Said) -> Formula:
    return _ahead(_town(said["a"]), said["d"], _town(said["c"])) & _ahead(_town(said["b"]), said["d"], _town(said["c"]))


@says(f"{{a}} lies {_DIRECTION} of {{b}}.")
def _(said: Said) -> Formula:
    return _ahead(_town(said["a"]), said["d"], _town(said["b"]))


@says("{a} lies to the (?P<d>north|south)-(?P<e>east|west) of {b}.")
def _(said: Said) -> Formula:
    one, other = _town(said["a"]), _town(said["b"])
    return _ahead(one, said["d"], other) & _ahead(one, said["e"], other)


# Walking


def _walker() -> tuple[Number, Number]:
    """Where the walker is, seen from the start."""
    return number(variable(("walked east",), _WALK)), number(variable(("walked north",), _WALK))


@says(f"{{X}} walked {{#n}} miles due {_DIRECTION} from {{a}} and then {{#m}} miles due {{e}}.")
def _(said: Said) -> Formula:
    steps = {"north": (0, 1), "east": (1, 0), "south": (0, -1), "west": (-1, 0)}
    legs = [(said.number("n"), steps[said["d"]]), (said.number("m"), steps[said["e"]])]
    east, north = (sum(miles * step[axis] for miles, step in legs) for axis in (0, 1))
    return _walker()[0].equals(east) & _walker()[1].equals(north)


@says(f"In the end {{X}} was {_DIRECTION} of {{a}}.")
def _(said: Said) -> Formula:
    return _ahead(_walker(), said["d"], (number(0), number(0)))


@says("In the end {X} was exactly {#n} (mile|miles) from {a}.")
def _(said: Said) -> Formula:
    """The walks go there and back on one line, where the distance is the sum over both axes."""
    east, north = _walker()
    return east.distance(0).plus(north.distance(0)).equals(said.number("n"))


# Near and far


@says("In {t}, the {a} is (?P<w>near|close to|next to|opposite|far from) the {b}, and the {b} is (?P=w) the {c}.")
def _(said: Said) -> Formula:
    return _near(said, "a", "b") & _near(said, "b", "c")


@says("In {t}, the {a} is (?P<w>near|close to|next to|opposite|far from) the {b}.")
def _(said: Said) -> Formula:
    return _near(said, "a", "b")


def _near(said: Said, one: str, other: str) -> Formula:
    """Being near, next to, opposite or far is the same both ways."""
    return fact("near", said["w"], *sorted((said[one], said[other])))


SPACE_GRAMMAR.include(LINE_GRAMMAR)
