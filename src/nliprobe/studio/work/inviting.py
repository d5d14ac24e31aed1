"""The way in for raters: an invitation, or their own link on another device."""

from __future__ import annotations

import secrets
import threading
from collections import OrderedDict
from dataclasses import dataclass, field

from starlette.responses import Response

from nliprobe.base.errors import DataError, NotFoundError
from nliprobe.people.records import Project
from nliprobe.people.store.inviting import read_invitation, use_invitation
from nliprobe.people.store.links import first_link, read_rater_link
from nliprobe.people.store.own_work import planned_items, read_sizes, usual_seconds
from nliprobe.people.store.projects import read_project
from nliprobe.people.tasks import TASKS
from nliprobe.studio.calls import Call, action, back_to, page
from nliprobe.studio.context import Part, Studio, address
from nliprobe.studio.entrance import client_of
from nliprobe.studio.limits import Bucket
from nliprobe.studio.refusals import ForbiddenError, TooManyError
from nliprobe.studio.rendering import render
from nliprobe.studio.signing import Claims
from nliprobe.studio.who import RaterOf, link_in, read_rater, sign_in
from nliprobe.studio.work.desk import UNKNOWN
from nliprobe.studio.work.named import NAMED

INVITATION, RETURN = "invitation", "return"
# The names under which crowd platforms put their id of a worker into the link. Prolific writes PROLIFIC_PID, Mechanical
# Turk workerId; for any other one the owner writes ?worker=… into the link.
WORKER_NAMES = ("worker", "PROLIFIC_PID", "workerId")
# A whole course may come from one address at once; a program that joins without end may not.
_BURST, _PER_SECOND = 400, 5
_MOST_VISITS = 10_000
# Ids of platforms have 24 or fewer characters, and those of visits 32; a text that is no id is not kept.
_LONGEST_WORKER = _LONGEST_VISIT = 200
_GONE = "This invitation is no longer there. Ask for a new one."


@dataclass
class Doorway:
    """What is remembered about those who come in: a button that is pressed twice lets one rater in."""

    joined: Bucket = field(default_factory=lambda: Bucket(_BURST, _PER_SECOND))
    visits: OrderedDict[tuple[str, int, str], str] = field(default_factory=OrderedDict)
    # The second press of a button may come while the first is still at work.
    turn: threading.Lock = field(default_factory=threading.Lock)

    def remember(self, visit: tuple[str, int, str], rater: str) -> None:
        """Keep which rater a visit became."""
        self.visits[visit] = rater
        while len(self.visits) > _MOST_VISITS:
            self.visits.popitem(last=False)


DOORWAY = Part(Doorway, lambda studio: Doorway())


def return_link(studio: Studio, project: str, rater: str, link: int) -> str:
    """Return the link by which a rater goes on elsewhere."""
    token = studio.signer.sign(RETURN, {"project": address(project), "rater": rater, "link": link})
    return f"{studio.address}/back/{token}"


def _invitation(call: Call) -> Response:
    """Show what is asked. Nothing changes: programs that preview links open them, too."""
    claims = call.studio.signer.read(INVITATION, call.path["token"])
    project, number = _invited(call, claims)
    worker = next((call.query[name] for name in WORKER_NAMES if call.query.get(name)), "")
    try:
        refusal = read_invitation(call.studio.store, project.name, number).refusal(call.studio.store.clock())
    except NotFoundError:
        raise DataError(_GONE) from None
    sizes = read_sizes(call.studio.store, project)
    # Nobody knows yet who comes; the draw of attention items moves this by one at most.
    items = planned_items(project, "", sizes)
    seconds = usual_seconds(call.studio.store, project.name)
    return render(
        call,
        "work/invitation.html",
        status=422 if refusal and not worker else 200,
        project=project,
        about=TASKS.get(project.task).about,
        base=f"/work/{address(project.name)}",
        token=call.path["token"],
        worker=worker[:_LONGEST_WORKER],
        visit=secrets.token_hex(16),
        refusal="" if worker else refusal,
        items=items,
        bounded=project.most_per_rater is not None,
        minutes=None if seconds is None else max(1, round(items * seconds / 60)),
    )


