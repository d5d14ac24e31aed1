"""What quantifiers say of a few things or people: all, some, none, most.

Existential import is explicit: *all of the keys* is only said where there are keys, and *every doctor on the committee*
says that there are some; *no doctor* does not. *Most* is more than half and *very few* less than half; *some* is at
least one.
"""

from __future__ import annotations

from tests.templates.oracle.counts import COUNT_GRAMMAR
from tests.templates.oracle.reading import Context, Grammar, Said
from tests.templates.oracle.truth import TRUTH_GRAMMAR
from tests.templates.oracle.worlds import (
    TRUE,
    Formula,
    Number,
    at_most_one,
    count,
    every,
    fact,
    has,
    none,
    number,
    some,
    variable,
)

QUANTITY_GRAMMAR = Grammar()
says = QUANTITY_GRAMMAR.says

# Four things are enough to tell all, most, some, few and none apart.
_THINGS = tuple("abcd")
_GUESTS = tuple(range(30))
_SIZES = tuple(range(60))


def background(said: Formula) -> Formula:
    """What is entirely red is not entirely blue; who saw a robin saw a bird."""
    return every(_one_colour(said), _members_of_classes(said))


def _one_colour(said: Formula) -> Formula:
    groups: dict[str, list[Formula]] = {}
    for one in said.variables:
        if one.about[0] == "thing" and one.about[2].startswith("entirely "):
            groups.setdefault(one.about[1], []).append(has(one, 1))
    return every(*(at_most_one(*group) for group in groups.values()))


def _members_of_classes(said: Formula) -> Formula:
    seen = {one.about[1]: one for one in said.variables if one.about[0] == "guests saw"}
    pairs = ((one, seen[one.about[2]]) for one in seen.values() if one.about[2] in seen)
    return every(*(~number(member).above(number(whole)) for member, whole in pairs))


def _quantified(how: str, these: list[Formula], hold: list[Formula]) -> Formula:
    """That all, some, none … of what is such also is so."""
    such = count(these)
    both = [one & other for one, other in zip(these, hold, strict=True)]
    so = count(both)
    there_are = such.above(0)
    return {
        "all": there_are & every(*(one.implies(other) for one, other in zip(these, hold, strict=True))),
        "not all": there_are & so.below(such),
        "some": some(*both),
        "none": none(*both),
        "most": so.times(2).above(such),
        "very few": so.times(2).below(such),
    }[how]


def _of_things(how: str, what: str) -> Formula:
    hold = [fact("thing", thing, what.removesuffix(" in colour")) for thing in _THINGS]
    return _quantified(how, [TRUE] * len(_THINGS), hold)


@says("All but one of {whose} {#n} {things} are {p}.")
def _(said: Said) -> Formula:
    return _how_many(said).equals(said.number("n") - 1)


@says("Exactly {#n} of {whose} {things} are {p}.")
def _(said: Said) -> Formula:
    return _how_many(said).equals(said.number("n"))


def _how_many(said: Said) -> Number:
    return number(variable(("how many", said["p"]), _SIZES))


@says("At (?P<how>most|least) {#n} of the guests saw {what}.")
def _(said: Said) -> Formula:
    seen = said["what"].split(" ", 1)[1]
    classes = [entry["class"] for entry in said.context.entries if entry["text"] == seen and "class" in entry]
    guests = number(variable(("guests saw", seen, *(classes or [""])), _GUESTS))
    return ~guests.above(said.number("n")) if said["how"] == "most" else ~guests.below(said.number("n"))


# People on the committee


def _committee(context: Context) -> list[str]:
    return [*context.people, "one member", "another member"]


def _such(context: Context, who: str, description: str) -> Formula:
    """That somebody is on the committee and is what a noun says: *doctor*, *Peruvian doctors*, *people*."""
    member = fact("member", who)
    if description in ("people", "one"):
        return member
    for entry in context.entries:
        adjective = entry.get("adjective", "")
        if adjective and description.startswith(f"{adjective} "):
            rest = _such(context, who, description.removeprefix(f"{adjective} "))
            return rest & fact("is", who, adjective)
    return member & fact("is", who, context.lemma(description))


def _so(context: Context, who: str, what: str) -> Formula:
    """That somebody is what a predicate says: *kind*, *a doctor*, *doctors*, *from Peru*."""
    bare = what.split(" ", 1)[1] if what.startswith(("a ", "an ")) else what
    return fact("is", who, context.lemma(bare))


def _on_committee(said: Said, how: str, restriction: str = "") -> Formula:
    context = said.context
    members = _committee(context)
    these = [_such(context, who, said["n"]) for who in members]
    if restriction:
        these = [one & _so(context, who, said[restriction]) for one, who in zip(these, members, strict=True)]
    return _quantified(how, these, [_so(context, who, said["p"]) for who in members])


@says("There is one {o} that every {n} on the committee likes.")
def _(said: Said) -> Formula:
    members = _committee(said.context)
    these = [_such(said.context, who, said["n"]) for who in members]
    return some(*(_quantified("all", these, [fact("likes", who, one) for who in members]) for one in "ab"))


@says("Every {n} on the committee likes at least one {o}.")
def _(said: Said) -> Formula:
    members = _committee(said.context)
    these = [_such(said.context, who, said["n"]) for who in members]
    return _quantified("all", these, [some(*(fact("likes", who, one) for one in "ab")) for who in members])


@says("{X} is {p} and sits on the committee.")
def _(said: Said) -> Formula:
    return _so(said.context, said["X"], said["p"]) & fact("member", said["X"])


@says("{X} likes no {o}.")
def _(said: Said) -> Formula:
    return none(*(fact("likes", said["X"], one) for one in "ab"))


@says("All of the {n} on the committee are {p}. Some of them are {q}.")
def _(said: Said) -> Formula:
    members = _committee(said.context)
    these = [_such(said.context, who, said["n"]) for who in members]
    hold = [fact("is", who, said["q"]) for who in members]
    return _on_committee(said, "all") & _quantified("some", these, hold)


@says("All of the {n} on the committee are {p}.", "Every {n} on the committee is {p}.")
def _(said: Said) -> Formula:
    return _on_committee(said, "all")


@says("Every(?P<n>one) on the committee who is {q} is {p}.")
def _(said: Said) -> Formula:
    return _on_committee(said, "all", "q")


@says("Some {n} on the committee who are {q} are {p}.")
def _(said: Said) -> Formula:
    return _on_committee(said, "some", "q")


@says("Some of the {n} on the committee are {p}.", "Some {n} on the committee are {p}.")
def _(said: Said) -> Formula:
    return _on_committee(said, "some")


@says("No {n} on the committee is {p}.")
def _(said: Said) -> Formula:
    return _on_committee(said, "none")


# Things


@says("Some of {whose} are not {p}.")
def _(said: Said) -> Formula:
    return _of_things("not all", said["p"])


@says("Every one of {whose} is {p}.")
def _(said: Said) -> Formula:
    return _of_things("all", said["p"])


@says("(?P<how>All|Some|None|Not all|Most|Very few) of {whose} are {p}.")
def _(said: Said) -> Formula:
    return _of_things(said["how"].lower(), said["p"])


@says("{X} {v} (?P<how>all|some|none) of the {things}.")
def _(said: Said) -> Formula:
    return _of_things(said["how"], said.lemma("v"))


QUANTITY_GRAMMAR.include(COUNT_GRAMMAR)
QUANTITY_GRAMMAR.include(TRUTH_GRAMMAR)
