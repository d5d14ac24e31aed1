"""The probes of rows: what is drawn, what is left out and why, and which relation belongs to an edit."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nliprobe.base.errors import UsageError
from nliprobe.probes._row_donors import donors_of, plain_value, row_key
from nliprobe.probes._rows import has_sections, speaks_of_order
from nliprobe.probes.suite import build_probe
from nliprobe.task.case import Case, Certainty, Skip
from nliprobe.task.edits import apply_edits
from nliprobe.task.evidence import Evidence, Grade
from nliprobe.task.pair import Pair
from nliprobe.task.relations import SAME, UNCONSTRAINED
from nliprobe.task.source import Pool
from nliprobe.task.sources import open_source
from nliprobe.task.table import Row, Table
from nliprobe.testing.strategies import tables


def film(title: str, *rows: tuple[str, list[str]], category: str = "Film") -> Table:
    return Table(title, tuple(Row(key, tuple(values)) for key, values in rows), category)


MINE = film("Mine", ("Genre", ["Rock", "pop"]), ("Length", ["40"]), ("Label", ["Blue, Ltd.", "Red"]))
OTHER = film("Other", ("GENRES", ["jazz", "ROCK"]), (" length ", ["50"]), ("Producer", ["Ann"]), ("Labels", ["Red"]))
POOL = Pool({"mine": MINE, "other": OTHER})


def cases_of(spec: str, pair: Pair, pool: Pool = POOL, seed: int = 0) -> list[Case | Skip]:
    return list(build_probe(spec, seed).cases(pair, pool))


def reasons(spec: str, pair: Pair, pool: Pool = POOL) -> list[str]:
    return [item.reason for item in cases_of(spec, pair, pool) if isinstance(item, Skip)]


def mine(table: Table = MINE, evidence: Evidence | None = None, name: str = "p") -> Pair:
    return Pair(name, table, "h", group="mine", evidence=evidence)


def rows_of(case: Case) -> tuple[Row, ...]:
    assert isinstance(case.premise, Table)
    return case.premise.rows


def made(items: list[Case | Skip]) -> list[Case]:
    return [item for item in items if isinstance(item, Case)]


# rows.insert


def test_insert_takes_only_keys_that_the_table_does_not_have() -> None:
    [case] = cases_of("rows.insert?n=9", mine())
    assert isinstance(case, Case)
    assert Counter(rows_of(case)) - Counter(MINE.rows) == Counter([Row("Producer", ("Ann",))])
    assert str(case.expects) == "E>E N>ENC C>C"


def test_insert_draws_the_place() -> None:
    places = {made(cases_of("rows.insert", mine(name=f"p{n}")))[0].edits[0].unit for n in range(40)}
    assert places == {0, 1, 2, 3}


def test_insert_never_takes_from_the_group_even_if_the_pool_holds_another_table_of_it() -> None:
    twin = film("Twin", ("Budget", ["5"]))
    assert reasons("rows.insert", mine(), Pool({"mine": twin})) == [
        "no other table of the category has a row with a new key"
    ]


@pytest.mark.parametrize(
    ("table", "reason"),
    [
        (film("t", ("Genre", ["pop"]), category=""), "the category of the table is unknown"),
        (film("t", ("Genre", ["pop"]), category="None"), "the category of the table is unknown"),
        (film("t", ("Genre", ["pop"]), category="Person"), "no other table of the category has a row with a new key"),
        (Table("t", (Row("", ("1",)),), "", ("n",)), "no other table has the same columns"),
    ],
)
def test_insert_says_why_there_is_no_row(table: Table, reason: str) -> None:
    assert reasons("rows.insert", mine(table)) == [reason]


@given(st.lists(tables(), min_size=1, max_size=5), tables(), st.integers(1, 4))
def test_inserted_rows_are_new_whatever_the_tables(others: list[Table], table: Table, n: int) -> None:
    pool = Pool({"mine": table, **{f"g{number}": other for number, other in enumerate(others)}})
    pair = Pair("p", table, "h", group="mine")
    keys = {row_key(row.key) for row in table.rows}
    cases = made(cases_of(f"rows.insert?n={n}", pair, pool))
    for case in cases:
        [new] = list((Counter(rows_of(case)) - Counter(table.rows)).elements())
        assert row_key(new.key) not in keys
        assert any(new in other.rows and other.category.lower() == table.category.lower() for other in others)
    candidates = {
        row
        for other in others
        for row in other.rows
        if other.category == table.category != "" and row_key(row.key) not in keys
    }
    assert len(cases) == min(n, len(candidates))


# rows.update


def test_update_replaces_one_value_by_another_of_the_same_key_and_leaves_the_rest() -> None:
    drawn = [item for n in range(60) for item in cases_of("rows.update", mine(name=f"p{n}"))]
    changed = {rows_of(case) for case in made(drawn)}
    assert changed == {
        (Row("Genre", ("jazz", "pop")), *MINE.rows[1:]),
        (Row("Genre", ("Rock", "jazz")), *MINE.rows[1:]),
    }
    # "ROCK" for "pop" would change nothing, nor would "Red" in a row that lists it.
    assert {item.reason for item in drawn if isinstance(item, Skip)} == {
        "the value that was drawn would change nothing"
    }


@pytest.mark.parametrize(
    ("table", "reason"),
    [
        (film("t", ("Genre", ["pop"]), ("Length", ["40"])), "no row has several values"),
        (
            film("t", ("Crew", ["Ann", "Bob"])),
            "no other table of the category has the key of a row with several values",
        ),
        (film("t", ("Genre", ["a", "b"]), category="Person"), "no other table of the category has the key of a row"),
    ],
)
def test_update_says_why_nothing_can_be_replaced(table: Table, reason: str) -> None:
    [told] = reasons("rows.update", mine(table))
    assert told.startswith(reason)


@pytest.mark.parametrize("spec", ["rows.update?n=5", "rows.compose?ops=insert+update&n=5", "rows.insert?n=5"])
def test_a_pair_is_left_out_once_however_many_draws_are_asked_for(spec: str) -> None:
    assert len(cases_of(spec, mine(film("t", ("Length", ["40"]), category="Person")))) == 1


@pytest.mark.parametrize(
    ("evidence", "expected"),
    [
        (None, "E>EC N>NC C>C"),
        (Evidence((0,)), "E>EC N>NC C>C"),
        (Evidence((1,)), "E>E N>N C>C"),
        (Evidence(()), "E>E N>N C>C"),
        (Evidence((1,), Grade.EDIT), "E>EC N>NC C>C"),
        (Evidence((1,), Grade.SILVER), "E>EC N>NC C>C"),
    ],
)
def test_update_of_a_row_that_gold_evidence_does_not_need_changes_nothing(
    evidence: Evidence | None, expected: str
) -> None:
    table = film("t", ("Genre", ["Rock", "pop"]), ("Length", ["40"]))
    pool = Pool({"other": film("o", ("Genre", ["jazz"]))})
    [case] = made(cases_of("rows.update", mine(table, evidence), pool))
    assert (str(case.expects), case.certainty) == (expected, Certainty.CERTAIN)
    [blind] = made(cases_of("rows.update?blind=true", mine(table, evidence), pool))
    assert str(blind.expects) == "E>EC N>NC C>C"


@given(st.lists(tables(), min_size=1, max_size=4), tables(), st.integers(1, 3))
def test_updated_values_really_differ(others: list[Table], table: Table, n: int) -> None:
    pool = Pool({"mine": table, **{f"g{number}": other for number, other in enumerate(others)}})
    for case in made(cases_of(f"rows.update?n={n}", Pair("p", table, "h", group="mine"), pool)):
        [edit] = case.edits
        assert edit.unit is not None
        before, after = table.rows[edit.unit], rows_of(case)[edit.unit]
        assert before.key == after.key
        assert len(before.values) == len(after.values)
        [new] = [value for old, value in zip(before.values, after.values, strict=True) if old != value]
        assert plain_value(new) not in {plain_value(value) for value in before.values}
        others_stay = [row for place, row in enumerate(rows_of(case)) if place != edit.unit]
        assert others_stay == [row for place, row in enumerate(table.rows) if place != edit.unit]


# rows.compose


@pytest.mark.parametrize(
    ("ops", "message"),
    [
        ("", "an edit is missing"),
        ("insert+", "an edit is missing"),
        ("insert", "is a single edit: use 'rows.insert'"),
        ("delete-relevant", "use 'rows.delete'"),
        ("insert+remove", "'remove' is no edit of rows"),
        ("insert+delete+permute+permute", "write permute once"),
    ],
)
def test_compose_refuses_what_it_does_not_know(ops: str, message: str) -> None:
    with pytest.raises(UsageError, match=message.replace("+", r"\+")):
        build_probe(f"rows.compose?ops={ops}")


def test_compose_has_one_name_for_one_set() -> None:
    first, second = (
        build_probe("rows.compose?ops=permute+delete+insert"),
        build_probe("rows.compose?ops=insert + permute + delete"),
    )
    assert first == second
    assert first.spec == "rows.compose?ops=insert+delete+permute"
    assert build_probe("rows.compose?ops=delete+insert").spec == "rows.compose"


MANY = film("Many", *[(f"key {place}", ["a", "b"]) for place in range(6)])
GIVING = Pool(
    {
        "mine": MANY,
        "x": film("X", *[(f"key {place}", ["c", "d"]) for place in range(6)], ("new", ["1"]), ("newer", ["2"])),
        "y": film("Y", ("New", ["3"]), ("newest", ["4"])),
    }
)


@given(
    st.lists(st.sampled_from(["insert", "update", "delete", "permute"]), min_size=2, max_size=4).filter(
        lambda ops: ops.count("permute") < 2
    ),
    st.integers(0, 30),
)
def test_compose_edits_distinct_rows_and_never_inserts_a_deleted_key(ops: list[str], number: int) -> None:
    pair = Pair(f"p{number}", MANY, "h", group="mine")
    for case in made(cases_of(f"rows.compose?ops={'+'.join(ops)}&n=2", pair, GIVING)):
        kinds = Counter(edit.op.rpartition(".")[2] for edit in case.edits)
        assert kinds == Counter(ops)
        original = [edit.unit for edit in case.edits if edit.op in ("row.delete", "row.update")]
        assert len(set(original)) == len(original)
        inserted = [row_key(row.key) for row in rows_of(case) if row.key not in MANY.keys]
        assert len(inserted) == ops.count("insert") == len(set(inserted))
        assert len(rows_of(case)) == 6 + ops.count("insert") - ops.count("delete")
        updated = [row for row in rows_of(case) if row.key in MANY.keys and row not in MANY.rows]
        assert len(updated) == ops.count("update")
        assert apply_edits(MANY, "h", case.edits) == (case.premise, "h")


@pytest.mark.parametrize(
    ("ops", "evidence", "expected"),
    [
        ("insert+delete", None, "E>EN N>ENC C>NC certain"),
        ("delete+delete", None, "E>EN N>N C>NC certain"),
        ("insert+update", None, "E>EC N>ENC C>C certain"),
        ("update+delete+permute", None, "E>ENC N>NC C>NC certain"),
        ("insert+delete-relevant", Evidence((2,)), "E>N N>ENC C>N certain"),
        ("insert+delete-irrelevant", Evidence((2,)), "E>E N>ENC C>C certain"),
        ("insert+delete-relevant", Evidence((2,), Grade.EDIT), "E>N N>ENC C>N certain"),
        ("insert+delete-relevant", Evidence((2,), Grade.SILVER), "E>N N>ENC C>N likely"),
        ("insert+delete-irrelevant", Evidence((2,), Grade.EDIT), "E>E N>ENC C>C likely"),
        ("insert+delete", Evidence((2,), Grade.SILVER), "E>EN N>ENC C>NC certain"),
        ("delete-relevant+delete-irrelevant", Evidence((2,)), "E>N N>N C>N certain"),
        ("delete-irrelevant+delete-irrelevant", Evidence((2,)), "E>E N>N C>C certain"),
        ("delete-relevant+permute", Evidence((1, 2), alone=True), "E>EN N>N C>NC certain"),
        ("delete-relevant+delete-relevant", Evidence((1, 2), alone=True), "E>N N>N C>N certain"),
        ("delete-relevant+permute", None, "nobody marked the evidence of the pair"),
        ("delete-relevant+permute", Evidence(()), "too few rows are relevant"),
        ("delete-relevant+delete-relevant", Evidence((2,)), "too few rows are relevant"),
        ("delete-irrelevant+permute", Evidence((0, 1, 2, 3, 4, 5)), "too few rows are irrelevant"),
        ("insert+insert+insert+insert", None, "no other table of the category has a row with a new key"),
        ("+".join(["delete"] * 6), None, "no row of the table would be left"),
        ("insert+delete", Evidence((9,)), "the evidence names a row that the premise does not have"),
    ],
)
def test_compose_is_judged_by_what_the_evidence_says(ops: str, evidence: Evidence | None, expected: str) -> None:
    [item] = cases_of(f"rows.compose?ops={ops}", mine(MANY, evidence), GIVING)
    told = item.reason if isinstance(item, Skip) else f"{item.expects} {item.certainty}"
    assert told == expected


def test_compose_can_be_blind_to_the_evidence() -> None:
    [case] = made(cases_of("rows.compose?ops=insert+delete-relevant&blind=true", mine(MANY, Evidence((2,))), GIVING))
    assert (str(case.expects), case.certainty) == ("E>EN N>ENC C>NC", Certainty.CERTAIN)
    assert next(edit.unit for edit in case.edits if edit.op == "row.delete") == 2


# All of them


def test_delete_can_be_blind_to_the_evidence() -> None:
    cases = made(cases_of("rows.delete?blind=true", mine(MANY, Evidence((2,)))))
    assert {str(case.expects) for case in cases} == {"E>EN N>N C>NC"}
    [relevant] = made(cases_of("rows.delete?blind=true&which=relevant", mine(MANY, Evidence((2,)))))
    assert (relevant.edits[0].unit, str(relevant.expects)) == (2, "E>EN N>N C>NC")


@pytest.mark.parametrize("spec", ["rows.delete", "rows.delete?which=relevant", "rows.update", "rows.compose"])
def test_evidence_that_names_an_unknown_row_is_counted(spec: str) -> None:
    assert reasons(spec, mine(MANY, Evidence((1, 6))), GIVING) == [
        "the evidence names a row that the premise does not have"
    ]


@pytest.mark.parametrize("spec", ["rows.insert", "rows.update", "rows.compose", "rows.delete", "rows.permute"])
def test_texts_have_no_rows(spec: str) -> None:
    assert reasons(spec, Pair("p", "a text", "h")) == ["the premise is a text, not a table"]


@pytest.mark.parametrize("spec", ["rows.insert", "rows.update", "rows.compose"])
def test_draws_do_not_depend_on_the_order_of_the_pool(spec: str) -> None:
    turned = Pool(dict(reversed(list(GIVING.premises.items()))))
    assert cases_of(spec, mine(MANY), GIVING) == cases_of(spec, mine(MANY), turned)
    assert cases_of(spec, mine(MANY), GIVING, seed=1) != cases_of(spec, mine(MANY), GIVING)


def test_donors_are_indexed_once_per_pool() -> None:
    assert donors_of(GIVING) is donors_of(GIVING)
    assert donors_of(GIVING) is not donors_of(Pool(dict(GIVING.premises)))


# Many-column tables

COLUMNS = ("Date", "Score")
GAMES = Table("g", (Row("", ("May 1", "2")), Row("", ("May 2", "3")), Row("", ("May 3", "4"))), "", COLUMNS)
MORE = Table("m", (Row("", ("June 1", "5")), Row("", ("May 2", "3"))), "", ("date", " SCORE"))
GRIDS = Pool({"mine": GAMES, "more": MORE, "wide": Table("w", (Row("", ("1", "2", "3")),), "", ("a", "b", "c"))})


@pytest.mark.parametrize(
    ("spec", "count"), [("rows.delete", 3), ("rows.insert?n=5", 1), ("rows.update", 1), ("rows.compose", 1)]
)
@pytest.mark.parametrize("evidence", [None, Evidence((0,))])
def test_edits_of_records_have_no_relation(spec: str, count: int, evidence: Evidence | None) -> None:
    cases = made(cases_of(spec, mine(GAMES, evidence), GRIDS))
    assert [case.expects for case in cases] == [UNCONSTRAINED] * count


def test_records_come_from_tables_with_the_same_columns() -> None:
    [case] = made(cases_of("rows.insert?n=5", mine(GAMES), GRIDS))
    assert Counter(rows_of(case)) - Counter(GAMES.rows) == Counter([MORE.rows[0]])
    alone = Pool({"mine": GAMES})
    assert reasons("rows.insert", mine(GAMES), alone) == ["no other table has the same columns"]
    assert reasons("rows.update", mine(GAMES), alone) == ["no other table has the same columns"]


def test_another_order_of_records_is_certain_unless_the_claim_speaks_of_it() -> None:
    for hypothesis, certainty in [("the last game was lost", "likely"), ("three games were lost", "certain")]:
        [case] = made(cases_of("rows.permute", Pair("p", GAMES, hypothesis)))
        assert (case.expects, case.certainty) == (SAME, certainty)
    [infobox] = made(cases_of("rows.permute", Pair("p", MANY, "the last one")))
    assert infobox.certainty == "certain"


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        ([("a", "1"), ("b", "2")], False),
        ([("a", "1"), ("", "2")], True),
        ([("Group one", ""), ("a", "1")], True),
        ([("a", "-"), ("b", "2")], False),
    ],
)
def test_rows_that_belong_to_the_row_above_make_the_order_count(rows: list[tuple[str, str]], expected: bool) -> None:
    table = Table("t", tuple(Row("", row) for row in rows), "", COLUMNS)
    assert has_sections(table) is expected
    [case] = made(cases_of("rows.permute", Pair("p", table, "two games")))
    assert case.certainty == ("likely" if expected else "certain")


@pytest.mark.parametrize("hypothesis", ["the second row", "ranked higher", "the 3rd game", "Above all", "the next one"])
def test_words_of_order(hypothesis: str) -> None:
    assert speaks_of_order(hypothesis)


# The built-in corpus


def test_the_built_in_tables_give_cases_to_every_probe() -> None:
    source = open_source("builtin/tables-all")
    pool = Pool.of(source)
    counts: Counter[str] = Counter()
    for spec in ("rows.insert", "rows.update", "rows.compose"):
        for pair in source.pairs():
            counts.update(f"{spec} {type(item).__name__}" for item in cases_of(spec, pair, pool))
    assert counts == {
        "rows.insert Case": 432,
        "rows.update Case": 311,
        "rows.update Skip": 121,
        "rows.compose Case": 432,
    }
