"""Pages: the templates of the studio and those of the report in one place, with what every page needs."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from jinja2 import Environment
from markupsafe import Markup
from starlette.responses import HTMLResponse, Response

from nliprobe import __version__
from nliprobe.report.contents import Contents
from nliprobe.report.pages import page_environment
from nliprobe.studio.markdown import to_html

if TYPE_CHECKING:
    from nliprobe.studio.calls import Call

_FOLDER = Path(__file__).parent / "templates"
# The owner's pages, in the order of the menu.
MENU = (("/", "Runs"), ("/ask", "Try"), ("/projects", "Projects"), ("/studies", "Studies"), ("/log", "Log"))


def render(call: Call, template: str, *, status: int = 200, **values: object) -> Response:
    """Fill a template for whoever asks.

    Templates extend ``frame.html``; they know ``hidden`` (the field that every form must carry), ``is_owner``,
    ``menu``, ``here`` (the address of the page) and ``query``. Scripts find the token of forms in the ``meta`` element
    ``form-token``.

    Args:
        call: the request.
        template: its name below ``templates/``.
        status: of the answer.
        values: what the template is filled with.
    """
    from nliprobe.studio.who import Owner

    session = "" if call.who is None else call.who.session
    known = {
        **_token(call.studio.signer.form_token(session) if session else ""),
        "is_owner": isinstance(call.who, Owner),
        "menu": MENU,
        "here": call.request.url.path,
        "query": call.query,
    }
    return _response(template, {**known, **values}, status, {})


def render_bare(
    template: str, *, status: int = 200, headers: Mapping[str, str] | None = None, **values: object
) -> Response:
    """Fill a template for somebody unknown."""
    known = {**_token(""), "is_owner": False, "menu": MENU, "here": "", "query": {}}
    return _response(template, {**known, **values}, status, headers or {})


def _token(token: str) -> dict[str, object]:
    field = Markup('<input type="hidden" name="form_token" value="{}">').format(token)
    return {"form_token": token, "hidden": field}


def _response(template: str, values: Mapping[str, object], status: int, headers: Mapping[str, str]) -> Response:
    listed = Contents()
    text = templates().get_template(template).render(contents=listed, head=listed.head, **values)
    # What one person may see must not be kept for another by a proxy, nor shown by the back button after signing out.
    return HTMLResponse(text, status_code=status, headers={"Cache-Control": "no-store", **headers})


@cache
def templates() -> Environment:
    """Return the environment of all templates."""
    environment = page_environment(_FOLDER)
    environment.filters["markdown"] = to_html
    environment.globals["version"] = __version__
    return environment
