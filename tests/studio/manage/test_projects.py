"""Every page of a project and everything that its owner can do there."""

from __future__ import annotations

import re
import time
from dataclasses import replace
from html import unescape

import pytest
from starlette.applications import Starlette
from tests.studio.both import pytest_generate_tests as pytest_generate_tests
from tests.studio.helpers import Client
from tests.studio.manage.made import SCRIPT, make, told, work
from tests.studio.work.desks import come_in, hidden_fields

from nliprobe.people.counted import marked_pairs
from nliprobe.people.marks import marks_agreement
from nliprobe.people.records import RaterState
from nliprobe.people.store.handing_out import next_item
from nliprobe.people.store.inviting import read_invitations, use_invitation
from nliprobe.people.store.judging import judge_item, read_judgements
from nliprobe.people.store.looking import read_versions
from nliprobe.people.store.progress import read_log
from nliprobe.people.store.projects import ProjectChanges, change_project, read_items, read_project
from nliprobe.people.store.raters import block_rater, join_project, read_raters
from nliprobe.people.store.secret import studio_secret
from nliprobe.studio.context import Studio
from nliprobe.studio.manage.words import about
from nliprobe.studio.signing import Signer

PAGES = (
    "", "/items", "/items?which=open", "/items?which=flagged", "/items?which=attention", "/items/0",
    "/items/3?then=next",
    "/disagreements", "/disagreements?which=all", "/raters/1", "/raters/2", "/invitations", "/instructions", "/rules",
    "/export", "/log", "/live",
)  # fmt: skip


def test_the_list_has_every_project_with_its_progress(owner: Client, studio: Studio) -> None:
    assert "There are no projects yet" in owner.show("/projects")
    home = make(studio.store, title=f"T {SCRIPT}")
    work(studio.store, most=4)
    page = owner.show("/projects")
    assert home in page
    assert "11 of 36 judgements" in page
    assert "<strong>1 flagged</strong>" in page
    assert SCRIPT not in page


@pytest.mark.parametrize("task", ["verify", "evidence", "write", "counterfactual"])
def test_every_page_of_a_project_is_there_and_escapes_what_people_wrote(
    owner: Client, studio: Studio, task: str
) -> None:
    home = make(studio.store, "labels", task, title=f"T {SCRIPT}", instructions=f"**Do** {SCRIPT}")
    if task != "counterfactual":
        work(studio.store, "labels", task)
    else:
        join_project(studio.store, "labels", "rater-1")
        join_project(studio.store, "labels", f"x {SCRIPT}")
    for rest in PAGES:
        assert SCRIPT not in owner.show(f"{home}{rest}"), rest


def test_pages_of_a_new_project_without_raters(owner: Client, studio: Studio) -> None:
    home = make(studio.store)
    for rest in PAGES:
        if "raters" not in rest:
            owner.show(f"{home}{rest}")
    assert "Invite raters" in owner.show(home)


def test_nobody_but_the_owner_sees_or_does_anything(anybody: Client, studio: Studio) -> None:
    home = make(studio.store)
    work(studio.store)
    for rest in ("/projects", "/projects/new", *(f"{home}{rest}" for rest in PAGES)):
        assert anybody.get(rest).status_code == 403, rest
    for rest in ("/batches", "/items/0", "/raters/1/block", "/raters/1/withdraw", "/invitations", "/export", "/take"):
        assert anybody.post(f"{home}{rest}", data={"reason": "x", "sure": "yes"}).status_code == 403, rest
    assert all(rater.state is RaterState.ACTIVE for rater in read_raters(studio.store, "labels"))


@pytest.mark.parametrize(
    "rest",
    ["/projects/000000000000", "/projects/x", "/projects/000000000000/items/1", "/projects/..%2f..%2fetc/log"],
)
def test_an_unknown_project_is_not_found(owner: Client, studio: Studio, rest: str) -> None:
    make(studio.store)
    assert owner.get(rest).status_code == 404


