"""A study, from its owner's links to the results, and from the first page to the thanks."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from tests.people.studied import small_study
from tests.studio.flows.flow import flow
from tests.studio.flows.hands import Hand
from tests.studio.helpers import Client
from tests.studio.study.walk import Walker, links, study_address
from tests.studio.windows import shows

from nliprobe.people.store.events import read_events
from nliprobe.people.store.studies import ParticipantState, read_participant
from nliprobe.people.store.study_answers import collect_answers, read_standing
from nliprobe.people.study.answers import Collected, read_answers
from nliprobe.people.study.files import read_key, write_study
from nliprobe.people.study.orders import item_order
from nliprobe.people.study.results import study_results
from nliprobe.studio.context import Studio
from nliprobe.studio.settings import Settings

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page
    from starlette.applications import Starlette

    NewWindow = Callable[..., Page]

NAME = "study-of-the-secret-system"
# Three questions of each kind show what there is to see.
LONG, LONG_KEY = small_study()
STUDY = replace(LONG, stages=tuple(replace(one, items=one.items[:3]) for one in LONG.stages))
ITEMS = {stage.id: item_order(STUDY, stage.id, 1) for stage in STUDY.stages}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The folder of the study."""
    made = tmp_path / NAME
    made.mkdir()
    write_study(made, STUDY, replace(LONG_KEY, study=STUDY.id))
    return made


@pytest.fixture
def settings(settings: Settings, folder: Path) -> Settings:
    """Serve the study."""
    return replace(settings, studies=(folder,))


@pytest.fixture
def invited(owner: Client, served: str) -> str:
    """The link of somebody who is invited."""
    address = study_address(owner)
    owner.submit(f"{address}/invite", count="1", note="Ann")
    return f"{served}{links(owner, address)[0]}"


