"""Makers write what the reader of cells reads, the same for a seed, and names that exist nowhere."""

from __future__ import annotations

import gzip
import json
import re
from fractions import Fraction
from importlib import resources
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nliprobe.base.errors import DataError, NotFoundError
from nliprobe.language.cells import read_cell
from nliprobe.language.cells.records import CellType, Date, Dates, Duration, Quantity
from nliprobe.language.lexicon import Lexicon, lexicon_names, load_lexicon
from nliprobe.task.table import Row
from nliprobe.templates.tables.draw import make_rows
from nliprobe.templates.tables.fictional import (
    invented_words,
    is_invented,
    names_of,
    stock_name,
    stock_names,
    word_kinds,
)
from nliprobe.templates.tables.find import load_tables
from nliprobe.templates.tables.makers import fields_needed, make
from nliprobe.templates.tables.readings import read_items
from nliprobe.templates.tables.records import Schema

SCHEMAS = sorted(load_tables().schemas.values(), key=lambda schema: schema.name)
SEEDS = st.integers(0, 2**32)
FICTIONAL = """
PERSON CITY COUNTRY RIVER COMPANY LABEL CLUB ALBUM FILM BOOK PAINTING DISH HORSE SPECIES DISEASE EVENT TOURNAMENT
UNIVERSITY AWARD LANGUAGE REGION STUDIO PICTURES PUBLISHER BAND MUSEUM VENUE
"""
# What reading a cell of one of these types depends on the text alone; names are typed by what is known of names.
EXACT = {CellType.NUMBER, CellType.MONEY, CellType.DATE, CellType.DATES, CellType.DURATION, CellType.YES_NO}


@given(seed=SEEDS, schema=st.sampled_from(SCHEMAS))
def test_made_values_are_read_as_the_schema_says(seed: int, schema: Schema) -> None:
    made = make_rows(schema, Random(seed))
    assert list(made) == list(schema.fields)
    for name, field in schema.fields.items():
        values = made[name]
        cell = read_cell(field.keys[0], values)
        if field.type in EXACT:
            assert cell.type is field.type, (field.keys[0], values, cell)
            assert cell.certain
        if field.type is CellType.NUMBER or field.type is CellType.MONEY:
            assert isinstance(cell.values[0], Quantity)
            assert cell.values[0].unit == field.unit
        # Commas inside a date stand in its text; lists are separated by the infobox, not by commas.
        if field.type not in EXACT:
            assert read_items(Row(field.keys[0], values)) == values
        for value in values:
            assert value == value.strip()
            assert not re.search(r"[{};|]|  | ,", value)


@given(seed=SEEDS, schema=st.sampled_from(SCHEMAS))
def test_the_same_seed_makes_the_same_values(seed: int, schema: Schema) -> None:
    assert make_rows(schema, Random(seed)) == make_rows(schema, Random(seed))
    assert make(schema.title, Random(seed)) == make(schema.title, Random(seed))


@pytest.mark.parametrize(
    ("text", "key", "read"),
    [
        ("date(1979, 1979)", "Released", Date),
        ("month(1979, 1979)", "Released", Date),
        ("year(1979, 1979)", "Year", Date),
        ("years(1979, 1979, 5, 5)", "Years active", Dates),
        ("years(1979, 1979, 5, 5, 100)", "Years active", Dates),
        ("months(1979, 1979)", "Recorded", Dates),
        ("days(1979, 1979)", "Dates", Dates),
        ("clock(46, 46)", "Length", Duration),
        ("minutes(125, 125)", "Running time", Duration),
        ("number(1200, 1200, 'km²')", "Area", Quantity),
        ("percent(20, 20)", "Water", Quantity),
        ("millions(45, 45)", "Budget", Quantity),
        ("money(750000, 750000)", "Earnings", Quantity),
    ],
)  # fmt: skip
def test_every_maker_writes_in_ways_that_are_read(text: str, key: str, read: type) -> None:
    written = set()
    for seed in range(60):
        (value,) = make(text, Random(seed))
        cell = read_cell(key, (value,))
        assert isinstance(cell.values[0], read), (value, cell)
        assert cell.certain, (value, cell)
        written.add(re.sub(r"\d", "0", re.sub(r"[A-Z][a-z]+", "M", value)))
    if text.startswith("date("):
        assert len(written) >= 4  # several manners, as infoboxes have them


def test_sums_are_worth_what_they_say() -> None:
    (value,) = make("millions(45, 45)", Random(1))
    quantity = read_cell("Budget", (value,)).values[0]
    assert value == "$4.5 million"
    assert quantity == Quantity(Fraction(4_500_000), "USD")


