"""Raters whose hands and devices do more than they mean: double clicks, held keys, two tabs, long words."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.studio.windows import shows, tab_to, window, wrong
from tests.studio.work.desks import CUP, SPOKEN, TABLE, begin, invitation, make_project, work

from nliprobe.people.records import Item, Json
from nliprobe.people.store.drafting import read_draft
from nliprobe.people.store.judging import read_judgements
from nliprobe.people.store.projects import ProjectChanges, change_project
from nliprobe.studio.context import Studio

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Route

# The server tells the browser so on purpose.
REFUSED = "Failed to load resource"


def test_the_second_half_of_a_double_click_judges_nothing(browser: Browser, served: str, studio: Studio) -> None:
    project = make_project(studio, items=[Item(f"item-{number}", SPOKEN) for number in range(3)])
    with window(browser, 1280) as page:
        begin(page, served + invitation(studio, project))
        place = page.get_by_role("button", name="Entailment").bounding_box()
        assert place is not None
        x, y = place["x"] + 30, place["y"] + 20
        # However long the next page takes here: to it, the click before is as old as it says.
        page.add_init_script("Date.now = () => 1e12; Object.defineProperty(performance, 'timeOrigin', {value: 1e12});")
        page.reload()
        page.mouse.click(x, y)
        shows(page, "Item 2")
        assert page.get_by_role("button", name="Entailment").bounding_box() == place
        page.mouse.click(x, y)
        page.locator("summary", has_text="Comment").click()
        page.locator("#remark").fill("still the second")
        shows(page, "Draft kept")
        assert len(read_judgements(studio.store, project.name)) == 1
        page.get_by_role("button", name="Neutral").click()
        shows(page, "Item 3")
    assert [one.answer["label"] for one in read_judgements(studio.store, project.name)] == ["E", "N"]


def test_a_key_that_is_held_down_judges_one_item(browser: Browser, served: str, studio: Studio) -> None:
    project = make_project(studio)
    with window(browser, 1280) as page:
        begin(page, served + invitation(studio, project))
        page.keyboard.down("1")
        shows(page, "Item 2")
        # Pressed again without being let go, a key repeats.
        for _ in range(5):
            page.keyboard.down("1")
        page.keyboard.up("1")
        page.keyboard.press("2")
        shows(page, "Item 3")
    assert [one.answer["label"] for one in read_judgements(studio.store, project.name)] == ["E", "N"]


def test_a_draft_says_whether_it_is_kept_and_whether_the_instructions_have_changed(
    browser: Browser, served: str, studio: Studio
) -> None:
    project = make_project(studio, "write")
    with window(browser, 1280, lets=REFUSED) as page:
        begin(page, served + invitation(studio, project))
        change_project(studio.store, project.name, ProjectChanges(instructions="Write **short** ones."))
        first = page.locator("#write-true")
        # Browsers send no more than 64 KB for a page that is left; what is longer is kept as well.
        first.evaluate("(field) => { field.maxLength = 1e6; field.value = 'a word '.repeat(10000); }")
        first.press("End")
        first.press("!")
        shows(page, "Draft kept")
        page.get_by_role("link", name="Load the page again").click()
        shows(page, "The instructions have changed since you last worked")
        assert page.inner_text("details.instructions strong") == "short"
        assert len(page.input_value("#write-true")) == 70_001
        page.locator("#write-true").evaluate("(field) => { field.maxLength = 1e6; field.value = 'a'.repeat(600000); }")
        page.locator("#write-undecided").fill("It is red.")
        shows(page, "The draft is not kept. The draft has 6")
        page.locator("#write-true").fill("It is steep.")
        page.locator("#write-false").fill("It is flat.")
        other = page.context.new_page()
        other.goto(served + work(project))
        for name, text in (("true", "It is high."), ("false", "It is low."), ("undecided", "It is cold.")):
            other.locator(f"#write-{name}").fill(text)
        other.get_by_role("button", name="Save").click()
        shows(other, "Item 2")
        page.locator("#write-undecided").fill("It is old.")
        shows(page, "kept only if you save it")
        page.get_by_role("button", name="Save").click()
        shows(page, "your first answer counts")
        [judged] = read_judgements(studio.store, project.name)
        draft = read_draft(studio.store, project.name, "rater-1", judged.item)
        assert draft is not None
        assert draft["fields"]["undecided"] == "It is old."  # type: ignore[index,call-overload]


def test_new_instructions_are_loaded_from_a_page_that_was_refused_before_its_scripts_came(
    browser: Browser, served: str, studio: Studio
) -> None:
    project = make_project(studio, "write")
    with window(browser, 1280, lets=REFUSED) as page:
        page.route("**/*.js", lambda route: route.abort())
        begin(page, served + invitation(studio, project), script=False)
        page.get_by_role("button", name="Save").click()
        page.wait_for_selector("#wrong:visible")
        page.unroute("**/*.js")
        page.reload()
        change_project(studio.store, project.name, ProjectChanges(instructions="Write **short** ones."))
        page.locator("#write-true").fill("It is high.")
        page.get_by_role("link", name="Load the page again").click()
        shows(page, "The instructions have changed since you last worked")
        assert page.input_value("#write-true") == "It is high."


def test_an_answer_that_the_browser_cannot_keep_is_sent_all_the_same(
    browser: Browser, served: str, studio: Studio
) -> None:
    project = make_project(studio)
    with window(browser, 1280) as page:
        page.add_init_script(
            """const kept = Storage.prototype.setItem;
            Storage.prototype.setItem = function (name, value) {
              if (name.includes("/work/")) throw new DOMException("It is full.", "QuotaExceededError");
              kept.call(this, name, value);
            };"""
        )
        begin(page, served + invitation(studio, project))
        page.keyboard.press("2")
        shows(page, "Item 2")
    assert len(read_judgements(studio.store, project.name)) == 1


def test_enter_in_a_cell_goes_on_to_the_next_one_and_saves_nothing(
    browser: Browser, served: str, studio: Studio
) -> None:
    content: dict[str, Json] = {"premise": CUP, "hypothesis": "Ann won twice.", "wanted": "E"}
    project = make_project(studio, "counterfactual", items=[Item("cup", content)])
    with window(browser, 1280, lets=REFUSED) as page:
        begin(page, served + invitation(studio, project))
        page.get_by_label("won, row 1").fill("2")
        page.keyboard.press("Enter")
        page.keyboard.type("Bert")
        shows(page, "This can be saved")
        assert page.get_by_label("who, row 2").input_value() == "Bert"
        assert read_judgements(studio.store, project.name) == []
        for name, text in (("won, row 1", "1"), ("who, row 2", "Ben")):
            page.get_by_label(name).fill(text)
        page.get_by_role("button", name="Save").click()
        page.wait_for_selector("#wrong:visible")
        # In words for people, who do not see the JSON that their form becomes.
        assert page.inner_text("#wrong").startswith("Expected a table that differs from the original")


def test_that_a_table_can_be_saved_is_not_said_before_it_was_checked(
    browser: Browser, served: str, studio: Studio
) -> None:
    project = make_project(studio, "counterfactual")
    with window(browser, 1280, lets=REFUSED) as page:
        begin(page, served + invitation(studio, project))
        page.get_by_label("Height").fill("1,310 m")
        shows(page, "This can be saved")
        # The server does not answer for a while.
        held: list[Route] = []
        page.route("**/check", lambda route: held.append(route))
        with page.expect_request("**/check"):
            page.get_by_label("Height").fill("")
            assert not page.get_by_text("This can be saved").is_visible()
        assert not page.get_by_text("This can be saved").is_visible()
        page.unroute("**/check")
        page.get_by_label("Range").fill("Lower Alps")
        page.locator("#checked", has_text="Expected").wait_for()


def test_the_focus_stays_with_the_button_of_an_answer_that_is_refused(
    browser: Browser, served: str, studio: Studio
) -> None:
    project = make_project(studio, "evidence", items=[Item("one", SPOKEN | {"sentences": [[0, 18], [19, 33]]})])
    height = "() => document.querySelector('.ask').getBoundingClientRect().height"
    with window(browser, 1280, lets=REFUSED) as page:
        begin(page, served + invitation(studio, project))
        tab_to(page, "button.main")
        page.keyboard.press("Enter")
        page.wait_for_selector("#wrong:visible")
        page.wait_for_selector("button.main:focus-visible")
        # Nor does the bar grow over the last sentence when it says how much is marked.
        before = page.evaluate(height)
        page.keyboard.press("1")
        shows(page, "1 marked")
        assert page.evaluate(height) == before


def test_the_focus_goes_to_the_next_row_when_a_new_one_is_removed(
    browser: Browser, served: str, studio: Studio
) -> None:
    content: dict[str, Json] = {"premise": CUP, "hypothesis": "Ann won twice.", "wanted": "E"}
    project = make_project(studio, "counterfactual", items=[Item("cup", content)], options={"edits": "rows"})
    with window(browser, 1280) as page:
        begin(page, served + invitation(studio, project))
        for text in ("Cem", "Dee", "Eve"):
            page.get_by_label("who, row", exact=False).last.fill(text)
            page.get_by_role("button", name="Add a row").click()
        names = "() => [...document.querySelectorAll('#rows [aria-label^=who]')].map((one) => one.ariaLabel)"
        assert page.evaluate(names) == [f"who, row {number}" for number in range(1, 7)]
        page.get_by_role("button", name="Remove new row 4").press("Enter")
        assert page.evaluate("document.activeElement.ariaLabel") == "Remove new row 4"
        assert page.get_by_label("who, row 4").input_value() == "Eve"
        assert page.evaluate(names) == [f"who, row {number}" for number in range(1, 6)]
        for _ in range(3):
            page.keyboard.press("Enter")
        # The only new row that is left stays, to be filled.
        assert page.evaluate("document.activeElement.ariaLabel") == "Remove new row 3"
        assert page.get_by_label("who, row 3").input_value() == ""


ADDRESS = "https://example.org/" + "an_address_without_a_space_" * 6
WIDE: Json = {
    "title": "A title that is much longer than the window of a phone is wide, and that people read as a whole",
    "columns": [f"Column{number}" for number in range(9)],
    "rows": [["", [f"value{number}" for number in range(9)]]],
}


@pytest.mark.parametrize("width", [390, 1280])
def test_a_long_address_in_a_table_does_not_widen_the_page(
    width: int, browser: Browser, served: str, studio: Studio
) -> None:
    premise: dict[str, Json] = TABLE | {"title": ADDRESS, "rows": [["Website", [ADDRESS]], ["Height", ["2,310 m"]]]}
    content: dict[str, Json] = {"premise": premise, "hypothesis": "It is high.", "wanted": "C"}
    project = make_project(studio, "counterfactual", items=[Item("long", content)], options={"edits": "rows"})
    with window(browser, width) as page:
        begin(page, served + invitation(studio, project))
        assert not wrong(page, axe=False)


@pytest.mark.parametrize("task", ["verify", "evidence", "counterfactual"])
def test_the_edge_behind_which_a_table_goes_on_is_in_shadow(
    browser: Browser, served: str, studio: Studio, task: str
) -> None:
    """On a phone a table that ends between two columns would look whole."""
    content: dict[str, Json] = {"premise": WIDE, "hypothesis": "Value 3 is there."}
    wanted: dict[str, Json] = {"wanted": "E"} if task == "counterfactual" else {}
    project = make_project(studio, task, items=[Item("wide", content | wanted)])
    with window(browser, 390, "light") as page:
        begin(page, served + invitation(studio, project))
        table = page.locator(".wide")
        table.scroll_into_view_if_needed()
        box = table.bounding_box()
        assert box is not None

        def edge(left: float) -> bytes:
            """The uppermost corner of the table, where there is no text."""
            return page.screenshot(clip={"x": left, "y": box["y"] + 1, "width": 2, "height": 3})

        left, right = box["x"], box["x"] + box["width"] - 2
        whole = edge(left)
        assert edge(right) != whole
        table.evaluate("table => table.scrollTo({ left: 9999, behavior: 'instant' })")
        assert edge(left) != whole
        assert edge(right) == whole


def test_the_arrows_move_a_wide_table_that_has_the_focus(browser: Browser, served: str, studio: Studio) -> None:
    project = make_project(studio, items=[Item("wide", {"premise": WIDE, "hypothesis": "Value 3 is there."})])
    with window(browser, 390) as page:
        begin(page, served + invitation(studio, project))
        tab_to(page, ".wide")
        moved = page.evaluate_handle(
            "() => ({ yes: new Promise((done) => document.querySelector('.wide').addEventListener('scroll', done)) })"
        )
        page.keyboard.press("ArrowRight")
        moved.evaluate("moved => moved.yes.then(() => true)")
        # Up and down lead to the choices, as everywhere.
        page.keyboard.press("ArrowDown")
        assert page.evaluate("document.activeElement.value") == "E"


def test_in_a_low_window_the_choices_leave_room_for_the_premise(browser: Browser, served: str, studio: Studio) -> None:
    """A page that is enlarged four times has such a window."""
    project = make_project(studio)
    with window(browser, 320) as page:
        page.set_viewport_size({"width": 320, "height": 256})
        begin(page, served + invitation(studio, project))
        premise = page.locator(".premise .text").first
        premise.scroll_into_view_if_needed()
        assert premise.evaluate(
            """(text) => {
              const box = text.getBoundingClientRect();
              return text.contains(document.elementFromPoint(box.x + 5, box.y + 5));
            }"""
        )


def test_instructions_have_the_direction_of_their_own_letters(browser: Browser, served: str, studio: Studio) -> None:
    project = make_project(studio, title="اقرأ.", instructions="اقرأ كل شيء.")
    ends = """(element) => {
      const text = document.createTreeWalker(element, NodeFilter.SHOW_TEXT).nextNode();
      return [0, text.data.trimEnd().length - 1].map((place) => {
        const range = document.createRange();
        range.setStart(text, place);
        range.setEnd(text, place + 1);
        return range.getBoundingClientRect().x;
      });
    }"""
    with window(browser, 1280) as page:
        begin(page, served + invitation(studio, project))
        page.locator("summary", has_text="Instructions").click()
        for selector in (".kick", ".prose p"):
            first, last = page.locator(selector).evaluate(ends)
            assert last < first, selector


def test_on_the_narrowest_phones_words_stay_whole(browser: Browser, served: str, studio: Studio) -> None:
    labels = make_project(studio, items=[Item("wide", {"premise": WIDE, "hypothesis": "Value 3 is there."})])
    whole = """() => [...document.querySelectorAll('.choice, caption')].map((element) => {
      const box = element.getBoundingClientRect();
      const lines = [...element.childNodes].flatMap((text) => {
        const range = document.createRange();
        range.selectNodeContents(text);
        return [...range.getClientRects()];
      });
      return [element.className, lines.length, box.right <= innerWidth];
    })"""
    with window(browser, 320) as page:
        begin(page, served + invitation(studio, labels))
        [title, *names] = page.evaluate(whole)
        assert title[1] > 1
        assert title[2]
        assert [lines for _, lines, _ in names] == [1, 1, 1]