@flow(
    "GET /study/{key}/come/{token}",
    "GET /study/{key}",
    "POST /study/{key}/consent",
    "GET /study/{key}/practice",
    "POST /study/{key}/practice",
    "GET /study/{key}/stage/{stage}",
    "GET /study/{key}/stage/{stage}/{item}",
    "POST /study/{key}/stage/{stage}/{item}",
    "GET /study/{key}/stage/{stage}/feedback",
    "POST /study/{key}/stage/{stage}/feedback",
    "GET /study/{key}/feedback",
    "POST /study/{key}/feedback",
    "GET /study/{key}/thanks",
    "GET /study/{key}/pause",
    "GET /study/{key}/withdraw",
    "POST /study/{key}/withdraw",
)
def test_a_participant_goes_from_the_link_to_the_thanks(
    new_window: NewWindow, hand: Hand, invited: str, studio: Studio
) -> None:
    page = new_window()
    page.goto(invited)
    hand.look(page, "landing")
    hand.follow(button(page, "I agree, begin"))
    # The practice question: without a choice nothing is sent.
    hand.look(page, "practice")
    hand.press(button(page, "Answer"))
    assert page.evaluate("() => document.activeElement.matches(':invalid')")
    hand.tick(page.get_by_role("radio", name="contradiction"))
    hand.follow(button(page, "Answer"))
    shows(page, "Because it is.")
    hand.look(page, "solution")
    hand.follow(link(page, "Go on"))
    hand.look(page, "instructions")
    hand.follow(link(page, "Begin this part"))
    # Points on ranges, never more than there are.
    hand.look(page, "bid")
    more, less = (button(page, f"One point {way} on 20-40 %") for way in ("more", "less"))
    for _ in range(5):
        hand.press(more)
    assert page.inner_text("#left") == "0 points left"
    hand.press(less)
    hand.press(less)
    hand.press(button(page, "One point more on 80-100 %"))
    assert page.inner_text("#left") == "1 point left"
    hand.follow(button(page, "Answer"))
    assert read_standing(studio.store, NAME, 1).answers["bids", ITEMS["bids"][0]] == "0 3 0 0 1"
    # Looked back at by the browser's button, skipped, looked back at again, and changed.
    page.go_back()
    shows(page, "You answered: 3 points on 20-40 %, 1 point on 80-100 %.")
    page.go_forward()
    shows(page, "question 2 of 3")
    hand.follow(button(page, "Skip this question"))
    hand.follow(link(page, "The question before"))
    shows(page, "You skipped this question.")
    hand.follow(link(page, "The question before"))
    shows(page, "You answered: 3 points on 20-40 %, 1 point on 80-100 %.")
    hand.look(page, "bid-again")
    hand.write(page.get_by_label("20-40 %", exact=True), "1")
    hand.write(page.get_by_label("0-20 %", exact=True), "3")
    assert page.inner_text("#left") == "0 points left"
    hand.follow(button(page, "Change the answer"))
    assert page.url.endswith("/stage/1/3")
    assert read_standing(studio.store, NAME, 1).answers["bids", ITEMS["bids"][0]] == "3 1 0 0 1"
    hand.follow(link(page, "The question before"))
    hand.press(page.get_by_text("Read the instructions again"))
    shows(page, "Welcome.")
    hand.look(page, "instructions-again")
    hand.follow(link(page, "Go on where you stopped"))
    # A pause, and on in another window by the link that it shows.
    hand.follow(link(page, "Pause"))
    hand.look(page, "pause")
    elsewhere = new_window()
    elsewhere.goto(page.locator(".link a").inner_text())
    assert elsewhere.url.endswith("/stage/1/3")
    hand.press(button(elsewhere, "One point more on 60-80 %"))
    hand.follow(button(elsewhere, "Answer"))
    hand.follow(link(elsewhere, "Begin this part"))
    # The first window, in which the pause is over, goes on there; what it has shown is answered meanwhile.
    hand.follow(link(page, "Go on"))
    hand.follow(link(page, "Begin this part"))
    hand.look(page, "pick")
    hand.tick(page.get_by_role("radio", name="40-60 %"))
    hand.follow(button(page, "Answer"))
    hand.tick(page.get_by_role("radio", name="0-20 %", exact=True))
    hand.tick(elsewhere.get_by_role("radio", name="80-100 %"))
    hand.follow(button(elsewhere, "Answer"))
    shows(elsewhere, "You have answered this question in another window.")
    shows(elsewhere, "You answered: 40-60 %")
    hand.look(elsewhere, "meanwhile")
    hand.follow(link(elsewhere, "Go on where you stopped"))
    assert elsewhere.url.endswith("/stage/2/2")
    hand.follow(button(page, "Answer"))
    hand.tick(page.get_by_role("radio", name="0-20 %", exact=True))
    hand.follow(button(page, "Answer"))
    # Labels, and what the participant says about the part.
    hand.follow(link(page, "Begin this part"))
    hand.look(page, "label")
    for _ in range(3):
        hand.tick(page.get_by_role("radio", name="neutral"))
        hand.follow(button(page, "Answer"))
    hand.look(page, "feedback-of-stage")
    hand.follow(link(page, "The question before"))
    hand.tick(page.get_by_role("radio", name="entailment"))
    hand.follow(button(page, "Change the answer"))
    hand.tick(page.get_by_role("radio", name="no", exact=True))
    hand.write(page.get_by_label("Anything else?"), "It was 🙂 <b>fine</b>.")
    hand.follow(button(page, "Go on"))
    hand.follow(link(page, "Begin this part"))
    for _ in range(3):
        hand.tick(page.get_by_role("radio", name="contradiction"))
        hand.follow(button(page, "Answer"))
    # All of it may be left open.
    hand.follow(button(page, "Go on"))
    hand.look(page, "feedback")
    hand.tick(page.get_by_role("radio", name="Part 4"))
    hand.follow(button(page, "Go on"))
    shows(page, "You have answered everything.")
    hand.look(page, "thanks")
    standing = read_standing(studio.store, NAME, 1)
    assert len(standing.answers) == 1 + 4 * 3
    assert standing.answers["picks", ITEMS["picks"][0]] == "40-60"
    assert standing.answers["B1", ITEMS["B1"][2]] == "E"
    assert standing.feedback["B1", "useful"] == "no"
    assert standing.feedback["B1", "remark"] == "It was 🙂 <b>fine</b>."
    assert standing.feedback["", "easier"] == "R2"
    assert standing.participant.finished is not None
    # After the end, too, everything can be taken back; who thinks better of it has lost nothing.
    hand.follow(link(page, "withdraw from the study"))
    hand.look(page, "withdraw")
    hand.follow(link(page, "No, go on"))
    shows(page, "You have answered everything.")
    hand.follow(link(page, "withdraw from the study"))
    hand.follow(button(page, "Withdraw and delete my answers"))
    shows(page, "Your answers were deleted.")
    hand.look(page, "withdrawn")
    assert read_participant(studio.store, NAME, 1).state is ParticipantState.WITHDRAWN
    assert not collect_answers(studio.store, NAME, STUDY).given


