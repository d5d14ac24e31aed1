"""A rater at work: drafts, revisions, two tabs, repeated requests, skips, pauses, changed instructions, the end."""

from __future__ import annotations

import re

import pytest
from starlette.applications import Starlette
from tests.studio.helpers import Client
from tests.studio.work.desks import come_in, hidden_fields, invitation, judge, make_project, some_items, work

from nliprobe.base.errors import StoreError
from nliprobe.people.records import Project
from nliprobe.people.store.completing import read_completions
from nliprobe.people.store.database import Database
from nliprobe.people.store.judging import read_judgements
from nliprobe.people.store.links import read_rater_link
from nliprobe.people.store.progress import read_progress
from nliprobe.people.store.projects import ProjectChanges, change_project
from nliprobe.people.store.raters import read_raters
from nliprobe.studio.context import Studio

JSON = {"accept": "application/json"}


def test_the_same_request_counts_once(rater: Client, project: Project, studio: Studio) -> None:
    fields = hidden_fields(rater.show(work(project)))
    for _ in range(3):
        rater.submit(f"{work(project)}/judge", 200, **fields, label="E")
    sent = {"item": fields["item"], "request": fields["request"], "answer": {"label": "entailment"}}
    assert rater.submit_json(f"{work(project)}/judge", sent).json()["kept"] is True
    assert len(read_judgements(studio.store, project.name, all_states=True)) == 1


def test_two_tabs_are_told_and_nothing_is_lost(rater: Client, project: Project, studio: Studio) -> None:
    first, second = (hidden_fields(rater.show(work(project))) for _ in range(2))
    assert first["item"] == second["item"]
    assert first["request"] != second["request"]
    rater.submit(f"{work(project)}/judge", 200, **first, label="E")
    text = rater.submit(f"{work(project)}/judge", 200, **second, label="C", remark="from the other tab").text
    assert "You had judged that item already" in text
    assert "Item 2" in text
    [kept] = read_judgements(studio.store, project.name, all_states=True)
    assert kept.answer == {"label": "E"}
    revise = rater.show(f"{work(project)}/answers/{first['item']}")
    assert "from the other tab" in revise
    assert 'value="C" data-key="3" data-stop aria-current="true"' in revise
    rater.submit(f"{work(project)}/judge", 200, **hidden_fields(revise), label="C")
    assert [one.answer for one in read_judgements(studio.store, project.name)] == [{"label": "C"}]
    # What was entered is gone with the revision.
    assert "from the other tab" not in rater.show(f"{work(project)}/answers/{first['item']}")


def test_the_same_page_sent_with_another_answer_is_no_silence(rater: Client, project: Project) -> None:
    fields = hidden_fields(rater.show(work(project)))
    rater.submit(f"{work(project)}/judge", 200, **fields, label="E")
    assert "judged that item already" in rater.submit(f"{work(project)}/judge", 200, **fields, label="N").text
    sent = {"item": fields["item"], "request": fields["request"], "fields": {"label": "N"}}
    answer = rater.submit_json(f"{work(project)}/judge", sent, 409).json()
    assert answer["next"].startswith(work(project))
    assert answer["error"].startswith("You had judged")


def test_undo_revises_the_last_answer_with_its_history(rater: Client, project: Project, studio: Studio) -> None:
    judge(rater, project, label="E", remark="sure")
    judge(rater, project, label="N")
    text = rater.show(work(project))
    [address] = re.findall(r'href="([^"]+)" id="undo"', text)
    page = rater.show(address)
    assert re.search(r'value="N"[^>]*aria-current="true"', page)
    text = rater.submit(f"{work(project)}/judge", 200, **hidden_fields(page), label="C").text
    assert "Your answer was changed" in text
    assert "Item 3" in text
    history = rater.show(address)
    assert history.index('<li><span class="text">Neutral') < history.index('<li><span class="text">Contradiction')
    states = [(one.answer["label"], one.state) for one in read_judgements(studio.store, project.name, all_states=True)]
    assert sorted(states) == [("C", "counts"), ("E", "counts"), ("N", "revised")]


def test_a_draft_comes_back_on_another_device(rater: Client, app: Starlette, project: Project, studio: Studio) -> None:
    fields = hidden_fields(rater.show(work(project)))
    body = {"item": fields["item"], "fields": {"remark": "half a thought"}}
    assert rater.submit_json(f"{work(project)}/draft", body).json() == {
        "kept": True,
        "elsewhere": False,
        "instructions": 1,
    }
    link = read_rater_link(studio.store, project.name, "rater-1")
    token = studio.signer.sign("return", {"project": project.name, "rater": "rater-1", "link": link})
    elsewhere = Client(app)
    assert "half a thought" in elsewhere.submit(f"/back/{token}").text
    offer = elsewhere.get(work(project), headers=JSON).json()
    assert offer["draft"] == {"remark": "half a thought"}
    judge(rater, project)
    # It comes too late: the answer that was made of it is there.
    assert rater.submit_json(f"{work(project)}/draft", body).json()["kept"] is False
    assert "half a thought" not in rater.show(f"{work(project)}/answers/{fields['item']}")


