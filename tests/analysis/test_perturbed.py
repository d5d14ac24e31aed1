"""Perturbed hypotheses of a run: Table 12 for every system, beside those that see no premise."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from rich.console import Console
from tests.analysis.runs import Asked, write_run
from tests.analysis.schemas import validate
from tests.report.case_pages import section_of

from nliprobe.analysis.documents import ShowDocument
from nliprobe.analysis.perturbed.documents import PerturbationEntry
from nliprobe.analysis.summary import summarise
from nliprobe.report.console import render
from nliprobe.report.html import html_report
from nliprobe.report.markdown import markdown_report
from nliprobe.store.run import RunFolder
from nliprobe.task.case import Case, Certainty, identity_case
from nliprobe.task.labels import LabelSet
from nliprobe.task.pair import Facet, Pair


def _pair(number: int, gold: str = "E") -> Pair:
    return Pair(f"c/s/{number}", f"T{number} takes 96 minutes.", f"T{number} is long.", LabelSet.of(gold), f"g{number}")


def _changed(
    of: Pair, name: str, gold: str, certainty: Certainty = Certainty.CERTAIN, probe: str = "hypothesis.number"
) -> Case:
    return Case(
        f"{of.id}-{name}",
        probe,
        of,
        of.premise,
        f"{of.hypothesis} {name}",
        bases=(identity_case(of).id,),
        gold=LabelSet.of(gold),
        certainty=certainty,
        facets=(Facet("kind", probe.partition(".")[2]),),
    )


@pytest.fixture
def run(tmp_path: Path) -> RunFolder:
    """A run of six pairs: the full system is always right, the blind one never sees what flipped."""
    pairs = [_pair(number) for number in range(6)]
    kept = [_changed(pair, "kept", "E") for pair in pairs[:5]]
    flipped = [_changed(pair, "flipped", "C", probe="hypothesis.entity?n=1") for pair in pairs]
    twice = [_changed(pairs[0], "again", "C")]
    likely = [_changed(pair, "likely", "C", Certainty.LIKELY) for pair in pairs[:2]]
    neutral = [_changed(_pair(9, "N"), "neutral", "N"), _changed(pairs[0], "open", "N")]
    cases = [*(identity_case(pair) for pair in (*pairs, _pair(9, "N"))), *kept, *flipped, *twice, *likely, *neutral]
    right = {case.id: str(case.gold) for case in cases}
    blind = {case.id: "N" if case in kept[:2] else "E" for case in cases}
    return write_run(tmp_path, {"c/s": cases}, [Asked("full", right), Asked("blind", blind, premise="none")])


@pytest.fixture
def document(run: RunFolder) -> ShowDocument:
    made = summarise(run)
    validate("show", made)
    return made


def _of(document: ShowDocument, system: str) -> PerturbationEntry:
    [entry] = [entry for entry in document["perturbations"] if entry["system"] == system]
    return entry


def test_originals_count_once_and_effects_apart(document: ShowDocument) -> None:
    entry = _of(document, "blind")
    assert (entry["originals"], entry["groups"], entry["premise_free"]) == (6, 6, True)
    assert entry["original"]["accuracy"] == 1
    preserved, flipped = entry["effects"]
    assert (preserved["effect"], preserved["n"], preserved["score"]["correct"]) == ("preserved", 5, 3)
    assert preserved["difference"] == pytest.approx(0.4)
    assert (flipped["effect"], flipped["n"], flipped["originals"], flipped["score"]["correct"]) == ("flipped", 7, 6, 0)
    assert flipped["difference"] == 1
    assert flipped["score"]["constant"] == {"label": "C", "accuracy": 1.0}
    assert preserved["score"]["mean80"] is not None
    assert [(item["effect"], item["n"]) for item in entry["likely"]] == [("flipped", 2)]
    assert entry["twins"] == []


def test_kinds_come_from_facets(document: ShowDocument) -> None:
    kinds = [(item["kind"], item["effect"], item["n"]) for item in _of(document, "full")["kinds"]]
    assert kinds == [("entity?n=1", "flipped", 6), ("number", "preserved", 5), ("number", "flipped", 1)]


def test_a_system_stands_beside_those_without_premise(document: ShowDocument) -> None:
    [twin] = _of(document, "full")["twins"]
    assert twin["control"] == "blind"
    assert [(gap["set"], gap["n"], gap["gap"]) for gap in twin["gaps"]] == [
        ("original", 6, 0.0),
        ("preserved", 5, pytest.approx(0.4)),
        ("flipped", 7, 1.0),
    ]


def test_settled_cases_of_a_corpus_are_perturbations(tmp_path: Path) -> None:
    pairs = [_pair(number) for number in range(3)]
    settled = [
        Pair(
            f"{of.id}x",
            of.premise,
            "No.",
            LabelSet.of("C"),
            of.group,
            facets=(Facet("kind", "entity"),),
            bases=(of.id,),
        )
        for of in pairs[:2]
    ]
    other = Pair("c/s/other", "P", "Q", LabelSet.of("C"), "g", bases=(pairs[2].id,))
    cases = [identity_case(pair) for pair in (*pairs, *settled, other)]
    run = write_run(tmp_path, {"c/s": cases}, [Asked("s", {case.id: "C" for case in cases})])
    [entry] = summarise(run)["perturbations"]
    assert (entry["made_by"], entry["originals"], [item["n"] for item in entry["effects"]]) == ("corpus", 2, [2])


def test_a_run_without_perturbations_has_none(tmp_path: Path) -> None:
    case = identity_case(_pair(0))
    document = summarise(write_run(tmp_path, {"c/s": [case]}, [Asked("s", {case.id: "E"})]))
    assert document["perturbations"] == []


def test_every_report_shows_the_three_sets(run: RunFolder, document: ShowDocument) -> None:
    stream = io.StringIO()
    Console(file=stream, width=120).print(render(document))
    printed = " ".join(stream.getvalue().split())
    assert "Perturbed hypotheses" in printed
    assert (
        "6 originals; 5 preserved, of 5 pairs in 5 groups; 7 flipped, of 6 pairs in 6 groups; guessing gets 33.3"
        in (printed)
    )
    assert "full minus blind, which sees no premise: original +0.0" in printed
    assert "best constant E 100.0 E 100.0 C 100.0" in printed
    assert "2 more flipped whose label is likely only: full 100.0, blind 0.0" in printed
    text = markdown_report(document)
    assert "## Perturbed hypotheses" in text
    assert "| blind | c/s | flipped | 7 | 0.0" in text
    page = html_report(document, section_of(run), {})
    assert '<h2 id="perturbed">' in page
    assert "flipped, blind" in page
    assert 'aria-label="Perturbed hypotheses: the numbers, 2"' in page
