"""Breaking a run down by a facet: by hand, for facets of pairs and of cases, given and computed."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.analysis.runs import Asked, MakeRun, derived, pair
from tests.analysis.schemas import load_schema, validate

from nliprobe.analysis.facet_documents import FacetEntry, FacetsDocument
from nliprobe.analysis.facet_values import facet_names
from nliprobe.analysis.facets import facet_scores
from nliprobe.base.errors import NotFoundError
from nliprobe.stats.intervals import wilson
from nliprobe.task.case import Case
from nliprobe.task.evidence import Evidence
from nliprobe.task.pair import Facet


def known(case: Case, *values: str, evidence: tuple[int, ...] | None = None) -> Case:
    facets = tuple(Facet("kind", value) for value in values)
    return case._replace(
        source=replace(case.source, facets=facets, evidence=None if evidence is None else Evidence(evidence))
    )


A = known(pair("a", "E", group="t1"), "x", "y", evidence=(0, 2))
B = known(pair("b", "N", group="t1"), "x", evidence=(1,))
C = known(pair("c", "C", group="t2"), "x")
D = pair("d", "C", group="t3")
MOVED, KEPT = derived("a1", A), derived("b1", B)
CASES = {"x/dev": [A, B, C, D, MOVED, KEPT]}
ANSWERS = {"a": "E", "b": "E", "c": None, "d": "C", "a1": "C", "b1": "E"}


def rates(entries: list[FacetEntry]) -> dict[tuple[str, str], tuple[int, int]]:
    return {(entry["system"], entry["value"]): (entry["count"], entry["n"]) for entry in entries}


def test_pair_counts_under_each_of_its_values(make_run: MakeRun) -> None:
    document = facet_scores(make_run(CASES, [Asked("m", ANSWERS)]), "kind")
    validate("facets", document)
    assert document["many"]
    assert document["values"] == ["x", "y"]
    assert rates(document["accuracy"]) == {("m", "x"): (1, 3), ("m", "y"): (1, 1)}
    assert document["corpora"] == [{"corpus": "x/dev", "pairs": 3, "without": 1}]
    x, y = document["accuracy"]
    assert (x["unanswered"], x["groups"], x["pairs"], x["few"]) == (1, 2, 3, True)
    # Three cases of two tables have no interval; a single case has Wilson's.
    assert (x["ci95"], x["ci95_clustered"]) == (None, None)
    assert (y["ci95"], y["ci95_clustered"]) == (list(wilson(1, 1) or ()), None)


def test_prohibited_changes_by_value(make_run: MakeRun) -> None:
    document = facet_scores(make_run(CASES, [Asked("m", ANSWERS)]), "kind")
    assert rates(document["prohibited"]) == {("m", "x"): (1, 2), ("m", "y"): (1, 1)}
    assert {entry["probe"] for entry in document["prohibited"]} == {"rows.delete"}


def test_nothing_prohibited_is_no_rate(make_run: MakeRun) -> None:
    free = derived("c1", C, relation="E>ENC N>ENC C>ENC")
    run = make_run({"x/dev": [C, free]}, [Asked("m", {"c": "C", "c1": "E"})])
    (entry,) = facet_scores(run, "kind")["prohibited"]
    assert (entry["n"], entry["rate"], entry["ci95"]) == (1, None, None)


def test_unanswered_changes_are_counted_apart(make_run: MakeRun) -> None:
    run = make_run(CASES, [Asked("m", {**ANSWERS, "a1": None})])
    found = {entry["value"]: entry for entry in facet_scores(run, "kind")["prohibited"]}
    assert (found["x"]["n"], found["x"]["unanswered"]) == (1, 1)
    assert (found["y"]["n"], found["y"]["unanswered"], found["y"]["rate"]) == (0, 1, None)


def test_number_of_values_and_of_evidence_rows(make_run: MakeRun) -> None:
    run = make_run(CASES, [Asked("m", ANSWERS)])
    assert rates(facet_scores(run, "n:kind")["accuracy"]) == {("m", "1"): (0, 2), ("m", "2"): (1, 1)}
    assert not facet_scores(run, "n:kind")["many"]
    assert rates(facet_scores(run, "rows")["accuracy"]) == {("m", "1"): (0, 1), ("m", "2"): (1, 1)}
    assert facet_names(run) == ["kind", "n:kind", "rows", "label"]


def test_numbers_are_ordered_by_size(make_run: MakeRun) -> None:
    cases = [known(pair(name, "E"), name) for name in ("10", "9", "2")]
    document = facet_scores(make_run({"x": cases}, [Asked("m", dict.fromkeys(("10", "9", "2"), "E"))]), "kind")
    assert document["values"] == ["2", "9", "10"]
    assert [entry["value"] for entry in document["accuracy"]] == ["2", "9", "10"]


def test_facet_of_a_case_is_its_own(make_run: MakeRun) -> None:
    moved = MOVED._replace(facets=(Facet("place", "first"),))
    run = make_run({"x/dev": [A, B, moved, KEPT]}, [Asked("m", ANSWERS)])
    document = facet_scores(run, "place")
    validate("facets", document)
    assert document["accuracy"] == []
    assert rates(document["prohibited"]) == {("m", "first"): (1, 1)}


def test_values_with_five_pairs_are_not_few(make_run: MakeRun) -> None:
    cases = [known(pair(f"p{n}", "E"), "x") for n in range(5)]
    document = facet_scores(make_run({"x": cases}, [Asked("m", {case.id: "E" for case in cases})]), "kind")
    (entry,) = document["accuracy"]
    assert (entry["few"], entry["rate"], entry["groups"], entry["ci95_clustered"]) == (False, 1.0, 5, None)


def test_many_edits_of_one_pair_are_few(make_run: MakeRun) -> None:
    edited = [derived(f"c{n}", C) for n in range(8)]
    run = make_run({"x": [C, *edited]}, [Asked("m", dict.fromkeys(["c", *(case.id for case in edited)], "C"))])
    (entry,) = facet_scores(run, "kind")["prohibited"]
    assert (entry["n"], entry["pairs"], entry["few"]) == (8, 1, True)


def test_same_document_again_and_two_systems_in_order(make_run: MakeRun) -> None:
    run = make_run(CASES, [Asked("m", ANSWERS), Asked("coarse", dict.fromkeys(ANSWERS, "NC"), partition="E|NC")])
    document = facet_scores(run, "kind")
    assert document == facet_scores(run, "kind")
    assert list(dict.fromkeys(entry["system"] for entry in document["accuracy"])) == ["m", "coarse"]
    assert rates(document["accuracy"])["coarse", "x"] == (2, 3)


def test_unknown_facet_names_the_nearest(make_run: MakeRun) -> None:
    run = make_run(CASES, [Asked("m", ANSWERS)])
    with pytest.raises(NotFoundError, match=r"has the facet 'kinds'\. Did you mean 'kind'\?"):
        facet_scores(run, "kinds")
    with pytest.raises(NotFoundError, match=r"the facet 'rows'\. Available: label\."):
        facet_scores(make_run({"x": [D]}, [Asked("m", {"d": "C"})]), "rows")


@pytest.mark.parametrize(("place", "kind"), [("", FacetsDocument), ("entry", FacetEntry)])
def test_schema_names_the_fields_of_the_types(place: str, kind: type) -> None:
    schema = load_schema("facets")
    part = schema["$defs"][place] if place else schema
    assert list(part["properties"]) == list(kind.__annotations__)


def test_facets_are_crossed_with_one_another_and_with_the_gold_label(make_run: MakeRun) -> None:
    run = make_run(CASES, [Asked("m", ANSWERS)])
    document = facet_scores(run, "kind,label")
    validate("facets", document)
    assert document["values"] == ["x, E", "x, N", "x, C", "y, E"]
    assert rates(document["accuracy"]) == {("m", "x, E"): (1, 1), ("m", "x, N"): (0, 1), ("m", "x, C"): (0, 1)} | {
        ("m", "y, E"): (1, 1)
    }
    # An edited case has the label of the pair it was made from.
    assert rates(document["prohibited"])["m", "x, E"] == (1, 1)
    assert document["accuracy"][0]["constants"] == {"E": 1.0, "N": 0.0, "C": 0.0}
    assert facet_scores(run, "label")["values"] == ["E", "N", "C"]
    with pytest.raises(NotFoundError, match=r"has the facet 'labels'\. Did you mean 'label'\?"):
        facet_scores(run, "kind, labels")


def test_what_every_constant_answer_gets_stands_beside_an_accuracy(make_run: MakeRun) -> None:
    x, y = facet_scores(make_run(CASES, [Asked("m", ANSWERS)]), "kind")["accuracy"]
    assert x["constants"] == {"E": 1 / 3, "N": 1 / 3, "C": 1 / 3}
    assert y["constants"] == {"E": 1.0, "N": 0.0, "C": 0.0}
    prohibited = facet_scores(make_run(CASES, [Asked("m", ANSWERS)]), "kind")["prohibited"]
    assert all(entry["constants"] == {} for entry in prohibited)


def test_new_pairs_are_scored_by_their_facets_and_own_labels(make_run: MakeRun) -> None:
    new = [
        derived(f"{base.id}{gold}", base, "stress.numerical", None, gold=gold, bases=())._replace(
            facets=(Facet("form", "wide" if gold != "C" else "other"),)
        )
        for base in (A, B, C)
        for gold in "ENC"
    ]
    run = make_run({"x/dev": [*CASES["x/dev"], *new]}, [Asked("m", {**ANSWERS, **{case.id: "E" for case in new}})])
    document = facet_scores(run, "form")
    assert {entry["probe"] for entry in document["accuracy"]} == {"stress.numerical"}
    assert rates(document["accuracy"]) == {("m", "wide"): (3, 6), ("m", "other"): (0, 3)}
    assert document["prohibited"] == []
    validate("facets", document)
    by_label = facet_scores(run, "label")["accuracy"]
    assert rates([entry for entry in by_label if entry["probe"] == "stress.numerical"]) == {
        ("m", "E"): (3, 3),
        ("m", "N"): (0, 3),
        ("m", "C"): (0, 3),
    }
