"""What sentences with numbers say: how many things people own, before and after, and how many children they have.

An example is about one kind of thing, so that the thing need not be told apart. A bare number is meant exactly.
"""

from __future__ import annotations

from tests.templates.oracle.reading import Grammar, Said
from tests.templates.oracle.worlds import Formula, Number, count, every, fact, none, number, variable

COUNT_GRAMMAR = Grammar()
says = COUNT_GRAMMAR.says

# Numbers in the library stay below 200 after any addition or doubling.
_MANY = tuple(range(260))
_OTHER_CHILDREN = tuple(range(12))
_DOZENS = {"half a dozen": 6, "a dozen": 12, "two dozen": 24, "three dozen": 36}
_BOUND = "(?P<how>exactly|at least|at most|more than|fewer than)"


def owned(person: str, when: str = "now") -> Number:
    """How many things a person has."""
    return number(variable(("owns", person, when), _MANY))


def bounded(how: str, amount: Number, limit: Number | int) -> Formula:
    """That an amount is exactly, at least, at most, more than or fewer than another one."""
    return {
        "exactly": amount.equals(limit),
        "as many": amount.equals(limit),
        "at least": ~amount.below(limit),
        "no more than": ~amount.above(limit),
        "at most": ~amount.above(limit),
        "more": amount.above(limit),
        "more than": amount.above(limit),
        "fewer": amount.below(limit),
        "fewer than": amount.below(limit),
    }[how]


# Children: those that are named, and others


def _children(said: Said) -> Number:
    parent = said["P"]
    named = count(fact("child", name, parent) for name in said.context.people if name != parent)
    return named.plus(number(variable(("other children", parent), _OTHER_CHILDREN)))


@says("{names} (is the only child|are the only children) of {P}.")
def _(said: Said) -> Formula:
    names = said.names("names")
    other = number(variable(("other children", said["P"]), _OTHER_CHILDREN)).equals(0)
    rest = [name for name in said.context.people if name not in (*names, said["P"])]
    mine, not_mine = ([fact("child", name, said["P"]) for name in group] for group in (names, rest))
    return every(*mine) & none(*not_mine) & other


@says("{X} is a child of {P}.")
def _(said: Said) -> Formula:
    return fact("child", said["X"], said["P"])


@says("{P} has {#k} (child|children) in all.", "{P} has exactly {#k} children.")
def _(said: Said) -> Formula:
    return _children(said).equals(said.number("k"))


@says("{P} has {#k} or more children.")
def _(said: Said) -> Formula:
    return bounded("at least", _children(said), said.number("k"))


@says("{P} has no (children|sons or daughters).")
def _(said: Said) -> Formula:
    return _children(said).equals(0)


@says("{P} has just a single child.")
def _(said: Said) -> Formula:
    return _children(said).equals(1)


@says("{P} has (?P<how>no more than|more than) {#k} (child|children).")
def _(said: Said) -> Formula:
    return bounded(said["how"], _children(said), said.number("k"))


# Before and after


def _then(said: Said, change: int) -> Formula:
    before = owned(said["X"], "before")
    return before.equals(said.number("n")) & owned(said["X"], "after").equals(before.plus(change))


@says("{X} had {#n} {things} and then was given {#m} more.")
def _(said: Said) -> Formula:
    return _then(said, said.number("m"))


@says("{X} had {#n} {things} and then gave away {#m} of them.")
def _(said: Said) -> Formula:
    return _then(said, -said.number("m"))


@says("{X} had {#n} {things}, gave away {#m} of them and then was given {#k} new ones.")
def _(said: Said) -> Formula:
    return _then(said, said.number("k") - said.number("m"))


@says("{X} had {#n} {things} and then gave away some, but not all, of them.")
def _(said: Said) -> Formula:
    before, after = owned(said["X"], "before"), owned(said["X"], "after")
    return before.equals(said.number("n")) & after.below(before) & after.above(0)


@says("{X} had {#n} {things} and {Y} had {#m} {things}. Then {X} gave {#k} of (his|her) {things} to {Y}.")
def _(said: Said) -> Formula:
    gift = said.number("k")
    giver = owned(said["X"], "before").equals(said.number("n")) & owned(said["X"], "after").equals(
        owned(said["X"], "before").minus(gift)
    )
    taker = owned(said["Y"], "before").equals(said.number("m")) & owned(said["Y"], "after").equals(
        owned(said["Y"], "before").plus(gift)
    )
    return giver & taker


@says("After that, {X} had (?P<how>more|fewer) {things} than at the beginning.")
def _(said: Said) -> Formula:
    return bounded(said["how"], owned(said["X"], "after"), owned(said["X"], "before"))


@says("After that, {X} and {Y} together had (?P<how>as many|more|fewer) {things} (as|than) before.")
def _(said: Said) -> Formula:
    before, after = (owned(said["X"], when).plus(owned(said["Y"], when)) for when in ("before", "after"))
    return bounded(said["how"], after, before)


@says("After that, {X} had {#n} {things}.", "After that, {X} had exactly {#n} {things}.")
def _(said: Said) -> Formula:
    return owned(said["X"], "after").equals(said.number("n"))


