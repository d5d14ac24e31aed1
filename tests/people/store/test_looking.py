"""What the owner looks at, on both kinds of databases."""

from __future__ import annotations

import pytest

from nliprobe.base.errors import NotFoundError
from nliprobe.people.records import Item, JudgementState, Project
from nliprobe.people.store.database import Database
from nliprobe.people.store.handing_out import next_item
from nliprobe.people.store.judging import judge_item, skip_item
from nliprobe.people.store.looking import (
    Which,
    count_items,
    list_items,
    read_history,
    read_item_at,
    read_item_numbers,
    read_pulse,
    read_remarks,
    read_versions,
    record_action,
)
from nliprobe.people.store.progress import read_log
from nliprobe.people.store.projects import ProjectChanges, change_project, create_project, read_project
from nliprobe.people.store.raters import block_rater, join_project


@pytest.fixture
def judged(store: Database) -> Database:
    """Six items, one of them an attention item; ann judges three and revises one, ben skips one."""
    things = [
        Item(f"q{number}", {"premise": "p", "hypothesis": f"h{number}"}, batch=number // 3) for number in range(5)
    ]
    things.append(Item("check", {"premise": "p", "hypothesis": "h"}, expected={"label": "E"}))
    create_project(store, Project("p", "verify", "T", "One", raters_per_item=2, batches_open=2), things)
    for rater in ("ann", "ben"):
        join_project(store, "p", rater)
    last = ""
    for number in range(3):
        offered = next_item(store, "p", "ann")
        assert offered is not None
        last = offered.item.name
        judge_item(store, "p", "ann", last, {"label": "E"}, request=f"r{number}", remark="sure" if number else "")
    judge_item(store, "p", "ann", last, {"label": "N"}, request="again", remark="now so", revise=True)
    offered = next_item(store, "p", "ben")
    assert offered is not None
    skip_item(store, "p", "ben", offered.item.name, "odd", flag=True)
    return store


def test_items_are_listed_by_what_is_asked(judged: Database) -> None:
    assert {which: count_items(judged, "p", which) for which in Which} == {
        Which.ALL: 6,
        Which.OPEN: 5,
        Which.FLAGGED: 1,
        Which.ATTENTION: 1,
    }
    rows = list_items(judged, "p", Which.ALL, first=0, most=10)
    assert [row.number for row in rows] == list(range(6))
    assert sum(row.judged for row in rows) == 3
    assert sum(row.passed for row in rows) == 1
    assert [row.wanted for row in rows] == [2, 2, 2, 2, 2, None]
    assert [row.name for row in list_items(judged, "p", Which.ALL, first=4, most=1)] == ["q4"]
    for which in Which:
        assert len(list_items(judged, "p", which, first=0, most=10)) == count_items(judged, "p", which)


def test_items_have_numbers(judged: Database) -> None:
    numbers = read_item_numbers(judged, "p")
    assert all(read_item_at(judged, "p", number).name == name for name, number in numbers.items())
    with pytest.raises(NotFoundError, match="number 6"):
        read_item_at(judged, "p", 6)
    with pytest.raises(NotFoundError, match="no project"):
        read_item_numbers(judged, "x")


def test_an_item_has_a_history_with_versions_of_the_instructions(judged: Database) -> None:
    [revised] = [
        name
        for name in read_item_numbers(judged, "p")
        if any(one.judgement.state is JudgementState.REVISED for one in read_history(judged, "p", name).said)
    ]
    change_project(judged, "p", ProjectChanges(instructions="Two"))
    judge_item(judged, "p", "ann", revised, {"label": "C"}, request="third", revise=True)
    said = read_history(judged, "p", revised).said
    assert [(one.judgement.answer["label"], one.judgement.revision, one.instructions) for one in said] == [
        ("E", 0, 1),
        ("N", 1, 1),
        ("C", 2, 2),
    ]
    assert [version.text for version in read_versions(judged, "p")] == ["Two", "One"]
    block_rater(judged, "p", "ann", "x")
    assert read_history(judged, "p", revised).said[-1].judgement.state is JudgementState.VOID


def test_who_did_not_judge_is_in_the_history(judged: Database) -> None:
    [row] = list_items(judged, "p", Which.FLAGGED, first=0, most=9)
    [passed] = [one for one in read_history(judged, "p", row.name).passed if one.rater == "ben"]
    assert (passed.flagged, passed.reason, passed.state) == (True, "odd", "skipped")


def test_remarks_that_count_are_read_newest_first(judged: Database) -> None:
    found, total = read_remarks(judged, "p", most=1)
    assert ([one.remark for one in found], total) == (["now so"], 2)
    assert [one.remark for one in read_remarks(judged, "p", most=9)[0]] == ["now so", "sure"]


def test_the_pulse_is_another_one_after_anything_happened(judged: Database) -> None:
    before = read_pulse(judged, "p")
    assert read_pulse(judged, "p") == before
    record_action(judged, "p", "exported", form="ratings")
    assert read_pulse(judged, "p") > before
    entry = read_log(judged, "p")[-1]
    assert (entry.who, entry.what, entry.about) == ("owner", "exported", {"form": "ratings"})


def test_a_limit_of_items_per_rater_can_be_taken_away(judged: Database) -> None:
    change_project(judged, "p", ProjectChanges(most_per_rater=4))
    assert read_project(judged, "p").most_per_rater == 4
    change_project(judged, "p", ProjectChanges(title="New"))
    assert read_project(judged, "p").most_per_rater == 4
    change_project(judged, "p", ProjectChanges(most_per_rater=0))
    assert read_project(judged, "p").most_per_rater is None
