"""Answers of systems that do not come before the page has asked whether they are there, however fast the machine is."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import pytest

from nliprobe.studio.ask.asking import Asking

if TYPE_CHECKING:
    from playwright.sync_api import Page


@contextmanager
def held_until(page: Page, address: str) -> Iterator[None]:
    """Hold the answers of systems back until a page, after what is done meanwhile, was told by an address to wait."""
    ready, answer = threading.Event(), Asking._answer

    def later(*asked: Any) -> Any:
        assert ready.wait(60), "the page was not let go"
        return answer(*asked)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Asking, "_answer", later)
        try:
            yield
            with page.expect_response(address):
                pass
        finally:
            ready.set()
