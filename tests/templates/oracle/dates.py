"""What dates, ages and times of the clock say: moments on a line of half-years, half-months, days or minutes."""

from __future__ import annotations

import re

from tests.templates.oracle.reading import Grammar, Said
from tests.templates.oracle.worlds import Formula, Number, every, fact, none, number, variable

DATE_GRAMMAR = Grammar()
says = DATE_GRAMMAR.says

_NOW = 2025
# Years have two halves and so do months, so that two people born in one year need not be born at one time.
_HALF_YEARS = tuple(range(2 * 1900, 2 * _NOW))
_HALF_MONTHS = tuple(range(24))
_YEARS = tuple(range(1985, _NOW))
_MINUTES = tuple(range(30 * 60))
_WEEK = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December",
)  # fmt: skip
_CLOCK = re.compile(r"(\d+)(?::(\d\d))? (am|pm)")
_ORDER = "(?P<o>before|after|earlier than|later than)"


def ordered(one: Number, order: str, other: Number) -> Formula:
    """One moment is before or after another."""
    return one.below(other) if order.split()[0] in ("before", "earlier") else one.above(other)


# Birth


def _born(person: str) -> Number:
    return number(variable(("born", person), _HALF_YEARS))


def _born_in(person: str, year: int) -> Formula:
    return ~_born(person).below(2 * year) & _born(person).below(2 * year + 2)


@says("{X} was born in {#y}, {Y} in {#z} and {Z} in {#w}.")
def _(said: Said) -> Formula:
    return every(*(_born_in(said[who], said.number(year)) for who, year in zip("XYZ", "yzw", strict=True)))


@says("{X} was born in {#y} and {Y} in {#z}.")
def _(said: Said) -> Formula:
    return _born_in(said["X"], said.number("y")) & _born_in(said["Y"], said.number("z"))


@says("{X} and {Y} were both born in {#y}.")
def _(said: Said) -> Formula:
    return _born_in(said["X"], said.number("y")) & _born_in(said["Y"], said.number("y"))


@says("{X} was born between {#y} and {#z}, and {Y} was born in {#w}.")
def _(said: Said) -> Formula:
    first = ~_born(said["X"]).below(2 * said.number("y")) & _born(said["X"]).below(2 * said.number("z") + 2)
    return first & _born_in(said["Y"], said.number("w"))


@says("{X} was born in {#y}.")
def _(said: Said) -> Formula:
    return _born_in(said["X"], said.number("y"))


@says("{X} was born " + _ORDER + " {Y}.")
def _(said: Said) -> Formula:
    return ordered(_born(said["X"]), said["o"], _born(said["Y"]))


@says("{X} is (?P<o>older|younger) than {Y}.")
def _(said: Said) -> Formula:
    """The older one is the one born before."""
    return ordered(_born(said["X"]), "before" if said["o"] == "older" else "after", _born(said["Y"]))


@says("{X} is the (?P<o>oldest|youngest) of the three.")
def _(said: Said) -> Formula:
    order = "before" if said["o"] == "oldest" else "after"
    others = [name for name in said.context.people if name != said["X"]]
    return every(*(ordered(_born(said["X"]), order, _born(name)) for name in others))


@says("{X} is {#n} years old and {Y} is {#m} years old.")
def _(said: Said) -> Formula:
    """So many years old: between so many and one more years ago."""
    pairs = ((said["X"], said.number("n")), (said["Y"], said.number("m")))
    ages = [(number(2 * _NOW).minus(_born(who)), years) for who, years in pairs]
    return every(*(~age.below(2 * years) & age.below(2 * years + 2) for age, years in ages))


@says("{X} celebrated (his|her) {#k}th birthday in {#y}.")
def _(said: Said) -> Formula:
    return _born_in(said["X"], said.number("y") - said.number("k"))


# The clock


def minutes(text: str) -> int:
    """Minutes since midnight of a time such as *8:05 am*; twelve comes before one."""
    match = _CLOCK.fullmatch(text)
    assert match is not None, f"'{text}' is no time of the clock"
    return int(match[1]) % 12 * 60 + int(match[2] or 0) + (720 if match[3] == "pm" else 0)


