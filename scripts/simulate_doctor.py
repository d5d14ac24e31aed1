"""Simulate systems and let the doctor judge the order of their labels: false alarms, and wrong orders that it finds.

    python scripts/simulate_doctor.py --draws 20000

prints the tables of docs/guide/doctor.md. Every simulated system is asked the pairs that the doctor really asks, with
the second questions where the first answers raise a doubt.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import permutations
from typing import NamedTuple

from nliprobe.engine.doctor.examine import ask_until_clear
from nliprobe.engine.doctor.habits import Asked, Label, habits
from nliprobe.engine.doctor.orders import best_order
from nliprobe.engine.doctor.pairs import TABLES, every_pair, first_pairs
from nliprobe.represent.controls import Control
from nliprobe.represent.reader import Reader, build_representation
from nliprobe.task.labels import LabelSet, Partition
from nliprobe.task.pair import Pair

PARTITIONS = tuple(Partition.parse(text) for text in ("E|N|C", "E|NC", "E|C"))
# How a system answers a pair whose right answer is a block of its partition.
Answer = Callable[[LabelSet, random.Random], LabelSet]


class Rate(NamedTuple):
    """How often something happened to one kind of system."""

    partition: str
    system: str
    alarms: int
    draws: int

    @property
    def share(self) -> float:
        """The share of the draws."""
        return self.alarms / self.draws


def guesser(partition: Partition, entails: float, tilt: float = 0.5) -> Answer:
    """Answer without looking: E with a probability, and the rest shared between the other labels by ``tilt``."""
    blocks = partition.blocks
    weights = (
        [entails, 1 - entails] if len(blocks) == 2 else [entails, (1 - entails) * tilt, (1 - entails) * (1 - tilt)]
    )
    return lambda gold, chance: chance.choices(blocks, weights)[0]


def knower(partition: Partition, accuracy: float, favourite: LabelSet | None = None) -> Answer:
    """Answer right with a probability; a wrong answer is the favourite label where it can be."""

    def answer(gold: LabelSet, chance: random.Random) -> LabelSet:
        if chance.random() < accuracy:
            return gold
        wrong = [block for block in partition.blocks if block != gold]
        return favourite if favourite is not None and favourite != gold else chance.choice(wrong)

    return answer


def biased(partition: Partition, accuracy: float, favourite: LabelSet) -> Answer:
    """Answer right with a mean probability, the favourite label far more often: up to 100 % of it is found."""
    others = len(partition.blocks) - 1
    more = min(1.0, accuracy + 0.25)
    less = (accuracy * (others + 1) - more) / others

    def answer(gold: LabelSet, chance: random.Random) -> LabelSet:
        if chance.random() < (more if gold == favourite else less):
            return gold
        wrong = [block for block in partition.blocks if block != gold]
        return favourite if favourite != gold else chance.choice(wrong)

    return answer


def renamed(answer: Answer, partition: Partition, order: Sequence[LabelSet]) -> Answer:
    """Answer as another system, with the names of the labels exchanged."""
    names = dict(zip(partition.blocks, order, strict=True))
    return lambda gold, chance: names[answer(gold, chance)]


def is_stopped(answer: Answer, partition: Partition, chance: random.Random) -> bool:
    """Tell whether the doctor calls the labels of one drawn system permuted."""

    def ask(pairs: Sequence[Pair]) -> list[Label]:
        return [answer(gold, chance) for gold in _blocks(tuple(pairs), partition)]

    judged = ask_until_clear(ask, partition)
    return best_order(judged.pairs, judged.labels, partition).is_wrong


@cache
def _blocks(pairs: tuple[Pair, ...], partition: Partition) -> list[LabelSet]:
    """Return the right answers to pairs."""
    return [partition.coarsen(pair.gold) for pair in pairs if pair.gold is not None]


def honest_systems(partition: Partition) -> Iterator[tuple[str, Answer]]:
    """Yield systems whose labels are in order: constant, random, biased and good ones."""
    for block in partition.blocks:
        yield f"constant {block}", lambda gold, chance, block=block: block  # type: ignore[misc]
    for step in range(21):
        for tilt in (0.5,) if len(partition.blocks) == 2 else (0.5, 0.9):
            yield f"random, P(E) = {step / 20:.2f}, tilt {tilt}", guesser(partition, step / 20, tilt)
    for percent in range(50, 100, 5):
        yield f"{percent} % right", knower(partition, percent / 100)
        for block in partition.blocks:
            yield f"{percent} % right, wrong answers {block}", knower(partition, percent / 100, block)
            yield f"{percent} % right, best at {block}", biased(partition, percent / 100, block)


def permuted_systems(partition: Partition, accuracy: float) -> Iterator[tuple[str, Answer]]:
    """Yield good systems with their labels in every other order."""
    for order in list(permutations(partition.blocks))[1:]:
        name = f"{100 * accuracy:.0f} % right, {'|'.join(map(str, order))}"
        yield name, renamed(knower(partition, accuracy), partition, order)
        for block in partition.blocks:
            good = knower(partition, accuracy, block)
            yield f"{name}, wrong answers {block}", renamed(good, partition, order)


def stopped(systems: Iterator[tuple[str, Answer]], partition: Partition, draws: int) -> list[Rate]:
    """Return how often the doctor stops each system."""
    rates = []
    for name, answer in systems:
        chance = random.Random(f"{partition} {name}")
        rates.append(
            Rate(str(partition), name, sum(is_stopped(answer, partition, chance) for _ in range(draws)), draws)
        )
    return rates


def habit_alarms(draws: int) -> list[Rate]:
    """Return how often systems that answer by the question, but at random or well, are said to have a habit."""
    rates = []
    reader = Reader(build_representation("para"), Control.FULL, seed=0, keyed=False)
    for partition in PARTITIONS:
        pairs = first_pairs(partition)
        inputs, groups = [reader.read_pair(pair) for pair in pairs], [pair.group for pair in pairs]
        golds = _blocks(pairs, partition)
        for name, answer in honest_systems(partition):
            if name.startswith("constant") or "P(E) = 0.00, tilt 0.5" in name or "P(E) = 1.00" in name:
                continue
            chance, alarms = random.Random(f"habit {partition} {name}"), 0
            for _ in range(draws):
                labels: list[Label] = [answer(gold, chance) for gold in golds]
                # Another premise makes another question: a hypothesis does not follow from it any more.
                other = [answer(partition.blocks[-1], chance) for _ in range(15)]
                turned = [(labels[place * len(pairs) // 15], other[place]) for place in range(15)]
                named = habits(Asked(inputs, groups, labels), turned)
                alarms += any(habit.name != "constant" for habit in named)
            rates.append(Rate(str(partition), name, alarms, draws))
    return rates


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--draws", type=int, default=2000, help="Simulated systems per row.")
    draws = parser.parse_args().draws
    print(f"{len(every_pair())} sentence pairs, {len(every_pair(TABLES))} table pairs, {draws} draws per system\n")
    print("| partition | systems | stopped at most | by |\n| --- | --- | --- | --- |")
    for partition in PARTITIONS:
        rates = stopped(honest_systems(partition), partition, draws)
        kinds = (("constant", "constant"), ("random", "random"), ("% right", "50 to 95 % right"))
        for word, kind in kinds:
            worst = max((rate for rate in rates if word in rate.system), key=lambda rate: rate.share)
            print(f"| {partition} | {kind} | {100 * worst.share:.2f} % | {worst.system} |", flush=True)
    print("\n| partition | accuracy | found at least | by |\n| --- | --- | --- | --- |")
    for partition in PARTITIONS:
        for accuracy in (0.8, 0.85, 0.9, 0.95):
            rates = stopped(permuted_systems(partition, accuracy), partition, draws)
            least = min(rates, key=lambda rate: rate.share)
            print(f"| {partition} | {100 * accuracy:.0f} % | {100 * least.share:.2f} % | {least.system} |", flush=True)
    alarms = habit_alarms(max(200, draws // 10))
    worst = max(alarms, key=lambda rate: rate.share)
    print(f"\nA habit is named in at most {100 * worst.share:.2f} % of {worst.draws} draws ({worst}).")


if __name__ == "__main__":
    main()
