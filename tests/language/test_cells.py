"""The typed cells of real infoboxes: what the rows are, what they say, and that nothing makes the reader raise."""

from __future__ import annotations

import json
from collections import Counter
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nliprobe.language.cells import Cell, CellType, Date, Dates, Duration, Quantity, read_cell
from nliprobe.language.cells.records import Value


def quantity(value: int | str, unit: str = "", upper: int | None = None, *, about: bool = False) -> Quantity:
    return Quantity(Fraction(value), unit, None if upper is None else Fraction(upper), about)


def seconds(number: int) -> Duration:
    return Duration(Fraction(number))


@pytest.mark.parametrize(
    ("key", "text", "value"),
    [
        ("Children", "3", quantity(3)),
        ("Elevation", "1,312 m (4,304 ft)", quantity(1312, "m")),
        ("Area", "1,234 km 2 (476 sq mi)", quantity(1234, "km²")),
        ("Density", "2,300/km2 (5,900/sq mi)", quantity(2300, "/km²")),
        ("Height", "5 ft 9 in (1.75 m)", quantity("23/4", "ft")),
        ("Height", "6'4\"", quantity("19/3", "ft")),
        ("Share", "20 %", quantity(20, "%")),
        ("Rank", "3rd", quantity(3, "ordinal")),
        ("Students", "56,079 (Fall 2018)", quantity(56079)),
        ("Crew", "15–20", quantity(15, upper=20)),
        ("Number of employees", "Approximately 230", quantity(230, about=True)),
        ("Number of employees", "1200", quantity(1200)),
        ("Victims", "33+", quantity(33, about=True)),
        ("Weight", "1,700 lbs", quantity(1700, "lb")),
        ("Temperature", "-5 °C", quantity(-5, "°C")),
        ("Budget", "$4.5 million", quantity(4_500_000, "USD")),
        ("Budget", "$95-100 million", quantity(95_000_000, "USD", 100_000_000)),
        ("Budget", "$95 million – $100 million", quantity(95_000_000, "USD", 100_000_000)),
        ("Box office", "₹120 crore", quantity(1_200_000_000, "INR")),
        ("Endowment", "US$38.3 billion (FY 2018)", quantity(38_300_000_000, "USD")),
        ("Price", "£1,200", quantity(1200, "GBP")),
        ("Earnings", "1,053,385 pounds", quantity(1_053_385, "GBP")),
        ("Earnings", "EUR 2.870.310", quantity(2_870_310, "EUR")),
        ("Net income", "US$ -1.8 billion (2016)", quantity(-1_800_000_000, "USD")),
        ("Released", "29 March 1979", Date(1979, 3, 29)),
        ("Released", "March 29, 1979 (1979-03-29)", Date(1979, 3, 29)),
        ("Born", "( 1979-03-29 ) 29 March 1979", Date(1979, 3, 29)),
        ("Died", "March 29, 1979 (aged 70)", Date(1979, 3, 29)),
        ("First shown", "november 22 , 2003", Date(2003, 11, 22)),
        ("Recorded", "May 1978", Date(1978, 5)),
        ("Founded", "1963; 56 years ago (1963)", Date(1963)),
        ("Founded", "c. 1500", Date(1500, about=True)),
        ("Founded", "934", Date(934)),
        ("Death", "4 May 1900", Date(1900, 5, 4)),
        ("Deaths", "1900", quantity(1900)),
        ("Died", "44 BC", Date(-44)),
        ("Built", "16th century", Date(1501, years=100)),
        ("Introduced", "1970s", Date(1970, years=10)),
        ("Treaty of somewhere", "30 May 1814", Date(1814, 5, 30)),
        ("Recorded", "May–December 1978", Dates(Date(1978, 5), Date(1978, 12))),
        ("Dates", "6-21 August 2016", Dates(Date(2016, 8, 6), Date(2016, 8, 21))),
        ("Dates", "March 5–9, 1990", Dates(Date(1990, 3, 5), Date(1990, 3, 9))),
        ("Date", "29 July - 11 August 1984", Dates(Date(1984, 7, 29), Date(1984, 8, 11))),
        ("Date", "58-50 BC", Dates(Date(-58), Date(-50))),
        ("Year", "1849 - 50", Dates(Date(1849), Date(1850))),
        ("Years active", "1999–present", Dates(Date(1999), None)),
        ("Years active", "since 1999", Dates(Date(1999), None)),
        ("Years active", "1999–", Dates(Date(1999), None)),
        ("Length", "46:06", seconds(2766)),
        ("Length", "47 : 11", seconds(2831)),
        ("Length", "1:02:03", seconds(3723)),
        ("Running time", "125 minutes", seconds(7500)),
        ("Running time", "2 h 5 min", seconds(7500)),
        ("Length", "46 km", quantity(46, "km")),
        ("Capital", "Yes", True),
        ("Paralympic", "No", False),
        ("Origin", "Paris, France", "Paris, France"),
        ("Label", "Casablanca", "Casablanca"),
        ("Earnings", "euro253,024.70", quantity("253024.7", "EUR")),
        ("Distributed by", "20th Century Fox", "20th Century Fox"),
        ("Record", "7:5-1-0", "7:5-1-0"),
        ("Website", "example .org /1999", "example .org /1999"),
        ("Time zone", "UTC-5 (ECT)", "UTC-5 (ECT)"),
    ],
)
def test_cells_that_say_one_thing_are_certain(key: str, text: str, value: Value) -> None:
    cell = read_cell(key, [text])
    assert cell.values == (value,)
    assert cell.certain


