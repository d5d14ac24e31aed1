"""Simulated raters: good ones who slip now and then, and bad ones of several kinds."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import NamedTuple

from nliprobe.task.marks import Mark, MarkedPair

Habit = Callable[[random.Random, str], str]


def careful(slips: float) -> Habit:
    """Return a rater who sees the truth and gets each bit wrong with a small probability."""
    return lambda draws, truth: "".join(bit if draws.random() > slips else str(1 - int(bit)) for bit in truth)


def guessing(draws: random.Random, truth: str) -> str:
    return "".join(draws.choice("0001") for _ in truth)


def always_first(_: random.Random, truth: str) -> str:
    return "1" + "0" * (len(truth) - 1)


def everything(_: random.Random, truth: str) -> str:
    return "1" * len(truth)


def nothing(_: random.Random, truth: str) -> str:
    return "0" * len(truth)


BAD: dict[str, Habit] = {"guesser": guessing, "first": always_first, "all": everything, "none": nothing}


class Crowd(NamedTuple):
    """Marked pairs, with the truth that the raters of each should have marked."""

    pairs: tuple[MarkedPair, ...]
    truths: tuple[str, ...]


def crowd(
    seed: int, *, tables: int = 30, per_table: int = 6, good: int = 12, bad: Sequence[str] = tuple(BAD), raters: int = 5
) -> Crowd:
    """Let raters mark pairs; every pair is given to a few of them, as crowdsourcing platforms do."""
    draws = random.Random(seed)
    habits: dict[str, Habit] = {f"good{place:02}": careful(draws.uniform(0.01, 0.05)) for place in range(good)}
    habits |= {name: BAD[name] for name in bad}
    pairs: list[MarkedPair] = []
    truths: list[str] = []
    for table in range(tables):
        rows = draws.randint(5, 12)
        keys = tuple(f"key {place}" for place in range(rows))
        for number in range(per_table):
            relevant = set(draws.sample(range(rows), draws.choice([1, 1, 1, 2, 2, 3])))
            truth = "".join("1" if place in relevant else "0" for place in range(rows)) + draws.choice("00001")
            chosen = draws.sample(sorted(habits), raters)
            marks = tuple(Mark(rater, habits[rater](draws, truth)) for rater in chosen)
            pairs.append(MarkedPair("", f"T{table}", f"hypothesis {number}", marks, keys))
            truths.append(truth)
    return Crowd(tuple(pairs), tuple(truths))
