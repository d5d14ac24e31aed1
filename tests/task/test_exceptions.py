"""Labels that are computed lie inside the relation of the edits or in a named exception (tables.md, T4)."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

import pytest

from nliprobe.task.exceptions import EXCEPTIONS, Verdict, exceptions_of, judge_move
from nliprobe.task.relations import (
    DELETE,
    DELETE_IRRELEVANT,
    DELETE_RELEVANT,
    INSERT,
    UPDATE,
    UPDATE_IRRELEVANT,
    UnitEdit,
    together,
)

# A world has up to three rows of two values each; a row is complete, a missing row is open.
KEYS = "abc"
ROWS = ["12", "13", "23"]
World = dict[str, str]


class Literal(NamedTuple):
    """ "The row lists the value", or that it does not."""

    key: str
    value: str
    positive: bool

    def holds(self, world: World) -> bool | None:
        if self.key not in world:
            return None
        return (self.value in world[self.key]) == self.positive


class Claim(NamedTuple):
    """A conjunction, a disjunction, or one fact that either of two rows tells."""

    literals: tuple[Literal, ...]
    kind: str

    def label(self, world: World) -> str:
        values = [literal.holds(world) for literal in self.literals]
        if self.kind == "either":
            told = {value for value in values if value is not None}
            # Rows that contradict each other are excluded: new rows have new keys so that they do not.
            return "" if len(told) > 1 else "N" if not told else "E" if True in told else "C"
        decisive = self.kind == "or"
        if decisive in values:
            return "E" if decisive else "C"
        if None in values:
            return "N"
        return "C" if decisive else "E"


def claims() -> Iterator[Claim]:
    literals = [Literal(key, value, positive) for key in KEYS for value in "12" for positive in (True, False)]
    for literal in literals:
        yield Claim((literal,), "and")
    for first, second in itertools.combinations(literals, 2):
        if first.key != second.key:
            for kind in ("and", "or", "either"):
                yield Claim((first, second), kind)


def worlds() -> Iterator[World]:
    for rows in itertools.product([None, *ROWS], repeat=len(KEYS)):
        yield {key: row for key, row in zip(KEYS, rows, strict=True) if row is not None}


class Step(NamedTuple):
    """What is done to one row, and what it is called with the evidence known and unknown."""

    key: str
    after: str | None
    known: UnitEdit
    blind: UnitEdit


def steps(world: World, claim: Claim) -> list[Step]:
    read = {literal.key for literal in claim.literals}
    made: list[Step] = []
    for key in KEYS:
        if key not in world:
            made += [Step(key, row, INSERT, INSERT) for row in ROWS]
            continue
        made.append(Step(key, None, DELETE_RELEVANT if key in read else DELETE_IRRELEVANT, DELETE))
        made += [
            Step(key, row, UPDATE if key in read else UPDATE_IRRELEVANT, UPDATE) for row in ROWS if row != world[key]
        ]
    return made


class Move(NamedTuple):
    """What some edits are called with the evidence known and unknown, and the labels before and after them."""

    known: tuple[UnitEdit, ...]
    blind: tuple[UnitEdit, ...]
    before: str
    after: str


@cache
def moves(size: int) -> Counter[Move]:
    """Carry out all sets of some edits on all claims in all worlds."""
    counts: Counter[Move] = Counter()
    for world, claim in itertools.product(list(worlds()), list(claims())):
        before = claim.label(world)
        for chosen in itertools.combinations(steps(world, claim), size) if before else ():
            if len({step.key for step in chosen}) < size:
                continue
            changed = world | {step.key: step.after for step in chosen if step.after is not None}
            for step in chosen:
                if step.after is None:
                    del changed[step.key]
            if after := claim.label(changed):
                known, blind = tuple(step.known for step in chosen), tuple(step.blind for step in chosen)
                counts[Move(known, blind, before, after)] += 1
    return counts


@pytest.mark.parametrize("size", [1, 2])
def test_every_computed_label_is_allowed_or_a_named_exception(size: int) -> None:
    outside = [
        ([kind.name for kind in kinds], move.before, move.after)
        for move in moves(size)
        for kinds in (move.known, move.blind)
        if judge_move(kinds, move.before, move.after).verdict is Verdict.PROHIBITED
    ]
    assert outside == []


def test_every_exception_occurs_and_is_no_part_of_the_relation() -> None:
    counts: Counter[str] = Counter()
    for move, times in (moves(1) + moves(2)).items():
        exception = judge_move(move.known, move.before, move.after).exception
        if exception is not None:
            counts[exception.name] += times
    assert set(counts) == {item.name for item in EXCEPTIONS}
    # They stay what they are called: most labels are where the relation says.
    assert sum(counts.values()) < (moves(1) + moves(2)).total() / 4
    for item in EXCEPTIONS:
        assert all(not item.moves <= together(edits) for edits in item.needs)


def test_exceptions_belong_to_sets_that_hold_their_edits() -> None:
    assert [item.name for item in exceptions_of([UPDATE])] == ["update restores", "open part"]
    assert [item.name for item in exceptions_of([DELETE_RELEVANT, INSERT])] == [
        "still contradicted",
        "still supported",
        "inserted row decides",
    ]
    assert [item.name for item in exceptions_of([DELETE, INSERT])] == ["inserted row decides"]
    assert exceptions_of([DELETE_IRRELEVANT, INSERT, UPDATE_IRRELEVANT]) == ()
    assert judge_move([DELETE_IRRELEVANT, INSERT], "E", "C").verdict is Verdict.PROHIBITED
    assert judge_move([DELETE], "E", "C").verdict is Verdict.PROHIBITED
    assert judge_move([DELETE_RELEVANT, INSERT], "E", "C").exception is EXCEPTIONS[-1]
    assert judge_move([DELETE_RELEVANT], "C", "N").verdict is Verdict.ALLOWED
