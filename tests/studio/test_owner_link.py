"""The owner's token, and the link that signs them in with it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.studio.windows import window

from nliprobe.base.errors import UsageError
from nliprobe.studio.context import Studio
from nliprobe.studio.serve import owner_link, owner_token

if TYPE_CHECKING:
    from playwright.sync_api import Browser


def test_a_token_of_ones_own_may_have_any_character(browser: Browser, served: str, studio: Studio) -> None:
    studio.token = owner_token("100% sure: ünlike #2 + 2")
    with window(browser, 1280) as page:
        page.goto(owner_link(served, studio.token), wait_until="commit")
        page.wait_for_url(f"{served}/")


def test_blanks_around_a_token_do_not_count() -> None:
    assert owner_token("sixteen-letters-or-more \n") == "sixteen-letters-or-more"
    assert len(owner_token(" ")) > 30
    with pytest.raises(UsageError, match="can be guessed"):
        owner_token("short" + 20 * " ")
