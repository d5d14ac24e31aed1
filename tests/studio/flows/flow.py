"""Flows: what people do from one page to the next, done with every hand, and the addresses that they pass."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

import pytest
from starlette.routing import Match, Route
from tests.studio.flows.hands import HANDS

from nliprobe.studio.app import routes

if TYPE_CHECKING:
    from playwright.sync_api import Request

ROUTES = [route for route in routes() if isinstance(route, Route)]
_Test = TypeVar("_Test", bound=Callable[..., None])
_PASSES = "passes"


def flow(*passes: str) -> Callable[[_Test], _Test]:
    """Let a test be gone through with every hand; it must pass these addresses, such as ``"POST /enter"``."""

    def mark(test: _Test) -> _Test:
        setattr(test, _PASSES, passes)
        marked: _Test = pytest.mark.parametrize("hand", HANDS, ids=str)(test)
        return marked

    return mark


def passes(test: object) -> tuple[str, ...]:
    """Return the addresses that a flow must pass; of another test, none."""
    return tuple(getattr(test, _PASSES, ()))


def address_of(request: Request) -> str:
    """Return the method and the path of the route that a request of a browser comes to, or nothing."""
    path = "/" + request.url.partition("://")[2].partition("/")[2].partition("?")[0].partition("#")[0]
    scope = {"type": "http", "method": request.method, "path": path, "headers": []}
    found = next((route for route in ROUTES if route.matches(scope)[0] is Match.FULL), None)
    return "" if found is None else f"{request.method} {found.path}"


def every_address() -> set[str]:
    """Return the method and the path of everything that can be asked for."""
    return {f"{method} {route.path}" for route in ROUTES for method in (route.methods or ()) if method != "HEAD"}
