"""What is taken as a judgement, and what is not."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from tests.people.store.labelled import items, project

from nliprobe.base.errors import DataError, NotFoundError, UsageError
from nliprobe.people.records import JudgementState
from nliprobe.people.store.database import Database
from nliprobe.people.store.handing_out import next_item
from nliprobe.people.store.judging import judge_item, read_judgements, skip_item
from nliprobe.people.store.progress import miscounted, read_log, read_progress
from nliprobe.people.store.projects import ProjectChanges, change_project, create_project, read_project
from nliprobe.people.store.raters import join_project


@pytest.fixture
def given(store: Database) -> str:
    """The item that the rater a has."""
    create_project(store, project(raters_per_item=2), items(3))
    for rater in ("a", "b"):
        join_project(store, "p", rater)
    offer = next_item(store, "p", "a")
    assert offer is not None
    return offer.item.name


def test_a_judgement_is_there_for_whoever_opens_the_store(opened: Callable[[], Database], given: str) -> None:
    said = judge_item(opened(), "p", "a", given, {"label": "N"}, request="1", remark="hm \0 \ud800")
    assert read_judgements(opened(), "p") == [said]
    assert said.answer == {"label": "N"}
    assert said.remark == "hm \ufffd \ufffd"


def test_the_same_request_again_changes_nothing(store: Database, given: str) -> None:
    first = judge_item(store, "p", "a", given, {"label": "N"}, request="1")
    again = judge_item(store, "p", "a", given, {"label": "C"}, request="1")
    assert first == again == read_judgements(store, "p")[0]
    assert len(read_judgements(store, "p")) == 1
    other = "q0001" if given == "q0000" else "q0000"
    with pytest.raises(DataError, match="'1' was about another item"):
        judge_item(store, "p", "a", other, {"label": "N"}, request="1")
    with pytest.raises(NotFoundError, match="has no item 'q0099'"):
        judge_item(store, "p", "a", "q0099", {"label": "N"}, request="1")
    assert len(read_judgements(store, "p")) == 1


def test_a_second_judgement_of_an_item_must_say_that_it_revises(store: Database, given: str) -> None:
    judge_item(store, "p", "a", given, {"label": "N"}, request="1")
    with pytest.raises(DataError, match=r"has judged .* already"):
        judge_item(store, "p", "a", given, {"label": "E"}, request="2")
    revised = judge_item(store, "p", "a", given, {"label": "E"}, request="3", revise=True)
    assert revised.revision == 1
    assert [item.answer for item in read_judgements(store, "p")] == [{"label": "E"}]
    history = read_judgements(store, "p", all_states=True)
    assert [(item.revision, item.state) for item in history] == [
        (0, JudgementState.REVISED),
        (1, JudgementState.COUNTS),
    ]
    assert miscounted(store, "p") == []


def test_items_of_others_and_unknown_ones_are_refused(store: Database, given: str) -> None:
    other = next(item.name for item in items(3) if item.name != given)
    with pytest.raises(DataError, match=f"'{other}' of 'p' was not given to 'a'"):
        judge_item(store, "p", "a", other, {"label": "E"}, request="1")
    with pytest.raises(DataError, match=f"'{given}' of 'p' was not given to 'b'"):
        judge_item(store, "p", "b", given, {"label": "E"}, request="1")
    with pytest.raises(NotFoundError, match="has no item 'nothing'"):
        judge_item(store, "p", "a", "nothing", {"label": "E"}, request="1")
    assert read_judgements(store, "p", all_states=True) == []


@pytest.mark.parametrize("answer", [{}, {"label": "X"}, {"label": ["E"]}, {"other": "E"}])
def test_what_is_no_answer_is_refused_and_the_item_stays_with_the_rater(
    store: Database, given: str, answer: dict[str, str]
) -> None:
    with pytest.raises(DataError, match="label"):
        judge_item(store, "p", "a", given, answer, request="1")
    again = next_item(store, "p", "a")
    assert again is not None
    assert again.item.name == given
    # The key was not used up by what was refused.
    judge_item(store, "p", "a", given, {"label": "E"}, request="1")


def test_a_remark_has_bounds(store: Database, given: str) -> None:
    with pytest.raises(DataError, match="100,001 characters: expected at most 100,000"):
        judge_item(store, "p", "a", given, {"label": "E"}, request="1", remark="x" * 100_001)
    for request in ("", " 1", "a\nb", "x" * 201):
        with pytest.raises(DataError, match="cannot be the name of a request"):
            judge_item(store, "p", "a", given, {"label": "E"}, request=request)


def test_a_skipped_item_goes_to_others_and_a_flag_is_shown_to_the_owner(store: Database, given: str) -> None:
    with pytest.raises(UsageError, match="needs a reason"):
        skip_item(store, "p", "a", given, " ", flag=True)
    skip_item(store, "p", "a", given, "The table is cut off.", flag=True)
    assert [(flag.item, flag.rater, flag.reason, flag.flagged) for flag in read_progress(store, "p").flags] == [
        (given, "a", "The table is cut off.", True)
    ]
    offers = set()
    while (offer := next_item(store, "p", "a")) is not None:
        offers.add(offer.item.name)
        judge_item(store, "p", "a", offer.item.name, {"label": "E"}, request=offer.item.name)
    assert offers == {item.name for item in items(3)} - {given}
    assert miscounted(store, "p") == []
    # Whoever thinks better of it may still judge.
    judge_item(store, "p", "a", given, {"label": "E"}, request="after all")
    assert read_progress(store, "p").flags == ()
    assert miscounted(store, "p") == []
    with pytest.raises(DataError, match="cannot be skipped"):
        skip_item(store, "p", "a", given, "")


def test_instructions_have_versions(store: Database, given: str) -> None:
    change_project(store, "p", ProjectChanges(instructions="# New"))
    assert read_project(store, "p").instructions == "# New"
    judge_item(store, "p", "a", given, {"label": "E"}, request="1")
    from sqlalchemy import select

    from nliprobe.people.store.schema import judgements

    assert store.read(lambda connection: connection.scalar(select(judgements.c.instructions))) == 2


def test_the_log_says_who_did_what_and_not_what_they_said(store: Database, given: str) -> None:
    judge_item(store, "p", "a", given, {"label": "N"}, request="1", remark="secret")
    log = read_log(store, "p")
    assert [(entry.who, entry.what) for entry in log] == [
        ("owner", "project made"),
        ("owner", "items added"),
        ("a", "joined"),
        ("b", "joined"),
        ("a", "judged"),
    ]
    assert log[-1].about == {"item": given}
