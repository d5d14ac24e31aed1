"""Counting how often answers break rules, by hand; skipped where the [torch] extra is not installed."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

from nliprobe.base.errors import DataError, ModelError, UsageError
from nliprobe.models.base import Model
from nliprobe.models.violations import RuleViolations, Violations, render, rule_violations
from nliprobe.task.case import Input, Prediction
from nliprobe.task.labels import LETTERS, LabelSet, Partition

pytest.importorskip("torch", reason="the [torch] extra is not installed")

Answer = Callable[[str, str], str]


class Fake(Model):
    """Answers with a rule of its own; the label has a probability of 0.8, the others have 0.1 each."""

    batch = 7

    def __init__(self, answer: Answer, partition: str = "E|N|C") -> None:
        self._answer, self._partition = answer, Partition.parse(partition)
        self.asked: list[tuple[str, str]] = []

    @property
    def partition(self) -> Partition:
        return self._partition

    def fingerprint(self) -> str | None:
        return None

    def predict(self, inputs: Sequence[Input]) -> Sequence[Prediction]:
        self.asked += [(item.premise, item.hypothesis) for item in inputs]
        return [self._predicted(self._answer(item.premise, item.hypothesis)) for item in inputs]

    def _predicted(self, label: str) -> Prediction:
        known = {str(block) for block in self._partition.blocks}
        shares = tuple((0.8 if letter == label else 0.1) if letter in known else None for letter in LETTERS)
        return Prediction(LabelSet.of(label), (shares[0], shares[1], shares[2]))


def pair(number: int, premise: str, hypothesis: str) -> Input:
    return Input(f"{number:024x}", (premise,) if premise else (), hypothesis)


CHAIN = [pair(0, "a dog runs fast", "a dog runs"), pair(1, "a dog runs", "a dog moves"), pair(2, "no cat", "a cat")]


def by_rule(counted: Sequence[RuleViolations]) -> dict[str, RuleViolations]:
    return {one["rule"]: one for one in counted}


def test_real_pairs_by_hand() -> None:
    answers = {
        ("a dog runs fast", "a dog runs"): "E",
        ("a dog runs", "a dog runs fast"): "C",  # breaks R3
        ("a dog runs", "a dog moves"): "E",
        ("a dog moves", "a dog runs"): "N",
        ("a dog runs fast", "a dog moves"): "N",  # breaks R5
        ("no cat", "a cat"): "C",
        ("a cat", "no cat"): "N",  # breaks R2
        ("a cat", "a cat"): "C",  # breaks R1
    }
    model = Fake(lambda one, two: answers.get((one, two), "E" if one == two else "N"))
    counted = by_rule(rule_violations(model, CHAIN, seeds=2, candidates=3)["real"])
    assert {
        name: (one["sets"], one["bodies"], one["violations"], one["share"], one["share_of_bodies"])
        for name, one in counted.items()
    } == {
        "R1": (5, 5, 1, 0.2, 0.2),
        "R2": (3, 1, 1, pytest.approx(1 / 3), 1.0),
        "R3": (3, 2, 1, pytest.approx(1 / 3), 0.5),
        "R4": (3, 0, 0, 0.0, None),
        "R5": (1, 1, 1, 1.0, 1.0),
    }
    # (1 - 0.8) four times and 1 - 0.1; 0.8 - 0.1 once; 0.8 - (1 - 0.8) once; 0.8 - 0.1.
    softs = {"R1": (4 * 0.2 + 0.9) / 5, "R2": 0.7 / 3, "R3": 0.6 / 3, "R5": 0.7}
    assert {name: counted[name]["soft"] for name in softs} == pytest.approx(softs)
    assert len(model.asked) == len(set(model.asked)), "each pair is asked once"


def test_answers_that_obey_break_nothing() -> None:
    counted = rule_violations(Fake(lambda one, two: "E" if one == two else "N"), CHAIN, seeds=3)
    for kind in (counted["real"], counted["generated"], counted["searched"]):
        assert [one["violations"] for one in kind] == [0] * 5


def test_two_models_are_asked_about_the_same_generated_sets() -> None:
    one, two = Fake(lambda premise, hypothesis: "N"), Fake(lambda premise, hypothesis: "E")
    rule_violations(one, CHAIN, seeds=3)
    rule_violations(two, CHAIN, seeds=3)
    assert one.asked == two.asked
    other = Fake(lambda premise, hypothesis: "N")
    rule_violations(other, CHAIN, seeds=3, seed=1)
    assert other.asked != one.asked


def test_the_search_takes_the_worst_set_of_each_pair() -> None:
    def answer(premise: str, hypothesis: str) -> str:
        return "E" if premise == hypothesis and len(premise.split()) < 5 else "N"

    inputs = [pair(number, f"a dog runs in park {number}", "a dog runs") for number in range(12)]
    counted = rule_violations(Fake(answer), inputs, seeds=12, candidates=6)
    generated, searched = by_rule(counted["generated"])["R1"], by_rule(counted["searched"])["R1"]
    assert generated["sets"] == 12 * 5
    assert searched["sets"] == 12
    assert generated["share"] is not None
    assert searched["share"] is not None
    assert searched["share"] > generated["share"]


def test_a_two_way_model_is_checked_by_the_rules_it_knows() -> None:
    counted = rule_violations(Fake(lambda one, two: "E" if one == two else "NC", "E|NC"), CHAIN, seeds=3)
    assert [one["rule"] for one in counted["real"]] == ["R1", "R5"]
    with pytest.raises(UsageError, match="No rule"):
        rule_violations(Fake(lambda one, two: "N", "EC|N"), CHAIN)


def test_what_cannot_be_checked_is_an_error() -> None:
    class Silent(Fake):
        def predict(self, inputs: Sequence[Input]) -> Sequence[Prediction]:
            return [Prediction(LabelSet.of("N")) for _ in inputs]

    with pytest.raises(ModelError, match="without any"):
        rule_violations(Silent(lambda one, two: "N"), CHAIN)
    with pytest.raises(DataError, match="no pairs"):
        rule_violations(Fake(lambda one, two: "N"), [])
    with pytest.raises(DataError, match="No pair has words"):
        rule_violations(Fake(lambda one, two: "N"), [pair(0, "", "a dog")])


def test_odd_texts_are_checked() -> None:
    odd = ["", "🐕", "الكلب يجري", "word " * 3000, "isn't it Tom's?", "a-b-c"]
    inputs = [pair(number, one, odd[number - 1]) for number, one in enumerate(odd)]
    counted = rule_violations(Fake(lambda one, two: "N"), inputs, seeds=6)
    assert by_rule(counted["real"])["R1"] == {
        "rule": "R1", "sets": 6, "bodies": 6, "violations": 6, "share": 1.0,
        "interval": by_rule(counted["real"])["R1"]["interval"], "share_of_bodies": 1.0, "soft": pytest.approx(0.9),
    }  # fmt: skip


def test_lines_show_shares_and_how_far() -> None:
    counted: Violations = rule_violations(Fake(lambda one, two: "N"), CHAIN, seeds=3, candidates=2)
    lines = render("base", counted)
    assert lines[0].startswith("base real: R1 100.00 (90.00), R2 0.00")
    assert len(lines) == 3
