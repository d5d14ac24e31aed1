"""About oneself: go on elsewhere, come back later, or withdraw."""

from __future__ import annotations

from starlette.responses import Response

from nliprobe.people.store.raters import withdraw_rater
from nliprobe.studio.calls import action, answer_json, page
from nliprobe.studio.rendering import render, render_bare
from nliprobe.studio.who import RaterOf, sign_out
from nliprobe.studio.work.desk import Desk, at_desk
from nliprobe.studio.work.faces._face import is_ticked
from nliprobe.studio.work.inviting import return_link
from nliprobe.studio.work.showing import frame

_GOODBYE = "What you said was deleted, and nothing of it will be used. Thank you for telling us."


def _me(desk: Desk) -> Response:
    return _show(desk)


def _withdraw(desk: Desk) -> Response:
    if not is_ticked(desk.call.fields, "sure"):
        return _show(desk, wrong="Nothing was deleted: tick the box first, because this cannot be undone.", status=422)
    withdraw_rater(desk.store, desk.project.name, desk.rater)
    answered = answer_json({"told": _GOODBYE}) if desk.call.wants_json else None
    response = answered or render_bare("refusal.html", title="You have withdrawn", sentence=_GOODBYE)
    sign_out(response, desk.call.studio.signer, RaterOf.purpose, desk.base)
    return response


def _show(desk: Desk, *, wrong: str = "", status: int = 200) -> Response:
    link = return_link(desk.call.studio, desk.project.name, desk.rater, desk.standing.link)
    paused = desk.call.query.get("paused") == "1"
    values = {"rater": desk.rater, "link": link, "paused": paused, "wrong": wrong}
    return render(desk.call, "work/me.html", status=status, **frame(desk), **values)


ROUTES = [
    page("/work/{key}/me", at_desk(_me), RaterOf),
    action("/work/{key}/withdraw", at_desk(_withdraw), RaterOf),
]
