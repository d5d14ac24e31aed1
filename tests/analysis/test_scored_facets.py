"""Accuracies by facet without a run: the same numbers as those of a run."""

from __future__ import annotations

import pytest
from tests.analysis.runs import Asked, MakeRun, pair
from tests.analysis.schemas import validate

import nliprobe
from nliprobe.analysis.facets import facet_scores
from nliprobe.analysis.scored_facets import ScoredPairs, scored_breakdown
from nliprobe.base.errors import NotFoundError
from nliprobe.task.case import Prediction
from nliprobe.task.labels import THREE_WAY, LabelSet
from nliprobe.task.pair import Facet

KINDS = {"a": ("E", "xy", "1"), "b": ("N", "x", "2"), "c": ("C", "x", "10"), "d": ("C", "", "10"), "e": ("E", "y", "2")}
ANSWERS = {"a": "E", "b": "E", "c": None, "d": "C", "e": "N"}
CASES = [
    pair(name, gold, group=f"g{name in 'ab'}", facets=[*(Facet("kind", kind) for kind in kinds), Facet("size", size)])
    for name, (gold, kinds, size) in KINDS.items()
]
SCORED = ScoredPairs(
    "x",
    "m",
    [case.source for case in CASES],
    [Prediction(None if (said := ANSWERS[case.id]) is None else LabelSet.of(said)) for case in CASES],
    THREE_WAY,
    THREE_WAY,
)


@pytest.mark.parametrize("facet", ["kind", "size", "label", "n:kind", "kind,label", "label,size", "kind, size, label"])
def test_as_in_a_run(make_run: MakeRun, facet: str) -> None:
    item = scored_breakdown(SCORED, facet, asked=True)
    document = facet_scores(make_run({"x": CASES}, [Asked("m", ANSWERS)]), facet)
    assert item is not None
    assert item["values"] == document["values"]
    assert item["many"] == document["many"]
    assert item["accuracy"] == document["accuracy"]


def test_a_facet_that_no_pair_has() -> None:
    assert scored_breakdown(SCORED, "kinds", asked=False) is None
    with pytest.raises(NotFoundError, match=r"No labelled pair of x has the facet 'kinds'\. Did you mean 'kind'\?"):
        scored_breakdown(SCORED, "kinds,label", asked=True)
    alone = SCORED._replace(pairs=SCORED.pairs[3:4], answers=SCORED.answers[3:4])
    with pytest.raises(NotFoundError, match="has the facet 'rows'"):
        scored_breakdown(alone, "size,rows", asked=True)


def test_score_takes_facets_of_pairs_in_memory() -> None:
    rows = [
        {"premise": f"p{place}", "hypothesis": "h", "label": gold, "genre": genre}
        for place, (gold, genre) in enumerate([("entailment", "a"), ("neutral", "a"), ("neutral", "b")])
    ]
    pairs = nliprobe.pairs(rows, facets=["genre"])
    document = nliprobe.score(["entailment"] * 3, pairs, by="genre,label").document
    validate("score", document)
    (item,) = document["breakdowns"]
    assert item["asked"]
    assert [(entry["value"], entry["count"], entry["n"]) for entry in item["accuracy"]] == [
        ("a, E", 1, 1),
        ("a, N", 0, 1),
        ("b, N", 0, 1),
    ]
