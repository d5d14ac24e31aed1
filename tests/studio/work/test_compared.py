"""What raters of a changed pair see marked: nothing is lost, and only what differs is marked."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from starlette.applications import Starlette
from tests.studio.work.desks import come_in, invitation, make_project, work

from nliprobe.people.records import Item
from nliprobe.studio.context import Studio
from nliprobe.studio.work.compared import Pair, Pieces, ShownPair, ShownTable, compare_pairs
from nliprobe.task.table import Row, Table
from nliprobe.testing.strategies import any_tables

TEXTS = st.text(max_size=40)
PAIRS = st.builds(Pair, st.one_of(TEXTS, any_tables), TEXTS)


def plain(pieces: Pieces) -> str:
    return "".join(piece.text for piece in pieces)


def marked(pieces: Pieces) -> list[str]:
    return [piece.text for piece in pieces if piece.marked]


def restored(shown: ShownPair) -> tuple[object, str]:
    """Put a pair together again, with the values of a key in one text."""
    premise: object
    if isinstance(shown.premise, ShownTable):
        rows = [(plain(row.key), [plain(cell) for cell in row.cells]) for row in shown.premise.rows]
        premise = plain(shown.premise.title), shown.premise.columns, rows
    else:
        premise = plain(shown.premise)
    return premise, plain(shown.hypothesis)


def expected(pair: Pair) -> tuple[object, str]:
    if isinstance(pair.premise, str):
        return (pair.premise, pair.hypothesis)
    rows = [
        (row.key, list(row.values) if pair.premise.columns else [", ".join(row.values)]) for row in pair.premise.rows
    ]
    return (pair.premise.title, pair.premise.columns, rows), pair.hypothesis


@given(PAIRS, PAIRS)
def test_both_pairs_are_whole(before: Pair, after: Pair) -> None:
    old, new = compare_pairs(before, after)
    assert restored(old) == expected(before)
    assert restored(new) == expected(after)


@given(PAIRS)
def test_a_pair_that_did_not_change_has_no_mark(pair: Pair) -> None:
    assert not any("'marked': True" in str(side) or "marked=True" in str(side) for side in compare_pairs(pair, pair))


def test_only_what_differs_is_marked() -> None:
    before = Table(
        "Rome", (Row("Country", ("Italy",)), Row("Founded", ("753 BC", "by Romulus")), Row("Area", ("1,285",)))
    )
    after = Table("Rome", (Row("Founded", ("754 BC", "by Romulus")), Row("Area", ("1,285",)), Row("Mayor", ("Ada",))))
    old, new = compare_pairs(Pair(before, "It is old."), Pair(after, "It is not old."))
    assert isinstance(old.premise, ShownTable)
    assert isinstance(new.premise, ShownTable)
    assert [(marked(row.key), *map(marked, row.cells)) for row in old.premise.rows] == [
        (["Country"], ["Italy"]), ([], ["753"]), ([], []),
    ]  # fmt: skip
    assert [(marked(row.key), *map(marked, row.cells)) for row in new.premise.rows] == [
        ([], ["754"]), ([], []), (["Mayor"], ["Ada"]),
    ]  # fmt: skip
    assert (marked(old.hypothesis), marked(new.hypothesis)) == ([], ["not "])


def test_sentences_that_changed_places_or_have_little_in_common_are_not_marked() -> None:
    one, other = "A man sleeps in a bed.", "A man is in a bed."
    for before, after in (
        (Pair(one, other), Pair(other, one)),
        (Pair(one, "Nobody left the house."), Pair(one, "Two dogs play outside today.")),
    ):
        assert "marked=True" not in str(compare_pairs(before, after))


def test_the_page_marks_what_changed_and_escapes_it(app: Starlette, studio: Studio) -> None:
    content = {
        "premise": "It is <b>wet</b>.",
        "before": "It is <i>wet</i>.",
        "hypothesis": "No sun.",
        "original": "Sun.",
    }
    project = make_project(studio, "settle", items=[Item("i", content)])
    page = come_in(app, invitation(studio, project)).show(work(project))
    assert "It is &lt;<del>i</del>&gt;wet&lt;/<del>i</del>&gt;." in page
    assert "It is &lt;<ins>b</ins>&gt;wet&lt;/<ins>b</ins>&gt;." in page
