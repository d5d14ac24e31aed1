"""Answers of a study: each counts once, they can be revised and withdrawn, and come out as files are read."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlalchemy import text
from tests.people.store.conftest import Clock
from tests.people.studied import EXAMPLE_ITEMS, small_study

from nliprobe.base.errors import DataError, NotFoundError, UsageError
from nliprobe.people.store import open_store
from nliprobe.people.store.database import Database
from nliprobe.people.store.studies import (
    ParticipantState,
    finish_participant,
    give_consent,
    invite_participant,
    join_study,
    keep_study,
    open_study,
    read_participant,
    read_participants,
    read_study_row,
    renew_link,
    withdraw_participant,
)
from nliprobe.people.store.study_answers import answer_item, collect_answers, give_feedback, read_standing
from nliprobe.people.study.answers import read_answers, write_answers
from nliprobe.people.study.panel import simulate_panel
from nliprobe.people.study.results import study_results

STUDY, KEY = small_study()


@pytest.fixture
def begun(store: Database) -> Database:
    """A store with the study and one participant who has agreed."""
    keep_study(store, "s", STUDY)
    invite_participant(store, "s", STUDY)
    give_consent(store, "s", 1)
    return store


def test_participants_take_the_orders_of_stages_in_turn(store: Database) -> None:
    keep_study(store, "s", STUDY)
    people = [invite_participant(store, "s", STUDY, about=f"person {number}") for number in range(5)]
    assert [one.stages[0] for one in people] == ["bids", "picks", "B1", "R2", "bids"]
    assert [one.name for one in people] == [f"participant-{number}" for number in range(1, 6)]
    assert read_participants(store, "s") == people
    assert people[0].state is ParticipantState.INVITED


def test_a_link_of_ones_own_holds_for_a_while_and_always_for_who_has_begun(store: Database, clock: Clock) -> None:
    keep_study(store, "s", STUDY)
    first, second, always = (invite_participant(store, "s", STUDY, seconds=seconds) for seconds in (100, 100, None))
    assert first.refusal(1, clock()) == ""
    give_consent(store, "s", 1)
    clock.now += 100
    assert read_participant(store, "s", 1).refusal(1, clock()) == ""
    assert "time of this link is over" in second.refusal(1, clock())
    assert always.refusal(1, clock()) == ""
    renewed = renew_link(store, "s", 2, seconds=50)
    assert (renewed.link, renewed.refusal(2, clock())) == (2, "")
    assert "newer one" in renewed.refusal(1, clock())
    clock.now += 50
    assert "over" in renewed.refusal(2, clock())
    assert "newer one" in renew_link(store, "s", 1).refusal(1, clock()), "also who has begun needs the newest link"
    for seconds in (0, -1, float("nan")):
        with pytest.raises(UsageError, match="should hold for a while"):
            invite_participant(store, "s", STUDY, seconds=seconds)
    with pytest.raises(NotFoundError):
        renew_link(store, "s", 9)


def test_an_id_opens_nothing_that_a_participant_has_said(store: Database) -> None:
    keep_study(store, "s", STUDY)
    open_study(store, "s", is_open=True)
    join_study(store, "s", STUDY, external="7")
    give_consent(store, "s", 1)
    assert join_study(store, "s", STUDY, external="7").number == 1
    answer_item(store, "s", STUDY, 1, "B1", "q01", "E", request="1")
    for here in (None, 2):
        with pytest.raises(DataError, match="begun in another browser"):
            join_study(store, "s", STUDY, external="7", here=here)
    assert join_study(store, "s", STUDY, external="7", here=1).number == 1
    withdraw_participant(store, "s", 1)
    assert join_study(store, "s", STUDY, external="7").number == 2, "who withdrew is forgotten"


def test_the_common_link_lets_in_as_many_as_wanted(store: Database) -> None:
    keep_study(store, "s", STUDY)
    with pytest.raises(DataError, match="Nobody new can join"):
        join_study(store, "s", STUDY)
    open_study(store, "s", is_open=True, most_participants=1)
    first = join_study(store, "s", STUDY, external=" worker 1")
    assert join_study(store, "s", STUDY, external="worker 1", here=first.number) == first
    again = join_study(store, "s", STUDY, external="worker 1")
    assert again == first._replace(link=first.link + 1), "from another browser, which ends what the first one opened"
    with pytest.raises(DataError, match="as many participants as it needs"):
        join_study(store, "s", STUDY, external="worker 2")
    withdraw_participant(store, "s", first.number)
    assert join_study(store, "s", STUDY, external="worker 1").number == 2
    with pytest.raises(UsageError, match="1 participant or more"):
        open_study(store, "s", is_open=True, most_participants=0)
    with pytest.raises(UsageError, match="should be at most"):
        open_study(store, "s", is_open=True, most_participants=2**31)
    with pytest.raises(NotFoundError, match="There is no study 't'"):
        read_study_row(store, "t")


def test_nothing_is_asked_before_consent(store: Database) -> None:
    keep_study(store, "s", STUDY)
    invite_participant(store, "s", STUDY)
    with pytest.raises(DataError, match="agree to take part first"):
        answer_item(store, "s", STUDY, 1, "B1", "q01", "E", request="1")
    first = give_consent(store, "s", 1)
    assert first.consented is not None
    assert give_consent(store, "s", 1) == first


def test_an_answer_counts_once_and_the_newest_counts(begun: Database, opened: Callable[[], Database]) -> None:
    assert answer_item(begun, "s", STUDY, 1, "B1", "q01", "neutral", request="1", seconds=3.5) == "N"
    assert answer_item(opened(), "s", STUDY, 1, "B1", "q01", "E", request="1") == "N", "the same request"
    assert answer_item(begun, "s", STUDY, 1, "B1", "q01", "C", request="2") == "C"
    assert read_standing(begun, "s", 1).answers == {("B1", "q01"): "C"}
    rows = begun.read(lambda connection: connection.execute(text("SELECT revision, answer FROM study_answers")).all())
    assert sorted(map(tuple, rows)) == [(0, "N"), (1, "C")]
    with pytest.raises(DataError, match="was about 'q01', not about 'q02'"):
        answer_item(begun, "s", STUDY, 1, "B1", "q02", "C", request="2")


@pytest.mark.parametrize(
    ("stage", "item", "answer", "sentence"),
    [
        ("B1", "q01", "maybe so", "is no answer of stage B1"),
        ("B1", "q99", "E", "has no item 'q99'"),
        ("C9", "q01", "E", "has no stage 'C9'"),
        ("bids", "t1", "3 3 0 0 0", "6 points are placed"),
        ("bids", "t1", "1 2", "is no bid"),
        ("bids", "t1", "nan 0 0 0 0", "is no bid"),
    ],
)
def test_what_is_no_answer_is_refused(begun: Database, stage: str, item: str, answer: str, sentence: str) -> None:
    with pytest.raises(DataError, match=sentence):
        answer_item(begun, "s", STUDY, 1, stage, item, answer, request="1")
    assert read_standing(begun, "s", 1).answers == {}


def test_feedback_is_kept_per_form(begun: Database) -> None:
    for _ in range(2):
        give_feedback(begun, "s", STUDY, 1, "B1", {"useful": "yes", "remark": "=fine\0"}, request="1")
    give_feedback(begun, "s", STUDY, 1, "", {}, request="2")
    said = {("B1", "remark"): "=fine�", ("B1", "useful"): "yes", ("", "easier"): ""}
    assert read_standing(begun, "s", 1).feedback == said
    give_feedback(begun, "s", STUDY, 1, "B1", {"useful": "no"}, request="3")
    assert read_standing(begun, "s", 1).feedback == {**said, ("B1", "useful"): "no", ("B1", "remark"): ""}
    with pytest.raises(DataError, match="is no answer to 'useful'"):
        give_feedback(begun, "s", STUDY, 1, "B1", {"useful": "perhaps"}, request="4")
    with pytest.raises(DataError, match="at most 5,000"):
        give_feedback(begun, "s", STUDY, 1, "B1", {"remark": "x" * 5001}, request="4")


def test_the_newest_answer_counts_although_the_clock_was_put_back(begun: Database, clock: Clock) -> None:
    for place, (answer, useful) in enumerate((("E", "yes"), ("N", "no"))):
        answer_item(begun, "s", STUDY, 1, "B1", "q01", answer, request=f"a{place}")
        give_feedback(begun, "s", STUDY, 1, "B1", {"useful": useful}, request=f"f{place}")
        clock.now -= 3600
    standing = read_standing(begun, "s", 1)
    assert standing.answers == {("B1", "q01"): "N"}
    assert standing.feedback["B1", "useful"] == "no"


def test_who_withdraws_is_forgotten(begun: Database) -> None:
    open_study(begun, "s", is_open=True)
    join_study(begun, "s", STUDY, external="worker 1")
    give_consent(begun, "s", 2)
    for number in (1, 2):
        answer_item(begun, "s", STUDY, number, "B1", "q01", "E", request="1")
        give_feedback(begun, "s", STUDY, number, "B1", {"remark": "secret"}, request="1")
    assert withdraw_participant(begun, "s", 2) == 3
    assert withdraw_participant(begun, "s", 2) == 0
    gone = read_participant(begun, "s", 2)
    assert (gone.state, gone.external, gone.code) == (ParticipantState.WITHDRAWN, "", None)
    assert [one.participant for one in collect_answers(begun, "s", STUDY).given] == ["participant-1"]
    with pytest.raises(DataError, match="You have withdrawn"):
        answer_item(begun, "s", STUDY, 2, "B1", "q02", "E", request="2")
    assert finish_participant(begun, "s", 2).code is None


def test_the_code_of_who_has_finished_is_made_once(begun: Database, clock: Clock) -> None:
    code = finish_participant(begun, "s", 1).code
    clock.now += 10
    assert code is not None
    assert finish_participant(begun, "s", 1).code == code


def test_a_study_that_was_changed_is_refused(begun: Database) -> None:
    reworded = replace(STUDY, title="Another title")
    assert keep_study(begun, "s", reworded).title == "Another title"
    other = replace(STUDY, points=4, orders=(("R2", "B1"),))
    keep_study(begun, "s", other)
    assert read_participant(begun, "s", 1).stages == ("R2", "B1"), "nobody had answered"
    with pytest.raises(DataError, match="were changed meanwhile"):
        answer_item(begun, "s", STUDY, 1, "B1", "q01", "E", request="1")
    answer_item(begun, "s", other, 1, "B1", "q01", "E", request="1")
    with pytest.raises(DataError, match="were changed after participants had answered"):
        keep_study(begun, "s", STUDY)
    with pytest.raises(DataError, match="were changed meanwhile"):
        collect_answers(begun, "s", STUDY)


def test_who_has_begun_keeps_their_order_when_the_study_is_reworded(begun: Database) -> None:
    answer_item(begun, "s", STUDY, 1, "bids", "t1", "0 5 0 0 0", request="1")
    keep_study(begun, "s", replace(STUDY, title="Another title", orders=tuple(reversed(STUDY.orders))))
    assert read_participant(begun, "s", 1).stages == STUDY.orders[0]


def test_the_export_is_what_results_read(begun: Database, tmp_path: Path) -> None:
    panel = simulate_panel(STUDY, KEY, [0.5, 0.9])
    invite_participant(begun, "s", STUDY)
    give_consent(begun, "s", 2)
    numbers = {name: number for number, name in enumerate(panel.skills, 1)}
    answer_item(begun, "s", STUDY, 1, "practice", "practice", "C", request="practice")
    for place, one in enumerate(panel.given):
        said = " ".join(f"{point:g}" for point in one.points) if one.points else one.answer
        answer_item(begun, "s", STUDY, numbers[one.participant], one.stage, one.item, said, request=f"r{place}")
    for number in (1, 2):
        give_feedback(begun, "s", STUDY, number, "B1", {"useful": "yes"}, request="f")
    collected = collect_answers(begun, "s", STUDY)
    write_answers(tmp_path / "answers.csv", STUDY, collected.given, collected.feedback)
    read = read_answers(STUDY, [tmp_path / "answers.csv"])
    assert (read.given, read.feedback) == (collected.given, collected.feedback)
    named = {f"participant-{number}": name for name, number in numbers.items()}
    assert {(named[one.participant], *one[1:6]) for one in read.given} == {tuple(one[:6]) for one in panel.given}
    results = study_results(STUDY, KEY, collected)
    assert (results["participants"], results["simulated"]) == (2, False)
    assert [order["stages"][0] for order in results["orders"]] == ["bids", "picks"]


@settings(max_examples=15, deadline=None)
@given(st.lists(st.tuples(st.sampled_from(EXAMPLE_ITEMS[:3]), st.sampled_from(["E", "N", "C", ""]), st.integers(0, 6))))
def test_repeated_and_revised_answers_come_out_as_the_last_new_ones(
    tmp_path_factory: pytest.TempPathFactory, sent: list[tuple[str, str, int]]
) -> None:
    with open_store(tmp_path_factory.mktemp("store") / "people.sqlite") as store:
        keep_study(store, "s", STUDY)
        invite_participant(store, "s", STUDY)
        give_consent(store, "s", 1)
        expected, keys = dict[tuple[str, str], str](), dict[str, str]()
        for item, answer, request in sent:
            key = f"{item} {request}"
            answer_item(store, "s", STUDY, 1, "R2", item, answer, request=key)
            if key not in keys:
                keys[key] = expected["R2", item] = answer
        assert read_standing(store, "s", 1).answers == expected
