"""What *every day*, *never* and *yesterday* say."""

from __future__ import annotations

from tests.templates.oracle.reading import Grammar, Said
from tests.templates.oracle.worlds import TRUE, Formula, fact, has, none, variable

HABIT_GRAMMAR = Grammar()
says = HABIT_GRAMMAR.says

# How often somebody does something, from never to every day; "rarely" is less than "sometimes".
_NEVER, _RARELY, _SOMETIMES, _DAILY = range(4)


@says("{X} does not {v} every day.")
def _(said: Said) -> Formula:
    return ~_often(said, _DAILY)


@says("{X} never {v}.")
def _(said: Said) -> Formula:
    return _often(said, _NEVER)


@says("{X} (hardly ever|rarely|seldom) {v}.")
def _(said: Said) -> Formula:
    return _often(said, _NEVER) | _often(said, _RARELY)


@says("{X} {v} every day.")
def _(said: Said) -> Formula:
    return _often(said, _DAILY)


def _often(said: Said, times: int) -> Formula:
    about = ("often", said["X"], said.lemma("v"))
    return has(variable(about, (_NEVER, _RARELY, _SOMETIMES, _DAILY)), times)


@says("{X} has never {v}.")
def _(said: Said) -> Formula:
    return none(*(fact(said.lemma("v"), said["X"], when) for when in ("yesterday", "before")))


@says("Did {X} {v} yesterday? Nobody knows.")
def _(said: Said) -> Formula:
    return TRUE


@says("Did {X} {v} yesterday? No.", "{X} did not {v} yesterday.")
def _(said: Said) -> Formula:
    return ~fact(said.lemma("v"), said["X"], "yesterday")


@says("No one but {X} {v} yesterday.")
def _(said: Said) -> Formula:
    verb = said.lemma("v")
    others = [fact(verb, who, "yesterday") for who in said.context.everybody if who != said["X"]]
    return fact(verb, said["X"], "yesterday") & none(*others)


@says("Did {X} {v} yesterday? Yes.", "{X} {v} yesterday.")
def _(said: Said) -> Formula:
    return fact(said.lemma("v"), said["X"], "yesterday")
