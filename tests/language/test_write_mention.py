"""Values written in the manner of mentions read back as what they are, and read as English."""

from __future__ import annotations

from datetime import date
from fractions import Fraction

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from nliprobe.base.errors import UsageError
from nliprobe.language.cells import Date, Dates, Duration, Quantity, find_mentions, write_mention
from nliprobe.language.cells.units import SECONDS

DAYS = st.dates(max_value=date(2199, 12, 31)).map(lambda day: Date(day.year, day.month, day.day))
MONTHS = st.tuples(st.integers(100, 2199), st.integers(1, 12)).map(lambda pair: Date(*pair))
YEARS = (st.integers(1, 2199) | st.integers(-999, -1)).map(Date)
DECADES = st.integers(100, 219).map(lambda number: Date(number * 10, years=10))
CENTURIES = st.integers(1, 21).map(lambda number: Date(number * 100 - 99, years=100))
DATES = DAYS | MONTHS | YEARS | DECADES | CENTURIES
DATE_LIKES = [
    "29 March 1979", "29th of March 1979", "March 29, 1979", "March 29th, 1979", "Mar 29, 1979", "Sept. 2, 1979",
    "1979-03-29", "March 1979", "MARCH 1979", "1979", "44 BC", "AD 79", "79 CE", "the 1970s", "1970s", "the '90s",
    "the 19th century", "nineteenth century", "the 1st century BC",
]  # fmt: skip
STRETCH_LIKES = [
    "1978 to 1980", "1978–1980", "1978 - 1980", "1849–50", "1914/15", "1990 and 1997", "1999–present",
    "May–December 1978", "6–21 August 2016", "29 July – 11 August 1984", "March 5–9, 1990", "May 1978 to June 1979",
    "58–50 BC", "1999 to the present", "1978 until 1980",
]  # fmt: skip
DURATION_LIKES = ["46:06", "1:02:03", "46 minutes", "1 minute", "three hrs", "2 hours and 5 minutes", "2 h 5 min"]
NUMBERS = st.integers(0, 10**7) | st.integers(0, 10**7).map(lambda number: Fraction(number, 100))
QUANTITY_LIKES = [
    ("$4.5 million", "USD"), ("£1,200", "GBP"), ("30 million euros", "EUR"), ("5 dollars", "USD"), ("20 %", "%"),
    ("twenty percent", "%"), ("four children", "children"), ("one child", "children"), ("4 young children", "children"),
    ("1,234 square miles", "sq mi"), ("1.75 m", "m"), ("5 feet", "ft"), ("one mile", "mi"), ("12,000 people", "people"),
    ("1500 men", "men"), ("3 to 5 dogs", "dogs"), ("3 and 5 dogs", "dogs"), ("~40 cities", "cities"),
    ("$95-100 million", "USD"),
]  # fmt: skip


@given(DATES, st.sampled_from(DATE_LIKES))
def test_every_date_can_be_written_like_every_other(value: Date, like: str) -> None:
    assert find_mentions(write_mention(value, like))[0].value == value


@given(DATES | DAYS, DATES | DAYS | st.none(), st.sampled_from(STRETCH_LIKES))
def test_every_stretch_can_be_written_like_every_other(start: Date, end: Date | None, like: str) -> None:
    assume(end is None or start.last < end.first)
    written = write_mention(Dates(start, end), like)
    # "1990 and 1997" is a stretch only after "between".
    read = find_mentions(f"between {written}" if " and " in written else written)
    assert [mention.value for mention in read] == [Dates(start, end)]


@given(st.integers(1, 59_999), st.sampled_from(DURATION_LIKES))
def test_every_duration_can_be_written_like_every_other(seconds: int, like: str) -> None:
    value = Duration(Fraction(seconds))
    assert find_mentions(write_mention(value, like))[0].value == value


@given(NUMBERS, NUMBERS | st.none(), st.sampled_from(QUANTITY_LIKES), st.booleans())
def test_every_quantity_can_be_written_like_others_of_its_unit(
    number: Fraction | int, upper: Fraction | int | None, like: tuple[str, str], about: bool
) -> None:
    text, unit = like
    assume(upper is None or number < upper)
    assume(not (about and " and " in text))
    # After "1", only the next word is known to be what is counted.
    assume(not (number == 1 and upper is None and " young " in text))
    value = Quantity(Fraction(number), unit, None if upper is None else Fraction(upper), about)
    written = write_mention(value, text)
    read = find_mentions(f"between {written}" if " and " in written else written)
    assert read[0].value == value