def _minute(what: str, person: str) -> Number:
    return number(variable((what, person), _MINUTES))


@says("{X} reached the {p} at {c}, whereas {Y} got there at {d} on the same day.")
def _(said: Said) -> Formula:
    return _minute("comes", said["X"]).equals(minutes(said["c"])) & _minute("comes", said["Y"]).equals(
        minutes(said["d"])
    )


@says("{X} left the {p} at {c}, and {Y} left it at {d} on the same day.")
def _(said: Said) -> Formula:
    return _minute("leaves", said["X"]).equals(minutes(said["c"])) & _minute("leaves", said["Y"]).equals(
        minutes(said["d"])
    )


@says("{X} reached the {p} at {c}.", "{X} came to the {p} at {c}.")
def _(said: Said) -> Formula:
    return _minute("comes", said["X"]).equals(minutes(said["c"]))


@says("{X} got there on the same day.")
def _(said: Said) -> Formula:
    return _minute("comes", said["X"]).below(24 * 60)


@says("{X} got to the {p} " + _ORDER + " {Y}.")
def _(said: Said) -> Formula:
    return ordered(_minute("comes", said["X"]), said["o"], _minute("comes", said["Y"]))


@says("{X} left the {p} " + _ORDER + " {Y}.")
def _(said: Said) -> Formula:
    return ordered(_minute("leaves", said["X"]), said["o"], _minute("leaves", said["Y"]))


@says("{X}'s {e} began at {c} and lasted exactly {#h} (hour|hours).")
def _(said: Said) -> Formula:
    begins, ends = (_minute(what, said["X"]) for what in ("begins", "ends"))
    return begins.equals(minutes(said["c"])) & ends.equals(begins.plus(60 * said.number("h")))


@says("{X}'s {e} began at {c} and ended at {d} on the same day.")
def _(said: Said) -> Formula:
    begins, ends = (_minute(what, said["X"]) for what in ("begins", "ends"))
    return begins.equals(minutes(said["c"])) & ends.equals(minutes(said["d"]))


@says(
    "{X}'s {e} began at {c} and lasted {#n} minutes. "
    "{Y}'s {e} began at the same time and lasted {#m} minutes."
)  # fmt: skip
def _(said: Said) -> Formula:
    mine, yours = (_minute("begins", said[who]) for who in "XY")
    same = mine.equals(minutes(said["c"])) & yours.equals(mine)
    ends = _minute("ends", said["X"]).equals(mine.plus(said.number("n")))
    return same & ends & _minute("ends", said["Y"]).equals(yours.plus(said.number("m")))


@says("{X}'s {e} ended at {c}.")
def _(said: Said) -> Formula:
    return _minute("ends", said["X"]).equals(minutes(said["c"]))


@says("{X}'s {e} lasted (?P<o>more|less) than {#h} (hour|hours).")
def _(said: Said) -> Formula:
    length = _minute("ends", said["X"]).minus(_minute("begins", said["X"]))
    hours = 60 * said.number("h")
    return length.above(hours) if said["o"] == "more" else length.below(hours)


@says("{X}'s {e} ended " + _ORDER + " {Y}'s.")
def _(said: Said) -> Formula:
    return ordered(_minute("ends", said["X"]), said["o"], _minute("ends", said["Y"]))


@says("The {p} is open only from {c} until {d}.")
def _(said: Said) -> Formula:
    return _minute("opens", "it").equals(minutes(said["c"])) & _minute("closes", "it").equals(minutes(said["d"]))


@says("The {p} was (?P<o>open|closed) when {X} came.")
def _(said: Said) -> Formula:
    comes = _minute("comes", said["X"])
    was_open = ~comes.below(_minute("opens", "it")) & comes.below(_minute("closes", "it"))
    return was_open if said["o"] == "open" else ~was_open


# Months and weekdays


def _year(person: str) -> Number:
    return number(variable(("year", person), _YEARS))


def _moved(person: str) -> Number:
    return _year(person).times(24).plus(number(variable(("half-month", person), _HALF_MONTHS)))


