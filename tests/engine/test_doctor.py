from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import permutations

import pytest
from tests.engine.fakes import Hasher, system

from nliprobe.engine.doctor import _misfits, best_order, corrected_map, doctor_pairs, examine
from nliprobe.task.case import Input, Prediction
from nliprobe.task.labels import THREE_WAY, LabelMap, LabelSet, Partition

GOLD = {(str(pair.premise), pair.hypothesis): str(pair.gold) for pair in doctor_pairs()}
NAMES = {"E": "entailment", "N": "neutral", "C": "contradiction"}


class Simulated(Hasher):
    """Right with some probability; to a premise that is not its own a hypothesis is neutral."""

    def __init__(self, accuracy: float, seed: int = 0, said: dict[str, str] | None = None) -> None:
        super().__init__()
        self.accuracy = accuracy
        self.seed = seed
        self.said = said or {}

    def predict(self, inputs: Sequence[Input]) -> Sequence[Prediction]:
        answers = []
        for item in inputs:
            chance = random.Random(f"{self.seed}{item.id}")
            truth = GOLD.get((item.premise, item.hypothesis), "N")
            letter = truth if chance.random() < self.accuracy else chance.choice([x for x in "ENC" if x != truth])
            answers.append(Prediction(LabelSet.of(self.said.get(letter, letter))))
        return answers


def test_doctor_pairs_are_balanced_and_not_told_apart_by_length() -> None:
    pairs = doctor_pairs()
    assert len(pairs) == 30
    labels = [str(pair.gold) for pair in pairs]
    assert {label: labels.count(label) for label in "ENC"} == {"E": 10, "N": 10, "C": 10}
    assert len(GOLD) == 30
    assert _misfits([len(pair.hypothesis) for pair in pairs], labels) > 8


@pytest.mark.parametrize("order", list(permutations("ENC")))
@pytest.mark.parametrize("accuracy", [0.85, 0.95, 1.0])
def test_doctor_stops_every_wrong_order_and_passes_the_right_one(order: tuple[str, ...], accuracy: float) -> None:
    said = dict(zip("ENC", order, strict=True))
    model = Simulated(accuracy, said=said)
    verdict = examine(system(model, "fake?labels=entailment,neutral,contradiction"), model.predict)
    if order == ("E", "N", "C"):
        assert (verdict.status, verdict.findings) == ("ok", ())
        return
    assert verdict.status == "permuted"
    meant = {there: here for here, there in said.items()}
    # The model calls code 0 "entailment"; the right map names what it means by that.
    assert verdict.labels == ",".join(NAMES[meant[letter]] for letter in "ENC")
    assert f"labels={verdict.labels}" in verdict.findings[0]
    fixed = LabelMap.parse(verdict.labels)
    assert [str(fixed.read(code)) for code in range(3)] == [meant[letter] for letter in "ENC"]


@pytest.mark.parametrize("models", [100, pytest.param(5000, marks=pytest.mark.simulation)])
def test_doctor_has_no_false_alarm_on_many_models(models: int) -> None:
    for seed in range(models):
        model = Simulated(0.6 + 0.35 * (seed / (models - 1)), seed)
        verdict = examine(system(model), model.predict)
        assert verdict.status in ("ok", "weak"), seed
        assert verdict.status == "ok" or verdict.right < 15
        assert not [finding for finding in verdict.findings if "too few" not in finding], seed


class Fixed(Hasher):
    """Answers by a rule that looks at one thing only."""

    def __init__(self, rule: str) -> None:
        super().__init__()
        self.rule = rule

    def predict(self, inputs: Sequence[Input]) -> Sequence[Prediction]:
        return [Prediction(self.answer(item)) for item in inputs]

    def answer(self, item: Input) -> LabelSet | None:
        if self.rule == "silent":
            return None
        if self.rule == "one label":
            return LabelSet.of("N")
        if self.rule == "hypothesis length":
            size = len(item.hypothesis)
            return LabelSet.of("E" if size < 30 else "C" if size < 45 else "N")
        if self.rule == "premise length":
            return LabelSet.of("E" if len(item.premise) < 48 else "C")
        return LabelSet.of("ENC"[sum(map(ord, item.hypothesis)) % 3])


@pytest.mark.parametrize(
    ("rule", "finding"),
    [
        ("one label", "It answers N to every pair."),
        ("hypothesis length", "It seems to answer by the length of the hypothesis."),
        ("premise length", "It seems to answer by the length of the premise."),
        ("hypothesis words", "It ignores its premise"),
        ("silent", "It gives no answer to 30 of 30 unmistakable pairs."),
    ],
)
def test_doctor_names_bad_habits(rule: str, finding: str) -> None:
    model = Fixed(rule)
    assert any(line.startswith(finding) for line in examine(system(model), model.predict).findings)


def test_doctor_of_a_two_way_model() -> None:
    class TwoWay(Simulated):
        @property
        def partition(self) -> Partition:
            return Partition.parse("E|NC")

        def predict(self, inputs: Sequence[Input]) -> Sequence[Prediction]:
            turned = {"E": "NC", "N": "E", "C": "E"} if self.said else {"E": "E", "N": "NC", "C": "NC"}
            return [Prediction(LabelSet.of(turned[GOLD.get((item.premise, item.hypothesis), "N")])) for item in inputs]

    assert examine(system(TwoWay(1.0)), TwoWay(1.0).predict).status == "ok"
    wrong = TwoWay(1.0, said={"E": "C"})
    verdict = examine(system(wrong, "fake?labels=entailment,not_entailment"), wrong.predict)
    assert (verdict.status, verdict.labels) == ("permuted", "not_entailment,entailment")


def test_doctor_does_not_ask_a_system_without_premise() -> None:
    model = Hasher()
    assert examine(system(model, "fake?premise=none"), model.predict).status == "not asked"
    assert model.asked == []


def test_corrected_map_is_written_as_the_user_wrote_it() -> None:
    turned = {LabelSet.of("E"): LabelSet.of("C"), LabelSet.of("C"): LabelSet.of("E")}
    assert corrected_map("0:E;1:N;2:C", turned) == "0:contradiction;1:neutral;2:entailment"
    assert corrected_map("", turned) == "entailment:contradiction;contradiction:entailment"


def test_best_order_of_unanswered_pairs_changes_nothing() -> None:
    pairs = doctor_pairs()
    order = best_order(pairs, [None] * len(pairs), THREE_WAY)
    assert (order.declared, order.best) == (0, 0)
    assert not order.is_wrong(len(pairs))
