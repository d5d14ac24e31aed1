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
    "The office of mayor of @ is not held by {p}.",
)
def _(said: Said) -> Truth:
    return deny(is_(said, ("mayor",), said["p"]))


@says(
    "@ lies more than {#h} (metre|metres) above sea level.",
    "The elevation of @ is above {#h} (metre|metres).",
    "@ is situated at more than {#h} (metre|metres).",
)
def _(said: Said) -> Truth:
    return more(amount(said, ELEVATION), said.number("h"))


@says(
    "@ lies on the {r} or belongs to the region {p}, or both.",
    "At least one of two things is true of @: its river is the {r}, or its region is {p}.",
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
    "The population of @ is smaller than {#n}.",
)
def _(said: Said) -> Truth:
    return more(said.number("n"), amount(said, POPULATION))


@says(
    "The metropolitan area of @ has over {#n} more people than the city itself.",
    "More than {#n} people live in the metropolitan area of @ but not in the city itself.",
)
def _(said: Said) -> Truth:
    return more(minus(amount(said, ("metro",)), amount(said, POPULATION)), said.number("n"))


@says("The foundation year of @ begins with the digits {#k}.", "@ was founded in the {#k}00s.")
def _(said: Said) -> Truth:
    founded = year(said, FOUNDED)
    return None if founded is None else founded // 100 == said.number("k")


@says(
    "@ is a sister city of {a} or {b}.",
    "{a} or {b} is a sister city of @.",
    "{a}, {b} or both of them are sister cities of @.",
)
def _(said: Said) -> Truth:
    return any_of(said, SISTERS, said["a"], said["b"])


@says("@ has at least {#k} sister (city|cities).", "The number of sister cities of @ is {#k} or more.")
def _(said: Said) -> Truth:
    return deny(more(said.number("k"), size(said, SISTERS)))


@says("@ has at most {#k} sister (city|cities).", "The number of sister cities of @ is {#k} or less.")
def _(said: Said) -> Truth:
    return deny(more(size(said, SISTERS), said.number("k")))


@says("{p} is the capital of @.", "The capital of @ is {p}.", "@ has its capital in {p}.")
def _(said: Said) -> Truth:
    return is_(said, CAPITAL, said["p"])


@says(
    "The capital of @ is also its largest city.",
    "No city of @ is larger than its capital.",
    "The largest city of @ is the capital.",
)
def _(said: Said) -> Truth:
    shared = common(said, CAPITAL, LARGEST)
    return None if shared is None else shared[0] > 0


@says(
    "Every official language of @ is also a common language there.",
    "All official languages of @ are among its common languages.",
    "@ has no official language that is not a common one.",
)
def _(said: Said) -> Truth:
    shared = common(said, OFFICIAL, COMMON)
    return None if shared is None else shared[0] == shared[1]


@says(
    "Most of the common languages of @ are official ones.",
    "More than half of the common languages of @ are official languages there.",
)
def _(said: Said) -> Truth:
    shared = common(said, COMMON, OFFICIAL)
    return None if shared is None else 2 * shared[0] > shared[1]


@says(
    "None of the common languages of @ is an official one.",
    "No common language of @ is official there.",
    "The common languages of @ are all without official status.",
)
def _(said: Said) -> Truth:
    shared = common(said, COMMON, OFFICIAL)
    return None if shared is None else shared[0] == 0


@says(
    "@ became independent after {=d}.",
    "The independence of @ came later than {=d}.",
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
    "The area of @ is no less than {#n} square kilometres.",
    "@ covers {#n} square kilometres or more.",
)
def _(said: Said) -> Truth:
    return deny(more(said.number("n"), amount(said, ("area",))))


@says(
    "It is not the case that @ is {g} with {l} as an official language.",
    "@ is not {g} with {l} as an official language.",
)
def _(said: Said) -> Truth:
    return deny(both(is_(said, ("government",), said.bare("g")), has(said, OFFICIAL, said["l"])))


@says(
    "@ was established no later than {#y}.",
    "@ had already been established when {#y} ended.",
    "The establishment of @ was in {#y} or earlier.",
)
def _(said: Said) -> Truth:
    return deny(more(year(said, ("established",)), said.number("y")))


@says(
    "@ has more than {#n} undergraduates and postgraduates in all.",
    "Undergraduates and postgraduates of @ add up to more than {#n}.",
    "Counting undergraduates and postgraduates together, @ has over {#n} students.",
)
def _(said: Said) -> Truth:
    return more(plus(amount(said, UNDERGRADUATES), amount(said, POSTGRADUATES)), said.number("n"))


@says(
    "@ has more undergraduates than postgraduates.",
    "At @, postgraduates are fewer than undergraduates.",
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
    "@ is a {t} university, or it has {k} campus, or both.",
    "At least one of two things is true of @: it is {t}, or its campus is {k}.",
)
def _(said: Said) -> Truth:
    return either(is_(said, KIND, said["t"]), is_(said, CAMPUS, said.bare("k")))


@says("Both {a} and {b} are colours of @.", "The colours of @ include {a} as well as {b}.")
def _(said: Said) -> Truth:
    return has(said, ("colors", "colours"), said["a"], said["b"])


@says("@ has an endowment of at least {$m}.", "The endowment of @ is {$m} or more.")
def _(said: Said) -> Truth:
    return deny(more(said.sum("m"), amount(said, ("endowment",))))


@says("{a} is the president of @ and not its provost.", "@ has {a} as its president, not as its provost.")
def _(said: Said) -> Truth:
    return both(is_(said, ("president",), said["a"]), deny(is_(said, ("provost",), said["a"])))


@says(
    "If @ is located in {p}, then it is a {t} university.", "Provided that @ is in {p}, it is a {t} university."
)  # fmt: skip
def _(said: Said) -> Truth:
    return either(deny(is_(said, ("location",), said.place("p"))), is_(said, KIND, said["t"]))
