"""Who gets which item next."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.people.store.conftest import Clock
from tests.people.store.labelled import attention, items, project

from nliprobe.base.errors import DataError, NotFoundError
from nliprobe.people.store import open_store
from nliprobe.people.store.database import Database
from nliprobe.people.store.handing_out import next_item
from nliprobe.people.store.judging import judge_item, read_judgements
from nliprobe.people.store.own_work import planned_items, read_sizes
from nliprobe.people.store.progress import miscounted, read_progress
from nliprobe.people.store.projects import ProjectChanges, change_project, create_project, read_project
from nliprobe.people.store.raters import join_project, leave_project


def work(store: Database, rater: str, label: str = "E") -> str | None:
    """Let a rater judge the next item, and return its name."""
    offer = next_item(store, "p", rater)
    if offer is None:
        return None
    judge_item(store, "p", rater, offer.item.name, {"label": label}, request=f"{rater}-{offer.item.name}")
    return offer.item.name


def all_work(store: Database, raters: list[str], seed: int = 0) -> list[tuple[str, str]]:
    """Let raters judge in a drawn order until nobody gets anything."""
    draw, done, active = random.Random(seed), list[tuple[str, str]](), list(raters)
    while active:
        rater = draw.choice(active)
        name = work(store, rater)
        if name is None:
            active.remove(rater)
        else:
            done.append((rater, name))
    return done


def test_each_item_goes_to_as_many_raters_as_wanted_and_to_nobody_twice(store: Database) -> None:
    create_project(store, project(raters_per_item=3), items(10, strata=2))
    raters = [f"r{number}" for number in range(5)]
    for rater in raters:
        join_project(store, "p", rater)
    done = all_work(store, raters)
    assert len(set(done)) == len(done) == 30
    assert set(Counter(name for _, name in done).values()) == {3}
    assert read_progress(store, "p").is_complete
    assert miscounted(store, "p") == []


def test_the_seed_and_the_order_of_requests_decide(tmp_path: Path) -> None:
    def handed_out(name: str, seed: int) -> list[tuple[str, str]]:
        with open_store(tmp_path / name, clock=Clock()) as store:
            rules = project(raters_per_item=2, attention_every=4, seed=seed)
            create_project(store, rules, [*items(12, strata=3), *attention(3)])
            for rater in ("a", "b", "c"):
                join_project(store, "p", rater)
            return all_work(store, ["a", "b", "c"])

    assert handed_out("one.sqlite", 0) == handed_out("two.sqlite", 0)
    assert handed_out("three.sqlite", 1) != handed_out("four.sqlite", 0)


@pytest.mark.studio
def test_both_databases_hand_out_the_same(tmp_path: Path, postgres: object) -> None:
    def handed_out(place: str | Path) -> list[tuple[str, str]]:
        with open_store(place, clock=Clock()) as store:
            create_project(store, project(raters_per_item=3, most_per_rater=9), items(15, strata=4))
            raters = ["a", "b", "c", "d", "e"]
            for rater in raters:
                join_project(store, "p", rater)
            return all_work(store, raters)

    url = postgres.new_database("same")  # type: ignore[attr-defined]
    assert handed_out(tmp_path / "same.sqlite") == handed_out(url)


def test_raters_get_items_evenly_over_strata(store: Database) -> None:
    create_project(store, project(raters_per_item=5), items(40, strata=4))
    for rater in ("a", "b"):
        join_project(store, "p", rater)
        for number in range(1, 21):
            work(store, rater)
            if number % 4 == 0:
                own = [item.item for item in read_judgements(store, "p") if item.rater == rater]
                assert Counter(int(name[1:]) % 4 for name in own) == dict.fromkeys(range(4), number // 4)


def test_raters_see_items_in_orders_of_their_own(store: Database) -> None:
    create_project(store, project(), items(30))
    orders = []
    for rater in ("a", "b"):
        join_project(store, "p", rater)
        orders.append([work(store, rater) for _ in range(10)])
    assert orders[0] != orders[1]


@pytest.mark.parametrize("seed", range(2))
def test_raters_whose_capacity_is_just_enough_finish_everything(tmp_path: Path, seed: int) -> None:
    # All of them together can judge exactly as often as is wanted.
    raters = [f"r{number:02}" for number in range(12)]
    with open_store(tmp_path / "people.sqlite", clock=Clock()) as store:
        create_project(store, project(raters_per_item=5, most_per_rater=10, seed=seed), items(24, strata=4))
        for rater in raters:
            join_project(store, "p", rater)
        done = all_work(store, raters, seed)
    assert len(done) == 120
    assert set(Counter(rater for rater, _ in done).values()) == {10}
    assert set(Counter(name for _, name in done).values()) == {5}


def test_items_of_later_batches_wait_until_they_are_opened(store: Database) -> None:
    create_project(store, project(raters_per_item=1), [*items(2), *items(3, batch=1, first=2)])
    join_project(store, "p", "a")
    assert {work(store, "a"), work(store, "a")} == {"q0000", "q0001"}
    assert work(store, "a") is None
    change_project(store, "p", ProjectChanges(batches_open=2))
    assert {work(store, "a") for _ in range(3)} == {"q0002", "q0003", "q0004"}
    assert [batch.complete for batch in read_progress(store, "p").batches] == [2, 3]


def test_one_item_in_each_block_is_a_hidden_attention_item(store: Database) -> None:
    create_project(store, project(raters_per_item=2, attention_every=5), [*items(40), *attention(4)])
    places = []
    for rater in ("a", "b"):
        join_project(store, "p", rater)
        names = [work(store, rater) for _ in range(20)]
        places.append([place for place, name in enumerate(names) if name and name.startswith("a")])
        assert [place // 5 for place in places[-1]] == [0, 1, 2, 3]
        assert len({names[place] for place in places[-1]}) == 4
    assert places[0] != places[1]
    # They are no part of what is to be done.
    assert sum(batch.items for batch in read_progress(store, "p").batches) == 40


def test_attention_items_are_not_counted_into_the_limit_of_a_rater(store: Database) -> None:
    create_project(store, project(raters_per_item=1, attention_every=2, most_per_rater=3), [*items(9), *attention(9)])
    join_project(store, "p", "a")
    names = []
    while (name := work(store, "a")) is not None:
        names.append(name)
    assert sum(name.startswith("q") for name in names) == 3
    assert sum(name.startswith("a") for name in names) in (3, 4)


@pytest.mark.parametrize("by_whom", ["a pause", "others"])
def test_no_attention_item_is_handed_out_where_nothing_else_is(store: Database, by_whom: str) -> None:
    create_project(store, project(raters_per_item=1, attention_every=2), [*items(4), *attention(3)])
    join_project(store, "p", "first")
    if by_whom == "others":
        while work(store, "first") is not None:
            pass
    else:
        # Whoever has begun gets nothing in a pause, either.
        assert work(store, "first") is not None
        change_project(store, "p", ProjectChanges(batches_open=0))
        assert work(store, "first") is None
    # The first place of every second rater is that of an attention item.
    for number in range(10):
        join_project(store, "p", f"late {number}")
        assert work(store, f"late {number}") is None
    rules = read_project(store, "p")
    planned = {planned_items(rules, f"late {number}", read_sizes(store, rules)) for number in range(10)}
    assert by_whom == "others" or planned == {0}


def test_a_rater_who_comes_back_gets_the_same_item(opened: Callable[[], Database], clock: Clock) -> None:
    create_project(opened(), project(lease_seconds=60), items(5))
    join_project(opened(), "p", "a")
    first = next_item(opened(), "p", "a")
    clock.now += 30
    again = next_item(opened(), "p", "a")
    assert first is not None
    assert again is not None
    assert (first.item, first.again) == (again.item, False)
    assert again.again
    assert again.due > first.due
    given = judge_item(opened(), "p", "a", again.item.name, {"label": "N"}, request="1")
    assert given.seconds == pytest.approx(30, abs=1)


def test_the_item_of_a_rater_who_left_goes_to_others(store: Database, clock: Clock) -> None:
    create_project(store, project(raters_per_item=1, lease_seconds=60), items(1))
    join_project(store, "p", "a")
    join_project(store, "p", "b")
    assert next_item(store, "p", "a") is not None
    assert next_item(store, "p", "b") is None
    clock.now += 61
    assert work(store, "b") == "q0000"
    with pytest.raises(DataError, match="for too long, and others have judged it since"):
        judge_item(store, "p", "a", "q0000", {"label": "E"}, request="late")
    assert miscounted(store, "p") == []


def test_a_late_answer_counts_if_nobody_has_taken_the_place(store: Database, clock: Clock) -> None:
    create_project(store, project(raters_per_item=1, lease_seconds=60), items(1))
    join_project(store, "p", "a")
    next_item(store, "p", "a")
    clock.now += 3600
    assert read_progress(store, "p").leased == 0
    judge_item(store, "p", "a", "q0000", {"label": "E"}, request="late")
    assert read_progress(store, "p").is_complete
    assert miscounted(store, "p") == []


def test_who_leaves_gives_the_item_back_at_once(store: Database) -> None:
    create_project(store, project(raters_per_item=1), items(1))
    for rater in ("a", "b"):
        join_project(store, "p", rater)
    next_item(store, "p", "a")
    assert leave_project(store, "p", "a") == 1
    assert leave_project(store, "p", "a") == 0
    assert work(store, "b") == "q0000"


def test_unknown_projects_and_raters_are_named(store: Database) -> None:
    create_project(store, project(), items(1))
    with pytest.raises(NotFoundError, match=r"no project 'q'\. Did you mean|no project 'q'\. Available: p"):
        next_item(store, "q", "a")
    with pytest.raises(NotFoundError, match="'p' has no rater 'a'"):
        next_item(store, "p", "a")