@pytest.mark.parametrize(
    ("key", "text", "kind", "value"),
    [
        ("Born", "(1975-08-07) 7 August 1975 (age 43) , Benoni, South Africa", CellType.DATE, Date(1975, 8, 7)),
        ("Born", "Jo Ann Bloom ( 1981-09-12 ) September 12, 1981 Kent, Ohio", CellType.DATE, Date(1981, 9, 12)),
        ("Released", "21 December 1925 (USSR)", CellType.DATE, Date(1925, 12, 21)),
        ("Reign", "51 BC to 10 or 12 August 30 BC", CellType.DATES, Dates(Date(-51), Date(-30, 8, 12))),
        ("Dates", "5 August", CellType.DATE, "5 August"),
        ("Dates", "28 July - 12 August", CellType.DATES, "28 July - 12 August"),
        ("Children", "2, including Tom", CellType.NUMBER, quantity(2)),
        ("Children", "2 (later 4)", CellType.NUMBER, quantity(2)),
        ("Competitors", "40 from 30 nations", CellType.NUMBER, quantity(40)),
        ("Competitors", "from 63 nations", CellType.NUMBER, quantity(63)),
        ("Members", "75 national groups", CellType.NUMBER, quantity(75)),
        ("Eccentricity", "0.11 ± 0.06", CellType.NUMBER, quantity("0.11")),
        ("Dates", "1-12 August", CellType.DATES, "1-12 August"),
        ("Dimensions", "174.0 cm 153.7 cm (68.5 in 60.5 in)", CellType.NUMBER, quantity(174, "cm")),
        ("Playing time", "Usually 5 mins", CellType.DURATION, seconds(300)),
        ("Spouse(s)", "Ann Lee ( m. 2013 )", CellType.PERSON, "Ann Lee"),
        ("Owner", "Bloom Stables (2012)", CellType.ORGANISATION, "Bloom Stables"),
    ],
)
def test_cells_that_say_more_have_the_type_of_their_leading_value(
    key: str, text: str, kind: CellType, value: Value
) -> None:
    assert read_cell(key, [text]) == Cell(kind, (value,), certain=False)


@pytest.mark.parametrize(
    ("key", "values", "of", "items"),
    [
        ("Genre", ["Rock , pop"], CellType.TEXT, ("Rock", "pop")),
        ("Genre", ["Rock", "pop"], CellType.TEXT, ("Rock", "pop")),
        ("Starring", ["Ann Lee", "Bob Ray"], CellType.PERSON, ("Ann Lee", "Bob Ray")),
        ("Key people", ["Ann Lee , (chair) , Bob Ray , (CEO)"], CellType.PERSON, ("Ann Lee", "Bob Ray")),
        ("Release date", ["8 May 2014 (here)", "9 May 2014"], CellType.DATE, (Date(2014, 5, 8), Date(2014, 5, 9))),
        ("Genre", ["A", "(B)", "C"], CellType.TEXT, ("A (B)", "C")),
        ("Genre", ["Rock, pop, and soul, folk"], CellType.TEXT, ("Rock", "pop", "soul", "folk")),
        ("Genre", ["Rock", "and pop"], CellType.TEXT, ("Rock", "pop")),
        ("Colors", ["Maroon and White ,"], CellType.TEXT, ("Maroon", "White")),
        ("Mixed", ["3", "Paris"], CellType.TEXT, ("3", "Paris")),
    ],
)
def test_several_values_are_a_list(key: str, values: list[str], of: CellType, items: tuple[Value, ...]) -> None:
    cell = read_cell(key, values)
    assert (cell.type, cell.of, cell.values) == (CellType.LIST, of, items)