@flow(
    "GET /study/{key}/join/{token}",
    "POST /study/{key}/join/{token}",
    "POST /studies/{key}/open",
    "GET /study/{key}/thanks",
)
def test_people_come_from_a_crowd_platform(
    owner_window: Page, new_window: NewWindow, hand: Hand, studio: Studio
) -> None:
    page = owner_window
    hand.follow(link(page.locator("nav"), "Studies"))
    hand.follow(link(page, "A study"))
    hand.press(page.get_by_text("One link for everybody"))
    hand.write(page.get_by_label("Participants at most"), "1")
    hand.follow(button(page, "Open it"))
    shows(page, "At most 1 participant in all.")
    hand.look(page, "owner-open")
    common = copied(page, hand)
    # A worker, who comes with the id that the platform has for them.
    worker = new_window(lets="status of 4")
    worker.goto(f"{common}?PROLIFIC_PID=5f1a")
    hand.look(worker, "landing-of-worker")
    hand.follow(button(worker, "I agree, begin"))
    hand.follow(button(worker, "Skip this question"))
    while not worker.url.endswith("/thanks"):
        onward = worker.locator("#on, [name=skip], .opinions button.main")
        hand.follow(onward)
    hand.look(worker, "thanks-with-code")
    code = worker.inner_text("#code")
    # The same worker comes again from the platform.
    worker.goto(f"{common}?PROLIFIC_PID=5f1a")
    shows(worker, code)
    # In another browser the id opens nothing, and there is no place for one more.
    late = new_window(lets="status of 4")
    for given, sentence in (("5f1a", "begun in another browser"), ("77", "as many participants as it needs")):
        late.goto(f"{common}?PROLIFIC_PID={given}")
        hand.follow(button(late, "I agree, begin"))
        shows(late, sentence)
        hand.look(late, "not-let-in")
    page.reload()
    shows(page, f"worker 5f1a, code {code}")
    hand.look(page, "owner-code")
    # The link that the owner sees lets the worker in elsewhere.
    hand.press(page.get_by_text("Link and withdrawal"))
    late.goto(page.locator("ul.people code").inner_text())
    shows(late, code)
    hand.follow(button(page, "Close it: nobody new can join"))
    shows(page, "for crowd platforms · closed")
    stranger = new_window(lets="status of 4")
    stranger.goto(common)
    shows(stranger, "Nobody new can join this study now.")
    assert read_participant(studio.store, NAME, 1).external == "5f1a"


