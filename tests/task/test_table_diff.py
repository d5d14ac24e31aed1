"""Two versions of a table: what was added, removed and changed."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from hypothesis import given
from hypothesis import strategies as st

from nliprobe.task.table import Row, Table
from nliprobe.task.table_diff import ValueDiff, table_diff
from nliprobe.testing.strategies import any_tables

FILM = Table(
    "Harbour Lights",
    (Row("Directed by", ("Ada Moreno",)), Row("Starring", ("A. B.", "C. D.", "E. F.")), Row("Running time", ("96",))),
    "Film",
)


def test_changed_values_stand_side_by_side() -> None:
    after = FILM.update(1, Row("Starring", ("A. B.", "G. H.", "C. D.", "E. F.")))
    diff = table_diff(FILM, after)
    assert diff.rows_before == diff.rows_after == (1,)
    assert diff.values(diff.rows[1]) == (
        ValueDiff("A. B.", "A. B."),
        ValueDiff(None, "G. H."),
        ValueDiff("C. D.", "C. D."),
        ValueDiff("E. F.", "E. F."),
    )


def test_added_and_removed_rows() -> None:
    after = FILM.delete(1).insert(0, Row("Year", ("1999",))).retitle("Harbour Night")
    diff = table_diff(FILM, after)
    assert diff.removed == (1,)
    assert diff.added == (0,)
    assert diff.rows_before == (1,)
    assert diff.rows_after == (0,)
    assert diff.retitled
    # The removed row is shown after the row that it followed.
    assert [(row.before, row.after) for row in diff.rows] == [(None, 0), (0, 1), (1, None), (2, 2)]


def test_keys_match_without_case_and_spaces_but_count_as_changed() -> None:
    diff = table_diff(FILM, FILM.update(2, Row("running Time", ("96",))))
    assert diff.rows_before == (2,)
    assert diff.rows[2].after == 2
    assert not diff.removed


def test_a_key_that_alone_changed_is_recognised_by_its_values() -> None:
    diff = table_diff(FILM, FILM.update(2, Row("Length", ("96",))))
    assert [(row.before, row.after) for row in diff.rows] == [(0, 0), (1, 1), (2, 2)]


def test_another_order_changes_no_row() -> None:
    diff = table_diff(FILM, FILM.permute([2, 0, 1]))
    assert diff
    assert diff.reordered
    assert not diff.rows_before
    assert not diff.rows_after


def test_repeated_keys_match_in_their_order() -> None:
    table = Table("T", (Row("Years", ("1",)), Row("Years", ("2",))))
    assert table_diff(table, table.update(1, Row("Years", ("3",)))).rows_before == (1,)


def test_rows_of_many_columns_match_by_order() -> None:
    grid = Table("Games", (Row("", ("1", "a")), Row("", ("2", "b")), Row("", ("3", "c"))), "", ("no", "name"))
    diff = table_diff(grid, grid.update(1, Row("", ("2", "x"))).delete(0))
    assert diff.removed == (1,)
    assert diff.rows_after == (0,)
    changed = table_diff(grid, grid.update(2, Row("", ("3", "x"))))
    assert changed.values(changed.rows[2]) == (ValueDiff("3", "3"), ValueDiff("c", "x"))


@given(any_tables)
def test_a_table_does_not_differ_from_itself(table: Table) -> None:
    diff = table_diff(table, table)
    assert not diff
    assert not diff.rows_before
    assert not diff.rows_after
    assert not diff.reordered
    assert [(row.before, row.after) for row in diff.rows] == [(place, place) for place in range(len(table.rows))]


@given(any_tables, any_tables)
def test_every_row_of_both_is_shown_once(before: Table, after: Table) -> None:
    diff = table_diff(before, after)
    assert sorted(row.before for row in diff.rows if row.before is not None) == list(range(len(before.rows)))
    assert [row.after for row in diff.rows if row.after is not None] == list(range(len(after.rows)))
    for row in diff.rows:
        values = diff.values(row)
        left = [value.before for value in values if value.before is not None]
        right = [value.after for value in values if value.after is not None]
        assert left == ([] if row.before is None else list(before.rows[row.before].values))
        assert right == ([] if row.after is None else list(after.rows[row.after].values))


# Few keys and values, so that many rows are equal and keys recur.
ROWS = st.lists(st.builds(Row, st.sampled_from(["A", "a", "B", "C"]), st.sampled_from([("1",), ("2",), ("1", "2")])))


@given(ROWS, ROWS, ROWS, ROWS)
def test_equal_rows_at_both_ends_are_matched_like_all_others(
    begin: list[Row], before: list[Row], after: list[Row], end: list[Row]
) -> None:
    old, new = (Table("T", (*begin, *rows, *end)) for rows in (before, after))
    found = {row.before: row.after for row in table_diff(old, new).rows if None not in row[:2]}
    assert found == _matched_plainly(old.rows, new.rows)


def _matched_plainly(before: Sequence[Row], after: Sequence[Row]) -> dict[int | None, int | None]:
    """Match the k-th row of a key with the k-th, whatever is around them."""
    forms: tuple[Callable[[Row], object], ...] = (
        lambda row: row.key,
        lambda row: row.key.casefold(),
        lambda row: row.values,
    )
    matched: dict[int | None, int | None] = {}
    for form in forms:
        for place, row in enumerate(before):
            free = (n for n, other in enumerate(after) if n not in matched.values() and form(other) == form(row))
            if place not in matched and (partner := next(free, None)) is not None:
                matched[place] = partner
    return matched
