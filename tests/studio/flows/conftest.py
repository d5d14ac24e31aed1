"""People who use a studio with a mouse, a finger or a keyboard, each in a browser window of their own."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from contextlib import ExitStack
from typing import TYPE_CHECKING

import pytest
from tests.studio.flows.flow import address_of, passes
from tests.studio.flows.hands import Hand
from tests.studio.helpers import TOKEN
from tests.studio.windows import window

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

    NewWindow = Callable[..., Page]

PASSED = pytest.StashKey[bool]()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Remember whether a flow came to its end: only then it must have passed all its addresses."""
    report = yield
    if report.when == "call":
        item.stash[PASSED] = report.passed
    return report


@pytest.fixture
def new_window(request: pytest.FixtureRequest, browser: Browser, hand: Hand) -> Iterator[NewWindow]:
    """Open windows of people who are not known yet; at its end the flow must have passed all its addresses.

    What complaints that are brought about on purpose contain is said by ``lets``.
    """
    passed: set[str] = set()
    with ExitStack() as windows:

        def new(lets: str | None = None) -> Page:
            page = windows.enter_context(window(browser, hand.width, lets=lets))
            page.context.on("request", lambda asked: passed.add(address_of(asked)))
            return page

        yield new
    missing = sorted(set(passes(request.function)) - passed)
    assert not missing or not request.node.stash.get(PASSED, False), f"the flow has not passed {', '.join(missing)}"


@pytest.fixture
def owner_window(new_window: NewWindow, served: str, hand: Hand) -> Page:
    """Open a window in which the owner has signed in by hand."""
    page = new_window()
    page.goto(f"{served}/enter")
    hand.write(page.get_by_label("Token"), TOKEN)
    hand.follow(page.get_by_role("button", name="Sign in"))
    return page
