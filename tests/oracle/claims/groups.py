"""What sentences about clubs, companies, tournaments and expeditions claim."""

from __future__ import annotations

from tests.oracle.readings import (
    Truth,
    amount,
    both,
    common,
    deny,
    has,
    is_,
    minus,
    more,
    place_of,
    plus,
    same,
    size,
    stretch,
    times,
    when,
    year,
)  # fmt: skip
from tests.oracle.sayings import Said, Sayings
from tests.oracle.times import has_part_in, is_after, is_before, overlap

GROUPS = Sayings()
says = GROUPS.says

HOME, AWAY = ("home colours",), ("away colours",)
TITLES, CUPS = ("league titles",), ("cups won",)
FOUNDED = ("founded", "formation")
FOUNDERS, KEY_PEOPLE = ("founder", "founders"), ("key people",)
REVENUE, NET_INCOME = ("revenue",), ("net income",)
PLANNED, CARRIED_OUT = ("planned",), ("carried out", "date")
DATES = ("dates", "date")


@says(
    "The home colours and the away colours of @ overlap.",
    "At least one home colour of @ is also an away colour.",
    "The home kit and the away kit of @ share at least one colour.",
)
def _(said: Said) -> Truth:
    shared = common(said, HOME, AWAY)
    return None if shared is None else shared[0] > 0


@says(
    "The home colours of @ include {k}, but the away colours do not.",
    "{k} is a home colour of @ but not an away colour.",
)
def _(said: Said) -> Truth:
    return both(has(said, HOME, said["k"]), deny(has(said, AWAY, said["k"])))


@says(
    "@ won {#k} league titles and cups in all.",
    "The league titles and cups of @ add up to {#k}.",
    "The total number of league titles and cups won by @ is {#k}.",
)
def _(said: Said) -> Truth:
    return same(plus(amount(said, TITLES), amount(said, CUPS)), said.number("k"))


@says(
    "@ won more league titles than cups.",
    "The league titles won by @ outnumber the cups.",
    "@ won fewer cups than league titles.",
)
def _(said: Said) -> Truth:
    return more(amount(said, TITLES), amount(said, CUPS))


@says(
    "@ was founded between {#a} and {#b}.",
    "@ came into being between {#a} and {#b}.",
    "@ was founded no earlier than {#a} and no later than {#b}.",
)
def _(said: Said) -> Truth:
    founded = year(said, FOUNDED)
    return None if founded is None else said.number("a") <= founded <= said.number("b")


@says(
    "{a} is the chairman of @, and {b} is the manager.",
    "At @, {b} is the manager and {a} is the chairman.",
    "The manager of @ is {b}, while the chairman is {a}.",
)
def _(said: Said) -> Truth:
    return both(is_(said, ("chairman", "owner"), said["a"]), is_(said, ("manager", "head coach"), said["b"]))


@says(
    "The capacity of the ground of @ is not greater than {#n}.",
    "The ground of @ does not have room for more than {#n} people.",
    "No more than {#n} people can fit into the ground of @.",
)
def _(said: Said) -> Truth:
    return deny(more(amount(said, ("capacity",)), said.number("n")))


@says("@ was founded after {=y}.", "@ came into being after {=y}.", "@ did not yet exist in {=y}.")
def _(said: Said) -> Truth:
    date = when(said, FOUNDED)
    return None if date is None else is_after(date, said.date("y"))


@says(
    "@ was founded by exactly {#k} (person|people).",
    "Exactly {#k} (person|people) founded @.",
    "@ has exactly {#k} (founder|founders).",
)
def _(said: Said) -> Truth:
    return same(size(said, FOUNDERS), said.number("k"))


@says(
    "At least one founder of @ is among its key people.",
    "The key people of @ include at least one of its founders.",
    "One or more of the key people of @ were among its founders.",
)
def _(said: Said) -> Truth:
    shared = common(said, FOUNDERS, KEY_PEOPLE)
    return None if shared is None else shared[0] > 0


@says(
    "Most of the key people of @ are among its founders.",
    "More than half of the key people of @ were founders of the company.",
)
def _(said: Said) -> Truth:
    shared = common(said, KEY_PEOPLE, FOUNDERS)
    return None if shared is None else 2 * shared[0] > shared[1]


@says("@ makes {a} and {b}.", "The products of @ include {a} and {b}.", "Both {a} and {b} are among the products of @.")
def _(said: Said) -> Truth:
    return has(said, ("products",), said["a"], said["b"])


@says("@ had a net income of less than {$m}.", "The net income of @ was below {$m}.")
def _(said: Said) -> Truth:
    return more(said.sum("m"), amount(said, NET_INCOME))


