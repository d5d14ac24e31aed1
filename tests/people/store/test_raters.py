"""Raters who join, are blocked, come back or withdraw."""

from __future__ import annotations

import pytest
from tests.people.store.labelled import attention, items, project
from tests.people.store.test_handing_out import work

from nliprobe.base.errors import DataError
from nliprobe.people.records import JudgementState, RaterState
from nliprobe.people.store.database import Database
from nliprobe.people.store.handing_out import next_item
from nliprobe.people.store.judging import judge_item, read_judgements
from nliprobe.people.store.progress import miscounted, read_log, read_progress
from nliprobe.people.store.projects import create_project
from nliprobe.people.store.raters import block_rater, join_project, read_raters, unblock_rater, withdraw_rater
from nliprobe.people.store.states import TooLateError


@pytest.fixture
def busy(store: Database) -> Database:
    """Two raters have judged everything, and one of them has an attention item more."""
    create_project(store, project(raters_per_item=2, attention_every=3), [*items(4), *attention(2)])
    for rater in ("a", "b"):
        join_project(store, "p", rater)
        while work(store, rater) is not None:
            pass
    assert read_progress(store, "p").is_complete
    return store


def test_joining_twice_is_joining_once(store: Database) -> None:
    create_project(store, project(), items(1))
    assert join_project(store, "p", "a", "worker-7") == join_project(store, "p", "a", "worker-7")
    assert [(rater.name, rater.external) for rater in read_raters(store, "p")] == [("a", "worker-7")]
    with pytest.raises(DataError, match="'a' is somebody else"):
        join_project(store, "p", "a", "worker-8")
    for name in ("", "a\0b", " a", "x" * 201):
        with pytest.raises(DataError, match="cannot be the name of a rater"):
            join_project(store, "p", name)


def test_blocking_opens_the_items_again(busy: Database) -> None:
    before = len(read_judgements(busy, "p"))
    done = block_rater(busy, "p", "a", "answers at random")
    assert done.judgements == sum(item.rater == "a" for item in read_judgements(busy, "p", all_states=True))
    assert len(read_judgements(busy, "p")) == before - done.judgements
    assert not read_progress(busy, "p").is_complete
    assert miscounted(busy, "p") == []
    with pytest.raises(DataError, match="has ended the work of 'a'"):
        next_item(busy, "p", "a")
    with pytest.raises(DataError, match="has ended the work of 'a'"):
        judge_item(busy, "p", "a", "q0000", {"label": "E"}, request="x", revise=True)
    join_project(busy, "p", "c")
    while work(busy, "c") is not None:
        pass
    assert read_progress(busy, "p").is_complete
    assert miscounted(busy, "p") == []
    assert block_rater(busy, "p", "a", "again") == (0, 0)
    assert any(entry.what == "rater blocked" for entry in read_log(busy, "p"))


def test_blocking_takes_back_what_the_rater_has_now(store: Database) -> None:
    create_project(store, project(raters_per_item=1), items(1))
    for rater in ("a", "b"):
        join_project(store, "p", rater)
    next_item(store, "p", "a")
    assert block_rater(store, "p", "a", "") == (0, 1)
    assert work(store, "b") == "q0000"


def test_what_was_blocked_by_mistake_counts_again_where_there_is_room(busy: Database) -> None:
    block_rater(busy, "p", "a", "a mistake")
    join_project(busy, "p", "c")
    taken = {name for name in (work(busy, "c"), work(busy, "c")) if name is not None and name.startswith("q")}
    done = unblock_rater(busy, "p", "a")
    states = {item.item: item.state for item in read_judgements(busy, "p", all_states=True) if item.rater == "a"}
    assert {name for name, state in states.items() if state is JudgementState.VOID} == taken
    assert done.judgements == len(states) - len(taken)
    assert read_progress(busy, "p").is_complete
    assert miscounted(busy, "p") == []
    assert unblock_rater(busy, "p", "a") == (0, 0)


def test_who_withdraws_leaves_nothing_behind(busy: Database) -> None:
    join_project(busy, "p", "d", "worker-9")
    withdraw_rater(busy, "p", "a")
    assert all(item.rater != "a" for item in read_judgements(busy, "p", all_states=True))
    withdraw_rater(busy, "p", "d")
    assert {rater.name: (rater.state, rater.external) for rater in read_raters(busy, "p")}["d"] == (
        RaterState.WITHDRAWN,
        "",
    )
    assert not read_progress(busy, "p").is_complete
    assert miscounted(busy, "p") == []
    with pytest.raises(DataError, match="has withdrawn"):
        next_item(busy, "p", "a")


def test_what_does_not_count_any_more_is_revised_only_where_there_is_room(store: Database) -> None:
    """Otherwise an item would have more judgements than wanted."""
    create_project(store, project(raters_per_item=1), items(1))
    for rater in ("a", "b"):
        join_project(store, "p", rater)
    work(store, "a")
    block_rater(store, "p", "a", "a mistake")
    work(store, "b")
    unblock_rater(store, "p", "a")
    with pytest.raises(TooLateError, match="others have judged it since"):
        judge_item(store, "p", "a", "q0000", {"label": "N"}, request="revised", revise=True)
    assert [(one.rater, one.answer) for one in read_judgements(store, "p")] == [("b", {"label": "E"})]
    assert miscounted(store, "p") == []
    block_rater(store, "p", "b", "guesses")
    judge_item(store, "p", "a", "q0000", {"label": "N"}, request="revised again", revise=True)
    for _ in range(2):
        assert [(one.rater, one.answer) for one in read_judgements(store, "p")] == [("a", {"label": "N"})]
        assert miscounted(store, "p") == []
        block_rater(store, "p", "a", "once more")
        unblock_rater(store, "p", "a")