@flow(
    "GET /studies",
    "GET /studies/{key}",
    "POST /studies/{key}/invite",
    "POST /studies/{key}/link",
    "POST /studies/{key}/withdraw",
    "GET /studies/{key}/results",
    "GET /studies/{key}/answers.csv",
)
def test_the_owner_follows_a_study(
    owner_window: Page,
    new_window: NewWindow,
    owner: Client,
    hand: Hand,
    studio: Studio,
    app: Starlette,
    folder: Path,
    tmp_path: Path,
) -> None:
    page = owner_window
    hand.follow(link(page.locator("nav"), "Studies"))
    hand.look(page, "owner-studies")
    hand.follow(link(page, "A study"))
    shows(page, "Nobody yet.")
    hand.look(page, "owner-study-new")
    hand.follow(link(page, "Results so far"))
    shows(page, "Nobody has answered yet.")
    page.go_back()
    # Two links, for a desk and a phone.
    hand.write(page.get_by_label("How many"), "2")
    hand.write(page.get_by_label("Note, which only you see"), "the phonology class")
    hand.follow(button(page, "Make links"))
    shows(page, "2 new links.")
    hand.look(page, "owner-invited")
    first = copied(page, hand)
    ann = new_window(lets="status of 4")
    ann.goto(first)
    hand.follow(button(ann, "I agree, begin"))
    # What was sent to the wrong address is replaced: who came by it is out, who has the new one goes on.
    hand.follow(button(page, "Make a new link for participant-1"))
    shows(page, "There is a new link.")
    hand.look(page, "owner-renewed")
    ann.reload()
    shows(ann, "Your link was replaced by a newer one.")
    ann.goto(copied(page, hand))
    ann.wait_for_url("**/practice")
    # They answer, and the owner reads how far they are.
    address = study_address(owner)
    for theirs, stop in zip(links(owner, address), ("/thanks", "/stage/2/2"), strict=True):
        walker = Walker(Client(app), theirs, f"/study/{address.rpartition('/')[2]}")
        walker.open(theirs)
        walker.walk(stop)
    hand.follow(link(page.locator("nav"), "Studies"))
    shows(page, "2 taking part, 1 of them finished")
    hand.follow(link(page, "A study"))
    shows(page, "12 of 12 answers")
    shows(page, "4 of 12 answers")
    hand.look(page, "owner-study")
    hand.follow(link(page, "Results so far"))
    shows(page, "2 people have answered. 1 of them has not finished")
    hand.look(page, "owner-results")
    hand.follow(link(page, NAME))
    read = downloaded(page, hand, tmp_path)
    assert read.given == collect_answers(studio.store, NAME, STUDY).given
    assert read.participants == ["participant-1", "participant-2"]
    assert study_results(STUDY, read_key(folder, STUDY), read)["participants"] == 2
    # The first participant asks that their answers be deleted; without the tick nothing is.
    person = page.locator("ul.people > li").first
    hand.press(person.get_by_text("Link and withdrawal"))
    delete = button(person, "Delete all answers of participant-1")
    hand.press(delete)
    assert page.evaluate("() => document.activeElement.matches(':invalid')")
    hand.look(page, "owner-sure")
    hand.tick(person.get_by_label("I am sure."))
    hand.follow(delete)
    shows(page, "has withdrawn")
    hand.look(page, "owner-withdrawn")
    assert downloaded(page, hand, tmp_path).participants == ["participant-2"]
    hand.follow(link(page, "Results so far"))
    shows(page, "1 person has answered.")
    told = [(event.what, event.about.get("answers")) for event in read_events(studio.store)]
    assert ("participant withdrawn", 18) in told


def button(within: Page | Locator, name: str) -> Locator:
    return within.get_by_role("button", name=name, exact=True)


def link(within: Page | Locator, name: str) -> Locator:
    return within.get_by_role("link", name=name, exact=True)


def copied(page: Page, hand: Hand) -> str:
    """Copy the first link that is in sight, and return what was copied."""
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    hand.press(page.locator("button.copy:visible").first)
    page.wait_for_selector("text=Copied")
    copy: str = page.evaluate("() => navigator.clipboard.readText()")
    assert "/study/" in copy
    return copy


def downloaded(page: Page, hand: Hand, tmp_path: Path) -> Collected:
    """Export the answers, and read them as the command line does."""
    with page.expect_download() as given:
        hand.press(link(page, "Export the answers (CSV)"))
    path = tmp_path / given.value.suggested_filename
    assert path.name == "answers.csv"
    given.value.save_as(path)
    return read_answers(STUDY, [path])
