"""The desk of a rater: who they are, what the project asks, and how its items are called in their browser."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from starlette.responses import Response

from nliprobe.base.errors import DataError, NotFoundError
from nliprobe.people.records import Item, Json, Project, RaterState
from nliprobe.people.store import Database
from nliprobe.people.store.own_work import Standing, find_given, read_standing
from nliprobe.people.store.projects import task_of
from nliprobe.people.store.states import WorkState
from nliprobe.people.tasks import Task
from nliprobe.studio.calls import Call, Endpoint
from nliprobe.studio.context import address
from nliprobe.studio.refusals import ForbiddenError
from nliprobe.studio.work.faces import FACES, Face
from nliprobe.studio.work.named import NAMED

_STRANGER = "This page belongs to a rater of another project. Open your invitation again to go on."
# Of a database that was put back to an earlier state.
UNKNOWN = "You are no longer known to this project. Open your invitation again, or ask whoever invited you."
_REPLACED = (
    "Your link was replaced by a newer one. If a platform sent you here, come again from there; else ask whoever "
    "invited you. What you said is kept."
)
_ENDED = {
    RaterState.BLOCKED: "The owner of this project has ended your work. Ask whoever invited you why.",
    RaterState.WITHDRAWN: "You have withdrawn from this project, and what you said was deleted.",
}


@dataclass(frozen=True)
class Desk:
    """Where a rater works.

    Attributes:
        call: the request.
        standing: how far the rater is.
        task: what the project asks.
        face: how that looks.
    """

    call: Call
    standing: Standing
    task: Task
    face: Face

    @property
    def project(self) -> Project:
        """The project."""
        return self.standing.project

    @property
    def rater(self) -> str:
        """The pseudonym of the rater."""
        return self.call.rater.rater

    @property
    def store(self) -> Database:
        """The store."""
        return self.call.studio.store

    @property
    def base(self) -> str:
        """The beginning of all addresses of this desk."""
        return f"/work/{address(self.project.name)}"

    def alias(self, item: str) -> str:
        """Return how the browser calls an item: its name may be the id of a case, which tells a lot."""
        return self.call.studio.signer.alias(self.project.name, self.rater, item)

    def item(self, alias: str) -> tuple[Item, WorkState]:
        """Return an item that was given to this rater, and where their work on it stands.

        Raises:
            NotFoundError: there is none of this name, or it was given to others only.
        """
        found = find_given(self.store, self.project.name, self.rater, lambda name: self.alias(name) == alias)
        if found is None:
            raise NotFoundError("This item was not given to you, or it is no longer there.")
        return found

    def sent(self) -> dict[str, Json]:
        """Return the fields of the form; scripts send them as one object under the name ``fields``."""
        given = self.call.fields.get("fields", self.call.fields)
        if not isinstance(given, dict):
            raise DataError("The field 'fields' should be an object.")
        return {name: value for name, value in given.items() if name not in _OF_THE_FRAME}


# What every form has; the rest belongs to the answer.
_OF_THE_FRAME = ("form_token", "item", "request", "revise", "seen")


def at_desk(endpoint: Callable[[Desk], Response]) -> Endpoint:
    """Let a function answer raters of the project in the address, and nobody else."""

    def answer(call: Call) -> Response:
        name = call.studio.part(NAMED).name(call.rater.project)
        if address(name) != call.path["key"]:
            raise ForbiddenError(_STRANGER)
        try:
            standing = read_standing(call.studio.store, name, call.rater.rater)
        except NotFoundError:
            raise ForbiddenError(UNKNOWN) from None
        if standing.link != call.rater.link:
            raise ForbiddenError(_REPLACED)
        if standing.state in _ENDED:
            raise ForbiddenError(_ENDED[standing.state])
        task = task_of(standing.project)
        return endpoint(Desk(call, standing, task, FACES.get(standing.project.task)(task)))

    return answer
