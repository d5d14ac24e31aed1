"""Knowledge bias: real pairs beside their fictional twins, with planted answers."""

from __future__ import annotations

import pytest
from tests.analysis.runs import Asked, MakeRun, derived, pair
from tests.analysis.schemas import validate

from nliprobe.analysis.cases import read_run
from nliprobe.analysis.knowledge import find_twins, knowledge
from nliprobe.analysis.knowledge_documents import KnowledgeEntry
from nliprobe.analysis.summary import summarise
from nliprobe.store.run import RunFolder
from nliprobe.task.case import Case
from nliprobe.task.pair import Facet


def half(name: str, gold: str, group: str, world: str, twin: str) -> Case:
    return pair(name, gold, group, facets=[Facet("world", world), Facet("twin", twin), Facet("capability", "temporal")])


def twins(tables: int, each: int = 3) -> list[Case]:
    """Twins of some tables, with all three labels in turn."""
    cases = []
    for table in range(tables):
        for place in range(each):
            gold, name = "ENC"[place % 3], f"{table}.{place}"
            cases.append(half(f"r{name}", gold, f"real {table}", "real", name))
            cases.append(half(f"f{name}", gold, f"made {table}", "fictional", name))
    return cases


CASES = twins(12)
RIGHT = {case.id: str(case.gold) for case in CASES}


def entries(run: RunFolder) -> dict[str, KnowledgeEntry]:
    return {item["system"]: item for item in knowledge(run, read_run(run))}


def wrong(name: str) -> str:
    return {"E": "N", "N": "C", "C": "E"}[RIGHT[name]]


def test_a_planted_bias_is_found_with_its_interval(make_run: MakeRun) -> None:
    # One of three twins of every table is right only where the names are real.
    answers = RIGHT | {f"f{table}.0": wrong(f"f{table}.0") for table in range(12)}
    item = entries(make_run({"x": CASES}, [Asked("m", answers)]))["m"]
    assert (item["n"], item["groups"], item["left_out"], item["unanswered"]) == (36, 12, 0, 0)
    assert item["real"]["rate"] == 1.0
    assert item["fictional"]["rate"] == pytest.approx(2 / 3)
    assert item["bias"] == pytest.approx(1 / 3)
    assert item["outcomes"] == {"both": 24, "real": 12, "fictional": 0, "neither": 0}
    assert item["bias_ci95"] is not None
    assert item["bias_ci95"][0] > 0
    assert item["p"] < 0.001
    assert item["constant"] == {"label": "E", "accuracy": pytest.approx(1 / 3)}
    assert item["chance"] == pytest.approx(1 / 3)
    assert item["control"] is None


def test_no_bias_where_both_are_wrong_alike_and_where_errors_go_both_ways(make_run: MakeRun) -> None:
    alike = RIGHT | {f"{world}{table}.1": "E" for table in range(12) for world in "rf"}
    both_ways = RIGHT | {f"r{table}.0": "N" for table in range(6)} | {f"f{table}.0": "N" for table in range(6, 12)}
    by_system = entries(make_run({"x": CASES}, [Asked("alike", alike), Asked("both ways", both_ways)]))
    assert by_system["alike"]["bias"] == by_system["both ways"]["bias"] == 0.0
    interval = by_system["both ways"]["bias_ci95"]
    assert interval is not None
    assert interval[0] < 0 < interval[1]
    assert by_system["both ways"]["outcomes"] == {"both": 24, "real": 6, "fictional": 6, "neither": 0}


def test_the_interval_takes_tables_as_units(make_run: MakeRun) -> None:
    """The same share of twins with a bias is less certain where it comes from few tables."""
    spread = RIGHT | {f"f{table}.0": wrong(f"f{table}.0") for table in range(12)}
    lumped = RIGHT | {f"f{table}.{place}": wrong(f"f{table}.{place}") for table in range(4) for place in range(3)}
    by_system = entries(make_run({"x": CASES}, [Asked("spread", spread), Asked("lumped", lumped)]))
    widths = {}
    for name, item in by_system.items():
        assert item["bias"] == pytest.approx(1 / 3)
        assert item["bias_ci95"] is not None
        widths[name] = item["bias_ci95"][1] - item["bias_ci95"][0]
    assert widths["lumped"] > widths["spread"]


def test_the_best_premise_free_control_is_beside(make_run: MakeRun) -> None:
    # The control is right about real names only: the wording gives these labels away.
    blind = dict.fromkeys(RIGHT, "E") | {name: label for name, label in RIGHT.items() if name.startswith("r")}
    systems = [
        Asked("m", RIGHT),
        Asked("worse", dict.fromkeys(RIGHT, "N"), premise="none"),
        Asked("blind", blind, premise="none"),
    ]
    item = entries(make_run({"x": CASES}, systems))["m"]
    assert item["control"] is not None
    assert (item["control"]["system"], item["control"]["real"]) == ("blind", 1.0)
    assert item["control"]["bias"] == pytest.approx(2 / 3)
    assert item["bias"] == 0.0


def test_only_whole_twins_of_one_label_count(make_run: MakeRun) -> None:
    cases = [
        *twins(5),
        half("alone", "E", "g", "real", "lost"),
        half("one", "E", "g", "real", "unlike"),
        half("other", "C", "h", "fictional", "unlike"),
        *(half(name, "E", "g", world, "twice") for name, world in (("a", "real"), ("b", "real"), ("c", "fictional"))),
        pair("plain", "E", "g", facets=[Facet("world", "real")]),
    ]
    answers = {case.id: "E" for case in cases} | {"z": "N"}
    run = make_run({"x": cases, "y": [pair("z", "N", "k")]}, [Asked("m", answers)])
    (item,) = find_twins(run, read_run(run))
    assert (item.corpus, len(item.real), item.left_out) == ("x", 15, 6)
    assert len(entries(run)) == 1


def test_unanswered_halves_count_as_wrong_and_cases_of_probes_do_not_count(make_run: MakeRun) -> None:
    edited = derived("edited", CASES[0], gold="C", relation=None)
    answers: dict[str, str | None] = {**RIGHT, "r0.0": None, "edited": "C"}
    item = entries(make_run({"x": [*CASES, edited]}, [Asked("m", answers)]))["m"]
    assert (item["n"], item["unanswered"]) == (36, 1)
    assert item["outcomes"] == {"both": 35, "real": 0, "fictional": 1, "neither": 0}


def test_runs_without_twins_have_no_entry_and_the_document_is_valid(make_run: MakeRun) -> None:
    run = make_run({"x": CASES}, [Asked("m", RIGHT), Asked("b", dict.fromkeys(RIGHT, "E"), premise="none")])
    document = summarise(run)
    validate("show", document)
    assert [item["system"] for item in document["knowledge"]] == ["m", "b"]
    assert summarise(make_run({"x": [pair("p", "E")]}, [Asked("m", {"p": "E"})]))["knowledge"] == []
