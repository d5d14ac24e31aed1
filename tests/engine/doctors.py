"""Systems for the tests of the doctor, and what it says about them."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

from tests.engine.fakes import Hasher, system

from nliprobe.engine.doctor.examine import examine
from nliprobe.engine.doctor.interview import Interview
from nliprobe.engine.doctor.pairs import SENTENCES, every_pair
from nliprobe.store.verdict import Verdict
from nliprobe.task.case import Input, Prediction, Status
from nliprobe.task.labels import THREE_WAY, LabelSet, Partition

GOLD = {(str(pair.premise), pair.hypothesis): str(pair.gold) for pair in every_pair()}
TWO_WAY = (Partition.parse("E|NC"), Partition.parse("E|C"))


def gold_of(item: Input) -> str:
    """Return the right label; to a premise that is not its own a hypothesis is neutral."""
    return GOLD.get((item.premise, item.hypothesis), "N")


class Simulated(Hasher):
    """Right with some probability, always the same for an input, and with labels in an order of its own."""

    def __init__(self, accuracy: float, seed: int = 0, said: dict[str, str] | None = None) -> None:
        super().__init__()
        self.accuracy = accuracy
        self.seed = seed
        self.said = said or {}

    def predict(self, inputs: Sequence[Input]) -> Sequence[Prediction]:
        self.asked += [item.id for item in inputs]
        answers = []
        for item in inputs:
            chance = random.Random(f"{self.seed}{item.id}")
            truth = gold_of(item)
            letter = truth if chance.random() < self.accuracy else chance.choice([x for x in "ENC" if x != truth])
            answers.append(Prediction(LabelSet.of(self.said.get(letter, letter))))
        return answers


class Ruled(Hasher):
    """Answers each input by a rule, in a partition of its own."""

    def __init__(self, rule: Callable[[Input], str | None], partition: Partition = THREE_WAY) -> None:
        super().__init__()
        self.rule = rule
        self._partition = partition

    @property
    def partition(self) -> Partition:
        return self._partition

    def predict(self, inputs: Sequence[Input]) -> Sequence[Prediction]:
        self.asked += [item.id for item in inputs]
        letters = [self.rule(item) for item in inputs]
        return [
            Prediction(None, status=Status.NO_ANSWER) if letter is None else Prediction(LabelSet.of(letter))
            for letter in letters
        ]


def examined(model: Hasher, spec: str = "fake", kind: str = SENTENCES) -> Verdict:
    return examine(Interview(system(model, spec), None, lambda made: None), kind)