def test_unknown_raters_items_and_invitations_are_not_found(owner: Client, studio: Studio) -> None:
    home = make(studio.store)
    work(studio.store)
    for rest in (
        "/raters/0",
        "/raters/99",
        "/raters/x",
        "/raters/²",
        "/items/999",
        "/items/x",
        "/items?page=x",
        "/items/-1",
    ):
        owner.show(f"{home}{rest}", 404)
    owner.submit(f"{home}/invitations/7/revoke", 404)
    owner.submit(f"{home}/raters/99/block", 404, reason="x")
    owner.submit(f"{home}/items/999", 404, label="E")


def test_numbers_stand_beside_what_needs_no_care(owner: Client, studio: Studio) -> None:
    home = make(studio.store)
    work(studio.store)
    page = owner.show(home)
    assert "always the same answer, at best" in page
    assert "guessing" in page
    assert "33 %" in page
    assert "Fleiss&#39; kappa" in page
    assert "0 is what raters get who guess" in page
    rater = owner.show(f"{home}/raters/2")
    for measure in ("Estimated to be right", "the gold label", "the majority of all"):
        [fact] = re.findall(f"<li>[^<]*{measure}[^<]*</li>", rater)
        assert re.search(r"always saying [ENC] gets \d+ %, guessing 33 %", fact)


def test_agreement_on_marks_stands_beside_marking_everything(owner: Client, studio: Studio) -> None:
    home = make(studio.store, "ev", "evidence")
    work(studio.store, "ev", "evidence")
    page = owner.show(home)
    measured = marks_agreement(marked_pairs(read_items(studio.store, "ev"), read_judgements(studio.store, "ev")))
    for value in (measured.kappa.value, measured.by_rater_others.f1.value):
        assert value is not None
        assert f">{value:.2f}<" in page
    assert "marking everything gets" in page
    assert "marking nothing<" in page
    assert "always saying 0" not in page
    assert "marking nothing gets" in owner.show(f"{home}/raters/1")


def test_the_script_hears_that_something_happened(owner: Client, studio: Studio) -> None:
    home = make(studio.store)
    before = owner.get(f"{home}/live").json()
    assert before["judged"] == 0
    assert f'data-pulse="{before["pulse"]}"' in owner.show(home)
    work(studio.store, most=2)
    after = owner.get(f"{home}/live").json()
    assert after["judged"] == 5
    assert after["pulse"] > before["pulse"]
    studio_page = owner.show(home)
    assert ">5</span> of 36" in studio_page or ">0</span> of 36" in studio_page


def test_batches_are_opened_one_by_one_and_twice_is_once(owner: Client, studio: Studio) -> None:
    home = make(studio.store, pilot=4, batch=4)
    assert "Open batch 1" in owner.show(home)
    for _ in range(2):
        assert "Open batch 2" in owner.submit(f"{home}/batches", batches="2").text
    assert read_project(studio.store, "labels").batches_open == 2
    owner.submit(f"{home}/batches", batches="0")
    assert next_item_of(studio) is None, "a project can be paused"
    owner.submit(f"{home}/batches", 422, batches="-1")
    owner.submit(f"{home}/batches", 422, batches="many")
    assert told(studio).count("project changed") == 2


def test_an_older_page_does_not_close_what_was_opened_since(owner: Client, studio: Studio) -> None:
    home = make(studio.store, pilot=4, batch=4)
    forms = re.findall(r'name="batches" value="(\d)"><input type="hidden" name="known" value="(\d)"', owner.show(home))
    assert forms == [("2", "1"), ("0", "1")]
    change_project(studio.store, "labels", ProjectChanges(batches_open=3))
    for batches, known in forms:
        assert "since that page was loaded" in owner.submit(f"{home}/batches", batches=batches, known=known).text
    assert read_project(studio.store, "labels").batches_open == 3
    # A store may count batches as open that are not there yet; the last one that is there is what can be closed.
    change_project(studio.store, "labels", ProjectChanges(batches_open=9))
    assert 'name="batches" value="2"' in owner.show(home)