def _join(call: Call) -> Response:
    claims = call.studio.signer.read(INVITATION, call.text("token"))
    project, number = _invited(call, claims)
    if address(project.name) != call.path["key"]:
        raise ForbiddenError("This invitation is for another project.")
    worker = call.text("worker", "").strip()
    if len(worker) > _LONGEST_WORKER:
        raise DataError(f"The id of a worker has at most {_LONGEST_WORKER} characters.")
    here = _known_here(call, project.name)
    if here and not worker:
        return _let_in(call, project.name, here)
    doorway, visit = call.studio.part(DOORWAY), (project.name, number, call.text("visit", "")[:_LONGEST_VISIT])
    with doorway.turn:
        name = doorway.visits.get(visit) if visit[2] else None
        if name is None:
            name = _new_rater(call, project.name, number, worker, here)
            doorway.remember(visit, name)
    return _let_in(call, project.name, name)


def _new_rater(call: Call, project: str, number: int, worker: str, here: str) -> str:
    if not call.studio.part(DOORWAY).joined.take(client_of(call)):
        raise TooManyError("Too many people came from your address at once. Wait a minute.")
    try:
        return use_invitation(call.studio.store, project, number, external=worker, here=here, link=first_link()).name
    except NotFoundError:
        raise DataError(_GONE) from None


def _back(call: Call) -> Response:
    """Show the button that goes on; a preview of the link must not sign anybody in."""
    project, rater = _returning(call)
    return render(call, "work/back.html", project=project, rater=rater, token=call.path["token"])


def _come_back(call: Call) -> Response:
    project, rater = _returning(call)
    return _let_in(call, project.name, rater)


def _returning(call: Call) -> tuple[Project, str]:
    claims = call.studio.signer.read(RETURN, call.path["token"])
    project, rater = _project(call, claims), str(claims["rater"])
    try:
        link = read_rater_link(call.studio.store, project.name, rater)
    except NotFoundError:
        raise DataError(UNKNOWN) from None
    if link_in(claims) != link:
        raise DataError("This link was replaced by a newer one. Ask whoever invited you.")
    return project, rater


def _let_in(call: Call, project: str, rater: str) -> Response:
    path = f"/work/{address(project)}"
    response = back_to(path)
    link = read_rater_link(call.studio.store, project, rater)
    claims: Claims = {"project": address(project), "rater": rater, "link": link}
    sign_in(call.request, response, call.studio.signer, RaterOf.purpose, claims, path)
    return response


def _known_here(call: Call, project: str) -> str:
    """Return the rater whose cookie this browser has for the project, so that a second visit is no second rater."""
    who = read_rater(call.request, call.studio.signer)
    if who is None or call.studio.part(NAMED).name(who.project) != project:
        return ""
    try:
        link = read_rater_link(call.studio.store, project, who.rater)
    except NotFoundError:  # the database was put back to an earlier state
        return ""
    return who.rater if who.link == link else ""


def _invited(call: Call, claims: Claims) -> tuple[Project, int]:
    number = claims.get("number")
    if not isinstance(number, int):
        raise DataError("This link is not complete. Ask for a new one.")
    return _project(call, claims), number


def _project(call: Call, claims: Claims) -> Project:
    try:
        return read_project(call.studio.store, call.studio.part(NAMED).name(str(claims.get("project"))))
    except NotFoundError:
        raise DataError("The project of this link is no longer here. Ask for a new one.") from None


ROUTES = [
    page("/i/{token}", _invitation, None),
    # Below the address of the work, so that the browser sends the cookie of somebody who is in already.
    action("/work/{key}/join", _join, None),
    page("/back/{token}", _back, None),
    action("/back/{token}", _come_back, None),
]
