"""Models with known faults against every probe of units: each probe breaks exactly the models it must break."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from tests.probes.constructed import MODELS, Answer, executable_pairs, passage_pairs, table_pairs

import nliprobe
from nliprobe.analysis.cases import read_run
from nliprobe.analysis.documents import ShowDocument
from nliprobe.api.results import Run
from nliprobe.probes import PROBES

FAMILIES = ("rows.", "sentences.", "counterfactual.")
NAMES = tuple(MODELS)
# One column per model in the order of MODELS: x where the probe must find prohibited changes, - where it must not.
EXPECTED = {
    # perfect, ignores the premise, first unit, last tokens, order, contradicts insertion
    "rows.delete": "-xxx--",  # a row that is needed is gone, yet the premise is ignored; others move into view
    "rows.delete?blind=true": "--xx--",  # without evidence, who never changes is never caught
    "rows.delete?which=relevant": "-x----",
    "rows.delete?which=irrelevant": "--xx--",
    "rows.delete?which=all-relevant": "-x----",
    "rows.insert": "--xxxx",  # what was in view is pushed out, the order is broken, there is one row more
    "rows.update": "------",  # none of the faults is about values
    "rows.permute": "--xxx-",
    "rows.compose?ops=delete+permute": "-xxxx-",
    "rows.compose?ops=insert+insert+delete": "-xxxxx",
    "counterfactual.relocate": "--xxxx",  # rows get other places, a new key makes one row more
    "counterfactual.retitle": "------",  # all models ignore the title of a table
    "sentences.delete": "-xxx--",
    "sentences.delete?which=relevant": "-x----",
    "sentences.delete?which=irrelevant": "--xx--",
    "sentences.delete?which=all-relevant": "-x----",
    "sentences.insert": "--xxxx",
    "sentences.permute": "--xxx-",
    "sentences.keep?which=each": "-xxx--",  # alone, each sentence comes into view
}


# The same where programs give the labels: x where an answer after the edit is wrong though the one before was right.
EXACT = {
    "rows.delete": "-x----",  # who sees a part of the rows is right before only about these, and sees them go
    "rows.insert": "-xxxxx",  # a new row can answer what was open, and the hypothesis stays
    "rows.update": "-x----",  # the same: an updated row stays in view
    "rows.permute": "--xxx-",
    "rows.compose?ops=insert+insert+delete": "-xxxxx",
    "counterfactual.relocate": "--xxxx",  # rows that decide keep the label, so the hypothesis alone is enough
    "counterfactual.retitle": "------",
    "counterfactual.flip": "-xxxxx",  # the order is broken and there is one row more where a row was missing
}


def _function(answer: Answer) -> Callable[[list[str], list[str]], list[str]]:
    return lambda premises, hypotheses: list(map(answer, premises, hypotheses))


@pytest.fixture(scope="module")
def document() -> ShowDocument:
    systems = {name: _function(answer) for name, answer in MODELS.items()}
    pairs = {"tables": table_pairs(), "passages": passage_pairs(), "twice": passage_pairs(twice=True)}
    run = nliprobe.run(systems, pairs, ["gold", *EXPECTED], represent="struct", doctor=False)
    return run.summary()


def test_every_probe_of_units_is_in_the_table() -> None:
    asked = {spec.partition("?")[0] for spec in (*EXPECTED, *EXACT)}
    assert asked == {name for name in PROBES.names() if name.startswith(FAMILIES)}


@pytest.mark.parametrize("probe", EXPECTED)
def test_each_probe_breaks_the_models_it_must_break(document: ShowDocument, probe: str) -> None:
    marks = {}
    for entry in document["transitions"]:
        if entry["probe"] == probe and entry["corpus"] != "twice":
            likely = entry["likely"]
            assert entry["n"] + likely["n"], "a probe without cases shows nothing"
            broken = entry["prohibited_overall"]["count"] + likely["prohibited_overall"]["count"]
            marks[entry["system"]] = "x" if broken else "-"
    assert "".join(marks[name] for name in NAMES) == EXPECTED[probe]


@pytest.fixture(scope="module")
def exact_run() -> Run:
    systems = {name: _function(answer) for name, answer in MODELS.items()}
    return nliprobe.run(systems, {"tables": executable_pairs()}, ["gold", *EXACT], represent="struct", doctor=False)


@pytest.mark.parametrize("probe", EXACT)
def test_each_probe_breaks_the_models_it_must_break_where_programs_give_the_labels(exact_run: Run, probe: str) -> None:
    data = read_run(exact_run.folder)
    part = next(item for item in data.cases.slices() if item.probe == probe)
    base = data.cases.base[part.rows]
    assert (data.cases.gold[part.rows] != 0).all(), "every case of a pair with a program has a gold label"
    marks = {}
    for system in data.systems:
        before, after = (system.answers[rows] == data.cases.gold[rows] for rows in (base, part.rows))
        marks[system.name] = "x" if (before & ~after).any() else "-"
    assert "".join(marks[name] for name in NAMES) == EXACT[probe]


def test_who_reads_perfectly_is_right_after_every_edit(exact_run: Run) -> None:
    scores = exact_run.summary()["scores"]
    assert {entry["probe"] for entry in scores} == {"gold", *EXACT}
    assert {entry["accuracy"] for entry in scores if entry["system"] == "perfect"} == {1.0}


def test_a_premise_need_not_be_read_to_score_high(document: ShowDocument) -> None:
    scores = {
        (entry["system"], entry["corpus"]): entry["accuracy"]
        for entry in document["scores"]
        if entry["probe"] == "gold"
    }
    assert scores["perfect", "tables"] == scores["perfect", "passages"] == 1
    high = scores["ignores the premise", "tables"]
    assert high is not None
    assert high > 0.7


def test_the_perfect_evidence_user_has_full_marks_on_every_measure(document: ShowDocument) -> None:
    entries = [entry for entry in document["evidence"] if entry["system"] == "perfect"]
    assert {(entry["corpus"], entry["method"]) for entry in entries} >= {
        ("tables", "delete"),
        ("passages", "delete"),
        ("twice", "keep"),
    }
    for entry in entries:
        if (entry["corpus"], entry["method"]) == ("twice", "delete"):
            [left_out] = entry["left_out"]
            assert left_out["n"] == entry["pairs"] == 216
            assert "suffices alone" in left_out["reason"]
            continue
        assert entry["n"] == entry["pairs"] == 216, entry["left_out"]
        assert entry["precision"]["mean"] == entry["precision_where_some"]["mean"] == entry["recall"]["mean"] == 1
        kinds, right = entry["kinds"], entry["right"]
        assert kinds["all"]["rate"] == right["all"]["rate"] == entry["exact"]["rate"] == entry["accuracy"]["rate"] == 1
        assert entry["wrong"]["count"] == kinds["partial"]["count"] == kinds["nothing"]["count"] == 0
        assert entry["without_all"]["rate"] == entry["grounded"]["rate"] == 1
        assert all(use["precision"]["mean"] == use["recall"]["mean"] == 1 for use in entry["labels"].values())
        assert all(place["used_of_marked"]["rate"] == 1 for place in entry["places"])
        assert all(key["difference"] == 0 for key in entry["keys"]["keys"])


@pytest.mark.parametrize(
    ("system", "recall"),
    [("ignores the premise", 0), ("first unit", 1 / 9), ("order", 1), ("contradicts insertion", 1)],
)
def test_the_rows_that_a_model_uses_are_found(document: ShowDocument, system: str, recall: float) -> None:
    [entry] = [item for item in document["evidence"] if item["system"] == system and item["corpus"] == "tables"]
    assert entry["recall"]["mean"] == pytest.approx(recall)
    assert entry["kinds"]["all"]["rate"] == pytest.approx(recall)


def test_who_ignores_the_premise_uses_nothing_of_it_and_is_often_right(document: ShowDocument) -> None:
    [entry] = [
        item for item in document["evidence"] if item["system"] == "ignores the premise" and item["corpus"] == "tables"
    ]
    assert entry["kinds"]["nothing"]["rate"] == 1
    assert entry["precision_where_some"]["mean"] is None
    accuracy = entry["accuracy"]["rate"]
    assert accuracy is not None
    assert accuracy > 0.7
    assert entry["right"]["nothing"]["rate"] == accuracy


def test_who_never_gets_the_premise_uses_no_sentence_of_it_alone() -> None:
    answer = {"blind": _function(MODELS["ignores the premise"])}
    pairs = {"twice": passage_pairs(twice=True)}
    probes = ["gold", "sentences.delete?which=all-relevant", "sentences.keep?which=each"]
    document = nliprobe.run(answer, pairs, probes, premise="none", doctor=False).summary()
    [entry] = [item for item in document["evidence"] if item["method"] == "keep"]
    assert entry["kinds"]["nothing"]["rate"] == 1
    assert entry["unread"]["units"] == 216 * 18
    assert entry["without_all"]["rate"] == entry["grounded"]["rate"] == 0