@says(
    "The revenue of @ exceeded its net income by more than {$m}.",
    "The revenue of @ was over {$m} higher than its net income.",
)
def _(said: Said) -> Truth:
    return more(minus(amount(said, REVENUE), amount(said, NET_INCOME)), said.sum("m"))


@says(
    "@, headquartered in {p}, is not active in {g}.",
    "@ has its headquarters in {p} and does not operate in the field of {g}.",
)
def _(said: Said) -> Truth:
    return both(is_(said, ("headquarters",), said.place("p")), deny(has(said, ("industry",), said["g"])))


@says(
    "@ was still being planned while it was already being carried out.",
    "The planning and the execution of @ overlapped.",
    "At some point, @ was being planned and carried out at the same time.",
)
def _(said: Said) -> Truth:
    planned, done = stretch(said, PLANNED), stretch(said, CARRIED_OUT)
    return None if planned is None or done is None else overlap(planned, done)


@says(
    "At no point was @ being planned and carried out at the same time.",
    "The planning and the execution of @ did not overlap.",
)
def _(said: Said) -> Truth:
    planned, done = stretch(said, PLANNED), stretch(said, CARRIED_OUT)
    return None if planned is None or done is None else deny(overlap(planned, done))


@says(
    "@ was being carried out in {=y}.", "@ was in progress in {=y}.", "@ was under way in {=y}."
)  # fmt: skip
def _(said: Said) -> Truth:
    done = stretch(said, CARRIED_OUT)
    return None if done is None else has_part_in(done, said.date("y"))


@says(
    "@ lasted more than {#n} (year|years).",
    "It took more than {#n} (year|years) to carry out @.",
)
def _(said: Said) -> Truth:
    done = stretch(said, CARRIED_OUT)
    if done is None or done.end is None:
        return None
    return more(minus(done.end.year, done.begin.year), said.number("n"))


@says(
    "@ took place in none of the participating countries.",
    "None of the countries that took part in @ was among its locations.",
)
def _(said: Said) -> Truth:
    shared = common(said, ("participants",), ("location",))
    return None if shared is None else shared[0] == 0


@says("The last commander listed for @ is {p}.", "{p} comes last in the list of commanders of @.")
def _(said: Said) -> Truth:
    return place_of(said, ("commanders",), said["p"], -1)


@says("@ cost more than {$m} and resulted in {r}.", "The result of @, which cost over {$m}, was {r}.")
def _(said: Said) -> Truth:
    return both(more(amount(said, ("cost",)), said.sum("m")), is_(said, ("result",), said.bare("r")))


@says(
    "@ involved more than {#k} troops per ship on average.",
    "On average, there were more than {#k} troops for every ship in @.",
)
def _(said: Said) -> Truth:
    return more(amount(said, ("troops",)), times(said.number("k"), amount(said, ("ships",))))


@says(
    "{a} won @ ahead of {b}.", "At @, {a} came first and {b} came second.", "{b} finished second at @, behind {a}."
)  # fmt: skip
def _(said: Said) -> Truth:
    first = is_(said, ("champions", "current champions"), said["a"])
    return both(first, is_(said, ("runners-up",), said["b"]))


@says("@ was under way on {=d}.", "@ was in progress on {=d}.", "@ was being held on {=d}.")
def _(said: Said) -> Truth:
    dates = stretch(said, DATES)
    return None if dates is None else has_part_in(dates, said.date("d"))


@says(
    "@ began before {=d}.", "@ started before {=d}.", "The first day of @ was before {=d}."
)  # fmt: skip
def _(said: Said) -> Truth:
    dates = stretch(said, DATES)
    return None if dates is None else is_before(dates.begin, said.date("d"))


@says(
    "On average, more than {#k} (goal was|goals were) scored per match at @.",
    "@ saw more than {#k} (goal|goals) per match on average.",
)
def _(said: Said) -> Truth:
    return more(amount(said, ("goals scored",)), times(said.number("k"), amount(said, ("matches played",))))


@says(
    "At most {#k} teams took part in @.",
    "@ had no more than {#k} teams.",
    "@ had {#k} teams or fewer.",
)
def _(said: Said) -> Truth:
    return deny(more(amount(said, ("teams",)), said.number("k")))


@says(
    "@ was held at a single venue.", "There was only one venue for @.", "All of @ took place at the same venue."
)  # fmt: skip
def _(said: Said) -> Truth:
    return same(size(said, ("venue(s)", "venue", "venues")), 1)


@says(
    "@ was not held in {p} and had an attendance of over {#n}.",
    "More than {#n} people attended @, and its host country was not {p}.",
)
def _(said: Said) -> Truth:
    return both(
        deny(is_(said, ("host country",), said.place("p"))), more(amount(said, ("attendance",)), said.number("n"))
    )