@pytest.mark.parametrize(
    ("key", "text", "kind"),
    [
        ("Directed by", "Jo Bloom", CellType.PERSON),
        ("Owner", "Bloom Motor Company", CellType.ORGANISATION),
        ("Wali (Governor)", "Jo Bloom", CellType.PERSON),
        ("Conference Chairman", "Wang Bloom", CellType.PERSON),
        ("Manager", "Edward Bloom, 17th Earl of Kent", CellType.PERSON),
        ("Alma mater", "Bloom College", CellType.ORGANISATION),
        ("Headquarters", "Washington, D.C., United States", CellType.PLACE),
        ("Residence", "Bloomville, Ohio, U.S.", CellType.PLACE),
        ("Resting place", "Bloom Hill Cemetery", CellType.PLACE),
        ("Died", "Jerusalem, Israel", CellType.PLACE),
        ("Occupation", "Singer", CellType.TEXT),
        ("Zodiac", "University of Bloom", CellType.ORGANISATION),
        ("Zodiac", "France", CellType.PLACE),
        ("1980–1982", "Bloom Rovers (16 games)", CellType.ORGANISATION),
        ("Coordinates", "14°41′34″N 17°26′48″W", CellType.TEXT),
        ("Location", "Bloom Hall, Kent, Ohio , 40°48′27″N 73°57′43″W", CellType.PLACE),
        ("Dam", "Quick Temper", CellType.TEXT),
    ],
)
def test_names_are_told_apart_by_key_and_words(key: str, text: str, kind: CellType) -> None:
    assert read_cell(key, [text]).type is kind


def test_a_row_without_text_says_nothing() -> None:
    assert read_cell("Key", []) == read_cell("", ["", " \u200b\n"]) == Cell(CellType.TEXT, (), certain=False)


KEYS = st.sampled_from(["Born", "Length", "Area", "Budget", "Key people", "Genre", "Location", "Colors", "x"])
WORDS = """
1 12 1999 44 $ € May , - – ( ) and km ft in : 06 BC the c. th century % million Ann \u202e ½ / 🎉 ٣ . ' " present
"""
PIECES = st.sampled_from([*WORDS.split(), " ", " , ", "\n"])


@given(KEYS | st.text(max_size=20), st.lists(st.text(max_size=40) | st.lists(PIECES).map("".join), max_size=4))
def test_no_row_makes_the_reader_raise(key: str, values: list[str]) -> None:
    cell = read_cell(key, values)
    assert (cell.of is not None) == (cell.type is CellType.LIST) == (len(cell.values) > 1)
    assert read_cell(key, values) == cell


@pytest.mark.parametrize("text", ["1", "1 ", "( ", "12:", "$1-", "🎉", "\x00\u202e", "May 1 ", "1 ft ", "5 hours and "])
@pytest.mark.parametrize("key", ["Born", "Length", "Budget", "Key people", "x" * 100_000])
def test_hostile_rows_are_read(key: str, text: str) -> None:
    long = text * (100_000 // len(text))
    assert read_cell(key, [long]).type in CellType
    assert read_cell(key, [long[:1_999]]).type in CellType
    assert read_cell(key, [text] * 1_000).type in CellType


def test_all_tables_of_infotabs_are_read(data: Path) -> None:
    files = sorted((data / "infotabs" / "tables" / "json").glob("*.json"))
    assert len(files) >= 2_719
    types: Counter[CellType] = Counter()
    for file in files:
        for key, values in json.loads(file.read_text(encoding="utf-8")).items():
            types[read_cell(key, values).type] += 1
    assert set(types) == set(CellType)
