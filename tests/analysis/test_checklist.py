"""The behavioural summary of a run over templates, by hand."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.analysis.checklists import Made, answers, example, examples, pattern
from tests.analysis.runs import Asked, MakeRun, derived, pair
from tests.analysis.schemas import load_schema, validate

from nliprobe.analysis.cases import read_run
from nliprobe.analysis.checklist import documents as shapes
from nliprobe.analysis.checklist.cases import has_checklist
from nliprobe.analysis.checklist.document import checklist_document
from nliprobe.base.errors import NotFoundError
from nliprobe.stats.intervals import wilson
from nliprobe.stats.two_sample import difference_of_rates
from nliprobe.task.case import Certainty
from nliprobe.task.pair import Facet

SOME = Made("quantifier.some", "quantifier", "E", tags=("table9", "scalar"))
ALL = Made("quantifier.all", "quantifier", "N", variation_of="quantifier.some", change="some becomes all")
MEANT = Made("implicature.most", "implicature", "C")
OWN = Made("mine.one", "astrology", "C", variation_of="mine.elsewhere", change="x")
SOME_CASES, ALL_CASES, OWN_CASES = examples(SOME, 10), examples(ALL, 8), examples(OWN, 2)
MEANT_CASES = examples(MEANT, 4)
CASES = {"checklist/all": [*SOME_CASES, *ALL_CASES, *MEANT_CASES, *OWN_CASES]}
ANSWERS = {
    **answers(SOME_CASES, 9, "C"),
    **answers(ALL_CASES, 1, "E"),
    **answers(MEANT_CASES, 4, "N"),
    **answers(OWN_CASES, 1, None),
}


def test_document_is_as_published_and_the_same_for_a_seed(make_run: MakeRun) -> None:
    run = make_run(CASES, [Asked("m", ANSWERS), Asked("e", dict.fromkeys(ANSWERS, "E"))])
    document = checklist_document(run, patterns=[pattern(SOME), pattern(ALL), pattern(OWN), pattern(MEANT)], seed=3)
    validate("checklist", document)
    assert document == checklist_document(
        run, patterns=[pattern(MEANT), pattern(OWN), pattern(ALL), pattern(SOME)], seed=3
    )
    assert document["systems"] == ["m", "e"]
    assert (document["templates"], document["n"], document["corpora"]) == (4, 24, ["checklist/all"])
    assert document["notes"] == []


def test_capabilities_come_in_the_order_of_the_taxonomy_with_ones_own_last(make_run: MakeRun) -> None:
    document = checklist_document(make_run(CASES, [Asked("m", ANSWERS)]))
    found = [(entry["group"], entry["capability"]) for entry in document["capabilities"]]
    assert found == [("logical", "quantifier"), ("pragmatic", "implicature"), ("other", "astrology")]


def test_pair_means_template_means_and_balanced_means(make_run: MakeRun) -> None:
    quantifier, implicature, own = checklist_document(make_run(CASES, [Asked("m", ANSWERS)]))["capabilities"]
    assert (quantifier["n"], quantifier["correct"], quantifier["templates"]) == (18, 10, 2)
    assert quantifier["accuracy"] == 10 / 18
    assert quantifier["template_mean"] == pytest.approx((0.9 + 1 / 8) / 2)
    assert quantifier["labels"]["E"] == {"n": 10, "share": 10 / 18, "templates": 1, "accuracy": 0.9}
    assert quantifier["constant"] == {"label": "E", "accuracy": 10 / 18}
    assert quantifier["balanced"] == pytest.approx((0.9 + 1 / 8) / 2)
    assert quantifier["balanced_ci95"] is None
    # Two templates do not tell how far templates differ, nor does one, however many examples they have.
    assert quantifier["ci95"] is None
    assert (implicature["accuracy"], implicature["ci95"]) == (1.0, None)
    assert (own["accuracy"], own["unanswered"]) == (0.5, 1)


def test_the_units_of_intervals_are_templates_not_examples(make_run: MakeRun) -> None:
    made = [Made(f"boolean.t{number}", "boolean", "ENC"[number % 3]) for number in range(12)]
    cases = [examples(template, 30) for template in made]
    said: dict[str, str | None] = {}
    for place, own in enumerate(cases):
        said |= answers(own, 30 if place % 4 else 0, "NCE"[place % 3])
    run = make_run({"c": [case for own in cases for case in own]}, [Asked("m", said)], shard=100)
    (entry,) = checklist_document(run)["overall"]
    assert entry["accuracy"] == 0.75
    assert entry["ci95"] is not None
    assert entry["ci95"][1] - entry["ci95"][0] > 0.35
    assert entry["balanced"] == pytest.approx(0.75)
    assert entry["balanced_ci95"] is not None
    assert entry["balanced_ci95"][0] < 0.75 < entry["balanced_ci95"][1]


def test_bins_and_label_skew(make_run: MakeRun) -> None:
    document = checklist_document(make_run(CASES, [Asked("m", ANSWERS)]))
    (bins,) = document["bins"]
    assert bins["bins"] == {"0-20": 1, "20-40": 0, "40-60": 1, "60-80": 0, "80-100": 2}
    assert (bins["passed"], bins["unsure"], bins["failed"]) == (2, 1, 1)
    assert document["labels"] == {
        "E": {"n": 10, "distinct": 10, "templates": 1},
        "N": {"n": 8, "distinct": 8, "templates": 1},
        "C": {"n": 6, "distinct": 6, "templates": 2},
    }


def test_templates_say_what_was_answered_instead_with_an_example_of_each(make_run: MakeRun) -> None:
    document = checklist_document(make_run(CASES, [Asked("m", ANSWERS)]), patterns=[pattern(SOME)])
    found = {entry["template"]: entry for entry in document["template_table"]}
    some, own = found["quantifier.some"], found["mine.one"]
    assert (some["n"], some["distinct"], some["correct"], some["verdict"]) == (10, 10, 9, "passed")
    assert some["ci95"] == list(wilson(9, 10) or ())
    assert (some["gold"], some["answers"], some["instead"]) == ({"E": 10}, {"E": 9, "C": 1}, {"C": 1})
    assert some["tags"] == ["scalar", "table9"]
    assert some["pattern"] == {"premise": "{NAME1} is tall.", "hypothesis": "{NAME1} is not short.", "label": "E"}
    assert some["right"] == {
        "premise": "quantifier.some: 0.",
        "hypothesis": "So it is.",
        "gold": "E",
        "answer": "E",
    }
    assert some["wrong"] is not None
    assert (some["wrong"]["premise"], some["wrong"]["answer"]) == ("quantifier.some: 9.", "C")
    assert own["instead"] == {"unanswered": 1}
    assert own["wrong"] is not None
    assert own["wrong"]["answer"] is None
    assert document["notes"] == [
        "Left out of the surrogate, because how they are written is not known: "
        "3 of 4 templates (implicature.most, mine.one, quantifier.all)."
    ]


def test_repeated_examples_are_counted_once_in_the_interval(make_run: MakeRun) -> None:
    template = Made("numerical.n", "numerical")
    cases = [example(template, number, N=str(number % 8)) for number in range(400)]
    said: dict[str, str | None] = {case.id: "E" if number % 4 else "C" for number, case in enumerate(cases)}
    document = checklist_document(make_run({"c": cases}, [Asked("m", said)], shard=400))
    (entry,) = document["template_table"]
    assert (entry["n"], entry["distinct"], entry["accuracy"]) == (400, 8, 0.75)
    assert (document["n"], document["distinct"]) == (400, 8)
    assert entry["ci95"] is not None
    assert entry["ci95"][1] - entry["ci95"][0] > 0.5
    # Fewer than five distinct examples have no interval.
    few = [case for number, case in enumerate(cases) if number % 8 < 4]
    (entry,) = checklist_document(make_run({"c": few}, [Asked("m", said)], shard=400))["template_table"]
    assert (entry["distinct"], entry["ci95"]) == (4, None)
    narrow = wilson(300, 400)
    assert narrow is not None
    assert narrow.high - narrow.low < 0.1


def test_variations_stand_beside_what_they_vary(make_run: MakeRun) -> None:
    (found,) = checklist_document(make_run(CASES, [Asked("m", ANSWERS)]))["variations"]
    assert (found["template"], found["of"]) == ("quantifier.all", "quantifier.some")
    assert found["change"] == "some becomes all"
    assert found["difference"] == 1 / 8 - 0.9
    assert found["ci95"] == list(difference_of_rates(0.9, wilson(9, 10), 1 / 8, wilson(1, 8)) or ())
    assert (found["answers"], found["of_answers"]) == ({"E": 7, "N": 1}, {"E": 9, "C": 1})
    assert (found["gold"], found["of_gold"]) == ({"N": 8}, {"E": 10})


BOTH = Made("implicature.some", "implicature", "C", second="N", second_capability="quantifier")
OTHER = Made("implicature.or", "implicature", "C", second="N", second_capability="boolean")
BOTH_CASES, OTHER_CASES = examples(BOTH, 10), examples(OTHER, 10)
READ = {"checklist/all": [*SOME_CASES, *BOTH_CASES, *OTHER_CASES]}
TAKEN: dict[str, str | None] = {
    **answers(SOME_CASES, 9, "C"),
    **answers(BOTH_CASES, 6, "N"),
    **answers(OTHER_CASES[:8], 0, "E"),
    **answers(OTHER_CASES[8:], 0, None),
}


def test_readings_are_scored_apart_and_in_no_accuracy(make_run: MakeRun) -> None:
    document = checklist_document(make_run(READ, [Asked("m", TAKEN)]))
    validate("checklist", document)
    (whole,) = document["overall"]
    assert (document["templates"], document["n"], whole["n"], whole["accuracy"]) == (1, 10, 10, 0.9)
    assert [entry["template"] for entry in document["template_table"]] == ["quantifier.some"]
    assert [entry["capability"] for entry in document["capabilities"]] == ["quantifier"]
    every, ors, somes = document["readings"]
    assert (every["template"], every["templates"], every["n"], every["unanswered"]) == (None, 2, 20, 2)
    assert [every[kind]["rate"] for kind in ("first", "second", "neither")] == [0.3, 0.2, 0.4]
    # Two templates are too few groups for an interval.
    assert every["first"]["ci95"] is None
    assert (somes["template"], somes["capability"]) == ("implicature.some", "implicature")
    assert somes["second_capability"] == "quantifier"
    assert [somes[kind]["count"] for kind in ("first", "second", "neither")] == [6, 4, 0]
    assert somes["first"]["ci95"] == list(wilson(6, 10) or ())
    assert (ors["neither"]["count"], ors["unanswered"]) == (8, 2)
    assert ors["example"] == {
        "premise": "implicature.or: 0.",
        "hypothesis": "So it is.",
        "first": "C",
        "second": "N",
        "answer": "E",
    }
    assert document["notes"][0].startswith("Templates with two readings are in no accuracy: 2.")


def test_a_run_of_readings_alone_has_no_accuracy(make_run: MakeRun) -> None:
    run = make_run({"c": BOTH_CASES}, [Asked("m", TAKEN)])
    document = checklist_document(run)
    validate("checklist", document)
    assert (document["systems"], document["overall"], document["bins"]) == (["m"], [], [])
    assert len(document["readings"]) == 2
    assert has_checklist(run, read_run(run))


def test_a_system_that_does_not_tell_the_readings_apart_takes_neither(make_run: MakeRun) -> None:
    said = dict.fromkeys(TAKEN, "NC")
    document = checklist_document(make_run(READ, [Asked("m", said, partition="E|NC")]))
    assert document["readings"] == []
    (whole,) = document["overall"]
    assert whole["constant"] == {"label": "E", "accuracy": 1.0}


def test_second_readings_of_older_runs_are_left_out(make_run: MakeRun) -> None:
    """Until now they were pairs of their own, with the label of the second reading as gold."""
    old = []
    for number, case in enumerate(examples(Made("quantifier.some~second", "implicature", "N"), 5)):
        facets = (*case.source.facets, Facet("reading", "second"))
        old.append(case._replace(source=replace(case.source, id=f"old/{number}", facets=facets), id=f"old/{number}"))
    said = {**TAKEN, **{case.id: "E" for case in old}}
    document = checklist_document(make_run({"c": [*SOME_CASES, *old]}, [Asked("m", said)]))
    assert (document["templates"], document["n"]) == (1, 10)
    assert document["notes"][0].startswith("Left out: 5 examples of second readings")


def test_the_best_constant_answer_stands_beside_every_accuracy(make_run: MakeRun) -> None:
    document = checklist_document(make_run(CASES, [Asked("m", dict.fromkeys(ANSWERS, "E"))]))
    for entry in [*document["overall"], *document["capabilities"]]:
        assert entry["constant"] is not None
        shares = {label: rate["share"] for label, rate in entry["labels"].items()}
        assert sum(shares.values()) == pytest.approx(1)
        assert entry["constant"]["accuracy"] == max(shares.values())
        assert entry["accuracy"] == shares.get("E", 0.0), "a system that always says E gets its share"


def test_benchmark_of_the_same_run_is_contrasted(make_run: MakeRun) -> None:
    bench = [pair(f"b{number}", "E", group=f"g{number}") for number in range(20)]
    said = {**ANSWERS, **answers(bench, 18, "N")}
    others = [example(Made(f"mine.t{number}", "astrology"), 0) for number in range(2)]
    made = {"checklist/all": [*CASES["checklist/all"], *others], "snli/dev": bench}
    document = checklist_document(make_run(made, [Asked("m", {**said, **answers(others, 1, "N")})]))
    (found,) = document["contrasts"]
    assert (found["corpus"], found["n"], found["accuracy"]) == ("snli/dev", 20, 0.9)
    assert found["difference"] == pytest.approx(0.9 - 16 / 26)
    assert found["ci95"] is not None
    assert found["ci95"][0] < found["difference"] < found["ci95"][1]
    assert (document["n"], document["corpora"]) == (26, ["checklist/all"])


def test_two_way_systems_are_judged_as_they_tell_labels_apart(make_run: MakeRun) -> None:
    said = dict.fromkeys(ANSWERS, "NC")
    (entry,) = checklist_document(make_run(CASES, [Asked("m", said, partition="E|NC")]))["overall"]
    assert entry["correct"] == 14


def test_only_labelled_certain_unchanged_pairs_count(make_run: MakeRun) -> None:
    unsure = SOME_CASES[0]._replace(id="u", certainty=Certainty.LIKELY, source=replace(SOME_CASES[0].source, id="u"))
    edited = derived("edited", SOME_CASES[1], probe="swap")
    silent = SOME_CASES[2]._replace(id="s", gold=None, source=replace(SOME_CASES[2].source, id="s", gold=None))
    run = make_run(
        {"c": [*SOME_CASES, unsure, edited, silent]}, [Asked("m", {**ANSWERS, "u": "E", "edited": "E", "s": "E"})]
    )
    assert checklist_document(run)["n"] == 10


def test_systems_not_asked_yet_are_named_and_left_out(make_run: MakeRun) -> None:
    run = make_run(CASES, [Asked("m", ANSWERS), Asked("late", {})])
    document = checklist_document(run)
    validate("checklist", document)
    assert document["systems"] == ["m"]
    assert "late has not been asked yet." in document["notes"]
    half = {key: value for key, value in ANSWERS.items() if "some" in key}
    (entry,) = checklist_document(make_run(CASES, [Asked("m", half)]))["template_table"]
    assert entry["template"] == "quantifier.some"


def test_a_run_without_templates_is_refused(make_run: MakeRun) -> None:
    run = make_run({"x": [pair("a", "E")]}, [Asked("m", {"a": "E"})])
    with pytest.raises(NotFoundError, match="not a run of a checklist"):
        checklist_document(run)
    assert not has_checklist(run, read_run(run))
    full = make_run(CASES, [Asked("m", ANSWERS)])
    assert has_checklist(full, read_run(full))
    unlabelled = [case._replace(gold=None, source=replace(case.source, gold=None)) for case in SOME_CASES]
    bare = make_run({"c": unlabelled}, [Asked("m", ANSWERS)])
    assert not has_checklist(bare, read_run(bare))


@pytest.mark.parametrize(
    ("place", "kind"),
    [
        ("", shapes.ChecklistDocument),
        ("capability", shapes.CapabilityEntry),
        ("bins", shapes.BinCounts),
        ("template", shapes.TemplateEntry),
        ("variation", shapes.VariationEntry),
        ("effect", shapes.Effect),
        ("value", shapes.ValueRate),
        ("surrogate", shapes.Surrogate),
        ("contrast", shapes.Contrast),
        ("label_rate", shapes.LabelRate),
        ("reading", shapes.ReadingEntry),
        ("reading_example", shapes.ReadingExample),
    ],
)
def test_schema_names_the_fields_of_the_types(place: str, kind: type) -> None:
    schema = load_schema("checklist")
    part = schema["$defs"][place] if place else schema
    assert list(part["properties"]) == list(kind.__annotations__)
