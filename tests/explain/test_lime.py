"""Explanations of systems whose answers rest on something known."""

from __future__ import annotations

import random
from typing import get_type_hints

import pytest
from tests.explain.models import system_of

from nliprobe.base.errors import ModelError
from nliprobe.explain.lime import LimeOptions, explain
from nliprobe.task.case import Input
from nliprobe.task.evidence import Evidence
from nliprobe.task.explanation import Explanation, Lime, ranked
from nliprobe.task.pair import Pair
from nliprobe.task.table import Row, Table

SAID = "the a small red dog cat house runs sees old man river boat slowly into over child plays music loud"
WORDS = SAID.split(" ")
CASES = 60


def sentence(draws: random.Random, size: int) -> list[str]:
    return [draws.choice(WORDS) for _ in range(size)]


def first(lime: Lime | None) -> str:
    assert lime is not None
    return ranked(lime["features"])[0]["text"]


@pytest.mark.parametrize("labels_only", [False, True])
def test_the_one_word_that_counts_comes_first(labels_only: bool) -> None:
    draws = random.Random(1)
    found = 0
    for number in range(CASES):
        premise, hypothesis = sentence(draws, draws.randint(1, 40)), sentence(draws, draws.randint(1, 15))
        side = premise if number % 2 else hypothesis
        side[draws.randrange(len(side))] = "Zanzibar"

        def says(item: Input) -> float:
            return 0.9 if "Zanzibar" in f"{item.premise} {item.hypothesis}" else 0.2

        pair = Pair("x", " ".join(premise), " ".join(hypothesis))
        found += first(explain(system_of(says, labels_only=labels_only), pair)["words"]) == "Zanzibar"
    assert found >= 0.99 * CASES


@pytest.mark.parametrize("rows", [3, 8, 12, 25])
def test_the_one_row_that_counts_comes_first(rows: int) -> None:
    draws = random.Random(rows)
    for number in range(8):
        place = draws.randrange(rows)
        table = Table("Oslo", tuple(Row(f"key{index}", (f"value{index}",)) for index in range(rows)))

        def says(item: Input, name: str = f"value{place}") -> float:
            return 0.8 if name in item.premise.replace(".", "").split() else 0.3

        pair = Pair(str(number), table, "It is so.", evidence=Evidence((place,)))
        explanation = explain(system_of(says), pair)
        units = explanation["units"]
        assert units is not None
        assert ranked(units["features"])[0]["place"] == place
        assert units["exhaustive"] == (rows <= 8)
        assert explanation["evidence"] == {
            "grade": "gold",
            "marked": [place],
            "first": True,
            "found": 1,
            "chance": round(1 / rows, 4),
        }
        faithful = units["faithfulness"]
        assert faithful is not None
        assert faithful["named"][0]["label"] == "E"
        assert faithful["named"][1]["label"] == "N"
        assert faithful["named"][1]["value"] == pytest.approx(0.3)
        assert faithful["drop"] is not None
        assert faithful["drop"] > 0


def test_sentences_are_units_of_a_passage() -> None:
    pair = Pair("x", "It rained all day. The match was lost. Nobody came.", "They lost.")
    explanation = explain(system_of(lambda item: 0.9 if "lost" in item.premise else 0.1), pair)
    units = explanation["units"]
    assert units is not None
    best = ranked(units["features"])[0]
    assert (best["kind"], best["text"], best["span"]) == ("sentence", "The match was lost.", [19, 38])
    assert explanation["premise"][19:38] == best["text"]


def test_words_for_and_against_a_label() -> None:
    def says(item: Input) -> float:
        return 0.6 + 0.3 * ("good" in item.hypothesis) - 0.2 * ("bad" in item.hypothesis)

    explanation = explain(system_of(says), Pair("x", "A premise.", "some good and some bad things"))
    words = explanation["words"]
    assert words is not None
    named = {item["text"]: item["weight"] for item in words["top"] if item["part"] == "hypothesis"}
    assert named["good"] == pytest.approx(0.3, abs=0.02)
    assert named["bad"] == pytest.approx(-0.2, abs=0.02)
    assert words["fit"] == pytest.approx(1, abs=0.01)


def test_explanations_follow_from_the_seed() -> None:
    system = system_of(lambda item: 0.5 + 0.01 * len(set(item.premise.split())))
    pair = Pair("x", " ".join(WORDS), "It is so.")
    assert explain(system, pair) == explain(system, pair)
    assert explain(system, pair, LimeOptions(seed=1)) != explain(system, pair)
    assert set(explain(system, pair)) == set(get_type_hints(Explanation))


def test_labels_alone_are_said_to_be_explained() -> None:
    explanation = explain(system_of(lambda item: 0.9, labels_only=True), Pair("x", "A cat.", "An animal."))
    assert explanation["scale"] == "label"
    assert "gives labels without probabilities" in explanation["notes"][0]
    assert "the same whichever words are taken out" in explanation["notes"][1]
    words = explanation["words"]
    assert words is not None
    assert (words["fit"], words["top"], words["faithfulness"]) == (None, [], None)


def test_a_system_without_premise_is_explained_by_its_hypothesis() -> None:
    system = system_of(lambda item: 0.9 if "not" in item.hypothesis else 0.1, spec="known?premise=none")
    explanation = explain(system, Pair("x", "One. Two. Three.", "It is not so."))
    assert explanation["units"] is None
    assert first(explanation["words"]) == "not"


def test_an_empty_hypothesis() -> None:
    explanation = explain(system_of(lambda item: 0.9 if "cat" in item.premise else 0.1), Pair("x", "A cat sat.", ""))
    assert first(explanation["words"]) == "cat"
    nothing = explain(system_of(lambda item: 0.9), Pair("x", "", ""))
    assert nothing["words"] is None


def test_the_work_for_a_long_text_is_bounded() -> None:
    draws = random.Random(0)
    words = sentence(draws, 3000)
    words[1234] = "Zanzibar"
    system = system_of(lambda item: 0.9 if "Zanzibar" in item.premise else 0.1)
    explanation = explain(system, Pair("x", " ".join(words), "It is so."), LimeOptions(masks=300))
    assert "Zanzibar" in first(explanation["words"])
    assert any("neighbouring words are taken out together" in note for note in explanation["notes"])
    assert system.model.asked < 300 * 2 + 200  # type: ignore[attr-defined]


def test_a_pair_without_answer_cannot_be_explained() -> None:
    with pytest.raises(ModelError, match="gives no answer to this pair"):
        explain(system_of(lambda item: None), Pair("x", "A cat.", "An animal."))


def test_edits_that_are_not_answered_are_counted_and_too_many_refused() -> None:
    pair = Pair("x", " ".join(WORDS), "It is so.")
    some = explain(system_of(lambda item: 0.9 if "the" in item.premise else None), pair)
    assert some["words"] is not None
    assert 0 < some["words"]["unanswered"] < 250
    assert any("It did not answer" in note for note in some["notes"])
    whole = " ".join(WORDS)
    with pytest.raises(ModelError, match="too few to explain"):
        explain(system_of(lambda item: 0.9 if item.premise == whole else None), pair)
