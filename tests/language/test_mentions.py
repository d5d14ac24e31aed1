"""Mentions of numbers, amounts and times in English text: what they are, what they say and where they are."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nliprobe.language.cells import CellType, Date, Dates, Duration, Quantity, find_mentions
from nliprobe.language.cells.units import SECONDS


def quantity(value: int | str, unit: str = "", upper: int | None = None, *, about: bool = False) -> Quantity:
    return Quantity(Fraction(value), unit, None if upper is None else Fraction(upper), about)


def lasting(number: int | str, unit: str = "second") -> Duration:
    return Duration(Fraction(number) * SECONDS[unit])


@pytest.mark.parametrize(
    ("text", "mentions"),
    [
        ("He was born on 29 March 1979 in Rome.", [("29 March 1979", Date(1979, 3, 29))]),
        ("He died March 29, 1979, in Rome.", [("March 29, 1979", Date(1979, 3, 29))]),
        ("On the 3rd of May, 1979 it rained.", [("3rd of May, 1979", Date(1979, 5, 3))]),
        ("On 1979-03-29 it rained.", [("1979-03-29", Date(1979, 3, 29))]),
        ("It was made in May 1978.", [("May 1978", Date(1978, 5))]),
        ("It came out in 1978.", [("1978", Date(1978))]),
        ("In the 1970s and the '90s.", [("the 1970s", Date(1970, years=10)), ("the '90s", Date(1990, years=10))]),
        ("A man of the 19th century.", [("the 19th century", Date(1801, years=100))]),
        ("In the nineteenth century.", [("the nineteenth century", Date(1801, years=100))]),
        ("In the 1st century BC.", [("the 1st century BC", Date(-100, years=100))]),
        ("Caesar died in 44 BC.", [("44 BC", Date(-44))]),
        ("It fell in AD 79.", [("AD 79", Date(79))]),
        ("He was crowned in the year 800.", [("800", Date(800))]),
        ("He was crowned in 800.", []),
        ("He won in 1066.", [("1066", Date(1066))]),
        ("He had 1066 men.", [("1066 men", quantity(1066, "men"))]),
        ("It rose by 1500 %.", [("1500 %", quantity(1500, "%"))]),
        ("Two hours and five minutes.", [("Two hours and five minutes", lasting(125, "minute"))]),
        ("Made c. 1500.", [("c. 1500", Date(1500, about=True))]),
        ("Nineteen eighty-four was long.", [("Nineteen eighty-four", Date(1984))]),
        ("He ruled from 1978 to 1980.", [("1978 to 1980", Dates(Date(1978), Date(1980)))]),
        ("He lived 1920-1980.", [("1920-1980", Dates(Date(1920), Date(1980)))]),
        ("It was the 1914–18 war.", [("1914–18", Dates(Date(1914), Date(1918)))]),
        ("Between 1990 and 1997 it grew.", [("1990 and 1997", Dates(Date(1990), Date(1997)))]),
        ("It ran May–December 1978.", [("May–December 1978", Dates(Date(1978, 5), Date(1978, 12)))]),
        ("From May 1978 to 1980.", [("May 1978 to 1980", Dates(Date(1978, 5), Date(1980)))]),
        ("Active from 1999 to the present.", [("1999 to the present", Dates(Date(1999), None))]),
        ("The album is 46:06 long.", [("46:06", lasting(2766))]),
        ("It lasts 46 minutes.", [("46 minutes", lasting(46, "minute"))]),
        ("It takes 2 hours and 5 minutes.", [("2 hours and 5 minutes", lasting(125, "minute"))]),
        ("It runs for three hrs.", [("three hrs", lasting(3, "hour"))]),
        ("It runs for two and a half hours.", [("two and a half hours", lasting(150, "minute"))]),
        ("A 90-minute match.", [("90-minute", lasting(90, "minute"))]),
        ("She is 12 years old.", [("12 years", lasting(12, "year"))]),
        ("It cost $4.5 million.", [("$4.5 million", quantity(4_500_000, "USD"))]),
        ("It took US$95-100 million.", [("US$95-100 million", quantity(95_000_000, "USD", 100_000_000))]),
        ("He paid 30 million euros.", [("30 million euros", quantity(30_000_000, "EUR"))]),
        ("They try 5 times to get USD 30.", [("5 times", quantity(5, "times")), ("USD 30", quantity(30, "USD"))]),
        ("He paid five dollars.", [("five dollars", quantity(5, "USD"))]),
        ("About 20 percent of them.", [("20 percent", quantity(20, "%"))]),
        ("She has four children.", [("four children", quantity(4, "children"))]),
        ("She has one child.", [("one child", quantity(1, "children"))]),
        ("Two young children ran.", [("Two young children", quantity(2, "children"))]),
        ("He is 1.75 m tall.", [("1.75 m", quantity("7/4", "m"))]),
        ("He is 5 ft 9 in or so.", [("5 ft 9 in", quantity("23/4", "ft"))]),
        ("It has 1,234 square miles.", [("1,234 square miles", quantity(1234, "sq mi"))]),
        ("He had between 3 and 5 dogs.", [("3 and 5 dogs", quantity(3, "dogs", 5))]),
        ("He came 3rd.", [("3rd", quantity(3, "ordinal"))]),
        ("With ~40 men.", [("~40 men", quantity(40, "men", about=True))]),
        ("There were over 1500 men.", [("1500 men", quantity(1500, "men"))]),
        ("Two thirds of it.", [("Two thirds", quantity("2/3"))]),
        ("IN 1979 FOUR CHILDREN PAID $5M.", [("1979", Date(1979)), ("FOUR CHILDREN", quantity(4, "children")), ("$5M", quantity(5_000_000, "USD"))]),  # noqa: E501
        ("It came out in the summer of '77.", [("'77", Date(1977))]),
        ("Active since the early 90s.", [("90s", Date(1990, years=10))]),
        ("He is in his early 60s.", []),
        ("It was his first film, first shown in 1980.", [("first", quantity(1, "ordinal")), ("1980", Date(1980))]),
        ("He read Seven Pillars with the 568 Group in one sitting.", [("one", quantity(1))]),
        ("The plane left between 9:42 and 9:45.", []),
        ("The song is 3:45 long.", [("3:45", lasting(225))]),
        ("The ATR 42 currently makes three flights.", [("three flights", quantity(3, "flights"))]),
        # Parts of names, times of day, scores and days without a year are no mentions.
        ("Apollo 11 won 3-2 at 5:30 on July 4.", []),
        ("Nobody came.", []),
        ("", []),
    ],
)  # fmt: skip
def test_mentions_are_found_with_span_and_value(text: str, mentions: list[tuple[str, object]]) -> None:
    assert [(text[mention.start : mention.stop], mention.value) for mention in find_mentions(text)] == mentions


def test_types_follow_the_values() -> None:
    text = "In 1978, from 1979 to 1980, it cost $5 for 2 hours and 7 men."
    assert [mention.type for mention in find_mentions(text)] == [
        CellType.DATE,
        CellType.DATES,
        CellType.MONEY,
        CellType.DURATION,
        CellType.NUMBER,
    ]


WORDS = """
1 12 1978 44 1,200 $ € May – and to from between the three half century BC AD km ft in : 06 % million years minutes
children c. '90s 3rd second , . ( ) \u202e ½ / 🎉 ٣ present year one hundred
"""


@given(st.text(max_size=60) | st.lists(st.sampled_from(WORDS.split()), max_size=12).map(" ".join))
def test_mentions_are_in_order_and_apart(text: str) -> None:
    mentions = find_mentions(text)
    assert all(0 <= mention.start < mention.stop <= len(text) for mention in mentions)
    assert all(one.stop <= other.start for one, other in pairwise(mentions))


@pytest.mark.parametrize(
    "piece", ["1 ", "1,", "12:", "May 1 ", "the ", "1 to ", "between 1 and ", "5 hours and ", "🎉"]
)
def test_long_texts_are_searched(piece: str) -> None:
    assert len(find_mentions(piece * 500)) <= 500
