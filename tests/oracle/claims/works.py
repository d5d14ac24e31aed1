"""What sentences about albums and books claim."""

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
    minus,
    more,
    seconds,
    size,
    when,
    year,
)  # fmt: skip
from tests.oracle.sayings import Said, Sayings
from tests.oracle.times import is_after, is_before, is_within, month_number

WORKS = Sayings()
says = WORKS.says

RELEASED = ("released", "release date")
LENGTH = ("length",)
GENRE = ("genre", "genres")
LABEL = ("label", "labels")
PRODUCER = ("producer", "producer(s)")
SONGWRITERS = ("songwriter(s)",)
STUDIO = ("studio",)
AUTHOR = ("author", "written by")
ILLUSTRATOR = ("illustrator", "penciller(s)")
PUBLISHER = ("publisher", "published by")
PUBLISHED = ("publication date", "published")
FORMAT = ("media type", "format")
CHARACTERS = ("main character(s)",)


@says(
    "@ was released before {=y}.", "@ came out before {=y}.", "The release date of @ is before {=y}."
)  # fmt: skip
def _(said: Said) -> Truth:
    date = when(said, RELEASED)
    return None if date is None else is_before(date, said.date("y"))


@says("@ was released in {%m}.", "@ came out in {%m}.", "The release date of @ falls in {%m}.")
def _(said: Said) -> Truth:
    date = when(said, RELEASED)
    if date is None or date.low.month != date.high.month:
        return None
    return date.low.month == month_number(said["m"])


@says(
    "@ is longer than {!s}.", "The length of @ is more than {!s}.", "It takes more than {!s} to listen to all of @."
)  # fmt: skip
def _(said: Said) -> Truth:
    return more(seconds(said, LENGTH), said.seconds("s"))


@says("One genre of @ is {g}.", "The music on @ includes {g}.", "The genres of @ include {g}.")
def _(said: Said) -> Truth:
    return has(said, GENRE, said["g"])


@says("{p} did not produce @.", "@ was not produced by {p}.", "{p} was not a producer of @.")
def _(said: Said) -> Truth:
    return deny(has(said, PRODUCER, said["p"]))


@says(
    "@, whose genres include {g}, was released by {l}.",
    "{l} released @, and {g} is one of its genres.",
    "@ has {g} among its genres and came out on {l}.",
)
def _(said: Said) -> Truth:
    return both(has(said, LABEL, said["l"]), has(said, GENRE, said["g"]))


@says(
    "Everyone who produced @ is also one of its songwriters.",
    "All of the producers of @ are among its songwriters.",
    "Each producer of @ was also one of its songwriters.",
)
def _(said: Said) -> Truth:
    shared = common(said, PRODUCER, SONGWRITERS)
    return None if shared is None else shared[0] == shared[1]


@says(
    "@ has more producers than studios.",
    "@ has fewer studios than producers.",
    "The producers of @ outnumber its studios.",
)
def _(said: Said) -> Truth:
    return more(size(said, PRODUCER), size(said, STUDIO))


@says(
    "Going by the years alone, @ was reissued more than {#n} (year|years) after its release.",
    "The reissue year of @ is more than {#n} (year|years) after its release year.",
)
def _(said: Said) -> Truth:
    return more(minus(year(said, ("reissued",)), year(said, RELEASED)), said.number("n"))


@says("{p} wrote or co-wrote @.", "The authors of @ include {p}.", "{p} is an author of @.")
def _(said: Said) -> Truth:
    return has(said, AUTHOR, said["p"])


@says("@ was published on {=d}.", "The publication date of @ is {=d}.", "@ first came out on {=d}.")
def _(said: Said) -> Truth:
    date = when(said, PUBLISHED)
    return None if date is None else is_within(date, said.date("d"))


@says(
    "@ has fewer than {#n} pages.", "@ is shorter than {#n} pages.", "The page count of @ is below {#n}."
)  # fmt: skip
def _(said: Said) -> Truth:
    return more(said.number("n"), amount(said, ("pages",)))


@says(
    "None of the authors of @ illustrated it.",
    "No author of @ was also one of its illustrators.",
    "Nobody both wrote and illustrated @.",
)
def _(said: Said) -> Truth:
    shared = common(said, AUTHOR, ILLUSTRATOR)
    return None if shared is None else shared[0] == 0


@says(
    "{a} is listed before {b} among the main characters of @.",
    "In the list of main characters of @, {a} comes before {b}.",
)
def _(said: Said) -> Truth:
    return in_order(said, CHARACTERS, said["a"], said["b"])


@says(
    "{p} published @, and {g} is one of its genres.",
    "@, published by {p}, has {g} among its genres.",
    "The genres of @, a book published by {p}, include {g}.",
)
def _(said: Said) -> Truth:
    return both(is_(said, PUBLISHER, said["p"]), has(said, GENRE, said["g"]))


@says("@ is not available as {f}.", "There is no {f} edition of @.", "@ was not published as {f}.")
def _(said: Said) -> Truth:
    return deny(has(said, FORMAT, said.bare("f")))


@says("@ was published after {=m}.", "By the end of {=m}, @ had not been published yet.")
def _(said: Said) -> Truth:
    date = when(said, PUBLISHED)
    return None if date is None else is_after(date, said.date("m"))
