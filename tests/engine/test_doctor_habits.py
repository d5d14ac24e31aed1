"""The habits that the doctor names, and those that it must not name."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path

import pytest
from tests.engine.doctors import TWO_WAY, Ruled, Simulated, examined, gold_of
from tests.engine.fakes import Hasher, system

from nliprobe.engine.doctor.examine import examine
from nliprobe.engine.doctor.interview import Interview
from nliprobe.engine.doctor.pairs import TABLES
from nliprobe.engine.doctor.steadiness import TOLERANCE, differs
from nliprobe.models.asynchronous import AsyncModel
from nliprobe.store.cache import AnswerCache
from nliprobe.task.case import Input, Prediction, Status
from nliprobe.task.labels import SETS, LabelSet, Partition

LABELS = (SETS[1], SETS[2], SETS[4])


def by_length(size: int, *limits: int) -> str:
    return "ECN"[sum(size >= limit for limit in limits)]


def letters(text: str) -> int:
    return sum(map(ord, text))


@pytest.mark.parametrize(
    ("rule", "habits", "words"),
    [
        (lambda item: "N", ("constant",), "It answers N to every pair"),
        (lambda item: None, ("silent",), "It gives no answer to 30 of 30 unmistakable pairs"),
        (
            lambda item: by_length(len(item.hypothesis), 30, 45),
            ("premise-blind", "hypothesis length"),
            "It seems to answer by the length of the hypothesis",
        ),
        (
            lambda item: by_length(len(item.premise), 45, 52),
            ("hypothesis-blind", "premise length"),
            "It seems to answer by the length of the premise",
        ),
        (lambda item: "ENC"[letters(item.hypothesis) % 3], ("premise-blind",), "It ignores its premise: "),
        (lambda item: "ENC"[letters(item.premise) % 3], ("hypothesis-blind",), "It ignores its hypothesis: "),
    ],
)
def test_doctor_names_bad_habits(rule: object, habits: tuple[str, ...], words: str) -> None:
    assert callable(rule)
    verdict = examined(Ruled(rule))
    assert verdict.habits == habits
    assert any(line.startswith(words) for line in verdict.findings)


def test_one_odd_answer_is_no_habit() -> None:
    # 29 answers of 30 are E: any single other one has a range of lengths, and a premise, for itself.
    for odd in range(30):
        hypotheses = {"": ""}

        def rule(item: Input, odd: int = odd, seen: dict[str, str] = hypotheses) -> str:
            return "N" if list(seen).index(seen.setdefault(item.hypothesis, item.hypothesis)) == odd + 1 else "E"

        assert not {"hypothesis length", "premise length", "hypothesis-blind"} & {*examined(Ruled(rule)).habits}


@pytest.mark.parametrize("kind", ["sentences", TABLES])
@pytest.mark.parametrize("partition", TWO_WAY, ids=str)
def test_two_way_systems_have_the_same_habits(partition: Partition, kind: str) -> None:
    two = [str(block) for block in partition.blocks]
    blind = Ruled(lambda item: two[letters(item.hypothesis) % 2], partition)
    deaf = Ruled(lambda item: two[letters(item.premise) % 2], partition)
    assert examined(blind, kind=kind).habits == ("premise-blind",)
    assert examined(deaf, kind=kind).habits == ("hypothesis-blind",)


class Drawing(Hasher):
    """Right mostly, but some answers are drawn anew at each question."""

    def __init__(self, noise: float) -> None:
        super().__init__(None)
        self.noise = noise
        self.chance = random.Random(7)

    def predict(self, inputs: Sequence[Input]) -> Sequence[Prediction]:
        answers = [LabelSet.of(gold_of(item)) for item in inputs]
        return [Prediction(self.chance.choice(LABELS) if self.chance.random() < self.noise else x) for x in answers]


class Placed(Hasher):
    """Answers by the place of an input in its batch."""

    def predict(self, inputs: Sequence[Input]) -> Sequence[Prediction]:
        return [Prediction(LABELS[place % 3]) for place, _ in enumerate(inputs)]


class Sorted(Hasher):
    """Knows everything, but returns answers in another order than it was asked: the shortest hypothesis first."""

    def predict(self, inputs: Sequence[Input]) -> Sequence[Prediction]:
        ordered = sorted(inputs, key=lambda item: len(item.hypothesis))
        return [Prediction(LabelSet.of(gold_of(item))) for item in ordered]


class Padded(Hasher):
    """Knows everything, with probabilities that move a little in a large batch, where more is padded."""

    def __init__(self, noise: float) -> None:
        super().__init__()
        self.noise = noise

    def predict(self, inputs: Sequence[Input]) -> Sequence[Prediction]:
        moved = self.noise if len(inputs) > 10 else 0.0
        answers = []
        for item in inputs:
            gold = "ENC".index(gold_of(item))
            scores = [0.5 + moved if place == gold else 0.25 - moved / 2 for place in range(3)]
            answers.append(Prediction(LABELS[gold], (scores[0], scores[1], scores[2])))
        return answers


@pytest.mark.parametrize(
    ("model", "habit"),
    [
        (Drawing(1.0), "random"),
        (Drawing(0.5), "random"),
        (Placed(), "batch"),
        (Sorted(), "batch"),
        (Padded(0.1), "batch"),
        (Padded(0.015), None),
        (Padded(1e-6), None),
        (Simulated(0.7), None),
    ],
    ids=["guesses", "often guesses", "place", "sorted", "unmasked padding", "16 bits", "32 bits", "deterministic"],
)
def test_steadiness(model: Hasher, habit: str | None) -> None:
    verdict = examined(model)
    assert {"random", "batch"} & {*verdict.habits} == ({habit} if habit else set())
    assert verdict.remarks == (tuple(f"Doctor: {line}" for line in verdict.findings) if habit else ())
    if habit == "random":
        assert any("Switch off sampling (temperature 0) and dropout" in line for line in verdict.findings)
    if habit == "batch":
        assert any("in the order of the pairs" in line for line in verdict.findings)


def test_chance_is_rarely_mistaken_for_an_effect_of_the_batch() -> None:
    model = Drawing(0.1)
    named = [examined(model).habits for _ in range(60)]
    assert sum("random" in habits for habits in named) > 30
    assert sum("batch" in habits for habits in named) <= 3


def test_equally_likely_labels_may_change_places() -> None:
    tie, turned = (0.4999999, 0.5000001, 0.0), (0.5000001, 0.4999999, 0.0)
    assert not differs(Prediction(LABELS[1], tie), Prediction(LABELS[0], turned))
    assert differs(Prediction(LABELS[1]), Prediction(LABELS[0]))
    assert differs(Prediction(LABELS[0], (0.9, 0.1, 0.0)), Prediction(LABELS[0], (0.9 - 2 * TOLERANCE, 0.14, 0.0)))
    assert not differs(Prediction(None, status=Status.FAILED), Prediction(LABELS[0]))
    assert differs(Prediction(None, status=Status.NO_ANSWER), Prediction(LABELS[0]))


def test_a_model_without_batches_is_asked_less() -> None:
    class Service(AsyncModel):
        def __init__(self, *, steady: bool) -> None:
            super().__init__()
            self.asked = 0
            self.steady = steady

        def fingerprint(self) -> None:
            return None

        async def answer(self, item: Input) -> Prediction:
            self.asked += 1
            if not self.steady:
                return Prediction(LABELS[self.asked % 3])
            return Prediction(LabelSet.of(gold_of(item)))

    for steady, habits in ((True, ()), (False, ("random",))):
        service = Service(steady=steady)
        verdict = examine(Interview(system(service), None, lambda made: None))
        service.close()
        assert verdict.habits == habits
        if steady:
            assert verdict.asked == service.asked == 30 + 15 + 7


def test_the_second_examination_costs_nothing_and_says_the_same(tmp_path: Path) -> None:
    model = Placed()
    first = examine(Interview(system(model), AnswerCache(tmp_path), lambda made: None))
    assert first.habits[-1] == "batch"

    class Silent(Hasher):
        def predict(self, inputs: Sequence[Input]) -> Sequence[Prediction]:
            raise AssertionError("everything is known")

    again = examine(Interview(system(Silent()), AnswerCache(tmp_path), lambda made: None))
    assert again == first
