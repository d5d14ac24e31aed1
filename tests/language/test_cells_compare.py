"""Three-valued comparisons agree with a check of every day and every value that is left open."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

from hypothesis import given
from hypothesis import strategies as st

from nliprobe.language.cells import Date, Dates, Duration, Quantity, before, equals, within, years_between

YEAR, MONTH, DAY = st.integers(1978, 1981), st.integers(1, 12), st.sampled_from([1, 15, 31])
SMALL = (st.tuples(YEAR, st.none() | MONTH) | st.tuples(YEAR, MONTH, DAY)).map(lambda parts: Date(*parts))
Day = tuple[int, int, int]


def days(date: Date) -> list[Day]:
    """The first, the last and some days between; with a calendar whose months all have 31 days."""
    years = range(date.year, date.year + date.years)
    months = range(1, 13) if date.month is None else [date.month]
    return list(product(years, months, (1, 15, 31) if date.day is None else [date.day]))


def told(answers: set[bool]) -> bool | None:
    return answers.pop() if len(answers) == 1 else None


@given(SMALL, SMALL)
def test_dates_are_compared_as_their_days_allow(a: Date, b: Date) -> None:
    pairs = list(product(days(a), days(b)))
    assert before(a, b) == told({one < other for one, other in pairs})
    assert equals(a, b) == told({one == other for one, other in pairs})
    if within(a, b) is not None:
        assert within(a, b) == told({b.first <= one <= b.last for one in days(a)})


@given(SMALL, SMALL)
def test_years_between_are_complete_years(a: Date, b: Date) -> None:
    def complete(one: Day, other: Day) -> int:
        if other < one:
            return -complete(other, one)
        return other[0] - one[0] - (other[1:] < one[1:])

    counts = {complete(one, other) for one, other in product(days(a), days(b))}
    assert years_between(a, b) == (counts.pop() if len(counts) == 1 else None)


def test_there_is_no_year_0() -> None:
    assert years_between(Date(-1, 5, 1), Date(1, 5, 1)) == 1
    assert before(Date(-44), Date(14)) is True


def test_what_is_not_exact_is_left_open() -> None:
    about = Date(1500, about=True)
    assert before(about, Date(1900)) is equals(about, about) is within(about, Date(1900)) is None
    assert years_between(about, Date(1900)) is None
    assert before(Quantity(Fraction(1), about=True), Quantity(Fraction(5))) is None


def test_stretches_are_compared_by_their_ends() -> None:
    seventies, eighties = Dates(Date(1970), Date(1979)), Dates(Date(1980), Date(1989))
    assert before(seventies, eighties) is True
    assert before(eighties, seventies) is False
    assert before(Dates(Date(1970), None), Date(2000)) is None
    assert within(Date(1975, 3), seventies) is True
    assert within(Date(1990), seventies) is False
    assert within(Date(1970), seventies) is None
    assert within(eighties, Date(1900, years=100)) is True
    assert within(Dates(Date(1975), Date(1985)), seventies) is False


@given(st.integers(0, 50), st.integers(0, 50))
def test_quantities_of_one_unit_are_compared_by_value(a: int, b: int) -> None:
    one, other = Quantity(Fraction(a), "km"), Quantity(Fraction(b), "km")
    assert before(one, other) is (a < b)
    assert equals(one, other) is (a == b)
    assert equals(Duration(Fraction(a)), Duration(Fraction(b))) is (a == b)


def test_units_are_converted_within_a_dimension() -> None:
    assert equals(Quantity(Fraction(2), "km"), Quantity(Fraction(2000), "m")) is True
    assert before(Quantity(Fraction(1), "km"), Quantity(Fraction(1), "mi")) is True
    assert before(Quantity(Fraction(1), "lb"), Quantity(Fraction(1), "kg")) is True
    # Tables round what they convert.
    assert equals(Quantity(Fraction(23, 4), "ft"), Quantity(Fraction(7, 4), "m")) is None
    assert before(Quantity(Fraction(7, 4), "m"), Quantity(Fraction(23, 4), "ft")) is None


def test_quantities_of_different_kinds_are_not_compared() -> None:
    assert equals(Quantity(Fraction(2), "km"), Quantity(Fraction(2), "kg")) is None
    assert before(Quantity(Fraction(2), "USD"), Quantity(Fraction(3), "EUR")) is None
    assert before(Quantity(Fraction(2), "dogs"), Quantity(Fraction(3), "cats")) is None
    assert before(Date(1980), Quantity(Fraction(1990))) is None
    assert equals(Quantity(Fraction(3), "dogs"), Quantity(Fraction(3))) is True


def test_ranges_leave_open_what_lies_between() -> None:
    span = Quantity(Fraction(3), "km", Fraction(5))
    assert before(span, Quantity(Fraction(6), "km")) is True
    assert before(span, Quantity(Fraction(4), "km")) is None
    assert before(span, Quantity(Fraction(3), "km")) is False
    assert equals(span, span) is None
    assert equals(span, Quantity(Fraction(7), "km")) is False
