"""A finite model finder: whether a hypothesis is true in all, some or none of the worlds that a premise allows.

A world gives every variable one of the values of its (small) domain. Formulas know the variables they speak of, so that
a world is given up as soon as a formula about the values chosen so far is false.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import TypeAlias

Value: TypeAlias = int | str
World: TypeAlias = Mapping["Variable", Value]
TRUTH: tuple[Value, ...] = (0, 1)


class Impossible(ValueError):
    """A premise that no world satisfies."""


@dataclass(frozen=True, eq=False)
class Variable:
    """Something that differs from world to world: what it is about, and the values it can have."""

    about: tuple[str, ...]
    domain: tuple[Value, ...]


@cache
def variable(about: tuple[str, ...], domain: tuple[Value, ...] = TRUTH) -> Variable:
    """The one variable about something, so that worlds can look it up by identity, which is where the time goes."""
    return Variable(about, domain)


@dataclass(frozen=True)
class Formula:
    """A statement about some variables.

    Attributes:
        variables: what it is about.
        test: whether it is true in a world.
        parts: the statements of a conjunction.
        solves: for an equation, how a variable follows from the others; it saves going through a large domain.
    """

    variables: tuple[Variable, ...]
    test: Callable[[World], bool]
    parts: tuple[Formula, ...] = ()
    solves: Mapping[Variable, Callable[[World], int]] = field(default_factory=dict)

    def __invert__(self) -> Formula:
        return Formula(self.variables, lambda world: not self.test(world))

    def __and__(self, other: Formula) -> Formula:
        return every(self, other)

    def __or__(self, other: Formula) -> Formula:
        return some(self, other)

    def implies(self, other: Formula) -> Formula:
        """True unless this is true and the other false."""
        return ~self | other

    def same_as(self, other: Formula) -> Formula:
        """True if both are true or both are false."""
        return Formula(_together(self, other), lambda world: self.test(world) == other.test(world))


@dataclass(frozen=True)
class Number:
    """A whole number that depends on the world: a count, a rank, a year, a place on a line.

    Attributes:
        variables: what it depends on.
        of: its value in a world.
        less: for a variable plus something, that something.
    """

    variables: tuple[Variable, ...]
    of: Callable[[World], int]
    less: int | None = None

    def plus(self, other: Number | int) -> Number:
        """The sum."""
        left, right = self, number(other)
        less = self.less + other if isinstance(other, int) and self.less is not None else None
        return Number(_together(left, right), lambda world: left.of(world) + right.of(world), less)

    def minus(self, other: Number | int) -> Number:
        """The difference."""
        if isinstance(other, int):
            return self.plus(-other)
        right = other
        return self.plus(Number(right.variables, lambda world: -right.of(world)))

    def times(self, factor: int) -> Number:
        """A multiple."""
        return Number(self.variables, lambda world: factor * self.of(world))

    def distance(self, other: Number | int) -> Number:
        """How far apart the two are."""
        gap = self.minus(other)
        return Number(gap.variables, lambda world: abs(gap.of(world)))

    def below(self, other: Number | int) -> Formula:
        """Whether it is less."""
        left, right = self, number(other)
        return Formula(_together(left, right), lambda world: left.of(world) < right.of(world))

    def above(self, other: Number | int) -> Formula:
        """Whether it is more."""
        return number(other).below(self)

    def equals(self, other: Number | int) -> Formula:
        """Whether it is the same."""
        left, right = self, number(other)
        solves = dict([*_solved(left, right), *_solved(right, left)])
        return Formula(_together(left, right), lambda world: left.of(world) == right.of(world), (), solves)


TRUE = Formula((), lambda world: True)


def fact(*about: str) -> Formula:
    """A statement that is simply true or false."""
    return has(variable(about), 1)


def has(what: Variable, value: Value) -> Formula:
    """That a variable has a value."""
    return Formula((what,), lambda world: world[what] == value)


def number(of: Variable | Number | int) -> Number:
    """A variable with a domain of numbers, or a known number, as a number."""
    if isinstance(of, Number):
        return of
    if isinstance(of, Variable):
        return Number((of,), lambda world: int(world[of]), 0)
    return Number((), lambda world: of)


def count(formulas: Iterable[Formula]) -> Number:
    """How many of some statements are true."""
    given = tuple(formulas)
    return Number(_together(*given), lambda world: sum(one.test(world) for one in given))


def every(*formulas: Formula) -> Formula:
    """That all of some statements are true."""
    parts = tuple(part for one in formulas for part in (one.parts or (one,)))
    return Formula(_together(*formulas), lambda world: all(one.test(world) for one in parts), parts)


def some(*formulas: Formula) -> Formula:
    """That at least one of some statements is true."""
    return Formula(_together(*formulas), lambda world: any(one.test(world) for one in formulas))


def none(*formulas: Formula) -> Formula:
    """That none of some statements is true."""
    return every(*(~one for one in formulas))


def at_most_one(*formulas: Formula) -> Formula:
    """That no two of some statements are true."""
    return every(*(~(one & other) for one, other in itertools.combinations(formulas, 2)))


def decide(premise: Formula, hypothesis: Formula, background: Formula = TRUE) -> str:
    """E if the hypothesis is true in all worlds of the premise, C if it is true in none, N otherwise.

    Raises:
        Impossible: no world satisfies the premise and the background.
    """
    given = every(premise, background)
    true, false = possible(given & hypothesis), possible(given & ~hypothesis)
    if not true and not false:
        raise Impossible("no world satisfies the premise: its logical form or the background is wrong.")
    return "N" if true and false else "E" if true else "C"


def possible(formula: Formula) -> bool:
    """Whether a world satisfies a statement."""
    waiting = sorted(formula.parts or (formula,), key=lambda part: len(part.variables))
    order = list(dict.fromkeys(one for part in waiting for one in part.variables))
    place = {one: index for index, one in enumerate(order)}
    checks: list[list[Formula]] = [[] for _ in range(len(order) + 1)]
    for part in waiting:
        checks[max((place[one] + 1 for one in part.variables), default=0)].append(part)
    return all(part.test({}) for part in checks[0]) and _search(order, checks, 0, {})


def _search(order: Sequence[Variable], checks: list[list[Formula]], depth: int, world: dict[Variable, Value]) -> bool:
    if depth == len(order):
        return True
    chosen, due = order[depth], checks[depth + 1]
    equation = next((part.solves[chosen] for part in due if chosen in part.solves), None)
    for value in chosen.domain if equation is None else {equation(world)}.intersection(chosen.domain):
        world[chosen] = value
        for part in due:
            if not part.test(world):
                break
        else:
            if _search(order, checks, depth + 1, world):
                return True
    world.pop(chosen, None)
    return False


def _solved(one: Number, other: Number) -> Iterator[tuple[Variable, Callable[[World], int]]]:
    """How the variable of one side of an equation follows from the other side."""
    if one.less is not None and one.variables[0] not in other.variables:
        less = one.less
        yield one.variables[0], lambda world: other.of(world) - less


def _together(*parts: Formula | Number) -> tuple[Variable, ...]:
    return tuple(dict.fromkeys(one for part in parts for one in part.variables))
