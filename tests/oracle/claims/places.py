"""What sentences about cities, countries and universities claim."""

from __future__ import annotations

from tests.oracle.readings import (
    Truth,
    amount,
    any_of,
    both,
    common,
    deny,
    either,
    has,
    is_,
    minus,
    more,
    plus,
    size,
    times,
    when,
    year,
)  # fmt: skip
from tests.oracle.sayings import Said, Sayings
from tests.oracle.times import is_after

PLACES = Sayings()
says = PLACES.says

ELEVATION = ("elevation",)
POPULATION = ("population", "urban")
SISTERS = ("sister cities",)
FOUNDED = ("founded", "established")
CAPITAL, LARGEST = ("capital",), ("largest city",)
OFFICIAL, COMMON = ("official languages",), ("common languages",)
UNDERGRADUATES, POSTGRADUATES = ("undergraduates",), ("postgraduates",)
KIND, CAMPUS = ("type",), ("campus",)


@says("@ is a city in {p}.", "@ is located in {p}.", "{p} is the country in which @ lies.")
def _(said: Said) -> Truth:
    return is_(said, ("country",), said.place("p"))


@says(
    "{p} is not the mayor of @.",
    "The mayor of @ is somebody other than {p}.",
    "@ does not have {p} as its mayor.",
)
def _(said: Said) -> Truth:
    return deny(is_(said, ("mayor",), said["p"]))


@says(
    "@ lies more than {#h} (metre|metres) above sea level.",
    "The elevation of @ is above {#h} (metre|metres).",
    "@ is situated at an elevation of more than {#h} (metre|metres).",
)
def _(said: Said) -> Truth:
    return more(amount(said, ELEVATION), said.number("h"))


@says(
    "@ lies on the {r} or belongs to the region of {p}, or both.",
    "The region of @ is {p}, or the city lies on the {r}, or both.",
)
def _(said: Said) -> Truth:
    return either(is_(said, ("river",), said["r"]), is_(said, ("region", "province", "state"), said["p"]))


@says(
    "@ has more than {#n} inhabitants.",
    "More than {#n} people live in @.",
    "The population of @ is greater than {#n}.",
)
def _(said: Said) -> Truth:
    return more(amount(said, POPULATION), said.number("n"))


@says(
    "@ has fewer than {#n} inhabitants.",
    "Fewer than {#n} people live in @.",
    "The population of @ is below {#n}.",
)
def _(said: Said) -> Truth:
    return more(said.number("n"), amount(said, POPULATION))


@says(
    "The metropolitan area of @ has over {#n} more people than the city itself.",
    "More than {#n} people live in the metropolitan area of @ but not in the city itself.",
)
def _(said: Said) -> Truth:
    return more(minus(amount(said, ("metro",)), amount(said, POPULATION)), said.number("n"))


@says("@ was founded between {#k}00 and {#k}99.", "@ was founded in the {#k}00s.")
def _(said: Said) -> Truth:
    founded = year(said, FOUNDED)
    return None if founded is None else founded // 100 == said.number("k")


@says(
    "@ is a sister city of {a} or {b}.",
    "{a} or {b} is a sister city of @.",
    "The sister cities of @ include {a}, {b} or both.",
)
def _(said: Said) -> Truth:
    return any_of(said, SISTERS, said["a"], said["b"])


@says("@ has at least {#k} sister (city|cities).", "@ has {#k} or more sister cities.")
def _(said: Said) -> Truth:
    return deny(more(said.number("k"), size(said, SISTERS)))


@says("@ has at most {#k} sister (city|cities).", "@ has no more than {#k} sister (city|cities).")
def _(said: Said) -> Truth:
    return deny(more(size(said, SISTERS), said.number("k")))


@says("{p} is the capital of @.", "The capital of @ is {p}.", "{p} serves as the capital of @.")
def _(said: Said) -> Truth:
    return is_(said, CAPITAL, said["p"])


@says(
    "The capital of @ is also its largest city.",
    "No city in @ is larger than its capital.",
    "The largest city of @ is its capital.",
)
def _(said: Said) -> Truth:
    shared = common(said, CAPITAL, LARGEST)
    return None if shared is None else shared[0] > 0


