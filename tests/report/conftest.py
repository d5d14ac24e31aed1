"""One browser for all tests of a file: starting one takes longer than most of them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from tests.report.browser import launched

if TYPE_CHECKING:
    from playwright.sync_api import Browser


# Not for the whole session: while it runs, its event loop is in the way of tests that have one of their own.
@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with launched() as started:
        yield started
