"""The page on explanations says what was measured, and claims nothing that its intervals do not carry."""

from __future__ import annotations

import re

import pytest
from scripts.explanation_measure import chosen
from scripts.explanation_results import BLOCKS, KINDS, PAGE, changed, filled, items, named_share, results, words

from nliprobe.explain.lime import explain
from nliprobe.models.system import System, SystemSpec
from nliprobe.task.pair import Pair


def test_the_page_is_filled_from_what_was_measured() -> None:
    text = PAGE.read_text(encoding="utf-8")
    assert text == filled(text), "run python -m scripts.explanation_results"


@pytest.mark.results
def test_the_templates_are_those_of_the_page_of_the_checklist() -> None:
    found = results()
    assert list(dict.fromkeys(name for pair in found["surprises"] for name in pair)) == chosen(), (
        "the checklist has changed: measure again, see scripts/explanation_measure.py"
    )
    assert {tuple(system["explanations"]) for system in found["systems"].values()} == {tuple(chosen())}


@pytest.mark.parametrize("name", ["small", "minilm"])
def test_what_is_claimed_is_shown(name: str) -> None:
    system = results()["systems"][name]
    own, random, _, low, _ = changed(system)
    assert low > 0, "the named words change the answer more often than random ones"
    assert own > random
    values, wording = (named_share(system, KINDS[kind]) for kind in list(KINDS)[2:])
    assert values.low > values.random, "values that stand in both texts are named more often than chance"
    assert wording.high < wording.random, "the wording is named less often than chance"


def test_what_is_said_about_answers_and_neighbours() -> None:
    for system in results()["systems"].values():
        parts = system["answers"].values()
        assert sum(part["answers"].get("E", 0) for part in parts) / sum(part["n"] for part in parts) > 0.9
        turned = [template for template, item in items(system) if item["label"] != item["gold"]]
        assert len(set(turned)) in (7, 8)
    lines = [line for line in BLOCKS["neighbours"]().splitlines() if line.startswith("| `")]
    for line in lines:
        _, _, answer, random, gold, any_gold, _ = line.split("|")
        low, _ = map(int, re.findall(r"\d+", answer)[1:])
        assert low > int(random)
        low, high = map(int, re.findall(r"\d+", gold)[1:])
        assert low <= int(any_gold) <= high


@pytest.mark.results
def test_small_still_says_what_was_measured() -> None:
    """Some examples; MiniLM does not come with the package."""
    system = System.build(SystemSpec.parse("small"))
    for _, item in list(items(results()["systems"]["small"]))[::31]:
        made = explain(system, Pair("x", item["premise"], item["hypothesis"]))
        assert made["label"] == item["label"]
        assert made["words"] is not None
        assert [one["weight"] for one in made["words"]["features"]] == pytest.approx(
            [word.weight for word in words(item)], abs=1e-3
        )
