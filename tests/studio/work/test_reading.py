"""Texts and tables that the built-in corpora do not have: other directions, many columns, labels of several letters."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.studio.helpers import Client
from tests.studio.windows import sign_in, window
from tests.studio.work.desks import invitation, make_project

from nliprobe.people.records import Item, Json
from nliprobe.people.tasks import TASKS
from nliprobe.people.tasks.premises import premise_value
from nliprobe.studio.context import Studio, address
from nliprobe.studio.work.faces import FACES
from nliprobe.task.table import Row, Table

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator, Route

ARABIC = "يلعب الأطفال كرة القدم في الحديقة."
SEASON = Table(
    "philadelphia flyers",
    tuple(Row("", (str(game), "washington capitals", "philadelphia", "5 - 1", "attendance")) for game in (54, 55)),
    columns=("game", "opponent", "arena", "score", "notes"),
)
# Where the first and the last letter of an element stand, and in how many pieces its first word is.
FIRST_AND_LAST = """element => {
    const text = document.createTreeWalker(element, NodeFilter.SHOW_TEXT).nextNode();
    const range = document.createRange();
    const at = (start, stop) => { range.setStart(text, start); range.setEnd(text, stop); return range; };
    const length = text.data.trimEnd().length;
    return [at(0, 1).getBoundingClientRect().left, at(length - 1, length).getBoundingClientRect().left,
            at(0, text.data.split(" ")[0].length).getClientRects().length];
}"""


def items(premise: str | Table, hypothesis: str, **more: Json) -> list[Item]:
    return [Item("one", {"premise": premise_value(premise), "hypothesis": hypothesis, **more})]


def places(text: Locator) -> list[float]:
    found: list[float] = text.evaluate(FIRST_AND_LAST)
    return found


@pytest.mark.parametrize("task", ["verify", "evidence"])
def test_a_text_from_right_to_left_ends_on_the_left(browser: Browser, served: str, studio: Studio, task: str) -> None:
    more: dict[str, Json] = {"sentences": [[0, len(ARABIC)]]} if task == "evidence" else {}
    project = make_project(studio, task, items=items(ARABIC, ARABIC, **more))
    with window(browser, 1280) as page:
        page.goto(served + invitation(studio, project))
        page.get_by_role("button", name="Begin").click()
        page.wait_for_selector("#answer")
        page.wait_for_load_state()
        for text in page.get_by_text(ARABIC).all():
            first, last, _ = places(text)
            assert last < first
        sign_in(page, served, f"/projects/{address(project.name)}/items/0")
        first, last, _ = places(page.locator(".beside").get_by_text(ARABIC).first)
        assert last < first


def test_the_owner_sees_the_lines_of_a_premise(browser: Browser, served: str, studio: Studio) -> None:
    project = make_project(studio, items=items("One line.\nAnother line.", "Two lines."))
    with window(browser, 1280) as page:
        sign_in(page, served, f"/projects/{address(project.name)}/items/0")
        assert page.locator(".beside .say").first.inner_text() == "One line.\nAnother line."


@pytest.mark.parametrize("task", ["verify", "evidence"])
def test_words_in_a_table_of_columns_stay_whole_on_a_phone(
    browser: Browser, served: str, studio: Studio, task: str
) -> None:
    project = make_project(studio, task, items=items(SEASON, "washington played twice"))
    with window(browser, 390) as page:
        page.goto(served + invitation(studio, project))
        page.get_by_role("button", name="Begin").click()
        page.wait_for_selector("#answer")
        page.wait_for_load_state()
        for cell in page.get_by_text("washington capitals").all():
            assert places(cell)[2] == 1
        assert page.evaluate("() => document.documentElement.scrollWidth") == 390


def test_a_changed_row_of_a_table_of_columns_is_named_by_its_number() -> None:
    task = TASKS.get("counterfactual")({})
    face = FACES.get("counterfactual")(task)
    [item] = items(SEASON, "washington played twice", wanted="C")
    cells: list[Json] = ["55", "boston bruins", *SEASON.rows[1].values[2:]]
    values: dict[str, Json] = {"row": ["0", "1"], "values-0": list(SEASON.rows[0].values), "values-1": cells}
    lines = face.live(item, values)["lines"]
    assert isinstance(lines, list)
    assert [(line["name"], line["change"]) for line in lines] == [("row 1", "same"), ("row 2", "changed")]
    assert face.said(item, face.answer(item, values)) == "row 2 changed"


def test_what_is_the_same_does_not_hide_what_was_changed(browser: Browser, served: str, studio: Studio) -> None:
    box = Table("A box", tuple(Row(f"Key {number}", (f"value {number}",)) for number in range(60)))
    project = make_project(studio, "counterfactual", items=items(box, "Key 50 is value 50.", wanted="C"))
    with window(browser, 1280) as page:
        page.goto(served + invitation(studio, project))
        page.get_by_role("button", name="Begin").click()
        page.locator("#values-50").fill("something else")
        page.locator("#diff tr.diff-changed").wait_for()
        assert page.locator("#diff tbody tr:visible").count() == 1


def test_what_was_typed_before_the_script_was_there_is_compared_too(
    browser: Browser, served: str, studio: Studio
) -> None:
    box = Table("A box", (Row("Key", ("value",)),))
    project = make_project(studio, "counterfactual", items=items(box, "Key is value.", wanted="C"))
    with window(browser, 1280) as page:
        held: list[Route] = []

        def hold(route: Route) -> None:
            held.append(route)

        page.route("**/counterfactual.js", hold)
        page.goto(served + invitation(studio, project))
        # The page waits for its script, which is not there yet.
        page.get_by_role("button", name="Begin").click(no_wait_after=True)
        page.locator("#values-0").fill("something else")
        assert page.locator("#diff").is_hidden()
        [waiting] = held
        waiting.continue_()
        page.locator("#diff tr.diff-changed").wait_for()


def test_an_invitation_without_instructions_says_once_what_is_asked(studio: Studio, anybody: Client) -> None:
    about = TASKS.get("verify").about
    link = invitation(studio, make_project(studio, instructions=about))
    assert anybody.show(link).count(about) == 1
    link = invitation(studio, make_project(studio, "judge", instructions="Read both."))
    assert "Read both." in anybody.show(link)