def test_where_every_answer_counts_nothing_is_said_of_a_majority(owner: Client, studio: Studio) -> None:
    home = make(studio.store, task="write", most_items=2)
    work(studio.store, task="write", raters=1)
    page = unescape(owner.show(f"{home}/export"))
    assert "a corpus of all hypotheses" in page
    assert "most raters say" not in page
    assert "more than half" not in page
    [item, _] = read_items(studio.store, "labels")
    rater = owner.show(f"{home}/raters/1")
    assert item.name not in rater, "a premise has no hypothesis, and the name of its item is a hash"
    assert about(item.content) in unescape(rater)


def next_item_of(studio: Studio) -> object:
    join_project(studio.store, "labels", "new")
    return next_item(studio.store, "labels", "new")


def test_a_rater_is_blocked_with_a_reason_and_let_in_again(owner: Client, studio: Studio) -> None:
    home = make(studio.store)
    work(studio.store)
    assert "Say why" in owner.submit(f"{home}/raters/2/block", 422, reason="  ").text
    owner.submit(f"{home}/raters/2/block", 422, reason="x" * 3000)
    page = owner.submit(f"{home}/raters/2/block", reason=f"guesses {SCRIPT}").text
    assert "Nothing of theirs counts" in page
    assert not [one for one in read_judgements(studio.store, "labels") if one.rater == "rater-2"]
    assert "guesses &lt;script&gt;" in owner.show(f"{home}/log")
    owner.submit(f"{home}/raters/2/unblock")
    assert [one for one in read_judgements(studio.store, "labels") if one.rater == "rater-2"]
    assert told(studio)[-2:] == ["rater blocked", "rater let in again"]


def test_a_withdrawal_deletes_and_needs_a_tick(owner: Client, studio: Studio) -> None:
    home = make(studio.store)
    work(studio.store)
    owner.submit(f"{home}/raters/2/withdraw", 422)
    assert [one for one in read_judgements(studio.store, "labels") if one.rater == "rater-2"]
    page = owner.submit(f"{home}/raters/2/withdraw", sure="yes").text
    assert "deleted" in page
    every = read_judgements(studio.store, "labels", all_states=True)
    assert not [one for one in every if one.rater == "rater-2"]
    assert read_raters(studio.store, "labels")[1].external == ""
    assert told(studio)[-1] == "withdrawal entered"
    assert "worker-1" not in owner.show(f"{home}/raters/2")
    # What was withdrawn stays so, and pages that were open before say that nothing was done.
    for action in ({"sure": "yes"}, {"reason": "x"}, {}):
        name = {"sure": "withdraw", "reason": "block"}.get(next(iter(action), ""), "unblock")
        assert "Nothing was changed" in owner.submit(f"{home}/raters/2/{name}", 200, **action).text
    assert told(studio)[-1] == "withdrawal entered"
    assert read_raters(studio.store, "labels")[1].state is RaterState.WITHDRAWN


def test_an_invitation_is_shown_once_counted_and_revoked(owner: Client, anybody: Client, studio: Studio) -> None:
    home = make(studio.store, title="Cats and dogs")
    page = owner.submit(f"{home}/invitations", days="2", most="1", note=f"Ann {SCRIPT}").text
    link = page.partition('value="http://127.0.0.1/i/')[2].partition('"')[0]
    claims = studio.signer.read("invitation", link)
    assert claims == {"project": home.rpartition("/")[2], "number": 1}, "whoever has it learns no name"
    assert "Cats and dogs" in anybody.show(f"/i/{link}"), "whoever has it sees what is asked"
    assert SCRIPT not in page
    page = owner.show(f"{home}/invitations")
    assert link not in page
    assert "0 of 1 came in" in page
    use_invitation(studio.store, "labels", 1, external="w")
    assert "1 of 1 came in" in owner.show(f"{home}/invitations")
    assert "used as often as it may be" in owner.show(f"{home}/invitations")
    owner.submit(f"{home}/invitations/1/revoke")
    assert read_invitations(studio.store, "labels")[0].revoked is not None
    assert "taken back" in anybody.get(f"/i/{link}").text
    assert told(studio)[-2:] == ["invitation made", "invitation revoked"]
    everything = "".join(str(entry) for entry in read_log(studio.store, "labels"))
    assert link not in everything, "a link is a secret"


