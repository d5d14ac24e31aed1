"""What *if*, *only if*, *unless* and *whenever* say: material conditionals between the clauses."""

from __future__ import annotations

from tests.templates.oracle.reading import Grammar, Said
from tests.templates.oracle.worlds import Formula, fact, none

CONDITION_GRAMMAR = Grammar()
says = CONDITION_GRAMMAR.says


@says("If nobody else {v} {Z}, {X} will.")
def _(said: Said) -> Formula:
    verb, whom = said.lemma("v"), said["Z"]
    others = [who for who in said.context.everybody if who not in (said["X"], whom)]
    return none(*(fact(verb, who, whom) for who in others)).implies(fact(verb, said["X"], whom))


@says("{X} will {v} {Z} only if nobody else does.")
def _(said: Said) -> Formula:
    verb, whom = said.lemma("v"), said["Z"]
    others = [who for who in said.context.everybody if who not in (said["X"], whom)]
    return fact(verb, said["X"], whom).implies(none(*(fact(verb, who, whom) for who in others)))


@says("If {X} passes every exam, (he|she) will get the scholarship.")
def _(said: Said) -> Formula:
    return (fact("passes", said["X"], "this") & fact("passes", said["X"], "the rest")).implies(fact("gets", said["X"]))


@says("{X} will get the scholarship only if (he|she) passes every exam.")
def _(said: Said) -> Formula:
    return fact("gets", said["X"]).implies(fact("passes", said["X"], "this") & fact("passes", said["X"], "the rest"))


@says("{X} has failed the {subject} exam.")
def _(said: Said) -> Formula:
    return ~fact("passes", said["X"], "this")


@says("{X} will get the scholarship.")
def _(said: Said) -> Formula:
    return fact("gets", said["X"])


@says("{X} will not get the scholarship.")
def _(said: Said) -> Formula:
    return ~fact("gets", said["X"])


@says("If {s}, {t}.", "Whenever {s}, {t}.")
def _(said: Said) -> Formula:
    return said.clause("s").implies(said.clause("t"))


@says("{s} if and only if {t}.")
def _(said: Said) -> Formula:
    return said.clause("s").same_as(said.clause("t"))


@says("{s} only if {t}.")
def _(said: Said) -> Formula:
    return said.clause("s").implies(said.clause("t"))


@says("{s} unless {t}.")
def _(said: Said) -> Formula:
    first = said.clause("s")
    return (~said.clause("t")).implies(first)


@says("{s} whether or not {t}.")
def _(said: Said) -> Formula:
    first, second = said.clause("s"), said.clause("t")
    return second.implies(first) & (~second).implies(first)


@says(
    "{X} (comes|has come|had come|came) to the {place}.",
    "{X} (would have come too|came).",
)
def _(said: Said) -> Formula:
    return fact("comes", said["X"])


@says(
    "{X} (has not come|did not come) to the {place}.",
    "{X} has stayed away from the {place}.",
    "{X} (will stay away|did not come).",
)
def _(said: Said) -> Formula:
    return ~fact("comes", said["X"])
