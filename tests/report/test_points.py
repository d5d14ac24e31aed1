"""Where the points come from: parts that add up, people where they are known, and no invented split."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import nliprobe.papers.infotabs
from nliprobe.report.people import PEOPLE, people_accuracy
from nliprobe.report.points import parts, points_bar, split_points
from nliprobe.report.subjects import Estimate

SHARE = st.floats(min_value=0.0, max_value=1.0)


@given(SHARE, SHARE, st.none() | SHARE)
def test_parts_add_up_to_the_accuracy_whatever_the_others_get(
    accuracy: float, constant: float, control: float | None
) -> None:
    gain = None if control is None else Estimate(accuracy - control, None)
    shown = split_points("c", accuracy, constant, control, gain, "blind")
    assert shown.constant + shown.wording + shown.premise == pytest.approx(accuracy)
    assert min(shown.constant, shown.wording, shown.premise, shown.lost) >= 0
    assert shown.accuracy + shown.lost == pytest.approx(max(accuracy, shown.free))
    assert points_bar(shown, 20).startswith('<svg class="points"')


def test_without_a_control_nothing_is_split() -> None:
    shown = split_points("c", 0.6, 0.33, None)
    assert not shown.split
    assert [part.kind for part in parts(shown)] == ["constant", "either"]
    assert "this run cannot tell" in parts(shown)[1].words


def test_a_gain_that_may_be_none_says_so() -> None:
    unsure = parts(split_points("c", 0.61, 0.33, 0.6, Estimate(0.01, [-0.02, 0.04]), "blind"))
    assert [part.kind for part in unsure] == ["constant", "wording", "premise"]
    assert (unsure[2].number, unsure[2].words, unsure[2].ends) == (
        "+1.0", "from the premise, perhaps none", "−2.0 to +4.0",
    )  # fmt: skip
    sure = parts(split_points("c", 0.7, 0.33, 0.6, Estimate(0.1, [0.05, 0.15]), "blind"))
    assert sure[2].words == "from reading the premise"


def test_a_system_below_its_control_misses_points() -> None:
    shown = parts(split_points("c", 0.5, 0.33, 0.6, Estimate(-0.1, [-0.2, 0.0]), "blind"))
    assert (shown[-1].kind, shown[-1].number) == ("lost", "−10.0")


def test_people_are_those_of_the_paper_and_only_of_whole_corpora() -> None:
    path = Path(nliprobe.papers.infotabs.__file__).parent / "table2.csv"
    with path.open(encoding="utf-8") as lines:
        printed = {row[0]: float(row[2]) for row in csv.reader(lines) if row[1] == "human_accuracy"}
    assert {f"infotabs/{name}": value / 100 for name, value in printed.items()} == pytest.approx(PEOPLE)
    assert people_accuracy("infotabs/dev?limit=9") is None
    assert parts(split_points("infotabs/dev", 0.6, 0.33, None))[-1].kind == "people"
