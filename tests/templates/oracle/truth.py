"""What sentences with *and*, *or* and *not* say: statements about people that are true or false in a world."""

from __future__ import annotations

from tests.templates.oracle.conditions import CONDITION_GRAMMAR
from tests.templates.oracle.habits import HABIT_GRAMMAR
from tests.templates.oracle.reading import Grammar, Said
from tests.templates.oracle.worlds import TRUE, Formula, at_most_one, every, fact, has, none, some

TRUTH_GRAMMAR = Grammar()
says = TRUTH_GRAMMAR.says


def one_country(said: Formula) -> Formula:
    """Background: nobody is from two countries; but somebody may well have two jobs."""
    groups: dict[tuple[str, ...], list[Formula]] = {}
    for one in said.variables:
        if one.about[0] == "from":
            groups.setdefault(one.about[:2], []).append(has(one, 1))
    return every(*(at_most_one(*group) for group in groups.values()))


def _is(said: Said, person: str, what: str) -> Formula:
    said.context.noted["person"], said.context.noted["predicate"] = person, what
    return fact("is", person, what)


def _bare(thing: str) -> str:
    return thing.split(" ", 1)[1] if thing.split(" ")[0].lower() in ("a", "an", "the") else thing


@says("It is (not true|false) that {s}.")
def _(said: Said) -> Formula:
    return ~said.clause("s")


@says("In fact, {s}.", "But {s}.")
def _(said: Said) -> Formula:
    return said.clause("s")


@says("{X} is from {land}.")
def _(said: Said) -> Formula:
    return fact("from", said["X"], said["land"])


@says("{X} is not from {land}.")
def _(said: Said) -> Formula:
    return ~fact("from", said["X"], said["land"])


@says("{names} are from {lands} respectively.")
def _(said: Said) -> Formula:
    return every(*(fact("from", who, land) for who, land in zip(said.names("names"), said.names("lands"), strict=True)))


@says("{X} works as {job}.")
def _(said: Said) -> Formula:
    return fact("works as", said["X"], said["job"])


@says("{X} does not work as {job}.")
def _(said: Said) -> Formula:
    return ~fact("works as", said["X"], said["job"])


@says("{names} work as {jobs} respectively.")
def _(said: Said) -> Formula:
    pairs = zip(said.names("names"), said.names("jobs"), strict=True)
    return every(*(fact("works as", who, job) for who, job in pairs))


@says("{this} and {that} are on the table.")
def _(said: Said) -> Formula:
    said.context.noted["table"] = f"{_bare(said['this'])}|{_bare(said['that'])}"
    return TRUE


@says("{X} asked only for the {thing}.")
def _(said: Said) -> Formula:
    others = [thing for thing in said.context.noted["table"].split("|") if thing != said["thing"]]
    return fact("asked", said["X"], said["thing"]) & none(*(fact("asked", said["X"], thing) for thing in others))


@says("{X} asked for both.")
def _(said: Said) -> Formula:
    return every(*(fact("asked", said["X"], thing) for thing in said.context.noted["table"].split("|")))


@says("{X} asked for the {thing}.", "{X} also asked for the {thing}.")
def _(said: Said) -> Formula:
    return fact("asked", said["X"], said["thing"])


@says("{X} sits on the committee.")
def _(said: Said) -> Formula:
    return fact("member", said["X"])


@says("{X} does not sit on the committee.")
def _(said: Said) -> Formula:
    return ~fact("member", said["X"])


@says("{X} sits on the committee and is {p}.")
def _(said: Said) -> Formula:
    return fact("member", said["X"]) & fact("is", said["X"], said["p"])


@says("(Nobody|No one) on the committee is {p}.")
def _(said: Said) -> Formula:
    return none(*(fact("member", who) & fact("is", who, said["p"]) for who in said.context.everybody))


@says("Every(one|body) on the committee is {p}.", "Everyone who sits on the committee is {p}.")
def _(said: Said) -> Formula:
    return every(*(fact("member", who).implies(fact("is", who, said["p"])) for who in said.context.everybody))


@says("Some(one|body) on the committee is {p}.", "Someone who sits on the committee is {p}.")
def _(said: Said) -> Formula:
    return some(*(fact("member", who) & fact("is", who, said["p"]) for who in said.context.everybody))


