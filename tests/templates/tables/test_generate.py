"""Generated pairs: the same for a seed in any order and any part, with even labels that their programs give."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from nliprobe.base.errors import DataError, NotFoundError, UsageError
from nliprobe.task.evidence import Grade
from nliprobe.task.labels import THREE_WAY, Partition
from nliprobe.task.pair import Pair
from nliprobe.task.program import parse_program, write_program
from nliprobe.task.sources import open_source
from nliprobe.task.table import Row, Table
from nliprobe.templates.tables.draw import BLOCK, Fictional
from nliprobe.templates.tables.execute import execute
from nliprobe.templates.tables.find import load_tables, read_tables
from nliprobe.templates.tables.generate import Suite, plan_suite, wanted
from nliprobe.templates.tables.real import Real, is_plain, name_kind

LIBRARY = load_tables()
Shop = Callable[..., Path]


def pairs_of(text: str) -> list[Pair]:
    return list(open_source(text).pairs())


def facet(pair: Pair, name: str) -> str:
    return next((item.value for item in pair.facets if item.name == name), "")


@pytest.fixture(scope="module")
def suite() -> list[Pair]:
    return pairs_of("tables?n=9&seed=5")


def test_every_pair_is_what_its_program_says(suite: list[Pair]) -> None:
    assert len(suite) == 9 * len(LIBRARY.templates)
    for pair in suite:
        assert isinstance(pair.premise, Table)
        assert pair.program is not None
        assert pair.evidence is not None
        assert write_program(parse_program(pair.program)) == pair.program
        assert execute(pair.program, pair.premise) == (str(pair.gold), pair.evidence.units)
        assert pair.evidence.grade is Grade.GOLD
        assert pair.premise.title in pair.hypothesis
    assert len({pair.id for pair in suite}) == len(suite)


def test_labels_are_even_and_tables_are_shared(suite: list[Pair]) -> None:
    assert set(Counter(str(pair.gold) for pair in suite).values()) == {len(suite) // 3}
    tables: dict[str, Table] = {}
    for pair in suite:
        assert isinstance(pair.premise, Table)
        assert tables.setdefault(pair.group, pair.premise) is pair.premise
    assert len(suite) / len(tables) > 6


def test_the_number_of_rows_tells_nothing_about_the_label(suite: list[Pair]) -> None:
    sizes: dict[str, set[int]] = {}
    for pair in suite:
        assert isinstance(pair.premise, Table)
        sizes.setdefault(facet(pair, "schema"), set()).add(len(pair.premise.rows))
    assert all(len(several) == 1 for several in sizes.values()), sizes


def test_names_of_other_tables_come_no_more_often_than_own_ones() -> None:
    own, other = Counter[str](), Counter[str]()
    for pair in pairs_of("tables?n=300&seed=2&only=film.directed-by"):
        assert pair.program is not None
        if facet(pair, "form") != "N-missing":
            (own if str(pair.gold) == "E" else other)[pair.program.split('"')[1]] += 1
    assert max(own.values()) <= 6
    assert max(other.values()) <= 6


def test_a_part_of_a_suite_has_the_pairs_of_the_whole(suite: list[Pair]) -> None:
    part = pairs_of("tables?n=9&seed=5&only=album+negation")
    assert part == [pair for pair in suite if {"album", "negation"} & {item.value for item in pair.facets}]
    fewer = {pair.id: pair for pair in pairs_of("tables?n=3&seed=5")}
    assert fewer == {pair.id: pair for pair in suite if pair.id in fewer}


def test_another_seed_gives_other_pairs(suite: list[Pair]) -> None:
    others = pairs_of("tables?n=9&seed=6")
    assert not {pair.hypothesis for pair in suite} & {pair.hypothesis for pair in others}
    assert pairs_of("tables?n=9&seed=5") == suite


@given(st.lists(st.integers(0, 3 * BLOCK), min_size=1, max_size=6))
@settings(max_examples=20)
def test_tables_do_not_depend_on_the_order_in_which_they_are_made(numbers: list[int]) -> None:
    schema, world = LIBRARY.schemas["album"], Fictional(4)
    tables = {number: world.table(schema, number) for number in numbers}
    for number in sorted(tables):
        assert Fictional(4).table(schema, number) == tables[number]


@given(st.integers(1, 400))
@settings(max_examples=12, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_a_total_is_spread_over_templates(total: int) -> None:
    numbers = wanted(LIBRARY.templates, None, total)
    assert sum(numbers.values()) == total
    assert max(numbers.values()) - min(numbers.values()) <= 1


def test_what_cannot_be_asked_for() -> None:
    for text, problem in (
        ("tables?n=3&total=4", "give one of the two"),
        ("tables?n=0", "n should be from 1"),
        ("tables?world=mars", "world should be fictional, real or twins"),
        ("tables?world=real", "needs the corpus of real tables: from="),
        ("tables?from=builtin/tables-dev", "needs no corpus: leave out from="),
    ):
        with pytest.raises(UsageError, match=problem):
            open_source(text)
    with pytest.raises(NotFoundError, match="Did you mean 'album'"):
        open_source("tables?only=albun")


def test_templates_of_ones_own(shop: Shop) -> None:
    pairs = pairs_of(f"tables:{shop()}?n=30&seed=3")
    assert Counter(str(pair.gold) for pair in pairs) == {"E": 20, "N": 20, "C": 20}
    assert {facet(pair, "category") for pair in pairs} == {"Shop"}


def test_a_space_that_is_too_small_gives_what_it_has(shop: Shop) -> None:
    """Few tables are red and old: the label that needs one is short, and the tally says so."""
    path = shop(
        ('"year(Opened) < Y"', "text(Colour) == 'red' and year(Opened) < 1952"), ("    draw: {N: 1..9}\n", ""),
        ('E: {Y: "year(Opened) + N"}', "E: {}"), ('C: {Y: "year(Opened) - N"}', "C: {}"),
        ("opened before {Y}.", "is red and opened before 1952."), ("opened came before {Y}.", "turned red was early."),
    )  # fmt: skip
    library = read_tables(path)
    suite = Suite(plan_suite(library.templates, library.templates[:1]), Fictional(0), 0, {"shop.opened-before": 300})
    pairs = list(suite.pairs())
    (tally,) = suite.tallies
    assert len(pairs) == tally.distinct < tally.asked == 300
    assert tally.labels["E"] < 100 == tally.labels["C"]
    assert tally.tried > 300


def test_a_lexicon_without_enough_entities_is_an_error(shop: Shop) -> None:
    path = shop(("several(PERSON, 1, 3)", "several('Ann Lee', 1, 1)"))
    with pytest.raises(
        DataError, match=r"too few members of Owners that only other tables list to draw 1\. .*more to choose from"
    ):
        pairs_of(f"tables:{path}?n=5&only=shop.owner")


class _Tables:
    """Real tables in memory."""

    name = "mine"

    def __init__(self, *tables: Table) -> None:
        self.tables = tables

    @property
    def partition(self) -> Partition:
        return THREE_WAY

    def digest(self) -> str:
        return "x"

    def pairs(self) -> Iterator[Pair]:
        for number, table in enumerate(self.tables):
            yield Pair(f"mine/{number}", table, "It is so.", group=f"T{number}")


def _films(count: int) -> list[Table]:
    names = ("Ann Lee", "Bob Ray", "Cyd Fox", "Dan Oak", "Eve Ash", "Fay Elm")
    return [
        Table(
            f"Night Trip {'I' * (number + 1)}",
            (
                Row("Directed by", (names[number % 6],)),
                Row("Produced by", (names[(number + 1) % 6], names[(number + 2) % 6])),
                Row("Starring", (names[(number + 3) % 6], names[(number + 4) % 6], names[number % 6])),
                Row("Running time", (f"{90 + number} minutes",)),
                Row("Budget", (f"${3 + number} million",)),
                Row("Notes", ("Bob Ray said (later) that c. 40 were lost",)),
                Row("Release date", ("c. 1980",)),
            ),
            "Movie",
        )
        for number in range(count)
    ]


def _suite_on(world: Real, n: int = 6) -> list[Pair]:
    templates = [one for one in LIBRARY.templates if one.schema.name == "film"]
    suite = Suite(plan_suite(LIBRARY.templates, templates), world, 1, wanted(templates, n, None))
    return list(suite.pairs())


def test_real_tables_show_only_what_is_certain() -> None:
    pairs = _suite_on(Real(_Tables(*_films(6)), [LIBRARY.schemas["film"]], 1, twins=False))
    assert len(pairs) > 30
    for pair in pairs:
        assert isinstance(pair.premise, Table)
        assert set(pair.premise.keys) <= {"Directed by", "Produced by", "Starring", "Running time", "Budget"}
        assert pair.program is not None
        assert execute(pair.program, pair.premise).label == str(pair.gold)
        assert pair.group in {"T0", "T1", "T2", "T3", "T4", "T5"}
        assert facet(pair, "world") == "real"


def test_twins_differ_in_names_only() -> None:
    real_names = {"ann", "lee", "bob", "ray", "cyd", "fox", "dan", "oak", "eve", "ash", "fay", "elm", "night", "trip"}
    pairs = _suite_on(Real(_Tables(*_films(6)), [LIBRARY.schemas["film"]], 1, twins=True))
    assert len(pairs) > 60
    for one, two in zip(pairs[::2], pairs[1::2], strict=True):
        assert isinstance(one.premise, Table)
        assert isinstance(two.premise, Table)
        assert facet(one, "twin") == facet(two, "twin") != ""
        assert (facet(one, "world"), facet(two, "world")) == ("real", "fictional")
        assert (one.gold, one.group, one.evidence) == (two.gold, two.group, two.evidence)
        assert one.premise.keys == two.premise.keys
        assert two.program is not None
        assert execute(two.program, two.premise).label == str(two.gold)
        words = " ".join([*two.premise.texts, two.hypothesis]).casefold().replace(".", " ").replace(",", " ").split()
        assert not real_names & set(words)
        for mine, other in zip(one.premise.rows, two.premise.rows, strict=True):
            if mine.key in ("Running time", "Budget"):
                assert mine == other
            assert len(mine.values) == len(other.values)


def test_no_real_table_is_an_error() -> None:
    with pytest.raises(DataError, match="mine has no table that a schema knows"):
        Real(_Tables(Table("X", (Row("A", ("1",)),), "Movie")), [LIBRARY.schemas["film"]], 0, twins=False)


def test_what_can_be_said_as_it_is() -> None:
    fields = LIBRARY.schemas["film"].fields
    assert [name_kind(fields[name]) for name in ("Directors", "Writers", "Budget")] == ["PERSON", "PERSON", None]
    for text in ("R&amp;B", "Full list", "rock and roll", "12 songs", "a; b", "Paris, France", "MacFranceRoyaume x"):
        assert not is_plain(text)
    assert is_plain("Kent, Ohio 44240", digits=True)


def test_suites_of_one_run_share_no_id_and_no_table() -> None:
    """Two seeds, and twins beside made tables, can be asked in one run."""
    twins = _suite_on(Real(_Tables(*_films(6)), [LIBRARY.schemas["film"]], 1, twins=True))
    suites = [pairs_of("tables?total=400&seed=1"), pairs_of("tables?total=400&seed=2"), twins]
    ids = [pair.id for suite in suites for pair in suite]
    assert len(set(ids)) == len(ids)
    for one, other in itertools.combinations(suites, 2):
        assert {pair.group for pair in one}.isdisjoint(pair.group for pair in other)
