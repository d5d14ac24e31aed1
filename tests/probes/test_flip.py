"""``counterfactual.flip``: one value of one row turns the label, and nothing else changes."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.probes.executables import executable, executables

from nliprobe.base.errors import UsageError
from nliprobe.language.cells import Date, Dates, Duration, Quantity, read_cell
from nliprobe.probes._exact import computed
from nliprobe.probes._flip_rows import worked_out
from nliprobe.probes._flip_values import alike, distance, manner_of
from nliprobe.probes.counterfactual_flip import NO_PROGRAM, NOTHING_TURNS
from nliprobe.probes.relation_check import check_moves
from nliprobe.probes.suite import build_probe
from nliprobe.task.case import Case, Certainty, Skip
from nliprobe.task.labels import LabelSet
from nliprobe.task.pair import Pair
from nliprobe.task.source import Pool
from nliprobe.task.table import Row, Table
from nliprobe.task.units import row_from_text

FLIPPED = {"E": {"C"}, "C": {"E"}, "N": {"E", "C"}}
ALBUM = Table(
    "Tin Weather",
    (
        Row("Released", ("29 March 1979",)),
        Row("Genre", ("rock", "pop")),
        Row("Length", ("46:06",)),
        Row("Budget", ("$4.5 million",)),
        Row("Tour", ("1978–1984",)),
        Row("Live", ("Yes",)),
    ),
    "Album",
)
ALONE = Pool({"Tin Weather": ALBUM})


def flips(pair: Pair, pool: Pool = ALONE, spec: str = "counterfactual.flip") -> list[Case]:
    return [item for item in build_probe(spec).cases(pair, pool) if isinstance(item, Case)]


def new_row(case: Case) -> Row:
    (edit,) = case.edits
    return row_from_text(edit.after)


def test_every_flip_of_random_programs_turns_the_label_by_one_row() -> None:
    pairs, pool = executables(30, 8)
    kinds: Counter[str] = Counter()
    for pair in pairs:
        made = flips(pair, pool, "counterfactual.flip?n=2")
        for case in made:
            assert isinstance(case.premise, Table)
            assert isinstance(pair.premise, Table)
            assert pair.program is not None
            assert str(case.gold) in FLIPPED[str(pair.gold)]
            assert computed(pair.program, case.premise).label == str(case.gold)
            assert (case.hypothesis, case.expects, case.certainty) == (pair.hypothesis, None, Certainty.CERTAIN)
            (edit,) = case.edits
            assert edit.op == "row.update" or (edit.op == "row.insert" and str(pair.gold) == "N")
            others = [row for row in case.premise.rows if row not in pair.premise.rows]
            assert others == [new_row(case)] or edit.op == "row.insert"
            kinds[f"{pair.gold}{case.gold}"] += 1
        assert len({case.premise for case in made}) == len(made)
    assert set(kinds) == {"EC", "CE", "NE", "NC"}


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ('year("Released") < 1981', ("1 January 1981",)),
        ('date("Released") > day("1979-03-12")', ("12 March 1979",)),
        ('date("Released") == day("1985-05-17")', ("17 May 1985",)),
        ('year("Released") == 1985', ("29 March 1985",)),
        ('"rock" in items("Genre")', ("pop",)),
        ('"jazz" in items("Genre")', ("rock", "pop", "jazz")),
        ('"jazz" not in items("Genre")', ("rock", "pop", "jazz")),
        ('count(items("Genre")) == 1', ("pop",)),
        ('seconds("Length") > 3000', ("50:01",)),
        ('money("Budget") >= 5000000', ("$5.0 million",)),
        ('span("Tour") < 9', ("1975–1984",)),
        ('yes("Live")', ("No",)),
    ],
)
def test_computed_values_are_the_smallest_change_in_the_manner_of_the_old_one(
    text: str, values: tuple[str, ...]
) -> None:
    (case,) = flips(executable("p", ALBUM, text))
    assert new_row(case).values == values
    assert dict(case.facets) == {"value": "computed", "edit": "update"}


def test_a_value_of_another_table_comes_first_and_the_nearest_of_them() -> None:
    def dated(title: str, *values: str) -> Table:
        return Table(title, (Row("Released", values),), "Album")

    others = {title: dated(title, value) for title, value in {"a": "May 2, 1990", "b": "1999", "c": "1985"}.items()}
    pool = Pool({"Tin Weather": ALBUM, **others})
    (case,) = flips(executable("p", ALBUM, 'year("Released") < 1981'), pool)
    # A bare year is less than the old value says, so that only the day is taken, in the manner of the old one.
    assert new_row(case).values == ("2 May 1990",)
    assert dict(case.facets) == {"value": "another table", "edit": "update"}
    nearer = Pool({**pool.premises, "d": dated("d", "1 June 1982"), "e": dated("e", "1 June 1980")})
    (case,) = flips(executable("p", ALBUM, 'year("Released") < 1981'), nearer)
    assert new_row(case).values == ("1 June 1982",)


def test_a_neutral_pair_gets_the_row_that_decides_both_ways() -> None:
    other = Table("Slow Harbour", (Row("Tracks", ("9",)), Row("Label", ("Kestrel",))), "Album")
    pool = Pool({"Tin Weather": ALBUM, "Slow Harbour": other})
    pair = executable("p", ALBUM, 'number("Tracks") > 8')
    true, false = flips(pair, pool)
    assert (str(true.gold), str(false.gold)) == ("E", "C")
    assert (new_row(true), new_row(false)) == (Row("Tracks", ("9",)), Row("Tracks", ("8",)))
    assert [dict(case.facets)["value"] for case in (true, false)] == ["another table", "computed"]
    assert all(case.edits[0].op == "row.insert" for case in (true, false))
    assert check_moves([true, false]).prohibited == ()


def test_an_undetermined_value_is_determined() -> None:
    table = Table("Tin Weather", (Row("Released", ("1979",)),), "Album")
    pair = executable("p", table, 'date("Released") < day("1979-05")')
    assert str(pair.gold) == "N"
    assert {str(case.gold): new_row(case).values for case in flips(pair)} == {"E": ("1978",), "C": ("1980",)}


def test_what_cannot_be_turned_gives_a_reason() -> None:
    probe = build_probe("counterfactual.flip")
    twice = executable("p", ALBUM, 'year("Released") < 1981 or "rock" in items("Genre")')
    assert list(probe.cases(twice, ALONE)) == [Skip("counterfactual.flip", NOTHING_TURNS)]
    plain = Pair("q", ALBUM, "Tin Weather is old.", LabelSet.of("E"), "Tin Weather")
    assert list(probe.cases(plain, ALONE)) == [Skip("counterfactual.flip", NO_PROGRAM)]
    text = Pair("q", "It rained.", "It was wet.", LabelSet.of("E"))
    assert [item.reason for item in probe.cases(text, ALONE) if isinstance(item, Skip)] == [
        "the premise is a text, not a table"
    ]
    with pytest.raises(UsageError, match="at least 1"):
        build_probe("counterfactual.flip?n=0")


@pytest.mark.parametrize(
    ("values", "name", "wanted"),
    [
        (("rock , pop",), "jazz", ("rock , pop , jazz",)),
        (("rock", "pop"), "jazz", ("rock", "pop", "jazz")),
    ],
)
def test_members_are_added_as_the_row_lists_them(values: tuple[str, ...], name: str, wanted: tuple[str, ...]) -> None:
    row = Row("Genre", values)
    (changed, *_) = worked_out(row, [name], [], lambda new: name in read_cell(new.key, new.values).values)
    assert changed.row.values == wanted


scalars = st.one_of(
    st.fractions(1, 10**6).map(Quantity),
    st.builds(lambda seconds: Duration(Fraction(seconds)), st.integers(1, 10**5)),
    st.builds(Date, st.integers(1000, 2100), st.none() | st.integers(1, 12)),
)


@given(scalars, scalars)
def test_distances_are_symmetric_and_zero_only_for_the_same(
    one: Quantity | Duration | Date, other: Quantity | Duration | Date
) -> None:
    assert 0 <= distance(one, other) == distance(other, one) <= 1
    assert distance(one, one) == 0
    if type(one) is type(other) and not isinstance(one, Date):
        assert (distance(one, other) == 0) == (one == other)
    assert alike(one, one)


def test_a_cell_that_says_more_has_no_manner() -> None:
    assert manner_of("1979 and 1981", Date(1979)) is None
    manner = manner_of("about 12 tracks", Quantity(Fraction(12)))
    assert manner is None or manner.after == ""
    stretch = manner_of("1978–1984", Dates(Date(1978), Date(1984)))
    assert stretch is not None
    assert stretch.write(Dates(Date(1978), Date(1990))) == "1978–1990"
