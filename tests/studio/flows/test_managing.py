"""From the form of a project to its raters and its downloads, and what its owner changes and decides meanwhile."""

from __future__ import annotations

import json
import re
import threading
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from tests.studio.flows.flow import flow
from tests.studio.flows.hands import Hand
from tests.studio.manage.made import make, work
from tests.studio.windows import shows, sign_in

import nliprobe
from nliprobe.api.review import export_review
from nliprobe.people.records import JudgementState, RaterState
from nliprobe.people.review.files import read_queue
from nliprobe.people.store.adjudicating import read_adjudications
from nliprobe.people.store.judging import read_judgements
from nliprobe.people.store.links import read_rater_link
from nliprobe.people.store.progress import read_log
from nliprobe.people.store.projects import read_items, read_project, read_projects
from nliprobe.people.store.raters import read_raters
from nliprobe.studio.context import Studio
from nliprobe.studio.manage import making
from nliprobe.studio.settings import Settings

if TYPE_CHECKING:
    from playwright.sync_api import Download, Locator, Page
    from tests.studio.flows.conftest import NewWindow

TABLES = "builtin/tables-dev (216 pairs about 24 infoboxes)"


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run and a review queue."""
    folder = tmp_path_factory.mktemp("files")
    export_review(folder / "queue.jsonl", "builtin/sentences-dev", "hypothesis.negation", n=3)
    nliprobe.run("small", "builtin/sentences-dev", probes=["gold", "swap"], out=folder / "runs" / "one", doctor=False)
    return folder


@pytest.fixture
def settings(files: Path, database: str) -> Settings:
    return Settings(folder=files / "runs", database=database, queues=(files / "queue.jsonl",))


def button(page: Page, name: str) -> Locator:
    return page.get_by_role("button", name=name, exact=True)


def link(page: Page, name: str) -> Locator:
    return page.get_by_role("link", name=name, exact=True)


def part(page: Page, name: str) -> Locator:
    """What opens and closes a part of the page."""
    return page.locator("summary", has_text=name)


def go(page: Page, hand: Hand, name: str) -> None:
    """Go to another page of the project by its menu."""
    hand.follow(page.get_by_label("Pages of the project").get_by_role("link", name=name))


@flow(
    "GET /projects",
    "GET /projects/new",
    "POST /projects/new",
    "POST /projects/preview",
    "GET /projects/new/{plan}",
    "GET /projects/new/{plan}/state",
    "POST /projects/new/{plan}",
    "GET /projects/{key}",
)
def test_a_project_is_made_from_the_form(
    new_window: NewWindow, served: str, hand: Hand, studio: Studio, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The form that is sent with something missing is answered with the status 422, which the browser tells.
    page = new_window(lets="422")
    sign_in(page, served, "/projects")
    shows(page, "There are no projects yet")
    hand.look(page, "no-projects")
    hand.follow(link(page, "A new project"))
    hand.write(page.get_by_label("Title"), "Cats on tables")
    hand.write(page.get_by_label("Raters per item"), "3")
    hand.write(page.get_by_label("Items at most"), "9")
    hand.write(page.get_by_label("Items of a pilot"), "four")
    assert page.get_by_label("Of a run").is_hidden()
    hand.write(page.get_by_label("What raters read before they begin"), "Read **both** <b>texts</b>.")
    page.locator("#instructions-preview strong").wait_for()
    assert page.locator("#instructions-preview b").count() == 0
    hand.press(button(page, "Show how it looks"))
    hand.press(part(page, "Attention items, labels, order, time"))
    hand.choose(page.get_by_label("Attention items from"), "builtin/sentences-dev")
    hand.write(page.get_by_label("How many of them"), "2")
    # Something is missing and something wrong: it is said beside the fields, and nothing is lost.
    hand.follow(button(page, "See what can be asked"))
    shows(page, "3 fields need another look")
    assert page.evaluate("() => document.activeElement.id") == "name"
    assert page.locator("#name-wrong").inner_text() == "Give the project a name."
    assert "Choose what the items are made from" in page.locator("#source-wrong").inner_text()
    assert "Expected a whole number" in page.locator("#pilot-wrong").inner_text()
    assert page.get_by_label("Raters per item").input_value() == "3"
    assert page.get_by_label("How many of them").input_value() == "2"
    hand.look(page, "form-wrong")
    hand.write(page.get_by_label("Name"), "cats")
    hand.choose(page.get_by_label("Made from"), TABLES)
    hand.write(page.get_by_label("Items of a pilot"), "4")
    # It takes a while to draw the items: the page waits, and goes on by itself.
    ready, plan = threading.Event(), making._plan
    monkeypatch.setattr(making, "_PATIENCE", 0)
    monkeypatch.setattr(making, "_plan", lambda *asked: plan(*asked) if ready.wait(60) else None)
    hand.follow(button(page, "See what can be asked"))
    shows(page, "This page goes on by itself")
    hand.look(page, "plan-waits")
    ready.set()
    shows(page, "27 judgements")
    shows(page, "2 attention items")
    monkeypatch.undo()
    hand.look(page, "plan")
    # Something is changed after all; the rest stands as it was.
    hand.follow(link(page, "Change something"))
    assert page.get_by_label("Name").input_value() == "cats"
    hand.write(page.get_by_label("Raters per item"), "2")
    # Enter in a field looks what can be asked, and does not only show the instructions.
    with page.expect_navigation():
        page.keyboard.press("Enter")
    shows(page, "18 judgements")
    assert read_projects(studio.store) == []
    hand.follow(button(page, "Make this project"))
    shows(page, "The project was made")
    hand.look(page, "project-new")
    project = read_project(studio.store, "cats")
    assert (project.title, project.raters_per_item, project.batches_open) == ("Cats on tables", 2, 1)
    assert project.instructions == "Read **both** <b>texts</b>."
    hand.follow(link(page, "Projects").first)
    hand.look(page, "projects")
    hand.follow(link(page, "Cats on tables"))
    shows(page, "Nobody has come yet")


@flow(
    "GET /projects/{key}/invitations",
    "POST /projects/{key}/invitations",
    "POST /projects/{key}/invitations/{number}/revoke",
    "GET /projects/{key}/live",
    "POST /projects/{key}/batches",
)
def test_raters_are_invited_and_watched(new_window: NewWindow, served: str, hand: Hand, studio: Studio) -> None:
    make(studio.store, pilot=4)
    page = new_window(lets="422")
    # The page asks every few seconds how far it is: the test lets the time pass.
    page.clock.install()
    sign_in(page, served, "/projects")
    hand.follow(link(page, "labels"))
    hand.follow(link(page, "Invite raters"))
    hand.write(page.get_by_label("Days"), "soon")
    hand.follow(button(page, "Make a link"))
    assert "Expected a whole number" in page.locator("#days-wrong").inner_text()
    hand.write(page.get_by_label("Days"), "3")
    hand.write(page.get_by_label("Note"), "for Ann")
    hand.follow(button(page, "Make a link"))
    invitation = page.get_by_label("Link").input_value()
    assert invitation.startswith(f"{served}/i/")
    hand.look(page, "invitation-made")
    go(page, hand, "Overview")
    shows(page, "Nobody has come yet")
    # Ann opens the link in her own browser and judges one item; the owner's page hears of it.
    ann = new_window(lets="422")
    ann.goto(invitation)
    hand.follow(button(ann, "Begin"))
    hand.press(ann.get_by_role("button", name="entailment"))
    shows(ann, "Item 2 of")
    page.clock.fast_forward(5_000)
    page.locator("#progress .big", has_text=re.compile("^1$")).wait_for()
    page.locator("#raters a", has_text=read_raters(studio.store, "labels")[0].name).wait_for()
    work(studio.store, first=2)
    page.clock.fast_forward(5_000)
    page.get_by_role("link", name="rater-4").wait_for()
    hand.look(page, "project-pilot")
    hand.follow(button(page, "Open batch 1"))
    shows(page, "The batch is open")
    assert read_project(studio.store, "labels").batches_open == 2
    work(studio.store, first=2)
    said = sum(one.state is JudgementState.COUNTS for one in read_judgements(studio.store, "labels", all_states=True))
    page.clock.fast_forward(5_000)
    page.locator("#progress .big", has_text=re.compile(f"^{said}$")).wait_for()
    hand.look(page, "project-worked-on")
    hand.follow(button(page, "Close the last open batch"))
    shows(page, "The batch is closed")
    hand.follow(button(page, "Pause: hand out nothing"))
    assert read_project(studio.store, "labels").batches_open == 0
    hand.look(page, "project-paused")
    hand.follow(button(page, "Open batch 0"))
    assert read_project(studio.store, "labels").batches_open == 1
    # The invitation lets nobody new in; Ann goes on.
    go(page, hand, "Invitations")
    shows(page, "1 came in")
    hand.follow(button(page, "Revoke invitation 1"))
    shows(page, "lets nobody new in")
    hand.look(page, "invitation-revoked")
    ben = new_window(lets="422")
    ben.goto(invitation)
    shows(ben, "Ask whoever sent it for another one")
    ann.reload()
    shows(ann, "Item 2 of")


@flow("POST /projects/new", "GET /projects/{key}/items", "GET /projects/{key}/items/{number}")
def test_a_project_is_made_from_a_run(owner_window: Page, hand: Hand, studio: Studio) -> None:
    page = owner_window
    hand.follow(link(page, "Projects"))
    hand.follow(link(page, "A new project"))
    hand.write(page.get_by_label("Name"), "broken")
    hand.choose(page.get_by_label("Made from"), "one")
    hand.choose(page.get_by_label("Of a run"), "edited cases that break")
    hand.write(page.get_by_label("Items at most"), "4")
    hand.follow(button(page, "See what can be asked"))
    shows(page, "4 items")
    # Back in the browser loses nothing.
    page.go_back()
    page.wait_for_load_state()
    assert page.get_by_label("Name").input_value() == "broken"
    assert page.get_by_label("Items at most").input_value() == "4"
    hand.choose(page.get_by_label("Of a run"), "edited cases that break")
    hand.follow(button(page, "See what can be asked"))
    shows(page, "4 items")
    hand.follow(button(page, "Make this project"))
    shows(page, "The project was made")
    assert len(read_items(studio.store, "broken")) == 4
    go(page, hand, "Items")
    hand.follow(link(page, "item 2"))
    shows(page, "Nobody has judged it yet")


@flow("POST /projects/new", "POST /projects/{key}/items/{number}", "POST /projects/{key}/export")
def test_a_review_queue_is_settled(owner_window: Page, hand: Hand, studio: Studio, files: Path, tmp_path: Path) -> None:
    page = owner_window
    hand.follow(link(page, "Projects"))
    hand.follow(link(page, "A new project"))
    hand.write(page.get_by_label("Name"), "cases")
    hand.tick(page.get_by_label("settle:"))
    hand.choose(page.get_by_label("Made from"), "queue.jsonl")
    hand.press(part(page, "Attention items, labels, order, time"))
    hand.tick(page.get_by_label("Show the label that the probe expects"))
    hand.follow(button(page, "See what can be asked"))
    hand.follow(button(page, "Make this project"))
    shows(page, "The project was made")
    assert all("suggested" in item.content for item in read_items(studio.store, "cases"))
    go(page, hand, "Items")
    hand.follow(link(page, "item 1"))
    hand.look(page, "item-settle")
    hand.tick(page.get_by_label("no label: the pair makes no sense"))
    hand.write(page.get_by_label("Reason"), "no sentence")
    hand.follow(button(page, "Decide"))
    shows(page, "Your decision is kept")
    go(page, hand, "Export")
    hand.tick(page.get_by_label("queue:"))
    path = tmp_path / "decided.jsonl"
    downloaded(page, hand).save_as(path)
    item = read_items(studio.store, "cases")[1]
    last = read_queue(path).history[str(item.hidden["case_id"])][-1]
    assert (last.verdict, last.rater, last.remark) == ("reject", "owner", "no sentence")


@flow(
    "GET /projects/{key}/items",
    "GET /projects/{key}/items/{number}",
    "GET /projects/{key}/disagreements",
    "POST /projects/{key}/items/{number}",
)
def test_disagreements_are_decided(new_window: NewWindow, served: str, hand: Hand, studio: Studio) -> None:
    home = make(studio.store, most_items=60)
    work(studio.store)
    page = new_window(lets="422")
    sign_in(page, served, home)
    # What was flagged leads to its item.
    hand.follow(page.locator("#flags a").first)
    shows(page, "Not judged")
    hand.press(part(page, "What raters do not see"))
    shows(page, "name of the item")
    hand.look(page, "item")
    go(page, hand, "Items")
    shows(page, "60 items")
    hand.look(page, "items")
    hand.follow(link(page, "Next"))
    shows(page, "Page 2 of 2")
    hand.follow(link(page, "Earlier"))
    hand.follow(link(page, "Skipped or flagged"))
    shows(page, "1 item.")
    go(page, hand, "Disagreements")
    hand.look(page, "disagreements")
    left = int(re.search(r"(\d+) are open", page.inner_text(".say"))[1])  # type: ignore[index]
    first = page.locator("table.stack a").first.inner_text()
    hand.follow(page.locator("table.stack a").first)
    # Nothing is chosen yet: that is said, and the reason stays.
    hand.write(page.get_by_label("Reason"), "as the instructions say")
    hand.follow(button(page, "Decide and go on"))
    shows(page, "Nothing was kept")
    hand.look(page, "item-undecided")
    assert page.get_by_label("Reason").input_value() == "as the instructions say"
    assert page.evaluate("() => document.activeElement.name") == "label"
    hand.tick(page.get_by_label("neutral", exact=True))
    hand.follow(button(page, "Decide and go on"))
    # The next one is there at once.
    shows(page, "Your decision is kept")
    assert page.inner_text("h1") != first.capitalize()
    hand.tick(page.get_by_label("contradiction", exact=True))
    with page.expect_navigation():
        page.keyboard.press("Enter")
    go(page, hand, "Disagreements")
    shows(page, f"{left - 2} are open")
    hand.follow(page.get_by_label("Which disagreements").get_by_role("link", name="All"))
    assert first in page.inner_text("table.stack")
    # A later decision replaces an earlier one.
    hand.follow(link(page, first))
    assert page.get_by_label("neutral", exact=True).is_checked()
    hand.tick(page.get_by_label("entailment", exact=True))
    hand.follow(button(page, "Decide and go on"))
    page.go_back()
    hand.look(page, "item-decided")
    decided = read_adjudications(studio.store, "labels")
    assert len(decided) == 2
    assert {str(one.answer["label"]) for one in decided} == {"E", "C"}


@flow(
    "GET /projects/{key}/raters/{number}",
    "POST /projects/{key}/raters/{number}/block",
    "POST /projects/{key}/raters/{number}/unblock",
    "POST /projects/{key}/raters/{number}/link",
    "POST /projects/{key}/raters/{number}/withdraw",
)
def test_a_rater_is_blocked_let_in_again_and_withdrawn(owner_window: Page, hand: Hand, studio: Studio) -> None:
    make(studio.store)
    work(studio.store)
    page = owner_window
    hand.follow(link(page, "Projects"))
    hand.follow(link(page, "labels"))
    hand.follow(link(page, "rater-3"))
    hand.look(page, "rater")
    hand.write(page.get_by_label("Reason, for the log"), "guesses")
    hand.follow(button(page, "Block rater-3"))
    shows(page, "Nothing of theirs counts")
    assert read_raters(studio.store, "labels")[2].state is RaterState.BLOCKED
    hand.look(page, "rater-blocked")
    hand.follow(button(page, "Let rater-3 in again"))
    shows(page, "may work again")
    assert read_raters(studio.store, "labels")[2].state is RaterState.ACTIVE
    # A link in wrong hands is replaced.
    number = read_rater_link(studio.store, "labels", "rater-3")
    hand.press(part(page, "The link by which they go on"))
    before = page.get_by_label("Link", exact=True).input_value()
    hand.follow(button(page, "Make a new link"))
    shows(page, "The rater has a new link")
    hand.press(part(page, "The link by which they go on"))
    assert page.get_by_label("Link", exact=True).input_value() != before
    assert read_rater_link(studio.store, "labels", "rater-3") == number + 1
    hand.press(part(page, "The id at the crowd platform"))
    shows(page, "worker-2")
    hand.look(page, "rater-opened")
    hand.press(part(page, "Withdrawal"))
    hand.tick(page.get_by_label("I am sure"))
    hand.follow(button(page, "Delete what rater-3 said"))
    shows(page, "What the rater said is deleted")
    hand.look(page, "rater-withdrawn")
    assert not [one for one in read_judgements(studio.store, "labels", all_states=True) if one.rater == "rater-3"]
    # The log says why and who.
    go(page, hand, "Log")
    hand.look(page, "project-log")
    assert "judged" in page.inner_text("table")
    hand.follow(link(page, "Without judgements"))
    rows = page.inner_text("table")
    assert "judged" not in rows
    assert "reason guesses" in rows
    assert "withdrawal entered" in rows


@flow(
    "GET /projects/{key}/instructions",
    "POST /projects/{key}/instructions",
    "POST /projects/preview",
    "GET /projects/{key}/rules",
    "POST /projects/{key}/rules",
    "GET /projects/{key}/log",
)
def test_instructions_and_rules_are_changed(new_window: NewWindow, served: str, hand: Hand, studio: Studio) -> None:
    home = make(studio.store)
    work(studio.store, most=2)
    page = new_window(lets="422")
    sign_in(page, served, home)
    go(page, hand, "Instructions")
    hand.write(page.get_by_label("What raters read"), "# Cats\n\nRead *all* <i>rows</i>.")
    page.locator("#instructions-preview em").wait_for()
    assert page.locator("#instructions-preview i").count() == 0
    hand.look(page, "instructions-written")
    hand.follow(button(page, "Keep as version 2"))
    shows(page, "The instructions have a new version")
    hand.press(part(page, "Version 1"))
    hand.look(page, "instructions")
    assert read_project(studio.store, "labels").instructions == "# Cats\n\nRead *all* <i>rows</i>."
    go(page, hand, "Rules")
    hand.write(page.get_by_label("Title"), "Cats")
    hand.write(page.get_by_label("Raters per item"), "0")
    hand.follow(button(page, "Change the rules"))
    shows(page, "Nothing was changed")
    assert "Expected a whole number from 1" in page.locator("#raters-wrong").inner_text()
    hand.look(page, "rules-wrong")
    hand.write(page.get_by_label("Raters per item"), "5")
    hand.write(page.get_by_label("Items per rater at most"), "8")
    hand.follow(button(page, "Change the rules"))
    shows(page, "The rules are changed")
    project = read_project(studio.store, "labels")
    assert (project.title, project.raters_per_item, project.most_per_rater) == ("Cats", 5, 8)
    go(page, hand, "Log")
    hand.follow(link(page, "Without judgements"))
    assert {entry.what for entry in read_log(studio.store, "labels")} >= {"project made", "project changed"}


@flow("GET /projects/{key}/export", "POST /projects/{key}/export", "POST /projects/{key}/take")
def test_what_was_said_is_downloaded_and_taken_in(
    new_window: NewWindow, served: str, hand: Hand, studio: Studio, tmp_path: Path
) -> None:
    sync_api = pytest.importorskip("playwright.sync_api")
    home = make(studio.store)
    work(studio.store, raters=2)
    page = new_window(lets="422")
    sign_in(page, served, home)
    go(page, hand, "Export")
    hand.follow(button(page, "What is in it?"))
    shows(page, "has 23 lines")
    hand.look(page, "export-inside")
    # What is ticked stays so while one looks what is in the file.
    hand.tick(page.get_by_label("Write the ids"))
    hand.follow(button(page, "What is in it?"))
    ratings = downloaded(page, hand)
    assert ratings.suggested_filename.endswith("-ratings.csv")
    assert "worker-0" in ratings.path().read_text(encoding="utf-8")
    # Somebody labels everything in Label Studio, and the file comes back.
    hand.tick(page.get_by_label("Write the ids"))
    hand.tick(page.get_by_label("label-studio:"))
    with zipfile.ZipFile(downloaded(page, hand).path()) as archive:
        tasks = json.loads(archive.read("label-studio.json"))
    for task in tasks:
        result = [{"from_name": "label", "to_name": "pair", "type": "choices", "value": {"choices": ["N"]}}]
        task["annotations"] = [{"result": result, "completed_by": 9}]
    path = tmp_path / "project-7.json"
    path.write_text(json.dumps(tasks), encoding="utf-8")
    hand.follow(button(page, "Take in"))
    shows(page, "Choose the JSON file")
    hand.look(page, "export-nothing-taken")
    for words in ("12 new judgements, 0 known", "0 new judgements, 12 known"):
        hand.give(page.get_by_label("File", exact=True), path)
        hand.follow(button(page, "Take in"))
        shows(page, words)
        # What came of it stands at the end of a long page, to which the browser goes.
        sync_api.expect(page.locator("p.told")).to_be_in_viewport()
    hand.look(page, "export-taken")
    assert sum(one.rater == "label-studio-9" for one in read_judgements(studio.store, "labels")) == 12
    go(page, hand, "Overview")
    link(page, "label-studio-9").wait_for()


def downloaded(page: Page, hand: Hand) -> Download:
    """Press the button that downloads, and return what came."""
    with page.expect_download() as download:
        hand.press(button(page, "Download"))
    return download.value