def test_raters_find_their_way_back_by_a_link_that_lets_nobody_new_in(
    app: Starlette, owner: Client, studio: Studio
) -> None:
    home = make(studio.store)
    page = owner.submit(f"{home}/invitations", days="1", most="", note="").text
    link = "/i/" + page.partition('value="http://127.0.0.1/i/')[2].partition('"')[0]
    here, known = come_in(app, link), come_in(app, f"{link}?worker=w")
    tomorrow = time.time() + 2 * 24 * 3600
    studio.store = replace(studio.store, clock=lambda: tomorrow)
    studio.signer = Signer(studio_secret(studio.store), studio.store.clock, secure=False)
    desk = home.replace("/projects/", "/work/")
    assert "has expired" in here.show(link, 422)
    assert f'href="{desk}"' in here.show(link, 422)
    # Of a crowd platform people always come by the same link.
    fields = hidden_fields(known.show(f"{link}?worker=w"))
    assert "Item 1" in known.submit(f"{desk}/join", 200, **fields).text
    new = Client(app)
    assert "has expired" in new.submit(f"{desk}/join", 422, **hidden_fields(new.show(f"{link}?worker=other"))).text
    assert [rater.name for rater in read_raters(studio.store, "labels")] == ["rater-1", "rater-2"]


@pytest.mark.parametrize("wrong", [{"days": "0"}, {"days": "x"}, {"days": "366"}, {"most": "0"}, {"note": "x" * 501}])
def test_a_wrong_invitation_is_none(owner: Client, studio: Studio, wrong: dict[str, str]) -> None:
    home = make(studio.store)
    [name] = wrong
    answer = owner.submit(f"{home}/invitations", 422, **{"days": "1", "most": "", "note": "", **wrong})
    assert f'id="{name}-wrong"' in answer.text
    assert read_invitations(studio.store, "labels") == []


def test_codes_of_those_who_have_finished_are_listed(owner: Client, studio: Studio) -> None:
    from nliprobe.people.store.completing import completion_code

    home = make(studio.store)
    work(studio.store)
    code = completion_code(studio.store, "labels", "rater-1")
    assert code
    assert code in owner.show(f"{home}/invitations")
    assert code in owner.show(f"{home}/raters/1")


def test_instructions_have_versions(owner: Client, studio: Studio) -> None:
    home = make(studio.store, instructions="One")
    assert "<strong>Two</strong>" in owner.submit(f"{home}/instructions", instructions="**Two**", go="preview").text
    assert len(read_versions(studio.store, "labels")) == 1
    owner.submit(f"{home}/instructions", instructions="**Two**", version="1")
    assert [one.text for one in read_versions(studio.store, "labels")] == ["**Two**", "One"]
    answer = owner.submit(f"{home}/instructions", 422, instructions="Late", version="1")
    assert "Version 2 was written in the meantime" in answer.text
    assert "Late</textarea>" in answer.text, "what was written is not lost"
    owner.submit(f"{home}/instructions", 422, instructions="  ", version="2")
    owner.submit(f"{home}/instructions", 422, instructions="x" * 100_001, version="2")
    assert "Nothing was changed" in owner.submit(f"{home}/instructions", instructions="**Two**", version="2").text
    page = owner.show(f"{home}/instructions")
    assert "Version 1," in page
    assert "Version 2," in page


