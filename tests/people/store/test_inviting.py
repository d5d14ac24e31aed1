"""Invitations let in whom they should, and completion codes say who has finished."""

from __future__ import annotations

import pytest
from tests.people.store.conftest import Clock
from tests.people.store.labelled import attention, items, project

from nliprobe.base.errors import DataError, NotFoundError, UsageError
from nliprobe.people.store.completing import completion_code, read_completions
from nliprobe.people.store.database import Database
from nliprobe.people.store.drafting import keep_draft
from nliprobe.people.store.handing_out import next_item
from nliprobe.people.store.inviting import (
    invite,
    read_invitation,
    read_invitations,
    revoke_invitation,
    use_invitation,
)
from nliprobe.people.store.judging import judge_item
from nliprobe.people.store.links import read_rater_link, renew_rater_link
from nliprobe.people.store.own_work import read_standing
from nliprobe.people.store.progress import read_log
from nliprobe.people.store.projects import create_project
from nliprobe.people.store.raters import block_rater, join_project, withdraw_rater


def judge_next(store: Database, rater: str) -> bool:
    offer = next_item(store, "p", rater)
    if offer is not None:
        judge_item(store, "p", rater, offer.item.name, {"label": "E"}, request=offer.item.name)
    return offer is not None


def test_raters_come_in_under_pseudonyms(store: Database) -> None:
    create_project(store, project(), items(1))
    join_project(store, "p", "rater-2")
    assert invite(store, "p", about="the mailing list").number == 1
    assert [use_invitation(store, "p", 1).name for _ in range(2)] == ["rater-3", "rater-4"]
    known = read_invitation(store, "p", 1)
    assert (known.uses, known.note, known.refusal(0.0)) == (2, "the mailing list", "")
    assert [entry.what for entry in read_log(store, "p")].count("joined") == 3


def test_the_same_worker_is_the_same_rater_again(store: Database) -> None:
    create_project(store, project(), items(1))
    invite(store, "p", most_uses=1)
    first = use_invitation(store, "p", 1, external=" worker 7 ")
    assert use_invitation(store, "p", 1, external="worker 7") == first
    assert read_invitation(store, "p", 1).uses == 1
    with pytest.raises(DataError, match="used as often as it may be"):
        use_invitation(store, "p", 1, external="worker 8")
    revoke_invitation(store, "p", 1)
    assert use_invitation(store, "p", 1, external="worker 7") == first
    withdraw_rater(store, "p", first.name)
    with pytest.raises(DataError, match="taken back"):
        use_invitation(store, "p", 1, external="worker 7")


def test_an_id_opens_nothing_that_somebody_else_has_said(store: Database) -> None:
    create_project(store, project(), items(2))
    invite(store, "p")
    first = use_invitation(store, "p", 1, external="worker 7")
    # Nothing is said yet: whose browser lost the answer of the server comes in again.
    offer = next_item(store, "p", first.name)
    assert offer is not None
    assert use_invitation(store, "p", 1, external="worker 7") == first
    assert read_rater_link(store, "p", first.name) == 2, "who came in before sees nothing of what is said from now on"
    assert use_invitation(store, "p", 1, external="worker 7", here=first.name) == first
    assert read_rater_link(store, "p", first.name) == 2
    keep_draft(store, "p", first.name, offer.item.name, {"label": "N"})
    with pytest.raises(DataError, match="begun in another browser"):
        use_invitation(store, "p", 1, external="worker 7")
    judge_next(store, first.name)
    other = use_invitation(store, "p", 1, external="worker 8").name
    for here in ("", other, "nobody"):
        with pytest.raises(DataError, match="begun in another browser"):
            use_invitation(store, "p", 1, external="worker 7", here=here)
    assert use_invitation(store, "p", 1, external="worker 7", here=first.name) == first
    assert read_invitation(store, "p", 1).uses == 2


def test_a_newer_link_of_a_rater_ends_the_earlier_ones(store: Database) -> None:
    create_project(store, project(), items(1))
    join_project(store, "p", "a")
    join_project(store, "p", "b")
    assert (read_rater_link(store, "p", "a"), read_standing(store, "p", "a").link) == (1, 1)
    assert [renew_rater_link(store, "p", "a") for _ in range(2)] == [2, 3]
    assert [read_standing(store, "p", rater).link for rater in "ab"] == [3, 1]
    assert [entry.what for entry in read_log(store, "p")].count("link renewed") == 2
    for missing in (("p", "c"), ("q", "a")):
        with pytest.raises(NotFoundError):
            renew_rater_link(store, *missing)
        with pytest.raises(NotFoundError):
            read_rater_link(store, *missing)


def test_an_invitation_ends(store: Database, clock: Clock) -> None:
    create_project(store, project(), items(1))
    invite(store, "p", seconds=100)
    use_invitation(store, "p", 1)
    clock.now += 101
    with pytest.raises(DataError, match=r"This invitation has expired\. Ask whoever sent it"):
        use_invitation(store, "p", 1)
    invite(store, "p")
    revoke_invitation(store, "p", 2)
    revoke_invitation(store, "p", 2)
    with pytest.raises(DataError, match="taken back"):
        use_invitation(store, "p", 2)
    assert [one.number for one in read_invitations(store, "p")] == [1, 2]
    assert [entry.what for entry in read_log(store, "p")].count("invitation revoked") == 1


def test_what_is_no_invitation_is_refused(store: Database) -> None:
    create_project(store, project(), items(1))
    with pytest.raises(NotFoundError, match="has no invitation 5"):
        use_invitation(store, "p", 5)
    with pytest.raises(NotFoundError, match="There is no project 'x'"):
        invite(store, "x")
    with pytest.raises(UsageError, match="1 rater or more"):
        invite(store, "p", most_uses=0)
    with pytest.raises(UsageError, match="should be at most"):
        invite(store, "p", most_uses=2**31)
    with pytest.raises(UsageError, match="hold for a while"):
        invite(store, "p", seconds=-1)


def test_who_has_judged_all_there_is_gets_a_code_once(store: Database) -> None:
    create_project(store, project(raters_per_item=2), [*items(2), *attention(1)])
    join_project(store, "p", "a")
    assert completion_code(store, "p", "a") is None, "nothing was done yet"
    assert judge_next(store, "a")
    assert completion_code(store, "p", "a") is None
    next_item(store, "p", "a")
    assert completion_code(store, "p", "a") is None, "an item is on loan"
    while judge_next(store, "a"):
        pass
    code = completion_code(store, "p", "a")
    assert code is not None
    assert len(code) == 10
    assert completion_code(store, "p", "a") == code
    assert read_completions(store, "p") == {"a": code}
    block_rater(store, "p", "a", "no")
    with pytest.raises(DataError, match="has ended the work"):
        completion_code(store, "p", "a")


def test_who_may_judge_no_more_gets_a_code(store: Database) -> None:
    create_project(store, project(most_per_rater=1), items(3))
    for rater in ("a", "b"):
        join_project(store, "p", rater)
    judge_next(store, "a")
    code = completion_code(store, "p", "a")
    judge_next(store, "b")
    assert code is not None
    assert code != completion_code(store, "p", "b")
    withdraw_rater(store, "p", "a")
    assert "a" not in read_completions(store, "p")
