"""The agreement of raters on the rows that matter, and the cleaning of their marks."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.people.marked import BAD, crowd

from nliprobe.base.errors import NotFoundError
from nliprobe.base.files import data_roots
from nliprobe.corpora.marks import open_marks
from nliprobe.people.clean_marks import Against, CleaningRule, Measured, clean_marks
from nliprobe.people.marks import MarksAgreement, compared, count_votes, marks_agreement
from nliprobe.stats.matches import Matches
from nliprobe.task.marks import Mark, MarkedPair


@pytest.fixture
def sample(data: Path) -> tuple[MarkedPair, ...]:
    try:
        return open_marks("infotabs/train-sample", data_roots(data)).pairs
    except NotFoundError as error:
        pytest.skip(str(error))


@pytest.mark.parametrize("against", list(Against))
@pytest.mark.parametrize("seed", range(4))
def test_planted_bad_raters_are_found_and_no_others(seed: int, against: Against) -> None:
    pairs, truths = crowd(seed)
    cleaned = clean_marks(pairs, CleaningRule(below=0.6, against=against))
    assert {item.rater for item in cleaned.flagged} == set(BAD)
    assert cleaned.silent == ("none",)
    left = {mark.rater for pair in cleaned.pairs for mark in pair.marks}
    assert not left & set(BAD)
    assert cleaned.marks_left_out == sum(mark.rater in BAD for pair in pairs for mark in pair.marks)
    assert len(cleaned.settled) + len(cleaned.wanting) == len(pairs)
    expected = dict(zip((pair.key for pair in pairs), truths, strict=True))
    wrong = [
        item
        for item in cleaned.settled
        if (truth := expected[item.pair.key])
        and (tuple(place for place in range(item.pair.units) if truth[place] == "1"), truth[-1] == "1")
        != (item.evidence.units, item.evidence.outside)
    ]
    assert len(wrong) <= 0.05 * len(cleaned.settled)


@pytest.mark.parametrize("seed", range(4))
def test_cleaning_raises_agreement_where_bad_raters_were(seed: int) -> None:
    pairs, _ = crowd(seed)
    before = marks_agreement(pairs)
    after = marks_agreement(clean_marks(pairs, CleaningRule(below=0.6)).pairs)
    for name in ("by_rater", "by_rater_others", "by_pair"):
        assert _f1(after, name) > _f1(before, name)
    assert (len(before.raters), len(after.raters)) == (16, 12)
    assert (after.kappa.value or 0) > (before.kappa.value or 0)


def _f1(agreement: MarksAgreement, name: str) -> float:
    value = getattr(agreement, name).f1.value
    assert isinstance(value, float)
    return value


def test_pairs_without_enough_raters_or_with_a_tie_need_new_marks() -> None:
    def pair(name: str, *bits: str) -> MarkedPair:
        marks = tuple(Mark(f"r{place}", bit) for place, bit in enumerate(bits))
        return MarkedPair("", "T1", name, marks, ("Born", "Died"))

    pairs = [
        pair("enough", "100", "100", "110"),
        pair("few", "100", "100"),
        pair("tied", "100", "100", "010", "010"),
        pair("tied outside", "101", "101", "100", "100"),
    ]
    cleaned = clean_marks(pairs)
    assert [item.pair.hypothesis for item in cleaned.settled] == ["enough"]
    assert [(item.pair.hypothesis, item.ratings, item.reason) for item in cleaned.wanting] == [
        ("few", 2, "fewer than 3 raters"),
        ("tied", 4, "the raters are tied on Born, Died"),
        ("tied outside", 4, "the raters are tied on out of table"),
    ]
    assert cleaned.flagged == ()
    assert [item.pair.hypothesis for item in clean_marks(pairs, CleaningRule(least=2)).settled] == ["enough", "few"]


def test_a_pair_may_lose_all_its_raters() -> None:
    pairs, _ = crowd(0, good=6, tables=8)
    only = MarkedPair("", "T99", "h", (Mark("all", "1111"),))
    cleaned = clean_marks([*pairs, only], CleaningRule(below=0.6))
    assert "h" not in {pair.hypothesis for pair in cleaned.pairs}
    assert [item.ratings for item in cleaned.wanting if item.pair.table == "T99"] == [0]


def test_every_measure_can_decide() -> None:
    pairs, _ = crowd(1)
    flagged = {
        measure: {item.rater for item in clean_marks(pairs, CleaningRule(below=0.5, measure=measure)).flagged}
        for measure in Measured
    }
    assert flagged[Measured.PRECISION] == {"all", "none", "guesser", "first"}
    # Who marks everything misses nothing, so recall alone does not tell.
    assert "all" not in flagged[Measured.RECALL]
    assert {"none", "guesser"} <= flagged[Measured.RECALL]


def test_a_majority_that_includes_the_rater_flatters() -> None:
    pairs, _ = crowd(2)
    for item in marks_agreement(pairs).raters:
        alone = item.others.f1 or 0
        assert (item.all.f1 or 0) >= alone - 0.02, item.rater
    agreement = marks_agreement(pairs)
    assert _f1(agreement, "by_rater") > _f1(agreement, "by_rater_others")


def test_tied_rows_are_left_out_of_the_comparison() -> None:
    others = [Mark("a", "110"), Mark("b", "100")]
    assert compared("011", count_votes(others), 2) == (Matches(0, 1, 1), 1)
    assert compared("011", count_votes(others, outside=False), 2) == (Matches(0, 0, 1), 1)
    assert compared("011", [0, 0, 0], 0) == (Matches(), 3)


def test_the_sample_has_these_numbers(sample: tuple[MarkedPair, ...]) -> None:
    agreement = marks_agreement(sample)
    assert (len(agreement.raters), agreement.ratings, agreement.ratings_per_pair()) == (12, 700, {5: 140})
    assert _rounded(agreement.by_rater) == (0.864, 0.868, 0.860)
    assert _rounded(agreement.by_rater_others) == (0.848, 0.854, 0.843)
    assert _rounded(agreement.by_pair) == (0.840, 0.914, 0.865)
    assert _rounded(agreement.micro) == (0.822, 0.892, 0.855)
    assert (round(agreement.kappa.value or 0, 3), round(agreement.kappa_spread or 0, 3)) == (0.732, 0.241)
    assert agreement.kappa_buckets() == {
        "poor": 1, "slight": 4, "fair": 9, "moderate": 25, "substantial": 45, "perfect": 56, "undefined": 0,
    }  # fmt: skip
    assert agreement.identical_marks() == {1: 10, 2: 28, 3: 34, 4: 30, 5: 38}
    assert sum(agreement.distribution()["precision"].values()) == 140
    assert [item.pair for item in agreement.pairs if item.tied] == []
    assert all(item.nothing == 0 for item in agreement.raters)


def _rounded(scores: object) -> tuple[float, ...]:
    return tuple(round(getattr(scores, name).value, 3) for name in ("precision", "recall", "f1"))


def test_buckets_and_steps_hold_their_ends() -> None:
    def pair(*bits: str) -> MarkedPair:
        return MarkedPair("", "T", "h", tuple(Mark(str(place), bit) for place, bit in enumerate(bits)))

    everyone = marks_agreement([pair("10", "10"), pair("11", "11"), pair("10", "01")])
    assert [item.kappa for item in everyone.pairs] == [1.0, None, pytest.approx(-1.0)]
    assert everyone.kappa_buckets() == {
        "poor": 1, "slight": 0, "fair": 0, "moderate": 0, "substantial": 0, "perfect": 1, "undefined": 1,
    }  # fmt: skip
    # In the last pair both rows are tied, so nothing can be compared.
    assert everyone.distribution()["recall"] | {"1": 2, "undefined": 1} == everyone.distribution()["recall"]
