"""``sentences.keep``: relevant sentences alone keep the answer, others leave it open."""

from __future__ import annotations

import pytest

from nliprobe.base.errors import UsageError
from nliprobe.probes.suite import build_probe
from nliprobe.task.case import Case, Certainty, Skip
from nliprobe.task.evidence import Evidence, Grade
from nliprobe.task.labels import C, LabelSet
from nliprobe.task.pair import Pair

TEXT = "Glaciers grow in Norway. Volcanoes erupt in Iceland. Glaciers shrink in Peru."
SPANS = ((0, 24), (25, 52), (53, 77))


def kept(spec: str, evidence: Evidence | None) -> list[tuple[str, LabelSet | None, str, Certainty] | str]:
    pair = Pair("p", TEXT, "Glaciers shrink.", C, evidence=evidence, sentences=SPANS)
    return [
        item.reason if isinstance(item, Skip) else (str(item.premise), item.gold, str(item.expects), item.certainty)
        for item in build_probe(spec, 0).cases(pair, None)
    ]


def labels(spec: str, evidence: Evidence) -> list[str]:
    pair = Pair("p", TEXT, "Glaciers shrink.", C, evidence=evidence, sentences=SPANS)
    return [str(item.gold) for item in build_probe(spec, 0).cases(pair, None) if isinstance(item, Case)]


def test_each_sentence_is_kept_with_the_label_that_it_gives() -> None:
    evidence = Evidence((0, 2), alone=True)
    assert labels("sentences.keep", evidence) == ["C", "C"]
    assert labels("sentences.keep?which=irrelevant", evidence) == ["N"]
    assert labels("sentences.keep?which=each", evidence) == ["C", "N", "C"]
    whole = kept("sentences.keep?which=each", evidence)
    # It has one of two words of the hypothesis: people said that it suffices, but it is not sure that it does.
    assert whole[0] == ("Glaciers grow in Norway.", C, "E>E N>N C>C", Certainty.LIKELY)
    assert whole[1][2] == "E>N N>N C>N"


def test_a_sentence_that_is_not_needed_surely_leaves_it_open_if_it_is_about_something_else() -> None:
    text = "Glaciers grow in Norway. Oslo lies on a fjord. Glaciers shrink in Peru."
    pair = Pair("p", text, "Glaciers shrink.", C, evidence=Evidence((2,)))
    near, other = build_probe("sentences.keep?which=irrelevant").cases(pair, None)
    assert isinstance(near, Case)
    assert isinstance(other, Case)
    assert (str(near.expects), near.certainty) == ("E>N N>N C>N", Certainty.LIKELY)
    assert (str(other.expects), other.certainty) == ("E>N N>N C>N", Certainty.CERTAIN)


def test_evidence_that_is_not_peoples_marks_is_likely_only() -> None:
    for item in kept("sentences.keep?which=each", Evidence((0,), Grade.SILVER, alone=True)):
        assert item[3] is Certainty.LIKELY


@pytest.mark.parametrize(
    ("spec", "evidence", "reason"),
    [
        ("sentences.keep?which=each", None, "nobody marked the evidence of the pair"),
        ("sentences.keep?which=each", Evidence((0, 2)), "the sentences of the evidence are needed together"),
        ("sentences.keep?which=each", Evidence(()), "no sentence is relevant"),
        ("sentences.keep?which=irrelevant", Evidence((0, 1, 2), alone=True), "every sentence is relevant"),
    ],
)
def test_what_cannot_be_kept_is_skipped(spec: str, evidence: Evidence | None, reason: str) -> None:
    assert kept(spec, evidence) == [reason]


def test_all_relevant_is_not_one_sentence() -> None:
    with pytest.raises(UsageError, match="should be relevant, irrelevant or each"):
        build_probe("sentences.keep?which=all-relevant", 0)
