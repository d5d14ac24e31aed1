"""The three ways in which people use a page: a mouse at a desk, a finger on a phone, and a keyboard alone.

What people do on a page is written once, as what they press, write and choose, and is done with every hand. With a
keyboard everything is reached by the tabulator, with what has the focus in sight; shortcuts are tested elsewhere.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from tests.report.layout import PHONE
from tests.studio.windows import look

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

# A page of a trial offers more than a hundred edits.
_MOST_TABS = 400
# Where the focus is, and whether it can be seen: on the element, or on the label around a box that is drawn anew.
_FOCUS = """(wanted) => {
  const active = document.activeElement;
  const group = wanted.type === 'radio' && active.type === 'radio' && active.name === wanted.name;
  if (active !== wanted && !group) return 'elsewhere';
  const drawn = [active, active.closest('label'), active.parentElement].filter(Boolean);
  if (!drawn.some((element) => getComputedStyle(element).outlineStyle !== 'none')) return 'unseen';
  return active === wanted ? 'there' : 'group';
}"""


class Hand(ABC):
    """How somebody operates what is on a page."""

    name: ClassVar[str]
    width: ClassVar[int]

    @abstractmethod
    def press(self, target: Locator) -> None:
        """Press a button, a link, or what opens and closes a part of the page."""

    @abstractmethod
    def tick(self, box: Locator) -> None:
        """Choose one of several choices, or tick a box; or take the tick away."""

    @abstractmethod
    def write(self, field: Locator, text: str) -> None:
        """Write into a field in the place of what is there."""

    @abstractmethod
    def choose(self, choices: Locator, name: str) -> None:
        """Choose from a list that opens what begins with a name."""

    def give(self, field: Locator, file: Path) -> None:
        """Choose a file of one's own."""
        with field.page.expect_file_chooser() as chooser:
            self.press(field)
        chooser.value.set_files(file)

    def follow(self, target: Locator) -> None:
        """Press what leads to another page, and wait until that is there."""
        with target.page.expect_navigation():
            self.press(target)
        target.page.wait_for_load_state()

    def look(self, page: Page, name: str) -> None:
        """Find nothing wrong with how a page is laid out, and nothing that keeps people out."""
        look(page, name)

    def __str__(self) -> str:
        """Name the hand, for the name of a test."""
        return self.name


class Mouse(Hand):
    """A mouse at a desk."""

    name, width = "mouse", 1280

    def press(self, target: Locator) -> None:
        target.click()

    def tick(self, box: Locator) -> None:
        # A box that is drawn anew may lie under its label, on which people press.
        box.click(force=True)

    def write(self, field: Locator, text: str) -> None:
        field.click()
        field.fill(text)

    def choose(self, choices: Locator, name: str) -> None:
        names = [each.strip() for each in choices.locator("option").all_inner_texts()]
        choices.select_option(index=next(place for place, each in enumerate(names) if each.startswith(name)))


class Finger(Mouse):
    """A finger on a phone."""

    name, width = "finger", PHONE

    def press(self, target: Locator) -> None:
        target.tap()

    def tick(self, box: Locator) -> None:
        box.tap(force=True)

    def write(self, field: Locator, text: str) -> None:
        field.tap()
        field.fill(text)


class Keys(Hand):
    """A keyboard alone, at a desk."""

    name, width = "keys", 1280

    def press(self, target: Locator) -> None:
        self.reach(target)
        target.page.keyboard.press("Enter")

    def give(self, field: Locator, file: Path) -> None:
        with field.page.expect_file_chooser() as chooser:
            self.reach(field)
            field.page.keyboard.press("Space")
        chooser.value.set_files(file)

    def tick(self, box: Locator) -> None:
        self.reach(box)
        if box.get_attribute("type") != "radio" or not box.is_checked():
            box.page.keyboard.press("Space")

    def write(self, field: Locator, text: str) -> None:
        self.reach(field)
        keyboard = field.page.keyboard
        keyboard.press("Control+a")
        keyboard.press("Delete")
        keyboard.type(text)

    def choose(self, choices: Locator, name: str) -> None:
        self.reach(choices)
        names = [each.strip() for each in choices.locator("option").all_inner_texts()]
        wanted = next(place for place, each in enumerate(names) if each.startswith(name))
        choices.page.keyboard.press("Home")
        for _ in range(wanted):
            choices.page.keyboard.press("ArrowDown")
        assert choices.evaluate("list => list.selectedIndex") == wanted

    def look(self, page: Page, name: str) -> None:
        """Leave the look to the hands that see the same page at both widths: it takes longest."""

    def reach(self, target: Locator) -> None:
        """Press the tabulator until an element has the focus; of several choices, go on by the arrows."""
        page = target.page
        page.wait_for_load_state()
        target.wait_for(state="attached")
        for _ in range(_MOST_TABS):
            where = target.evaluate(_FOCUS)
            assert where != "unseen", f"the focus on {target} cannot be seen"
            if where == "there":
                return
            page.keyboard.press("ArrowDown" if where == "group" else "Tab")
        raise AssertionError(f"the keyboard does not reach {target}")


HANDS: tuple[Hand, ...] = (Mouse(), Finger(), Keys())
