"""What raters do: from an invitation to the first answer, every task, second thoughts, a pause, and the end."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import pytest
from tests.studio.flows.flow import flow
from tests.studio.flows.hands import Hand
from tests.studio.windows import shows
from tests.studio.work.desks import CUP, EVERY, PAIR, SPOKEN, invitation, make_project

from nliprobe.people.records import Item, Json, Project
from nliprobe.people.store.completing import read_completions
from nliprobe.people.store.judging import read_judgements
from nliprobe.people.store.progress import read_progress
from nliprobe.people.store.projects import ProjectChanges, change_project
from nliprobe.people.store.raters import read_raters
from nliprobe.studio.context import Studio

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page
    from tests.studio.flows.conftest import NewWindow

# A refused answer is told by the browser, too.
REFUSED = "Failed to load resource"
# Counts what is pressed on all pages of a tab, however it is pressed.
COUNT = """addEventListener("click", () => {
  sessionStorage.setItem("presses", 1 + Number(sessionStorage.getItem("presses")));
}, { capture: true });"""


def button(page: Page, name: str) -> Locator:
    return page.get_by_role("button", name=name)


def link(page: Page, name: str) -> Locator:
    return page.get_by_role("link", name=name)


def begin(page: Page, hand: Hand, address: str) -> None:
    """Open an invitation that came by mail, and press its button."""
    page.goto(address)
    hand.follow(button(page, "Begin"))
    shows(page, "Item 1 of")


def open_part(page: Page, hand: Hand, name: str) -> None:
    hand.press(page.locator("summary", has_text=name))


def items_of(*contents: dict[str, Json]) -> list[Item]:
    return [Item(f"item-{number}", content) for number, content in enumerate(contents)]


def answers(studio: Studio, project: Project) -> list[dict[str, Json]]:
    """Return what was answered, in the order in which it came."""
    kept = sorted(read_judgements(studio.store, project.name), key=lambda one: one.given)
    return [dict(one.answer) for one in kept]


@flow("GET /i/{token}", "POST /work/{key}/join", "GET /work/{key}", "POST /work/{key}/judge")
def test_an_invitation_leads_to_the_first_answer(
    new_window: NewWindow, hand: Hand, served: str, studio: Studio
) -> None:
    project = make_project(studio)
    page = new_window()
    page.add_init_script(COUNT)
    page.goto(served + invitation(studio, project))
    shows(page, "up to 4 items")
    hand.look(page, "invitation")
    assert read_raters(studio.store, project.name) == []
    hand.follow(button(page, "Begin"))
    shows(page, "Item 1 of up to 4")
    hand.follow(button(page, "Entailment"))
    shows(page, "Item 2 of up to 4")
    assert page.evaluate("sessionStorage.getItem('presses')") == "2"
    assert answers(studio, project) == [{"label": "E"}]


@flow("GET /i/{token}")
def test_an_invitation_that_is_used_up_says_so_and_lets_who_began_go_on(
    new_window: NewWindow, hand: Hand, served: str, studio: Studio
) -> None:
    project = make_project(studio)
    used = served + invitation(studio, project, most_uses=1)
    page, other = new_window(REFUSED), new_window(REFUSED)
    begin(page, hand, used)
    other.goto(used)
    shows(other, "used as often as it may be")
    hand.look(other, "invitation-used")
    hand.follow(link(other, "go on"))
    shows(other, "Open")
    hand.look(other, "stranger")
    page.goto(used)
    hand.follow(link(page, "go on"))
    shows(page, "Item 1 of")


class Pressed(NamedTuple):
    """What is pressed to answer an item, what that answers, how it is said, and what is ticked before."""

    choice: str
    answer: dict[str, Json]
    said: str
    box: str = ""


# Never the same twice: a press at once in the same place is taken for half of a double click.
PRESSED = {
    "verify": (Pressed("Neutral", {"label": "N"}, "Neutral"), Pressed("Entailment", {"label": "E"}, "Entailment")),
    "judge": (
        Pressed("Contradiction", {"label": "C", "odd": True}, "Contradiction, odd", "Odd"),
        Pressed("Neutral", {"label": "N", "odd": False}, "Neutral"),
    ),
    "predict": (
        Pressed("Entailment", {"label": "E"}, "Entailment"),
        Pressed("Contradiction", {"label": "C"}, "Contradiction"),
    ),
    "settle": (
        Pressed("Contradiction", {"verdict": "fix", "label": "C"}, "Contradiction"),
        Pressed("None is right", {"verdict": "reject", "label": ""}, "No label is right"),
    ),
    "pick": (Pressed("60-80 %", {"bin": 4}, "60-80 %"),),
}


@pytest.mark.parametrize("task", PRESSED)
@flow("POST /work/{key}/judge", "GET /work/{key}/answers")
def test_one_press_answers(task: str, new_window: NewWindow, hand: Hand, served: str, studio: Studio) -> None:
    project = make_project(studio, task, items=items_of(*EVERY[task].contents))
    page = new_window()
    begin(page, hand, served + invitation(studio, project))
    for number, one in enumerate(PRESSED[task], 1):
        shows(page, f"Item {number} of")
        hand.look(page, f"{task}-{'table' if page.locator('table.box').count() else 'text'}")
        if one.box:
            hand.tick(page.get_by_label(one.box))
        hand.follow(button(page, one.choice))
    shows(page, "nothing left for you")
    assert answers(studio, project) == [one.answer for one in PRESSED[task]]
    hand.follow(link(page, "My answers"))
    said = page.locator(".said-list strong").all_inner_texts()
    assert said == [one.said for one in reversed(PRESSED[task])]


@flow("POST /work/{key}/judge", "GET /work/{key}/answers/{item}")
def test_evidence_is_marked_in_tables_and_texts(new_window: NewWindow, hand: Hand, served: str, studio: Studio) -> None:
    cup: dict[str, Json] = {"premise": CUP, "hypothesis": "Ann won."}
    project = make_project(studio, "evidence", items=items_of(*EVERY["evidence"].contents, cup))
    page = new_window(REFUSED)
    begin(page, hand, served + invitation(studio, project))
    for number in (1, 2, 3):
        shows(page, f"Item {number} of")
        # An empty form is no answer.
        hand.press(button(page, "Save"))
        shows(page, "or say that nothing is needed.")
        if page.locator("ol.sentences").count():
            hand.tick(page.get_by_label("It rained all day."))
            shows(page, "1 marked")
            hand.look(page, "evidence-text")
            # That nothing is needed and that something is exclude each other.
            hand.tick(page.get_by_label("Nothing is needed"))
            assert not page.get_by_label("It rained all day.").is_checked()
        elif page.locator("thead").count():
            hand.tick(page.get_by_label("Row 2: Ben, 2"))
            hand.tick(page.get_by_label("Row 1: Ann, 1"))
            hand.tick(page.get_by_label("Row 2: Ben, 2"))
            hand.look(page, "evidence-columns")
        else:
            hand.tick(page.get_by_label("Nothing is needed"))
            hand.tick(page.get_by_label("Row 1: Height"))
            hand.tick(page.get_by_label("Knowledge from outside"))
            assert not page.get_by_label("Nothing is needed").is_checked()
            hand.look(page, "evidence-infobox")
        hand.follow(button(page, "Save"))
    shows(page, "nothing left for you")
    kept = {one.item: one.answer for one in read_judgements(studio.store, project.name)}
    assert kept == {
        "item-0": {"units": [0], "outside": True},
        "item-1": {"units": [], "outside": False},
        "item-2": {"units": [0], "outside": False},
    }
    # What was marked is marked when it is revised.
    hand.follow(link(page, "My answers"))
    shows(page, "Row 1 and knowledge from outside")
    hand.follow(link(page, "Mont Alba is higher"))
    assert page.get_by_label("Row 1: Height").is_checked()
    hand.look(page, "evidence-revised")
    hand.tick(page.get_by_label("Row 3: First ascent"))
    hand.follow(button(page, "Save"))
    shows(page, "Your answer was changed")
    hand.follow(link(page, "My answers"))
    shows(page, "Rows 1, 3 and knowledge from outside")


@flow("POST /work/{key}/judge")
def test_sentences_are_written(new_window: NewWindow, hand: Hand, served: str, studio: Studio) -> None:
    project = make_project(studio, "write", items=items_of(*EVERY["write"].contents))
    page = new_window(REFUSED)
    begin(page, hand, served + invitation(studio, project))
    asked = ("One that must be true", "One that must be false", "One that may be true or false")
    for number in (1, 2):
        shows(page, f"Item {number} of")
        hand.write(page.get_by_label(asked[0]), "It is high.")
        shows(page, "11 of ")
        hand.press(button(page, "Save"))
        shows(page, '"One that must be false": expected')
        hand.write(page.get_by_label(asked[1]), "It is high.")
        hand.write(page.get_by_label(asked[2]), "It is cold – çok soğuk, 很冷 🥶.")
        hand.press(button(page, "Save"))
        page.wait_for_selector("#wrong:visible")
        hand.look(page, f"write-{number}")
        hand.write(page.get_by_label(asked[1]), "It is low.")
        hand.follow(button(page, "Save"))
    shows(page, "nothing left for you")
    said = {"true": "It is high.", "false": "It is low.", "undecided": "It is cold – çok soğuk, 很冷 🥶."}
    assert answers(studio, project) == [said, said]


@flow("POST /work/{key}/judge", "POST /work/{key}/check", "GET /work/{key}/answers/{item}")
def test_the_values_of_tables_are_edited(new_window: NewWindow, hand: Hand, served: str, studio: Studio) -> None:
    boxed = make_project(studio, "counterfactual", items=items_of(PAIR | {"wanted": "C"}))
    page = new_window(REFUSED)
    begin(page, hand, served + invitation(studio, boxed))
    shows(page, "Nothing yet: the table is as it was.")
    # Spaces alone are no edit.
    hand.write(page.get_by_label("Height"), "2,310  m")
    hand.press(button(page, "Save"))
    shows(page, "Expected a table that differs from the original")
    hand.write(page.get_by_label("Height"), "")
    page.locator("#checked", has_text="Expected").wait_for()
    hand.write(page.get_by_label("Height"), "1,310 m")
    hand.write(page.get_by_label("Range"), "Lower Alps\nEast")
    shows(page, "This can be saved")
    assert page.locator("#diff ins").all_inner_texts() == ["1,310 m", "East"]
    assert page.locator("#diff del").all_inner_texts() == ["2,310 m", "West"]
    hand.look(page, "counterfactual-infobox")
    hand.follow(button(page, "Save"))
    shows(page, "nothing left for you")
    rows = [["Height", ["1,310 m"]], ["Range", ["Lower Alps", "East"]], ["First ascent", ["1871"]]]
    assert answers(studio, boxed)[0]["table"]["rows"] == rows  # type: ignore[index,call-overload]
    hand.follow(link(page, "My answers"))
    shows(page, "Height changed; Range changed")
    hand.follow(link(page, "Mont Alba is higher"))
    assert page.get_by_label("Range").input_value() == "Lower Alps\nEast"
    assert page.locator("#diff ins").all_inner_texts() == ["1,310 m", "East"]


@flow("POST /work/{key}/judge", "POST /work/{key}/check")
def test_the_cells_of_a_table_of_columns_are_edited(
    new_window: NewWindow, hand: Hand, served: str, studio: Studio
) -> None:
    content: dict[str, Json] = {"premise": CUP, "hypothesis": "Ann won twice.", "wanted": "E"}
    project = make_project(studio, "counterfactual", items=items_of(content), options={"edits": "rows"})
    page = new_window(REFUSED)
    begin(page, hand, served + invitation(studio, project))
    hand.write(page.get_by_label("won, row 1"), "2")
    shows(page, "This can be saved")
    hand.tick(page.get_by_label("remove row 2"))
    page.locator("#diff .diff-removed").wait_for()
    hand.write(page.get_by_label("who, row 3"), "Zoé")
    hand.press(button(page, "Add a row"))
    hand.write(page.get_by_label("who, row 4"), "عمر")
    hand.write(page.get_by_label("won, row 4"), "7")
    page.locator("#diff .diff-added", has_text="عمر").wait_for()
    hand.look(page, "counterfactual-columns")
    hand.follow(button(page, "Save"))
    shows(page, "nothing left for you")
    rows = [["", ["Ann", "2"]], ["", ["Zoé", ""]], ["", ["عمر", "7"]]]
    assert answers(studio, project)[0]["table"]["rows"] == rows  # type: ignore[index,call-overload]


@flow("POST /work/{key}/judge", "POST /work/{key}/check")
def test_rows_are_added_and_removed(new_window: NewWindow, hand: Hand, served: str, studio: Studio) -> None:
    project = make_project(studio, "counterfactual", items=items_of(PAIR | {"wanted": "C"}), options={"edits": "rows"})
    page = new_window(REFUSED)
    begin(page, hand, served + invitation(studio, project))
    hand.tick(page.get_by_label("remove Height"))
    shows(page, "This can be saved")
    hand.write(page.get_by_label("Key of the new row"), "Range")
    hand.write(page.get_by_label("Values of the new row"), "<b>Hills</b>")
    # No key is there twice.
    page.locator("#checked", has_text="Expected").wait_for()
    hand.write(page.get_by_label("Key of the new row"), "Country")
    shows(page, "This can be saved")
    page.locator("#diff .diff-added", has_text="<b>Hills</b>").wait_for()
    hand.press(button(page, "Add a row"))
    hand.write(page.get_by_label("Key of the new row").nth(1), "Sea")
    hand.press(button(page, "Remove new row 5"))
    assert page.get_by_label("Key of the new row").count() == 1
    shows(page, "This can be saved")
    assert page.locator("#diff b").count() == 0
    hand.look(page, "counterfactual-rows")
    hand.follow(button(page, "Save"))
    shows(page, "nothing left for you")
    rows = [["Range", ["Lower Alps", "West"]], ["First ascent", ["1871"]], ["Country", ["<b>Hills</b>"]]]
    assert answers(studio, project)[0]["table"]["rows"] == rows  # type: ignore[index,call-overload]
    hand.follow(link(page, "My answers"))
    shows(page, "Height removed; Country added")


@flow("POST /work/{key}/judge")
def test_points_are_placed(new_window: NewWindow, hand: Hand, served: str, studio: Studio) -> None:
    project = make_project(studio, "bid", count=1)
    page = new_window(REFUSED)
    begin(page, hand, served + invitation(studio, project))
    hand.press(button(page, "One point more on 60-80 %"))
    shows(page, "4 of 5 points left")
    hand.press(button(page, "Save"))
    shows(page, "Expected 5 points in all")
    hand.press(button(page, "All points that are left on 40-60 %"))
    shows(page, "All points are placed.")
    hand.press(button(page, "One point less on 40-60 %"))
    hand.write(page.get_by_label("80-100 %", exact=True), "2")
    shows(page, "1 too many")
    hand.write(page.get_by_label("80-100 %", exact=True), "1")
    shows(page, "All points are placed.")
    hand.look(page, "bid")
    hand.follow(button(page, "Save"))
    shows(page, "nothing left for you")
    assert answers(studio, project) == [{"points": [0, 0, 3, 1, 1]}]


@flow(
    "POST /work/{key}/draft",
    "POST /work/{key}/skip",
    "GET /work/{key}/answers",
    "GET /work/{key}/answers/{item}",
)
def test_second_thoughts(new_window: NewWindow, hand: Hand, served: str, studio: Studio) -> None:
    """A comment, an item that is passed on, one that is flagged, and answers that are changed."""
    project = make_project(studio, items=items_of(*[PAIR, SPOKEN] * 2))
    page = new_window(REFUSED)
    begin(page, hand, served + invitation(studio, project))
    open_part(page, hand, "Comment")
    hand.write(page.get_by_label("For the owner"), "hard to say")
    shows(page, "Draft kept.")
    hand.follow(button(page, "Contradiction"))
    shows(page, "Item 2")
    open_part(page, hand, "Skip or flag")
    hand.write(page.get_by_label("Why?"), "too hard")
    hand.look(page, "skip")
    hand.follow(button(page, "Skip"))
    shows(page, "The item was passed on to others.")
    open_part(page, hand, "Skip or flag")
    hand.press(button(page, "Flag"))
    shows(page, "Say what is wrong with the item")
    hand.write(page.get_by_label("Why?"), "a typo")
    hand.look(page, "flag")
    hand.follow(button(page, "Flag"))
    shows(page, "the owner will look at it")
    passed = [(flag.reason, flag.flagged) for flag in read_progress(studio.store, project.name).flags]
    assert passed == [("too hard", False), ("a typo", True)]
    # The last answer is changed.
    hand.follow(link(page, "Undo"))
    shows(page, "Revise an earlier answer")
    assert button(page, "Contradiction").get_attribute("aria-current") == "true"
    assert page.get_by_label("For the owner").input_value() == "hard to say"
    hand.follow(button(page, "Neutral"))
    shows(page, "Your answer was changed.")
    hand.follow(link(page, "My answers"))
    shows(page, "revised 1 time")
    hand.look(page, "answers")
    hand.follow(page.locator(".said-list a"))
    assert page.locator(".history li").all_inner_texts() == [
        "Contradiction (hard to say)",
        "Neutral (hard to say)",
    ]
    hand.look(page, "revise")
    hand.follow(link(page, "Back to the queue"))
    shows(page, "Item 2")
    assert answers(studio, project) == [{"label": "N"}]


@flow(
    "POST /work/{key}/draft",
    "POST /work/{key}/pause",
    "GET /work/{key}/me",
    "GET /back/{token}",
    "POST /back/{token}",
)
def test_work_goes_on_after_a_break(new_window: NewWindow, hand: Hand, served: str, studio: Studio) -> None:
    """In the same browser after the tab was closed, and elsewhere after a pause."""
    project = make_project(studio, "write", count=2)
    page = new_window()
    invited = served + invitation(studio, project)
    begin(page, hand, invited)
    hand.write(page.get_by_label("One that must be true"), "It is half a")
    shows(page, "Draft kept.")
    tab = page.context.new_page()
    page.close()
    # The invitation is still in the mail, and it leads to the same work.
    begin(tab, hand, invited)
    first = tab.get_by_label("One that must be true")
    assert first.input_value() == "It is half a"
    hand.write(tab.get_by_label("One that must be false"), "It is not.")
    shows(tab, "Draft kept.")
    assert read_progress(studio.store, project.name).leased == 1
    hand.follow(button(tab, "Pause"))
    shows(tab, "You have paused.")
    hand.look(tab, "paused")
    assert read_progress(studio.store, project.name).leased == 0
    own = tab.get_by_label("Your own link").input_value()
    elsewhere = new_window()
    elsewhere.goto(own)
    shows(elsewhere, "Go on with your work as rater-1")
    hand.look(elsewhere, "back")
    hand.follow(button(elsewhere, "Go on"))
    assert elsewhere.get_by_label("One that must be false").input_value() == "It is not."
    hand.follow(link(elsewhere, "My work"))
    shows(elsewhere, "and have judged 0 items")
    hand.follow(link(elsewhere, "Go on"))
    assert elsewhere.get_by_label("One that must be true").input_value() == "It is half a"
    assert [one.name for one in read_raters(studio.store, project.name)] == ["rater-1"]


@flow("POST /work/{key}/draft", "POST /work/{key}/judge")
def test_new_instructions_are_read_in_the_middle_of_an_item(
    new_window: NewWindow, hand: Hand, served: str, studio: Studio
) -> None:
    project = make_project(studio, "counterfactual", count=2)
    page = new_window()
    begin(page, hand, served + invitation(studio, project))
    open_part(page, hand, "Instructions")
    shows(page, "Read both texts.")
    change_project(studio.store, project.name, ProjectChanges(instructions="Change **one** value."))
    hand.write(page.get_by_label("Height"), "1,310 m")
    shows(page, "The instructions have just been changed.")
    hand.look(page, "instructions-changed")
    hand.follow(link(page, "Load the page again"))
    shows(page, "Change one value.")
    shows(page, "The instructions have changed since you last worked.")
    hand.look(page, "instructions-new")
    assert page.get_by_label("Height").input_value() == "1,310 m"
    shows(page, "This can be saved.")
    assert page.locator("#diff ins").all_inner_texts() == ["1,310 m"]
    hand.follow(button(page, "Save"))
    shows(page, "Item 2 of")
    assert page.locator("#changed").is_hidden()
    assert len(answers(studio, project)) == 1


@flow("GET /i/{token}", "GET /work/{key}/me", "POST /work/{key}/withdraw")
def test_a_worker_of_a_platform_finishes_and_withdraws(
    new_window: NewWindow, hand: Hand, served: str, studio: Studio
) -> None:
    project = make_project(studio, items=items_of(PAIR, SPOKEN), most_per_rater=1)
    page = new_window(REFUSED)
    invited = f"{served}{invitation(studio, project)}?PROLIFIC_PID=5f3a&STUDY_ID=9"
    page.goto(invited)
    shows(page, "together with the id that the platform has for you")
    hand.look(page, "invitation-platform")
    hand.follow(button(page, "Begin"))
    shows(page, "Item 1 of 1")
    hand.follow(button(page, "Entailment"))
    code = page.inner_text(".code")
    assert read_completions(studio.store, project.name) == {"rater-1": code}
    hand.look(page, "finished")
    # The platform may send the worker once more.
    page.goto(invited)
    hand.follow(button(page, "Begin"))
    assert page.inner_text(".code") == code
    assert [(one.name, one.external) for one in read_raters(studio.store, project.name)] == [("rater-1", "5f3a")]
    hand.follow(link(page, "My work"))
    hand.look(page, "my-work")
    hand.follow(button(page, "Withdraw"))
    shows(page, "tick the box first")
    hand.tick(page.get_by_label("I want everything that I said to be deleted"))
    hand.follow(button(page, "Withdraw"))
    shows(page, "What you said was deleted")
    hand.look(page, "withdrawn")
    assert read_judgements(studio.store, project.name, all_states=True) == []
    [rater] = read_raters(studio.store, project.name)
    assert (str(rater.state), rater.external) == ("withdrawn", "")
