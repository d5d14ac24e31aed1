"""Programs over tables: labels, rows read, and the laws of three-valued logic."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nliprobe.base.errors import DataError
from nliprobe.task.program import Call, Const, Program, parse_program, write_program
from nliprobe.task.table import Row, Table
from nliprobe.templates.tables.execute import Execution, ProgramError, execute

ALBUM = Table(
    "Moon Songs",
    (
        Row("Released", ("29 March 1979",)),
        Row("Recorded", ("May 1978–December 1978",)),
        Row("Length", ("46:06",)),
        Row("Genre", ("Rock", "Soft pop", "Jazz")),
        Row("Label", ("Zorven Records",)),
        Row("Budget", ("$4.5 million",)),
        Row("Area", ("1,200 km",)),
        Row("Remastered", ("Yes",)),
        Row("Tour", ("1979–present",)),
        Row("Founded", ("1975",)),
        Row("Active", ("1970–1975",)),
        Row("Break", ("1975–1980",)),
    ),
)


@pytest.mark.parametrize(
    ("program", "label"),
    [
        ('year("Released") < 1981', "E"),
        ('year("Released") + 2 == 1981', "E"),
        ('year("Released") // 2 * 2 == 1978 and year("Released") % 2 == 1', "E"),
        ('date("Released") == day("1979-03-29")', "E"),
        ('date("Released") == day("1979-03")', "E"),
        ('date("Released") == day("1979-04")', "C"),
        ('date("Released") < day("1979-03")', "C"),
        ('day("1979-03-28") < date("Released")', "E"),
        ('date("Founded") < day("1975-05")', "N"),
        ('date("Founded") < day("1976")', "E"),
        ('date("Founded") == day("1975-03-29")', "N"),
        ('date("Founded") == day("1975")', "E"),
        ('date("Founded") < date("Released")', "E"),
        ('start("Recorded") < end("Recorded")', "E"),
        ('end("Tour") > day("1990")', "N"),
        ('during(1985, "Tour")', "E"),
        ('during(1978, "Tour")', "C"),
        ('during(1975, "Active")', "E"),
        ('during(day("1975-03-01"), "Active")', "N"),
        ('during(date("Founded"), "Recorded")', "C"),
        ('overlaps("Recorded", "Tour")', "C"),
        ('overlaps("Active", "Break")', "N"),
        ('overlaps("Active", "Recorded")', "C"),
        ('overlaps("Break", "Recorded")', "E"),
        ('span("Active") == 5', "E"),
        ('span("Recorded") == 0', "E"),
        ('span("Tour") > 3', "N"),
        ('years(date("Founded"), date("Released")) == 4', "N"),
        ('years(date("Founded"), date("Released")) >= 3', "E"),
        ('years(day("1950-04-01"), date("Released")) == 28', "E"),
        ('seconds("Length") > 46 * 60', "E"),
        ('money("Budget") == 4500000', "E"),
        ('money("Budget", "USD") > 4000000', "E"),
        ('number("Area", "km") >= 1200', "E"),
        ('"soft  POP" in items("Genre")', "E"),
        ('"blues" not in items("Genre")', "E"),
        ('"blues" in items("Genre")', "C"),
        ('"blues" in items("Style")', "N"),
        ('count(items("Genre")) == 3', "E"),
        ('count(items("Label")) == 1', "E"),
        ('first(items("Genre")) == "rock"', "E"),
        ('last(items("Genre")) == "rock"', "C"),
        ('precedes(items("Genre"), "Rock", "Jazz")', "E"),
        ('precedes(items("Genre"), "Jazz", "Rock")', "C"),
        ('precedes(items("Genre"), "Blues", "Rock")', "C"),
        ('every(["rock", "jazz"], items("Genre"))', "E"),
        ('most(["rock", "blues"], items("Genre"))', "C"),
        ('most(["rock", "jazz", "blues"], items("Genre"))', "E"),
        ('some(["rock", "blues"], items("Genre"))', "E"),
        ('none(["folk", "blues"], items("Genre"))', "E"),
        ('shared(["rock", "blues"], items("Genre")) == 1', "E"),
        ('text("Label") == "zorven records"', "E"),
        ('text("Label") != title()', "E"),
        ('yes("Remastered")', "E"),
        ('not yes("Remastered")', "C"),
        ('yes("Remastered") and year("Absent") < 1900', "N"),
        ('not yes("Remastered") and year("Absent") < 1900', "C"),
        ('yes("Remastered") or year("Absent") < 1900', "E"),
        ('year("Released") in [1979, 1980]', "E"),
        ('year("Released") // 0 == 1', "N"),
        ('year(start("Recorded")) == 1978 and month(end("Recorded")) == 12', "E"),
        ('month("Released") == 3', "E"),
        ('month("Founded") == 3', "N"),
        ('date("Released") + 3 == day("1979-04-01")', "E"),
        ('date("Released") - 29 == day(1979, 2, 28)', "E"),
        ('date("Founded") + 3 == day("1979-04-01")', "N"),
    ],
)  # fmt: skip
def test_label(program: str, label: str) -> None:
    assert execute(program, ALBUM).label == label


def test_rows_are_those_named_and_present() -> None:
    program = 'year("Released") < 1900 and ("rock" in items("Genre") or yes("Absent")) and overlaps("Tour", "Gone")'
    assert execute(program, ALBUM) == Execution("C", (0, 3, 8))
    assert execute(parse_program(program), ALBUM) == execute(program, ALBUM)


@pytest.mark.parametrize(
    "program", ['year("Label") < 3', 'number("Area", "mi") > 3', 'yes("Genre")', 'date("Tour") < day("1980")']
)
def test_a_cell_that_cannot_be_read_is_named(program: str) -> None:
    key = program.split('"')[1]
    with pytest.raises(ProgramError, match=f"The row '{key}' holds .*, which {program.partition('(')[0]}"):
        execute(program, ALBUM)


@pytest.mark.parametrize(
    ("program", "problem"),
    [
        ("year(Released) < 3", "first argument is the row's key"),
        ('year("Released") < Y', "Y has no value"),
        ('year("Released")', "gives a number"),
        ('yeer("Released") < 3', "Did you mean 'year'"),
        ('date("Released") < 1979', "compares a date with a number"),
        ('text("Label") < "x"', "does not compare"),
        ('date("Released") == day("1979-13")', "is no day"),
        ('date("Released") == day("soon")', "should be written like"),
        ('year("Released", "km") < 3', "takes 1 arguments"),
        ('"x" and yes("Remastered")', "joins statements"),
        ('overlaps("Tour", 3)', "names a row by its key"),
        ('count(year("Released")) == 1', "needs a list"),
        ("3", "says nothing"),
    ],
)  # fmt: skip
def test_programs_that_cannot_be_executed_say_why(program: str, problem: str) -> None:
    with pytest.raises(DataError, match=problem) as caught:
        execute(program, ALBUM)
    assert not isinstance(caught.value, ProgramError)


_KEYS = ("A", "B", "C", "D")


def _leaf(key: str, number: int) -> Program:
    return Call("<", (Call("number", (Const(key),)), Const(number)))


def _programs() -> st.SearchStrategy[Program]:
    leaves = st.builds(_leaf, st.sampled_from(_KEYS), st.integers(-1, 6))

    def larger(inner: st.SearchStrategy[Program]) -> st.SearchStrategy[Program]:
        several = st.lists(inner, min_size=2, max_size=3).map(tuple)
        return st.one_of(
            inner.map(lambda part: Call("not", (part,))),
            st.builds(Call, st.sampled_from(["and", "or"]), several),
        )

    return st.recursive(leaves, larger, max_leaves=6)


_ROWS = st.dictionaries(st.sampled_from(_KEYS), st.integers(0, 5)).map(
    lambda cells: Table("T", tuple([Row(key, (str(value),)) for key, value in cells.items()]))
)
_SWAPPED = {"E": "C", "C": "E", "N": "N"}


@given(_programs(), _ROWS)
def test_negation_swaps_e_and_c_and_keeps_n(program: Program, table: Table) -> None:
    before, after = execute(program, table), execute(Call("not", (program,)), table)
    assert after == Execution(_SWAPPED[before.label], before.rows)
    assert execute(Call("not", (Call("not", (program,)),)), table) == before


@given(st.sampled_from(["and", "or"]), st.lists(_programs(), min_size=2, max_size=4), st.randoms(), _ROWS)
def test_the_order_of_parts_does_not_matter(op: str, parts: list[Program], random: st.DataObject, table: Table) -> None:
    shuffled = list(parts)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    assert execute(Call(op, tuple(parts)), table) == execute(Call(op, tuple(shuffled)), table)


@given(_programs(), _programs(), _ROWS)
def test_de_morgan(one: Program, two: Program, table: Table) -> None:
    joined = Call("not", (Call("and", (one, two)),))
    parted = Call("or", (Call("not", (one,)), Call("not", (two,))))
    assert execute(joined, table) == execute(parted, table)


@given(_programs(), _programs(), _ROWS)
def test_kleene_tables(one: Program, two: Program, table: Table) -> None:
    rank = {"C": 0, "N": 1, "E": 2}
    labels = [execute(part, table).label for part in (one, two)]
    assert execute(Call("and", (one, two)), table).label == min(labels, key=rank.__getitem__)
    assert execute(Call("or", (one, two)), table).label == max(labels, key=rank.__getitem__)


@given(_programs(), _ROWS)
def test_evidence_is_the_rows_named_and_present(program: Program, table: Table) -> None:
    named = {part.split('"')[1] for part in write_program(program).split("number(")[1:]}
    rows = execute(program, table).rows
    assert rows == tuple(place for place, row in enumerate(table.rows) if row.key in named)


@given(_programs(), _ROWS)
def test_more_rows_never_turn_a_decided_label(program: Program, table: Table) -> None:
    """Kleene's logic is monotone: what is decided with some rows missing stays so when they come."""
    for place in range(len(table.rows)):
        label = execute(program, table.delete(place)).label
        assert label in ("N", execute(program, table).label)