@pytest.mark.parametrize(
    ("value", "like", "written"),
    [
        (Duration(Fraction(3360)), "46 minutes", "56 minutes"),
        (Duration(Fraction(60)), "46 minutes", "1 minute"),
        (Duration(Fraction(120)), "1 minute", "2 minutes"),
        (Duration(Fraction(18000)), "three hrs", "five hrs"),
        (Duration(Fraction(3600)), "three hrs", "one hr"),
        (Duration(Fraction(5400)), "120-minute", "90-minute"),
        (Duration(Fraction(3700)), "46:06", "61:40"),
        (Duration(Fraction(3700)), "46 minutes", "61 minutes and 40 seconds"),
        (Duration(Fraction(8000)), "2 hours and 5 minutes", "2 hours, 13 minutes and 20 seconds"),
        (Duration(Fraction(5 * SECONDS["year"])), "12 years old", "5 years old"),
        (Quantity(Fraction(6_750_000), "USD"), "$4.5 million", "$6.75 million"),
        (Quantity(Fraction(1), "children"), "four children", "one child"),
        (Quantity(Fraction(3), "children"), "one child", "three children"),
        (Quantity(Fraction(2), "cities"), "1 city", "2 cities"),
        (Quantity(Fraction(25, 4), "ft"), "5 ft 9 in", "6 ft 3 in"),
        (Quantity(Fraction(12), "ordinal"), "3rd", "12th"),
        (Quantity(Fraction(22), "ordinal"), "Third", "Twenty-second"),
        (Quantity(Fraction(30), "%"), "20 %", "30 %"),
        (Quantity(Fraction(2), "ordinal"), "first", "second"),
        (Quantity(Fraction(2)), "one", "two"),
        (Quantity(Fraction(1, 4)), "half", "0.25"),
        (Quantity(Fraction(12_000), "ft"), "10,000 feet", "12,000 feet"),
        (Quantity(Fraction(45_000_000)), "300 crore", "4.5 crore"),
        (Quantity(Fraction(3), "grammys"), "two Grammys", "three Grammys"),
        (Duration(Fraction(2820)), "40 minute", "47 minute"),
        (Date(1980, years=10), "90s", "80s"),
        (Date(1890, years=10), "90s", "1890s"),
        (Date(1989, 3), "March 1979", "March 1989"),
        (Date(1960, years=10), "the 1970s", "the 1960s"),
        (Date(1965), "the 1970s", "1965"),
        (Date(1701, years=100), "the nineteenth century", "the eighteenth century"),
        (Date(-50), "44 BC", "50 BC"),
        (Date(79), "1979", "AD 79"),
        (Dates(Date(1980, 2), Date(1980, 5)), "May–December 1978", "February–May 1980"),
        (Dates(Date(1860), Date(1902)), "1849–50", "1860–1902"),
        (Dates(Date(1980), None), "1978 to 1980", "1980 to the present"),
        (Quantity(Fraction(4), "dogs", Fraction(8)), "3 and 5 dogs", "4 and 8 dogs"),
    ],
)
def test_values_are_written_in_the_manner_of_the_mention(
    value: Quantity | Date | Dates | Duration, like: str, written: str
) -> None:
    assert write_mention(value, like) == written


@pytest.mark.parametrize(
    ("value", "like"),
    [
        (Quantity(Fraction(4), "km"), "5 miles"),
        (Quantity(Fraction(1, 3), "km"), "5 km"),
        (Date(1980), "46 minutes"),
        (Duration(Fraction(1, 7)), "46:06"),
        (Duration(Fraction(8000)), "90-minute"),
        (Dates(Date(1990), Date(1980)), "1978 to 1980"),
        (Date(1980), "no mention"),
    ],
)
def test_what_has_no_exact_form_is_refused(value: Quantity | Date | Dates | Duration, like: str) -> None:
    with pytest.raises(UsageError, match=r"\.$"):
        write_mention(value, like)
