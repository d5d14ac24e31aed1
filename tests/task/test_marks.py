"""Raters' marks: the majority of each row, and batches put together."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nliprobe.base.errors import DataError
from nliprobe.task.marks import Mark, MarkedPair, majority_of, merge_marks

VOTES = st.integers(1, 6).flatmap(
    lambda size: st.lists(st.text("01", min_size=size + 1, max_size=size + 1), min_size=1, max_size=7)
)


@given(VOTES)
def test_the_majority_of_each_bit_is_its_own(votes: list[str]) -> None:
    marks = [Mark(f"r{place}", bits) for place, bits in enumerate(votes)]
    most = majority_of(marks)
    last = len(votes[0]) - 1
    for place in range(last + 1):
        yes = sum(bits[place] == "1" for bits in votes)
        no = len(votes) - yes
        assert (place in most.tied) == (yes == no)
        assert (most.outside if place == last else place in most.units) == (yes > no)
    assert majority_of(list(reversed(marks))) == most
    if len(votes) % 2:
        assert not most.tied


def _pair(hypothesis: str, *marks: tuple[str, str], keys: tuple[str, ...] = (), place: str = "line 1") -> MarkedPair:
    return MarkedPair("", "T1", hypothesis, tuple(Mark(*mark) for mark in marks), keys, released="100", place=place)


def test_batches_are_put_together() -> None:
    first = [_pair("a", ("r1", "100"), ("r2", "010")), _pair("b", ("r1", "001"))]
    second = [_pair("a", ("r3", "100"), keys=("Born", "Died"))]
    one, other = merge_marks([first, second])
    assert [mark.rater for mark in one.marks] == ["r1", "r2", "r3"]
    assert (one.keys, one.released) == (("Born", "Died"), "")
    assert other == first[1]
    assert (one.bit_name(1), one.bit_name(2), other.bit_name(0)) == ("Died", "out of table", "row 1")


@pytest.mark.parametrize(
    ("pair", "message"),
    [
        (_pair("a", ("r1", "100"), place="line 9"), "line 9: the rater 'r1' has marked 'T1: a' before, in line 1"),
        (_pair("a", ("r3", "1000"), place="line 9"), "line 9: the marks are about 3 rows, but those in line 1"),
        (
            _pair("b", ("r3", "100"), keys=("Born", "Spouse"), place="line 9"),
            "line 9: two tables have the id 'T1': this one has the row 'Spouse', unlike that in line 1",
        ),
        (
            _pair("b", ("r3", "100"), keys=("Died", "Born"), place="line 9"),
            "this one has its rows in another order, unlike that in line 1",
        ),
    ],
)
def test_batches_that_contradict_each_other_are_refused(pair: MarkedPair, message: str) -> None:
    first = _pair("a", ("r1", "100"), ("r2", "010"), keys=("Born", "Died"))
    with pytest.raises(DataError, match=message):
        merge_marks([[first], [pair]])


def test_marks_of_one_pair_without_a_table_have_one_length() -> None:
    pairs = [MarkedPair("p", "", "", (Mark(rater, bits),), place=rater) for rater, bits in (("a", "10"), ("b", "100"))]
    with pytest.raises(DataError, match="b: the marks of 'p' are about 2 rows, but about 1 in a"):
        merge_marks([pairs])
