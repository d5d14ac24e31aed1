"""Answers on originals and counterfactuals: Tables 13 to 15 from arrays, and the entries of a run."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.analysis.runs import Asked, write_run
from tests.analysis.schemas import validate

from nliprobe.analysis.counterfactual.documents import CounterfactualEntry
from nliprobe.analysis.counterfactual.measures import Crossed, crossed, crossed_with, drop, subsampled
from nliprobe.analysis.summary import summarise
from nliprobe.task.case import IDENTITY, Case, Certainty, identity_case
from nliprobe.task.labels import LabelSet
from nliprobe.task.pair import Facet, Pair
from nliprobe.task.relations import SAME
from nliprobe.task.table import Row, Table

MARKS = st.lists(st.tuples(st.booleans(), st.booleans(), st.booleans()), min_size=1, max_size=40)
TABLE = Table("T", (Row("Year", ("1999",)),))


def test_the_papers_table_14_adds_up() -> None:
    original = np.array([True] * 6 + [False] * 4)
    counterfactual = np.array([True] * 3 + [False] * 3 + [True] + [False] * 3)
    counts = crossed(original, counterfactual)
    assert counts == Crossed(3, 3, 1, 3)
    assert counts.n == 10


@given(MARKS)
def test_the_third_axis_splits_the_other_two(marks: list[tuple[bool, bool, bool]]) -> None:
    original, counterfactual, control = (np.array(column, dtype=bool) for column in zip(*marks, strict=True))
    split = crossed_with(original, counterfactual, control)
    whole = crossed(original, counterfactual)
    assert Crossed(*(one + other for one, other in zip(split.right, split.wrong, strict=True))) == whole
    assert whole.both + whole.only_original == int(original.sum())
    assert whole.both + whole.only_counterfactual == int(counterfactual.sum())


def test_arrays_of_other_lengths_are_refused() -> None:
    with pytest.raises(ValueError, match="2 originals for 3 counterfactuals"):
        crossed(np.zeros(2, dtype=bool), np.zeros(3, dtype=bool))
    with pytest.raises(ValueError, match="2 originals for 3 answers without premise"):
        crossed_with(np.zeros(2, dtype=bool), np.zeros(2, dtype=bool), np.zeros(3, dtype=bool))


def test_subsamples_have_the_spread_of_draws_without_replacement() -> None:
    right = np.arange(942) < 678  # 71.99 % of 942, as in Table 13
    drawn = subsampled(right)
    assert drawn is not None
    assert drawn.mean == pytest.approx(right.mean(), abs=0.003)
    # Of a finite set: sqrt(p (1 - p) / m * (1 - m / n)), where the paper prints 0.69 points.
    assert drawn.sd == pytest.approx(0.0073, abs=0.0015)
    assert subsampled(right) == drawn
    assert subsampled(right, name="other") != drawn
    assert subsampled(np.zeros(0, dtype=bool)) is None


def test_a_drop_has_an_interval_by_group() -> None:
    clusters = np.repeat(np.arange(10), 4)
    original, counterfactual = np.ones(40, dtype=bool), np.arange(40) % 4 == 0
    change = drop(original, counterfactual, clusters)
    assert change is not None
    assert change.difference == 0.75
    assert change.p == pytest.approx(2 / 2**10)
    assert change.interval is not None
    assert change.interval.low < 0.75 < change.interval.high
    few = drop(original[:8], counterfactual[:8], clusters[:8])
    assert few is not None
    assert few.interval is None
    assert drop(original[:0], counterfactual[:0], clusters[:0]) is None


def _original(number: int, gold: str = "E") -> Pair:
    table = replace(TABLE, title=f"T{number}")
    return Pair(f"o{number}", table, f"T{number} is old.", LabelSet.of(gold), f"g{number // 2}")


def _flipped(of: Pair, gold: str = "C", *, same: bool = False) -> Pair:
    assert isinstance(of.premise, Table)
    premise = of.premise if same else of.premise.update(0, Row("Year", ("2020",)))
    return Pair(f"{of.id}-flipped", premise, of.hypothesis, LabelSet.of(gold), of.group, bases=(of.id,))


def _relocated(of: Pair, certainty: Certainty = Certainty.CERTAIN, grade: str = "gold") -> Case:
    return Case(
        f"{of.id}-relocated",
        "counterfactual.relocate",
        of,
        replace(TABLE, title="Other"),
        "Other is old.",
        bases=(identity_case(of).id,),
        gold=of.gold,
        expects=SAME,
        certainty=certainty,
        facets=(Facet("grade", grade),),
    )


def _entries(tmp_path: Path, cases: list[Case], *systems: Asked) -> list[CounterfactualEntry]:
    document = summarise(write_run(tmp_path, {"c/s": cases}, systems))
    validate("show", document)
    return document["counterfactuals"]


def test_flipped_pairs_are_compared_with_their_originals(tmp_path: Path) -> None:
    originals = [_original(number) for number in range(12)]
    cases = [identity_case(item) for of in originals for item in (of, _flipped(of))]
    ids = [case.id for case in cases]
    # The full system is right about all originals and every third counterfactual; the other answers E whatever it is.
    full = {name: "E" if place % 2 == 0 or place % 6 != 1 else "C" for place, name in enumerate(ids)}
    blind = {name: "E" if place % 4 < 2 else "N" for place, name in enumerate(ids)}
    entry, other = _entries(tmp_path, cases, Asked("full", full), Asked("blind", blind, premise="none"))
    assert (entry["effect"], entry["probe"], entry["grade"]) == ("flipped", IDENTITY, None)
    assert (entry["n"], entry["originals"], entry["groups"]) == (12, 12, 6)
    assert entry["original"]["accuracy"] == 1.0
    assert entry["counterfactual"]["accuracy"] == pytest.approx(4 / 12)
    assert entry["difference"] == pytest.approx(8 / 12)
    assert entry["crossed"] == {"both": 4, "only_original": 8, "only_counterfactual": 0, "neither": 0}
    assert entry["original"]["constant"] == {"label": "E", "accuracy": 1.0}
    assert entry["counterfactual"]["constant"] == {"label": "C", "accuracy": 1.0}
    assert entry["original"]["chance"] == pytest.approx(1 / 3)
    [control] = entry["controls"]
    assert control["control"] == "blind"
    assert control["right"]["both"] + control["right"]["only_original"] == 6
    assert other["premise_free"]
    assert not other["controls"]
    assert other["counterfactual"]["accuracy"] == 0.0


def test_preserved_cases_keep_grades_and_certainties_apart(tmp_path: Path) -> None:
    pairs = [_original(number) for number in range(6)]
    made = [
        _relocated(pairs[0]),
        _relocated(pairs[1], Certainty.LIKELY),
        _relocated(pairs[2], grade="edit"),
        _relocated(pairs[3], grade="edit"),
    ]
    cases = [*(identity_case(item) for item in pairs), *made]
    entries = _entries(tmp_path, cases, Asked("m", {case.id: "E" for case in cases}))
    assert [(item["effect"], item["grade"], item["n"], item["likely"]["n"]) for item in entries] == [
        ("preserved", "gold", 1, 1),
        ("preserved", "edit", 2, 0),
    ]


def test_what_has_the_premise_of_its_original_is_counted_and_left_out(tmp_path: Path) -> None:
    originals = [_original(number) for number in range(3)]
    flipped = [_flipped(of, same=not place) for place, of in enumerate(originals)]
    cases = [identity_case(item) for item in (*originals, *flipped)]
    [entry] = _entries(tmp_path, cases, Asked("m", {case.id: "E" for case in cases}))
    assert (entry["n"], entry["identical"]) == (2, 1)


def test_pairs_with_another_hypothesis_or_label_preserved(tmp_path: Path) -> None:
    original = _original(0)
    other = replace(_flipped(original), id="x", hypothesis="T0 is new.")
    same = replace(_flipped(original, "E"), id="y")
    cases = [identity_case(item) for item in (original, other, same)]
    [entry] = _entries(tmp_path, cases, Asked("m", {case.id: "E" for case in cases}))
    assert (entry["effect"], entry["n"]) == ("preserved", 1)


def test_what_probes_make_of_counterfactuals_does_not_count(tmp_path: Path) -> None:
    original = _original(0)
    flipped = _flipped(original)
    cases = [identity_case(original), identity_case(flipped), _relocated(flipped)]
    entries = _entries(tmp_path, cases, Asked("m", {case.id: "E" for case in cases}))
    assert [item["effect"] for item in entries] == ["flipped"]


def test_a_run_without_counterfactuals_has_none(tmp_path: Path) -> None:
    cases = [identity_case(_original(number)) for number in range(3)]
    assert not _entries(tmp_path, cases, Asked("m", {case.id: "E" for case in cases}))