@says("Everyone on the committee except {X} is {p}.")
def _(said: Said) -> Formula:
    """An exception is a member, and it is an exception because it is not so."""
    others = [who for who in said.context.everybody if who != said["X"]]
    rule = every(*(fact("member", who).implies(fact("is", who, said["p"])) for who in others))
    return rule & fact("member", said["X"]) & ~fact("is", said["X"], said["p"])


TRUTH_GRAMMAR.include(CONDITION_GRAMMAR)
TRUTH_GRAMMAR.include(HABIT_GRAMMAR)


# Being so, both, either, neither


@says("{X}, but not {Y}, is {p}.", "{X} is {p}, whereas {Y} is not.")
def _(said: Said) -> Formula:
    return _is(said, said["X"], said["p"]) & ~fact("is", said["Y"], said["p"])


@says("So is {X}.", "{X} is there.", "{X} is there too.")
def _(said: Said) -> Formula:
    return fact("is", said["X"], said.context.noted["predicate"])


@says("{X} is not there either.")
def _(said: Said) -> Formula:
    return ~fact("is", said["X"], said.context.noted["predicate"])


@says("{X} is either {p} or {q}, but not both.")
def _(said: Said) -> Formula:
    one, other = (_is(said, said["X"], said[what]) for what in "pq")
    return (one | other) & ~(one & other)


@says("{X} is neither {p} nor {q}.")
def _(said: Said) -> Formula:
    return none(*(_is(said, said["X"], said[what]) for what in "pq"))


@says("{X} is {p} but not {q}.")
def _(said: Said) -> Formula:
    return _is(said, said["X"], said["p"]) & ~_is(said, said["X"], said["q"])


@says("{X} is {p}, {q} and {r}.")
def _(said: Said) -> Formula:
    return every(*(_is(said, said["X"], said[what]) for what in "pqr"))


@says("{X} is both {p} and {q}.", "{X} is {p} as well as {q}.", "{X} is {p} and also {q}.", "{X} is {p} and {q}.")
def _(said: Said) -> Formula:
    return every(*(_is(said, said["X"], said[what]) for what in "pq"))


@says("{X} is {p} or {q}.")
def _(said: Said) -> Formula:
    return some(*(_is(said, said["X"], said[what]) for what in "pq"))


@says("(He|She) is {p}.")
def _(said: Said) -> Formula:
    return _is(said, said.context.noted["person"], said["p"])


@says("{X} is not {p}.")
def _(said: Said) -> Formula:
    return ~_is(said, said["X"], said["p"])


@says("{X} is {p}.")
def _(said: Said) -> Formula:
    return _is(said, said["X"], said["p"])


@says("At least one of {X} and {Y} is not {p}.")
def _(said: Said) -> Formula:
    return some(*(~_is(said, said[who], said["p"]) for who in "XY"))


@says("At least one of {X} and {Y} is {p}.")
def _(said: Said) -> Formula:
    return some(*(_is(said, said[who], said["p"]) for who in "XY"))


@says("Neither {X} nor {Y} is {p}.")
def _(said: Said) -> Formula:
    return none(*(_is(said, said[who], said["p"]) for who in "XY"))


@says("Both {X} and {Y} are {p}.", "{X} and {Y} are both {p}.")
def _(said: Said) -> Formula:
    return every(*(_is(said, said[who], said["p"]) for who in "XY"))


@says("{names} are all {p}.")
def _(said: Said) -> Formula:
    return every(*(_is(said, who, said["p"]) for who in said.names("names")))


@says("{names} or {Y} is {p}.")
def _(said: Said) -> Formula:
    return some(*(_is(said, who, said["p"]) for who in (*said.names("names"), said["Y"])))


# Doing something to somebody


@says("{X} {v} {Y}, not {Z}.")
def _(said: Said) -> Formula:
    return fact(said.lemma("v"), said["X"], said["Y"]) & ~fact(said.lemma("v"), said["X"], said["Z"])


@says("{X} did not {v} {Y}.")
def _(said: Said) -> Formula:
    return ~fact(said.lemma("v"), said["X"], said["Y"])


@says("{X} has {v} {Y}.", "{X} will {v} {Y}.", "{X} {v} {Y}.")
def _(said: Said) -> Formula:
    return fact(said.lemma("v"), said["X"], said["Y"])