@says(
    "Every official language of @ is also a common language there.",
    "All of the official languages of @ are among its common languages.",
    "@ has no official language that is not also a common language.",
)
def _(said: Said) -> Truth:
    shared = common(said, OFFICIAL, COMMON)
    return None if shared is None else shared[0] == shared[1]


@says(
    "Most of the common languages of @ are official languages.",
    "More than half of the common languages of @ have official status.",
)
def _(said: Said) -> Truth:
    shared = common(said, COMMON, OFFICIAL)
    return None if shared is None else 2 * shared[0] > shared[1]


@says(
    "None of the common languages of @ is official.",
    "No common language of @ is also an official language.",
    "All of the common languages of @ lack official status.",
)
def _(said: Said) -> Truth:
    shared = common(said, COMMON, OFFICIAL)
    return None if shared is None else shared[0] == 0


@says(
    "@ became independent after {=d}.",
    "@ gained independence after {=d}.",
    "@ was not yet independent on {=d}.",
)
def _(said: Said) -> Truth:
    date = when(said, ("independence",))
    return None if date is None else is_after(date, said.date("d"))


@says(
    "{a} is the president of @, and {b} is its prime minister.",
    "The president and the prime minister of @ are {a} and {b}, respectively.",
    "@ has {a} as president and {b} as prime minister.",
)
def _(said: Said) -> Truth:
    return both(is_(said, ("president",), said["a"]), is_(said, ("prime minister",), said["b"]))


@says(
    "@ has an area of at least {#n} square kilometres.",
    "The area of @ is no smaller than {#n} square kilometres.",
    "@ covers {#n} square kilometres or more.",
)
def _(said: Said) -> Truth:
    return deny(more(said.number("n"), amount(said, ("area",))))


@says(
    "@ is not both {g} and a country with {l} as an official language.",
    "@ is not {g} with {l} as an official language.",
)
def _(said: Said) -> Truth:
    return deny(both(is_(said, ("government",), said.bare("g")), has(said, OFFICIAL, said["l"])))


@says(
    "@ was established no later than {#y}.",
    "@ had already been established by the end of {#y}.",
    "@ was established in {#y} or earlier.",
)
def _(said: Said) -> Truth:
    return deny(more(year(said, ("established",)), said.number("y")))


@says(
    "@ has more than {#n} undergraduates and postgraduates in all.",
    "The undergraduates and postgraduates of @ add up to more than {#n}.",
    "@ has over {#n} students, counting undergraduates and postgraduates together.",
)
def _(said: Said) -> Truth:
    return more(plus(amount(said, UNDERGRADUATES), amount(said, POSTGRADUATES)), said.number("n"))


@says(
    "@ has more undergraduates than postgraduates.",
    "There are fewer postgraduates than undergraduates at @.",
    "The undergraduates of @ outnumber its postgraduates.",
)
def _(said: Said) -> Truth:
    return more(amount(said, UNDERGRADUATES), amount(said, POSTGRADUATES))


@says(
    "@ has more than {#k} (undergraduate|undergraduates) per member of the academic staff.",
    "For each member of the academic staff of @ there are more than {#k} (undergraduate|undergraduates) on average.",
)
def _(said: Said) -> Truth:
    return more(amount(said, UNDERGRADUATES), times(said.number("k"), amount(said, ("academic staff",))))


@says(
    "@ is a {t} university or has {k} campus, or both.",
    "The campus of @ is {k}, or the institution is {t}, or both.",
)
def _(said: Said) -> Truth:
    return either(is_(said, KIND, said["t"]), is_(said, CAMPUS, said.bare("k")))


@says("Both {a} and {b} are among the colours of @.", "The colours of @ include {a} as well as {b}.")
def _(said: Said) -> Truth:
    return has(said, ("colors", "colours"), said["a"], said["b"])


@says("@ has an endowment of at least {$m}.", "The endowment of @ is {$m} or more.")
def _(said: Said) -> Truth:
    return deny(more(said.sum("m"), amount(said, ("endowment",))))


@says(
    "{a} is the president of @ and not its provost.", "{a} holds the office of president at @, but not that of provost."
)
def _(said: Said) -> Truth:
    return both(is_(said, ("president",), said["a"]), deny(is_(said, ("provost",), said["a"])))
