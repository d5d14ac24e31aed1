"""The web app: its routes, and what stands before all of them."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Mount

from nliprobe.report.pages import PAGE_FOLDER
from nliprobe.studio.ask.routes import ROUTES as ASK
from nliprobe.studio.context import Studio
from nliprobe.studio.entrance import ROUTES as ENTRANCE
from nliprobe.studio.events import ROUTES as EVENTS
from nliprobe.studio.headers import SafeHeaders
from nliprobe.studio.manage.routes import ROUTES as MANAGE
from nliprobe.studio.read.routes import ROUTES as READ
from nliprobe.studio.refusals import refusal
from nliprobe.studio.static import Served
from nliprobe.studio.study.routes import ROUTES as STUDY
from nliprobe.studio.work.routes import ROUTES as WORK

_STATIC = Path(__file__).parent / "static"


def routes() -> list[BaseRoute]:
    """Return everything that can be asked for."""
    return [
        *ENTRANCE,
        *EVENTS,
        *READ,
        *WORK,
        *MANAGE,
        *ASK,
        *STUDY,
        Mount("/static/studio", Served(_STATIC)),
        Mount("/static/report", Served(PAGE_FOLDER)),
    ]


def make_app(studio: Studio) -> Starlette:
    """Make the web app of an open studio; when the server ends, the studio is closed."""

    @asynccontextmanager
    async def life(app: Starlette) -> AsyncIterator[None]:
        yield
        studio.close()

    async def lost(request: Request, error: Exception) -> Response:
        return await run_in_threadpool(refusal, request, error)

    hosts = list(studio.settings.hosts)
    app = Starlette(
        routes=routes(),
        middleware=[Middleware(SafeHeaders), Middleware(TrustedHostMiddleware, allowed_hosts=hosts)],
        exception_handlers={HTTPException: lost},
        lifespan=life,
    )
    app.state.studio = studio
    return app