def _moved_in(person: str, month: str) -> Formula:
    half = number(variable(("half-month", person), _HALF_MONTHS))
    first = 2 * _MONTHS.index(month)
    return ~half.below(first) & half.below(first + 2)


@says("Last year {X} moved house in {m} and {Y} did so in {n}.")
def _(said: Said) -> Formula:
    last_year = every(*(_year(said[who]).equals(_NOW - 1) for who in "XY"))
    return last_year & _moved_in(said["X"], said["m"]) & _moved_in(said["Y"], said["n"])


@says("{X} moved house in {m} {#y}, and {Y} did so in {n} {#z}.")
def _(said: Said) -> Formula:
    years = _year(said["X"]).equals(said.number("y")) & _year(said["Y"]).equals(said.number("z"))
    return years & _moved_in(said["X"], said["m"]) & _moved_in(said["Y"], said["n"])


@says("{X} moved house in {m}, and {Y} did so in {n}, but not in the same year.")
def _(said: Said) -> Formula:
    apart = ~_year(said["X"]).equals(_year(said["Y"]))
    return apart & _moved_in(said["X"], said["m"]) & _moved_in(said["Y"], said["n"])


@says("{X} moved house " + _ORDER + " {Y}.")
def _(said: Said) -> Formula:
    return ordered(_moved(said["X"]), said["o"], _moved(said["Y"]))


def _weekday(whose: str) -> Number:
    return number(variable(("weekday", whose), tuple(range(7))))


@says("Last week {X} had (his|her) {e} on {d} and {Y} had (his|her) {e} on {f}.")
def _(said: Said) -> Formula:
    return _weekday(said["X"]).equals(_WEEK.index(said["d"])) & _weekday(said["Y"]).equals(_WEEK.index(said["f"]))


@says("Last week {X} had (his|her) {e} on {d}. {Y} had (his|her) {e} on another day of that week.")
def _(said: Said) -> Formula:
    day = _WEEK.index(said["d"])
    return _weekday(said["X"]).equals(day) & ~_weekday(said["Y"]).equals(day)


@says("{X} had (his|her) {e} (?P<o>earlier|later) in the week than {Y}.")
def _(said: Said) -> Formula:
    return ordered(_weekday(said["X"]), said["o"], _weekday(said["Y"]))


@says("Today is {d}. {X}'s {e} (?P<o>was yesterday|is tomorrow).")
def _(said: Said) -> Formula:
    day = _WEEK.index(said["d"]) + (1 if said["o"] == "is tomorrow" else -1)
    return _weekday(said["X"]).equals(day % 7)


@says("{X}'s {e} (is|was) on {d}.")
def _(said: Said) -> Formula:
    return _weekday(said["X"]).equals(_WEEK.index(said["d"]))


# Living somewhere, year by year


def _lives(said: Said, first: int, last: int) -> list[Formula]:
    return [fact("lives", said["X"], str(year)) for year in range(first, last + 1)]


@says("{X} lived in {c} from {#y} until {#z} without a break and never went back there afterwards.")
def _(said: Said) -> Formula:
    first, last = said.number("y"), said.number("z")
    return every(*_lives(said, first, last)) & none(*_lives(said, last + 1, _NOW))


@says("{X} lived in {c} from {#y} until {#z}.")
def _(said: Said) -> Formula:
    """Without more, nothing is said of the years in between or afterwards, only of the two."""
    return every(*_lives(said, said.number("y"), said.number("y")), *_lives(said, said.number("z"), said.number("z")))


@says("{X} has lived in {c} without a break since {#y}.")
def _(said: Said) -> Formula:
    return every(*_lives(said, said.number("y"), _NOW))


@says("{X} was living in {c} in {#y}.", "{X} was living in {c} again in {#y}.")
def _(said: Said) -> Formula:
    return fact("lives", said["X"], str(said.number("y")))


@says("{X} moved away from {c} some years ago and does not live there now.")
def _(said: Said) -> Formula:
    return none(*_lives(said, _NOW, _NOW))
