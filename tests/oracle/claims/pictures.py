"""What sentences about films and paintings claim."""

from __future__ import annotations

from tests.oracle.readings import (
    Truth,
    amount,
    both,
    common,
    deny,
    has,
    in_order,
    is_,
    more,
    place_of,
    plus,
    seconds,
    when,
)
from tests.oracle.sayings import Said, Sayings
from tests.oracle.times import is_before, is_within

PICTURES = Sayings()
says = PICTURES.says

DIRECTORS = ("directed by",)
PRODUCERS = ("produced by",)
WRITERS = ("written by", "screenplay by")
STARS = ("starring",)
FILM_RELEASED = ("release date", "release dates")
BUDGET, BOX_OFFICE = ("budget",), ("box office",)


@says("{p} directed @.", "@ was directed by {p}.", "{p} was a director of @.")
def _(said: Said) -> Truth:
    return has(said, DIRECTORS, said["p"])


@says("@ runs for more than {!s}.", "It takes longer than {!s} to watch @.", "The running time of @ is over {!s}.")
def _(said: Said) -> Truth:
    return more(seconds(said, ("running time",)), said.seconds("s"))


@says(
    "@ earned more than its budget at the box office.",
    "The box office of @ was larger than its budget.",
    "@ took in more money than was spent on making it.",
)
def _(said: Said) -> Truth:
    return more(amount(said, BOX_OFFICE), amount(said, BUDGET))


@says(
    "@ had a budget of more than {$m}.", "More than {$m} was spent on making @.", "The budget of @ was over {$m}."
)  # fmt: skip
def _(said: Said) -> Truth:
    return more(amount(said, BUDGET), said.sum("m"))


@says(
    "In the cast of @, {a} is listed before {b}.",
    "{a} comes before {b} in the cast list of @.",
    "{a} is named ahead of {b} among the stars of @.",
)
def _(said: Said) -> Truth:
    return in_order(said, STARS, said["a"], said["b"])


@says(
    "{p} is the first person in the cast list of @.",
    "The cast list of @ begins with {p}.",
    "{p} is listed first among the stars of @.",
)
def _(said: Said) -> Truth:
    return place_of(said, STARS, said["p"], 0)


@says(
    "{p} is the last person in the cast list of @.",
    "The cast list of @ ends with {p}.",
    "{p} is listed last among the stars of @.",
)
def _(said: Said) -> Truth:
    return place_of(said, STARS, said["p"], -1)


@says(
    "At least one person both wrote and produced @.",
    "Somebody who wrote @ was also one of its producers.",
    "The writers of @ include at least one of its producers.",
)
def _(said: Said) -> Truth:
    shared = common(said, WRITERS, PRODUCERS)
    return None if shared is None else shared[0] > 0


@says(
    "The number of writers of @ who also produced it is {#k}.",
    "The number of people who both wrote and produced @ is {#k}.",
)
def _(said: Said) -> Truth:
    shared = common(said, WRITERS, PRODUCERS)
    return None if shared is None else shared[0] == said.number("k")


@says("{l} is not spoken in the film @.", "@ is not {l}-language film.", "The languages of @ do not include {l}.")
def _(said: Said) -> Truth:
    return deny(has(said, ("language", "languages"), said.bare("l")))


@says("@ was made in {c} and released in {=y}.", "@ is a film from {c} that came out in {=y}.")
def _(said: Said) -> Truth:
    date = when(said, FILM_RELEASED)
    released = None if date is None else is_within(date, said.date("y"))
    return both(has(said, ("country", "countries"), said.place("c")), released)


@says("@ is a work by {p}.", "{p} painted @.", "@ was painted by {p}.")
def _(said: Said) -> Truth:
    return is_(said, ("artist",), said["p"])


@says(
    "@ was painted before {=m}.",
    "@ dates from before {=m}.",
    "@ had already been painted by the start of {=m}.",
)
def _(said: Said) -> Truth:
    date = when(said, ("year",))
    return None if date is None else is_before(date, said.date("m"))


@says("@ is wider than it is high.", "The width of @ exceeds its height.", "@ has a greater width than height.")
def _(said: Said) -> Truth:
    return more(amount(said, ("width",)), amount(said, ("height",)))


@says(
    "The height and the width of @ add up to more than {#n} centimetres.",
    "Together, the height and the width of @ come to more than {#n} centimetres.",
)
def _(said: Said) -> Truth:
    return more(plus(amount(said, ("height",)), amount(said, ("width",))), said.number("n"))


@says("The medium of @ is not {t}.", "@ was painted in a medium other than {t}.")
def _(said: Said) -> Truth:
    return deny(is_(said, ("medium", "type"), said["t"]))


@says("The first owner listed for @ is {p}.", "{p} comes first in the list of owners of @.")
def _(said: Said) -> Truth:
    return place_of(said, ("owner", "owners"), said["p"], 0)


@says(
    "@ was painted by {p} and is kept at {l}.",
    "@, a work by {p}, can be found at {l}.",
    "{l} is the location of @, which {p} painted.",
)
def _(said: Said) -> Truth:
    return both(is_(said, ("artist",), said["p"]), is_(said, ("location",), said["l"]))