# Together


@says("{X} has exactly {#n} {things}, {Y} has exactly {#m} and {Z} has exactly {#k}.")
def _(said: Said) -> Formula:
    return every(*(owned(said[who]).equals(said.number(n)) for who, n in zip("XYZ", "nmk", strict=True)))


@says("{X} (owns|has) exactly {#n} {things} and {Y} (owns|has) exactly {#m}.")
def _(said: Said) -> Formula:
    return owned(said["X"]).equals(said.number("n")) & owned(said["Y"]).equals(said.number("m"))


@says("Together {X} and {Y} have exactly {#n} {things}.")
def _(said: Said) -> Formula:
    return owned(said["X"]).equals(number(said.number("n")).minus(owned(said["Y"])))


@says("Together (they|the three of them) have (?P<how>exactly|more than|fewer than) {#n} {things}.")
def _(said: Said) -> Formula:
    total = number(0)
    for name in said.context.people:
        total = total.plus(owned(name))
    return bounded(said["how"], total, said.number("n"))


# More, fewer, twice


@says("{X} owns (some|an unknown number of) {things}, too.")
def _(said: Said) -> Formula:
    return owned(said["X"]).above(0)


@says("{X} owns more {things} than {Y}, and {Y} owns exactly {#n}.")
def _(said: Said) -> Formula:
    return owned(said["Y"]).equals(said.number("n")) & owned(said["X"]).above(owned(said["Y"]))


@says("{X} owns exactly half as many {things} as {Y}, who owns {#n}.")
def _(said: Said) -> Formula:
    return owned(said["Y"]).equals(said.number("n")) & owned(said["X"]).times(2).equals(owned(said["Y"]))


@says("{X} owns exactly (?P<times>twice|half|three times) as many {things} as {Y}.")
def _(said: Said) -> Formula:
    mine, yours = owned(said["X"]), owned(said["Y"])
    if said["times"] == "half":
        return mine.times(2).equals(yours)
    return mine.equals(yours.times(2 if said["times"] == "twice" else 3))


@says("{X} owns exactly (?P<times>twice|half) as many.")
def _(said: Said) -> Formula:
    mine, yours = owned(said["X"]), owned(said.context.noted["owner"])
    return mine.equals(yours.times(2)) if said["times"] == "twice" else mine.times(2).equals(yours)


@says("{X} owns exactly {#k} (book|books) more than {Y}.", "{X} owns exactly {#k} more than {Y}.")
def _(said: Said) -> Formula:
    return owned(said["X"]).equals(owned(said["Y"]).plus(said.number("k")))


@says("{X} owns exactly {#k} fewer than {Y}.")
def _(said: Said) -> Formula:
    return owned(said["X"]).equals(owned(said["Y"]).minus(said.number("k")))


@says("{X} (owns|has) (?P<how>as many|more|fewer) {things} (as|than) {Y}.")
def _(said: Said) -> Formula:
    return bounded(said["how"], owned(said["X"]), owned(said["Y"]))


@says("{X} and {Y} have the same number of {things}.")
def _(said: Said) -> Formula:
    return owned(said["X"]).equals(owned(said["Y"]))


@says("{X} owns more than {#n} but fewer than {#m} {things}.")
def _(said: Said) -> Formula:
    return owned(said["X"]).above(said.number("n")) & owned(said["X"]).below(said.number("m"))


# Dozens and prices


@says("{X} bought exactly a dozen {things} and ate {#k} of them.")
def _(said: Said) -> Formula:
    bought, ate = owned(said["X"], "bought"), owned(said["X"], "ate")
    return bought.equals(12) & ate.equals(said.number("k"))


@says("{X} ate (?P<how>more|fewer) than half of the {things}.")
def _(said: Said) -> Formula:
    return bounded(said["how"], owned(said["X"], "ate").times(2), owned(said["X"], "bought"))


@says("{X} bought exactly (?P<dozens>half a dozen|a dozen|two dozen|three dozen) {things}.")
def _(said: Said) -> Formula:
    return owned(said["X"], "bought").equals(_DOZENS[said["dozens"]])


@says("{X} bought exactly {#n} {things}.")
def _(said: Said) -> Formula:
    return owned(said["X"], "bought").equals(said.number("n"))


@says("{thing} costs {#p} dollars.")
def _(said: Said) -> Formula:
    return _price().equals(said.number("p"))


@says("{X} has exactly {#m} dollars and no other means of paying.")
def _(said: Said) -> Formula:
    return owned(said["X"], "dollars").equals(said.number("m"))


@says("{X} has enough money for {#k} {things}.")
def _(said: Said) -> Formula:
    return ~owned(said["X"], "dollars").below(_price().times(said.number("k")))


def _price() -> Number:
    return number(variable(("price",), _MANY))


@says("{X} (owns|has) " + _BOUND + " {#n} {things}.")
def _(said: Said) -> Formula:
    said.context.noted["owner"] = said["X"]
    return bounded(said["how"], owned(said["X"]), said.number("n"))


@says("{X} (owns|has) {#n} {things}.")
def _(said: Said) -> Formula:
    return owned(said["X"]).equals(said.number("n"))