@given(seed=SEEDS)
def test_makers_that_look_back_keep_the_order(seed: int) -> None:
    random = Random(seed)
    made: dict[str, tuple[str, ...]] = {"Born": make("date(1860, 1925)", random)}
    made["Died"] = make("after(Born, 66, 95)", random, made)
    born, died = (read_cell(name, made[name]).values[0] for name in ("Born", "Died"))
    assert isinstance(born, Date)
    assert isinstance(died, Date)
    assert 66 <= died.year - born.year <= 95


@given(seed=SEEDS)
def test_shared_members_are_members(seed: int) -> None:
    random = Random(seed)
    made = {"Producers": make("several(PERSON, 3, 4)", random)}
    writers = make("among(Producers, PERSON, 3, 4)", random, made)
    assert len(set(writers)) == len(writers)
    assert 3 <= len(writers) <= 4


def test_shared_members_are_none_some_and_all() -> None:
    made = {"A": ("x", "y")}
    shared = {len(set(make("among(A, PERSON, 2, 2)", Random(seed), made)) & {"x", "y"}) for seed in range(60)}
    assert shared == {0, 1, 2}


@pytest.mark.parametrize(
    ("text", "error", "problem"),
    [
        ("PERSN", NotFoundError, r"no maker PERSN. Did you mean 'PERSON'"),
        ("dat(1, 2)", NotFoundError, r"no maker dat"),
        ("date(2019, 1955)", DataError, r"goes from 2019 to 1955"),
        ("date('1955', 2019)", DataError, r"needs a whole number as argument 1"),
        ("several(1, 2, 3)", DataError, r"needs a text or a name of the stock as argument 1"),
        ("after(Born, 1, 2)", DataError, r"refers to the field Born, which is not made before it"),
        ("after(1900, 1, 2)", DataError, r"needs a field as argument 1"),
        ("several(FORMAT, 9, 9)", DataError, r"finds no 9 distinct values of FORMAT"),
        ("date(", DataError, r"cannot be read"),
        ("1955", DataError, r"should be a name such as PERSON"),
        ("date(1.5, 2)", DataError, r"no whole number, text or name: 1.5"),
        ("date(x=1)", DataError, r"should be a name such as PERSON"),
    ],
)
def test_bad_makers_are_sentences(text: str, error: type[Exception], problem: str) -> None:
    with pytest.raises(error, match=problem):
        make(text, Random(1))


def test_makers_say_what_they_refer_to() -> None:
    assert fields_needed("after(Born, 20, 90)") == {"Born"}
    assert fields_needed("several(PERSON, 1, 3)") == frozenset()


def test_a_year_that_is_not_there_is_an_error() -> None:
    with pytest.raises(DataError, match="finds no year in unknown"):
        make("after(Born, 1, 2)", Random(1), {"Born": ("unknown",)})


def test_there_are_many_names() -> None:
    assert names_of("PERSON") >= 100_000
    for name in FICTIONAL.split():
        assert names_of(name) >= 150, name
        assert is_invented(name), name
    people = {stock_name("PERSON", Random(seed)) for seed in range(2_000)}
    assert len(people) > 1_980
    with pytest.raises(NotFoundError, match="no names PEOPLE"):
        stock_name("PEOPLE", Random(1))


def test_invented_words_are_no_words_of_wordnet_and_of_no_lexicon() -> None:
    known: set[str] = set()
    for name in lexicon_names():
        lexicon = load_lexicon(name)
        if isinstance(lexicon, Lexicon):
            known.update(word for entry in lexicon.entries for cell in entry for word in _words(cell))
    for part in ("noun", "verb", "adj", "adv"):
        packed = (resources.files("nliprobe.language") / "wordnet_data" / f"{part}.gz").read_bytes()
        known |= _words(gzip.decompress(packed).decode("utf-8"))
    invented = [word for kind in word_kinds() for word in invented_words(kind)]
    assert len(invented) == len(set(invented)) > 4_000
    assert [word for word in invented if word.lower() in known] == []
    assert all(re.fullmatch("[A-Z][a-z]{4,11}", word) for word in invented)


def test_invented_words_are_in_no_title_of_infotabs(data: Path) -> None:
    folder = data / "infotabs" / "tables" / "json"
    if not folder.is_dir():
        pytest.skip("InfoTabS is absent")
    words: set[str] = set()
    for path in folder.glob("*.json"):
        table = json.loads(path.read_text(encoding="utf-8"))
        words.update(word for title in table["title"] for word in _words(title))
    assert words
    assert [word for kind in word_kinds() for word in invented_words(kind) if word.lower() in words] == []


def test_names_separate_nothing() -> None:
    for name in stock_names():
        for seed in range(50):
            assert not re.search(r",|;|\band\b|[{}]", stock_name(name, Random(seed))), name


def _words(text: str) -> set[str]:
    return set(re.findall(r"[^\W\d_]+", text.lower()))