def test_a_draft_does_not_take_the_place_of_a_newer_one_of_another_page(
    rater: Client, project: Project, studio: Studio
) -> None:
    """Whoever goes on on another device, or in another tab, does not lose it to a page that was left open."""

    def keep(page: str, words: str, begun_with: str = "") -> dict[str, object]:
        body = {"item": hidden_fields(page)["item"], "request": hidden_fields(page)["request"], "draft": begun_with}
        kept: dict[str, object] = rater.submit_json(
            f"{work(project)}/draft", {**body, "fields": {"remark": words}}
        ).json()
        return kept

    def kept_words() -> object:
        return rater.get(work(project), headers=JSON).json()["draft"]["remark"]

    first, second = rater.show(work(project)), rater.show(work(project))
    assert keep(first, "one")["kept"] is True
    assert keep(first, "one more")["kept"] is True
    refused = keep(second, "two")
    assert (refused["kept"], refused["elsewhere"]) == (False, True)
    assert kept_words() == "one more"
    # A page that was loaded since has the draft in its form, and goes on with it.
    third = rater.show(work(project))
    begun_with = re.search(r'data-draft="(\w+)"', third)
    assert begun_with is not None
    assert begun_with[1] == hidden_fields(first)["request"]
    assert keep(third, "three", begun_with[1])["kept"] is True
    assert keep(first, "one again")["elsewhere"] is True
    assert kept_words() == "three"


def test_skipping_and_flagging_pass_an_item_on(rater: Client, project: Project, studio: Studio) -> None:
    first = hidden_fields(rater.show(work(project)))["item"]
    assert "passed on to others" in rater.submit(f"{work(project)}/skip", 200, item=first, reason="").text
    second = hidden_fields(rater.show(work(project)))["item"]
    assert second != first
    assert "Say what is wrong" in rater.submit(f"{work(project)}/skip", 422, item=second, reason=" ", flag="yes").text
    body = {"item": second, "fields": {"reason": "a typo", "flag": "yes"}}
    assert "told=flagged" in rater.submit_json(f"{work(project)}/skip", body).json()["next"]
    flags = read_progress(studio.store, project.name).flags
    assert [(flag.reason, flag.flagged) for flag in flags] == [("", False), ("a typo", True)]
    third = hidden_fields(rater.show(work(project)))["item"]
    judge(rater, project)
    assert "judged that item already" in rater.submit(f"{work(project)}/skip", 200, item=third, reason="x").text
    rater.submit(f"{work(project)}/skip", 422, item=third, reason="x" * 6000)


def test_changed_instructions_are_said_until_something_is_judged_by_them(
    rater: Client, project: Project, studio: Studio
) -> None:
    changed = 'id="changed">'
    assert changed not in judge(rater, project)
    page = rater.show(work(project))
    change_project(studio.store, project.name, ProjectChanges(instructions="Read **three** times."))
    # The page was loaded before the change, so what it says was judged without having read them.
    fields = hidden_fields(page)
    draft = rater.submit_json(f"{work(project)}/draft", {"item": fields["item"], "fields": {}}).json()
    assert draft["instructions"] == 2
    text = rater.submit(f"{work(project)}/judge", 200, **fields, label="E").text
    assert changed in text
    assert "<strong>three</strong>" in text
    assert "(version 2)" in text
    assert changed not in judge(rater, project)


def test_who_comes_back_is_told_of_new_instructions(rater: Client, project: Project, studio: Studio) -> None:
    judge(rater, project)
    change_project(studio.store, project.name, ProjectChanges(instructions="New."))
    assert 'id="changed">' in rater.show(work(project))


def test_a_pause_gives_the_item_back(rater: Client, project: Project, studio: Studio) -> None:
    rater.show(work(project))
    assert read_progress(studio.store, project.name).leased == 1
    assert "You have paused" in rater.submit(f"{work(project)}/pause").text
    assert read_progress(studio.store, project.name).leased == 0
    assert rater.submit_json(f"{work(project)}/pause", {}).json()["next"].endswith("paused=1")
    judge(rater, project)


