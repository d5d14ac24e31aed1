"""Lexicon effects: found where they are, not where they are not, and never from repeated examples."""

from __future__ import annotations

import numpy as np
import pytest
from statsmodels.stats.multitest import multipletests
from tests.analysis.checklists import Made, example
from tests.analysis.runs import Asked, MakeRun

from nliprobe.analysis.checklist.document import checklist_document
from nliprobe.analysis.checklist.documents import Effect
from nliprobe.stats.intervals import wilson
from nliprobe.task.case import Case

GENDERS = {f"{letter}{number}": letter for letter in "fm" for number in range(40)}
TEMPLATE = Made("negation.but-not", "negation", "C", genders=GENDERS)
PROFESSIONS = ("doctor", "dancer", "poet")


def draw(template: Made, count: int, seed: int) -> tuple[list[Case], list[str]]:
    random = np.random.default_rng(seed)
    names = list(template.genders)
    cases, drawn = [], []
    for number in range(count):
        one, other = random.choice(len(names), 2, replace=False)
        profession = PROFESSIONS[number % 3]
        drawn.append(profession)
        cases.append(example(template, number, NAME1=names[one], NAME2=names[other], PROFESSION=profession))
    return cases, drawn


def effects(make_run: MakeRun, cases: list[Case], said: dict[str, str | None]) -> dict[tuple[str, str], Effect]:
    document = checklist_document(make_run({"c": cases}, [Asked("m", said)], shard=5000))
    return {(item["template"], item["placeholder"]): item for item in document["effects"]}


def test_value_that_decides_is_found_and_gender_that_does_not_is_not(make_run: MakeRun) -> None:
    cases, drawn = draw(TEMPLATE, 300, 0)
    said: dict[str, str | None] = {
        case.id: "C" if value == "doctor" or (value == "poet" and number % 2) else "E"
        for number, (case, value) in enumerate(zip(cases, drawn, strict=True))
    }
    found = effects(make_run, cases, said)
    assert set(found) == {("negation.but-not", "PROFESSION"), ("negation.but-not", "gender")}
    profession = found["negation.but-not", "PROFESSION"]
    assert [value["value"] for value in profession["values"]] == ["dancer", "poet", "doctor"]
    assert (profession["range"], profession["left_out"]) == (1.0, 0)
    assert profession["q"] < 0.01
    doctor = profession["values"][-1]
    assert (doctor["n"], doctor["correct"]) == (100, 100)
    assert doctor["ci95"] == pytest.approx(list(wilson(100, 100) or ()))
    assert set(doctor["genders"]) == {"f", "m", "mixed"}
    assert sum(cell["n"] for cell in doctor["genders"].values()) == 100
    assert found["negation.but-not", "gender"]["q"] > 0.05


def test_gender_is_that_of_all_names(make_run: MakeRun) -> None:
    cases, _ = draw(TEMPLATE, 400, 1)

    def genders(case: Case) -> set[str]:
        return {facet.value for facet in case.source.facets if facet.name.startswith("gender:")}

    said: dict[str, str | None] = {case.id: "C" if genders(case) == {"f"} else "N" for case in cases}
    gender = effects(make_run, cases, said)["negation.but-not", "gender"]
    rates = {value["value"]: value["accuracy"] for value in gender["values"]}
    assert rates == {"f": 1.0, "m": 0.0, "mixed": 0.0}
    assert gender["q"] < 0.01


def test_values_with_few_examples_are_left_out(make_run: MakeRun) -> None:
    template = Made("lexical.x", "lexical")
    sizes = {"many": 20, "enough": 20, "few": 19}
    drawn = [value for value, size in sizes.items() for _ in range(size)]
    cases = [example(template, number, ADJ=value, N=str(number)) for number, value in enumerate(drawn)]
    found = effects(make_run, cases, {case.id: "E" for case in cases})
    adjective = found["lexical.x", "ADJ"]
    assert ([value["value"] for value in adjective["values"]], adjective["left_out"]) == (["enough", "many"], 1)
    # Everything is right: nothing can differ, and no value of N has enough examples to be tested.
    assert (adjective["p"], adjective["statistic"]) == (1.0, 0.0)
    assert set(found) == {("lexical.x", "ADJ")}


def test_repeating_an_example_proves_nothing(make_run: MakeRun) -> None:
    template = Made("lexical.x", "lexical")
    # 24 examples of two values, each repeated 20 times; within a value the answer is a throw of a coin.
    cases, said = [], dict[str, str | None]()
    for number in range(960):
        kind = number % 48
        case = example(template, number, ADJ="ab"[kind % 2], N=str(kind))
        cases.append(case)
        said[case.id] = "E" if kind < (28 if kind % 2 else 22) else "C"
    adjective = effects(make_run, cases, said)["lexical.x", "ADJ"]
    assert [value["n"] for value in adjective["values"]] == [24, 24]
    assert adjective["p"] > 0.2


def test_lone_effect_among_many_tests_survives_the_correction(make_run: MakeRun) -> None:
    random = np.random.default_rng(3)
    cases: list[Case] = []
    said: dict[str, str | None] = {}
    for place in range(120):
        template = Made(f"boolean.t{place}", "boolean")
        for number in range(60):
            case = example(template, number, X=f"x{number % 2}", N=str(number))
            cases.append(case)
            share = (0.1, 0.9)[number % 2] if place == 7 else 0.5
            said[case.id] = "E" if random.random() < share else "C"
    found = effects(make_run, cases, said)
    # With 2,000 permutations the smallest p times 120 tests would be 0.06.
    lone = found["boolean.t7", "X"]
    assert lone["permutations"] > 2000
    assert lone["q"] < 0.01
    assert sum(item["q"] <= 0.05 for item in found.values()) <= 3
    every = list(found.values())
    oracle = multipletests([item["p"] for item in every], method="fdr_bh")[1]
    assert [item["q"] for item in every] == pytest.approx(list(oracle))
    assert [item["range"] for item in every] == sorted((item["range"] for item in every), reverse=True)


def test_value_that_decides_the_label_is_no_effect(make_run: MakeRun) -> None:
    before, after = Made("temporal.x", "temporal", "E"), Made("temporal.x", "temporal", "C")
    cases = []
    for number in range(100):
        template, word = ((before, "before"), (after, "after"))[number % 2]
        cases.append(example(template, number, ALT1=word, N=str(number), SIZE=str(number // 50)))
    # It always says E, so it is right wherever "before" was drawn.
    document = checklist_document(make_run({"c": cases}, [Asked("m", {case.id: "E" for case in cases})], shard=200))
    assert {(item["placeholder"], item["gold"], item["p"]) for item in document["effects"]} == {
        ("SIZE", "E", 1.0),
        ("SIZE", "C", 1.0),
    }