def test_rules_are_changed_and_what_cannot_be_is_said(owner: Client, studio: Studio) -> None:
    home = make(studio.store, most_per_rater=5)
    work(studio.store, raters=2)
    rules = {"title": "New", "raters": "4", "most": "", "attention_every": "0", "lease": "60"}
    owner.submit(f"{home}/rules", 200, **rules)
    project = read_project(studio.store, "labels")
    assert (project.title, project.raters_per_item, project.most_per_rater) == ("New", 4, None)
    assert project.lease_seconds == 3600
    for name, value in (("raters", "0"), ("most", "x"), ("attention_every", "1"), ("lease", ""), ("title", "x" * 301)):
        answer = owner.submit(f"{home}/rules", 422, **{**rules, name: value})
        assert f'id="{name}-wrong"' in answer.text
    work(studio.store, raters=3)
    answer = owner.submit(f"{home}/rules", 422, **{**rules, "raters": "1"})
    assert "have" in answer.text
    assert "too few" in answer.text or "too\nfew" in answer.text
    assert read_project(studio.store, "labels").raters_per_item == 4


def test_a_page_of_rules_changes_only_what_was_changed_on_it(owner: Client, studio: Studio) -> None:
    home = make(studio.store, lease_seconds=90)
    form = owner.show(f"{home}/rules")
    sent = dict(re.findall(r'name="([a-z_-]+)"[^>]* value="([^"]*)"', form))
    change_project(studio.store, "labels", ProjectChanges(raters_per_item=5, most_per_rater=7))
    owner.submit(f"{home}/rules", 200, **{**sent, "title": "New"})
    project = read_project(studio.store, "labels")
    assert (project.title, project.raters_per_item, project.most_per_rater) == ("New", 5, 7)
    assert project.lease_seconds == 90, "what the page shows as a minute"
    # What was emptied is changed, too.
    sent = dict(re.findall(r'name="([a-z_-]+)"[^>]* value="([^"]*)"', owner.show(f"{home}/rules")))
    owner.submit(f"{home}/rules", 200, **{**sent, "most": ""})
    assert read_project(studio.store, "labels").most_per_rater is None
    # The wrong field is shown as it was sent, and the others can still be told from what they were.
    assert 'name="before-raters" value="5"' in owner.submit(f"{home}/rules", 422, **{**sent, "raters": "x"}).text


def test_the_log_has_who_did_what(owner: Client, studio: Studio) -> None:
    home = make(studio.store)
    work(studio.store, most=2)
    page = owner.show(f"{home}/log")
    for what in ("project made", "items added", "joined", "judged", "flagged"):
        assert what in page


def test_the_log_is_there_to_its_first_entry_and_without_judgements(
    owner: Client, studio: Studio, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("nliprobe.studio.manage.history._PER_PAGE", 6)
    home = make(studio.store, most_items=4, raters_per_item=1)
    join_project(studio.store, "labels", "ann")
    block_rater(studio.store, "labels", "ann", "clicks without reading")
    join_project(studio.store, "labels", "ben")
    while (offered := next_item(studio.store, "labels", "ben")) is not None:
        for number, label in enumerate("ENC"):
            request = f"{offered.item.name} {number}"
            judge_item(
                studio.store, "labels", "ben", offered.item.name, {"label": label}, request=request, revise=number > 0
            )
    newest = owner.show(f"{home}/log")
    assert "Page 1 of 3" in newest
    assert "clicks without reading" not in newest
    assert "project made" in owner.show(f"{home}/log?page=3")
    others = owner.show(f"{home}/log?which=others")
    assert "clicks without reading" in others
    assert "revised" not in others
    assert "Page 1" not in others


def test_a_judgement_of_a_rater_is_seen_after_a_while(owner: Client, studio: Studio) -> None:
    """The status of a large project is not computed at every look; that of a small one is."""
    home = make(studio.store, raters_per_item=1)
    item = read_items(studio.store, "labels")[0]
    owner.show(home)
    join_project(studio.store, "labels", "ann")
    offered = next_item(studio.store, "labels", "ann")
    assert offered is not None
    judge_item(studio.store, "labels", "ann", offered.item.name, {"label": "E"}, request="r")
    from nliprobe.studio.manage.overview import STATUSES

    statuses = studio.part(STATUSES)
    statuses.clock = lambda: 1e12
    assert ">1</span> of 12" in owner.show(home)
    assert item