def test_the_end_shows_one_code(app: Starlette, studio: Studio) -> None:
    project = make_project(studio, count=5, most_per_rater=2)
    rater = come_in(app, invitation(studio, project))
    assert "Item 1 of 2" in rater.show(work(project))
    for _ in range(2):
        judge(rater, project)
    code = read_completions(studio.store, project.name)["rater-1"]
    assert code in rater.show(work(project))
    offer = rater.get(work(project), headers=JSON).json()
    assert offer == {"item": None, "code": code, "progress": {"done": 2, "total": 2, "bounded": True}}


def test_who_finds_nothing_is_told_to_look_again(app: Starlette, studio: Studio) -> None:
    project = make_project(studio, count=1, raters_per_item=1)
    come_in(app, invitation(studio, project))
    other = come_in(app, invitation(studio, project))
    waiting = other.show(work(project))
    assert "nothing for you right now" in waiting
    assert "nothing was asked of you" in waiting
    assert read_completions(studio.store, project.name) == {}


def test_who_passed_everything_on_is_not_told_that_nothing_was_asked(app: Starlette, studio: Studio) -> None:
    project = make_project(studio, count=1)
    rater = come_in(app, invitation(studio, project))
    item = hidden_fields(rater.show(work(project)))["item"]
    ended = rater.submit(f"{work(project)}/skip", 200, item=item, reason="It makes no sense.").text
    assert "you have passed on all that was asked of you" in ended


def test_withdrawal_needs_a_tick_and_deletes_everything(rater: Client, project: Project, studio: Studio) -> None:
    judge(rater, project)
    assert "Nothing was deleted" in rater.submit(f"{work(project)}/withdraw", 422).text
    assert len(read_judgements(studio.store, project.name)) == 1
    cookie = rater.cookies["nliprobe_rater"]
    assert "was deleted" in rater.submit(f"{work(project)}/withdraw", 200, sure="yes").text
    assert read_judgements(studio.store, project.name, all_states=True) == []
    assert [str(one.state) for one in read_raters(studio.store, project.name)] == ["withdrawn"]
    assert "nliprobe_rater" not in rater.cookies
    answer = rater.get(work(project), headers={"cookie": f"nliprobe_rater={cookie}"})
    assert answer.status_code == 403
    assert "withdrawn" in answer.text


def test_who_comes_too_late_is_told_so_and_goes_on(app: Starlette, studio: Studio) -> None:
    project = make_project(studio, count=2, raters_per_item=1, lease_seconds=1)
    late = come_in(app, invitation(studio, project))
    fields = hidden_fields(late.show(work(project)))
    now = studio.store.clock()
    object.__setattr__(studio.store, "clock", lambda: now + 100)
    quick = come_in(app, invitation(studio, project))
    for _ in range(2):
        judge(quick, project)
    text = late.submit(f"{work(project)}/judge", 200, **fields, label="E").text
    assert "no longer needed" in text
    assert late.submit_json(f"{work(project)}/judge", {**fields, "fields": {"label": "E"}}, 409).json()["next"]
    assert {one.rater for one in read_judgements(studio.store, project.name)} == {"rater-2"}


def test_many_answers_are_listed_by_the_page(app: Starlette, studio: Studio) -> None:
    project = make_project(studio, items=some_items("verify", 52), raters_per_item=1)
    rater = come_in(app, invitation(studio, project))
    for number in range(52):
        offer = rater.get(work(project), headers=JSON).json()
        rater.submit_json(
            f"{work(project)}/judge", {"item": offer["item"], "request": str(number), "answer": {"label": "E"}}
        )
    first = rater.show(f"{work(project)}/answers")
    assert first.count("<strong>Entailment</strong>") == 50
    assert "page=2" in first
    assert rater.show(f"{work(project)}/answers?page=2").count("<strong>Entailment</strong>") == 2
    assert "said nothing" in rater.show(f"{work(project)}/answers?page=9")


def test_a_store_that_is_away_is_said_without_naming_it_and_work_goes_on(
    app: Starlette, project: Project, studio: Studio, monkeypatch: pytest.MonkeyPatch
) -> None:
    link = invitation(studio, project)
    rater = come_in(app, link)
    fields = hidden_fields(rater.show(work(project)))

    def away(*arguments: object, **named: object) -> None:
        raise StoreError("The database postgresql://someone@db.example refuses.")

    with monkeypatch.context() as broken:
        for name in ("read", "write", "write_once"):
            broken.setattr(Database, name, away)
        sent = {"item": fields["item"], "request": fields["request"], "fields": {"label": "E"}}
        answer = rater.submit_json(f"{work(project)}/judge", sent, 503)
        texts = [answer.text, rater.show(work(project), 503), rater.show(link, 503)]
    assert answer.headers["retry-after"]
    for text in texts:
        assert "right now" in text
        assert "db.example" not in text
    assert rater.submit_json(f"{work(project)}/judge", sent).json()["kept"] is True
    assert len(read_judgements(studio.store, project.name)) == 1
