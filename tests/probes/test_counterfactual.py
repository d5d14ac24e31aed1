"""Rows that move to another table, and tables that get another title: the label stays."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nliprobe.base.errors import UsageError
from nliprobe.probes._counterfactual import MANY_COLUMNS, NO_CATEGORY, NO_OTHER
from nliprobe.probes._rows import A_TEXT
from nliprobe.probes._titles import COMMON, NOT_NAMED
from nliprobe.probes.counterfactual_relocate import NO_EVIDENCE, NO_ROW, OUTSIDE
from nliprobe.probes.suite import build_probe
from nliprobe.task.case import Case, Certainty, Skip
from nliprobe.task.edits import apply_edits
from nliprobe.task.evidence import Evidence, Grade
from nliprobe.task.labels import LabelSet
from nliprobe.task.pair import Facet, Pair, Premise
from nliprobe.task.relations import SAME
from nliprobe.task.source import Pool
from nliprobe.task.table import Row, Table
from nliprobe.task.table_diff import same_key

E, C, N = (LabelSet.of(letter) for letter in "ECN")
LIGHTS = Table(
    "Harbour Lights",
    (Row("Directed by", ("Ada Moreno",)), Row("Running time", ("96 minutes",)), Row("Country", ("Peru",))),
    "Film",
)
CLOCK = Table("Copper Clock", (Row("Country", ("Chile",)), Row("running  Time", ("120 minutes",))), "Film")
BOOK = Table("Salt Moon", (Row("Pages", ("96",)),), "Book")
POOL = Pool({"lights": LIGHTS, "clock": CLOCK, "book": BOOK})
RELOCATE, RETITLE = "counterfactual.relocate", "counterfactual.retitle"
MARKED = Evidence((1,))
SHORT = "Harbour Lights takes less than two hours."


def _pair(
    hypothesis: str = SHORT,
    premise: Premise = LIGHTS,
    evidence: Evidence | None = MARKED,
    gold: LabelSet | None = E,
) -> Pair:
    return Pair("p", premise, hypothesis, gold, "lights", evidence)


def _items(spec: str, pair: Pair, pool: Pool = POOL) -> list[Case | Skip]:
    return list(build_probe(spec, 0).cases(pair, pool))


def _case(spec: str, pair: Pair, pool: Pool = POOL) -> Case:
    [case] = _items(spec, pair, pool)
    assert isinstance(case, Case)
    return case


def test_relevant_rows_replace_those_with_the_same_keys() -> None:
    case = _case(RELOCATE, _pair())
    assert case.premise == Table("Copper Clock", (CLOCK.rows[0], LIGHTS.rows[1]), "Film")
    assert case.hypothesis == "Copper Clock takes less than two hours."
    assert (case.gold, case.expects) == (E, SAME)
    assert case.facets == (Facet("destination", "Copper Clock"), Facet("grade", "gold"))
    assert [edit.op for edit in case.edits] == ["table.replace", "row.update", "hypothesis.replace"]


def test_a_row_whose_key_is_not_there_is_inserted() -> None:
    case = _case(RELOCATE, _pair("Ada Moreno directed Harbour Lights.", evidence=Evidence((0,))))
    assert isinstance(case.premise, Table)
    assert case.premise.rows == (LIGHTS.rows[0], *CLOCK.rows)


def test_further_rows_with_the_key_are_deleted() -> None:
    twice = Table("Copper Clock", (Row("running time", ("1",)), Row("Country", ("Chile",)), Row("Runningtime", ("2",))))
    pool = Pool({"lights": LIGHTS, "clock": Table(twice.title, twice.rows, "Film")})
    case = _case(RELOCATE, _pair(), pool)
    assert isinstance(case.premise, Table)
    assert case.premise.rows == (LIGHTS.rows[1], Row("Country", ("Chile",)))


def test_every_row_may_be_relevant() -> None:
    case = _case(RELOCATE, _pair(evidence=Evidence((0, 1, 2))))
    assert isinstance(case.premise, Table)
    assert set(LIGHTS.rows) == set(case.premise.rows)


def test_moved_rows_name_the_new_title() -> None:
    named = Table(LIGHTS.title, (Row("Based on", ("Harbour Lights by A. B.",)),), "Film")
    case = _case(RELOCATE, _pair("Harbour Lights is based on a book.", named, Evidence((0,))))
    assert isinstance(case.premise, Table)
    assert case.premise.rows[0] == Row("Based on", ("Copper Clock by A. B.",))


@pytest.mark.parametrize(
    ("pair", "reason"),
    [
        (_pair(evidence=None), NO_EVIDENCE),
        (_pair(evidence=Evidence(())), NO_ROW),
        (_pair(evidence=Evidence((9,))), NO_ROW),
        (_pair(evidence=Evidence((1,), outside=True)), OUTSIDE),
        (_pair("The film is short."), NOT_NAMED),
        (_pair(premise=Table("T", LIGHTS.rows, "Food")), NO_OTHER),
        (_pair(premise=Table("T", LIGHTS.rows)), NO_CATEGORY),
        (_pair(premise=Table("T", (Row("", ("1",)),), "Film", ("n",))), MANY_COLUMNS),
        (_pair(premise="A text."), A_TEXT),
        (_pair("It was short.", Table("It", LIGHTS.rows, "Film")), COMMON),
    ],
)
def test_where_it_does_not_apply_the_reason_is_counted(pair: Pair, reason: str) -> None:
    assert _items(RELOCATE, pair) == [Skip(RELOCATE, reason)]


def test_a_retitled_table_keeps_its_rows_but_for_the_title() -> None:
    named = Table(LIGHTS.title, (*LIGHTS.rows, Row("Song", ("Harbour Lights (theme)",))), "Film")
    case = _case(RETITLE, _pair(premise=named, evidence=None))
    assert case.premise == Table("Copper Clock", (*LIGHTS.rows, Row("Song", ("Copper Clock (theme)",))), "Film")
    assert case.hypothesis == "Copper Clock takes less than two hours."
    assert case.certainty is Certainty.CERTAIN
    assert [edit.op for edit in case.edits] == ["title.replace", "row.update", "hypothesis.replace"]


@pytest.mark.parametrize(
    ("pair", "certainty"),
    [
        (_pair(), Certainty.CERTAIN),
        (_pair(gold=N), Certainty.LIKELY),
        (_pair(gold=None), Certainty.LIKELY),
        (_pair(evidence=Evidence((1,), Grade.SILVER)), Certainty.LIKELY),
        (_pair(evidence=Evidence((1,), Grade.EDIT), gold=C), Certainty.LIKELY),  # "than" may compare two rows
        (_pair("Harbour Lights takes 96 minutes.", evidence=Evidence((1,), Grade.EDIT)), Certainty.CERTAIN),
        (_pair("Harbour Lights takes 96 minutes, in Peru.", evidence=Evidence((1,), Grade.EDIT)), Certainty.LIKELY),
        (_pair("Harbour Lights is a title of three words."), Certainty.LIKELY),
        (_pair("Harbour Lights made her famous in 96 minutes."), Certainty.LIKELY),
        (_pair("Harbour Lights shows the lights of a harbour."), Certainty.LIKELY),
    ],
)
def test_what_may_depend_on_more_than_the_moved_rows_is_likely(pair: Pair, certainty: Certainty) -> None:
    assert _case(RELOCATE, pair).certainty is certainty


def test_a_person_does_not_become_a_band() -> None:
    singer = Table("Ada Moreno", (Row("Born", ("1961",)), Row("Genres", ("Jazz",))), "Musician")
    band = Table("The Otters", (Row("Origin", ("Leeds",)), Row("Genres", ("Rock",))), "Musician")
    pair = Pair("p", singer, "Ada Moreno plays jazz.", E, "a", Evidence((1,)))
    assert _items(RELOCATE, pair, Pool({"a": singer, "b": band})) == [Skip(RELOCATE, NO_OTHER)]
    assert _items(RETITLE, pair, Pool({"a": singer, "b": band})) == [Skip(RETITLE, NO_OTHER)]


def test_a_title_that_the_pair_names_already_is_not_drawn() -> None:
    pair = _pair("Harbour Lights is shorter than Copper Clock.")
    assert _items(RELOCATE, pair) == [Skip(RELOCATE, NO_OTHER)]


def test_a_twin_of_the_group_may_be_drawn() -> None:
    pool = Pool({"lights": LIGHTS}, twins={"lights": (CLOCK,)})
    assert _case(RELOCATE, _pair(), pool).hypothesis.startswith("Copper Clock")


def test_n_draws_distinct_tables() -> None:
    films = {name: Table(name, CLOCK.rows, "Film") for name in ("Iron Rain", "Blue Tide", "Green Door")}
    cases = _items(f"{RELOCATE}?n=2", _pair(), Pool({"lights": LIGHTS, **films}))
    assert len({case.hypothesis for case in cases if isinstance(case, Case)}) == 2
    assert len(_items(f"{RELOCATE}?n=9", _pair(), Pool({"lights": LIGHTS, **films}))) == 3
    with pytest.raises(UsageError, match="should be at least 1, not 0"):
        build_probe(f"{RELOCATE}?n=0")


_KEYS = st.lists(st.sampled_from(["Year", "year ", "Length", "Director", "Country", "Cast"]), unique=True, min_size=1)
_TITLES = ["Harbour Lights", "Copper Clock", "The Salt Moon", "Jaws", "Sallow Tide (film)"]
_FORMS = ["{} was long.", "The end of {} is sad.", "A song of {}'s is short; {} is not.", "Is the film {} old?"]


@st.composite
def _films(draw: st.DrawFn) -> tuple[Pair, Pool]:
    """Draw a pair about one of several films, with marked rows."""
    tables = []
    for title in _TITLES:
        rows = tuple(Row(key, (f"{title[-3:]}{place}",)) for place, key in enumerate(draw(_KEYS)))
        tables.append(Table(title, rows, "Film"))
    table = draw(st.sampled_from(tables))
    units = draw(st.sets(st.integers(0, len(table.rows) - 1), min_size=1))
    said = table.title.removesuffix(" (film)")
    hypothesis = draw(st.sampled_from(_FORMS)).format(said, said)
    pair = Pair("p", table, hypothesis, E, table.title, Evidence(tuple(sorted(units))))
    return pair, Pool({one.title: one for one in tables})


@given(_films())
def test_all_relevant_rows_are_there_once_and_the_old_title_is_gone(drawn: tuple[Pair, Pool]) -> None:
    pair, pool = drawn
    table = pair.premise
    assert isinstance(table, Table)
    assert pair.evidence is not None
    case = _case(RELOCATE, pair, pool)
    assert isinstance(case.premise, Table)
    assert apply_edits(table, pair.hypothesis, case.edits) == (case.premise, case.hypothesis)
    moved = [table.rows[place] for place in pair.evidence.units]
    for key in {same_key(row.key) for row in moved}:
        alike = [row for row in case.premise.rows if same_key(row.key) == key]
        assert sorted(alike) == sorted(row for row in moved if same_key(row.key) == key)
    other = pool.tables[case.premise.title]
    keys = {same_key(row.key) for row in moved}
    assert [row for row in case.premise.rows if same_key(row.key) not in keys] == [
        row for row in other.rows if same_key(row.key) not in keys
    ]
    said = table.title.removesuffix(" (film)")
    assert not re.search(rf"\b{re.escape(said)}\b", case.hypothesis)


@given(_films())
def test_retitling_changes_nothing_but_the_title(drawn: tuple[Pair, Pool]) -> None:
    pair, pool = drawn
    case = _case(RETITLE, pair, pool)
    assert isinstance(case.premise, Table)
    assert isinstance(pair.premise, Table)
    assert case.premise.rows == pair.premise.rows
    assert case.premise.title in pool.tables
    assert case.premise.title != pair.premise.title
