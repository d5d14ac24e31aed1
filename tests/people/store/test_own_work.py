"""What raters see of their own work: numbers that do not tell items apart, and nothing of others."""

from __future__ import annotations

import pytest
from tests.people.store.labelled import attention, items, project

from nliprobe.base.errors import NotFoundError
from nliprobe.people.store.database import Database
from nliprobe.people.store.handing_out import next_item
from nliprobe.people.store.judging import judge_item, skip_item
from nliprobe.people.store.own_work import (
    find_given,
    own_answers,
    own_history,
    planned_items,
    read_sizes,
    read_standing,
    usual_seconds,
)
from nliprobe.people.store.projects import ProjectChanges, change_project, create_project
from nliprobe.people.store.raters import join_project
from nliprobe.people.store.states import WorkState


def work_through(store: Database, rater: str, label: str = "E") -> int:
    """Judge until there is nothing left, and count."""
    done = 0
    while (offer := next_item(store, "p", rater)) is not None:
        judge_item(store, "p", rater, offer.item.name, {"label": label}, request=f"{rater} {offer.item.name}")
        done += 1
    return done


@pytest.mark.parametrize(
    ("most", "every", "known"),
    [(None, 0, 0), (None, 3, 30), (1, 2, 30), (4, 3, 1), (4, 3, 30), (5, 5, 3), (9, 2, 30), (12, 4, 2)],
)
def test_the_planned_number_is_what_a_rater_gets(store: Database, most: int | None, every: int, known: int) -> None:
    rules = project(raters_per_item=9, most_per_rater=most, attention_every=every, seed=most or 0)
    create_project(store, rules, [*items(9), *items(3, batch=1, first=9), *attention(known)])
    sizes = read_sizes(store, rules)
    assert sizes == (9, known)
    for rater in ("ann", "ben"):
        join_project(store, "p", rater)
        planned = planned_items(rules, rater, sizes)
        assert work_through(store, rater) == planned
        assert read_standing(store, "p", rater).done == planned


def test_a_standing_knows_what_was_said_last_and_by_which_instructions(store: Database) -> None:
    create_project(store, project(raters_per_item=2), items(3))
    join_project(store, "p", "ann")
    standing = read_standing(store, "p", "ann")
    assert (standing.version, standing.done, standing.last, standing.last_version) == (1, 0, None, 0)
    offer = next_item(store, "p", "ann")
    assert offer is not None
    judge_item(store, "p", "ann", offer.item.name, {"label": "E"}, request="1")
    change_project(store, "p", ProjectChanges(instructions="new"))
    standing = read_standing(store, "p", "ann")
    assert (standing.version, standing.done, standing.last, standing.last_version) == (2, 1, offer.item.name, 1)
    with pytest.raises(NotFoundError):
        read_standing(store, "p", "nobody")


def test_only_what_was_given_is_found(store: Database) -> None:
    create_project(store, project(raters_per_item=2), items(3))
    for rater in ("ann", "ben"):
        join_project(store, "p", rater)
    offer = next_item(store, "p", "ann")
    assert offer is not None
    name = offer.item.name
    found = find_given(store, "p", "ann", lambda known: known == name)
    assert found is not None
    assert (found[0].name, found[1]) == (name, WorkState.LEASED)
    assert find_given(store, "p", "ben", lambda known: known == name) is None
    skip_item(store, "p", "ann", name, "")
    assert find_given(store, "p", "ann", lambda known: known == name) == (offer.item, WorkState.SKIPPED)


def test_own_answers_are_the_newest_first_and_only_one_s_own(store: Database) -> None:
    create_project(store, project(raters_per_item=2), items(6))
    for rater in ("ann", "ben"):
        join_project(store, "p", rater)
        work_through(store, rater, "E" if rater == "ann" else "C")
    judge_item(store, "p", "ann", "q0002", {"label": "N"}, request="again", revise=True, remark="hm")
    said = own_answers(store, "p", "ann", most=3)
    assert said[0].item.name == "q0002"
    assert [one.judgement.answer["label"] for one in said] == ["N", "E", "E"]
    rest = own_answers(store, "p", "ann", most=10, skip=3)
    assert len({one.item.name for one in (*said, *rest)}) == 6
    assert [one.answer["label"] for one in own_history(store, "p", "ann", "q0002")] == ["E", "N"]


def test_the_usual_time_needs_some_judgements(store: Database) -> None:
    create_project(store, project(raters_per_item=1), items(12))
    join_project(store, "p", "ann")
    assert usual_seconds(store, "p") is None
    work_through(store, "ann")
    seconds = usual_seconds(store, "p")
    assert seconds is not None
    assert seconds > 0
