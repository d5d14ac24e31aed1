"""The way from a request to a function: who may ask, what was sent, whether it came from our page."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeAlias, TypeVar

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import QueryParams
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from nliprobe.base.errors import DataError, StoreError
from nliprobe.people.store.numbers import LARGEST_NUMBER
from nliprobe.studio.context import Studio
from nliprobe.studio.limits import LARGEST_BODY, LARGEST_BODY_OF_ANYBODY
from nliprobe.studio.log import LOG
from nliprobe.studio.refusals import ForbiddenError, NotNowError, TooManyError, refusal
from nliprobe.studio.sent import Fields, Sent, read_sent
from nliprobe.studio.who import Owner, ParticipantOf, RaterOf, Who, read_owner, read_participant, read_rater

W = TypeVar("W", bound=Who)
# What a client may be: nobody in particular, or one of the roles.
Role: TypeAlias = type[Owner] | type[RaterOf] | type[ParticipantOf] | None


@dataclass(frozen=True)
class Call:
    """A request that has passed all checks.

    Attributes:
        studio: the open studio.
        who: who asks; None where everybody may.
        path: the parts of the address that the route names.
        query: what stands after the question mark.
        fields: the form or the JSON object that was sent.
        request: the request itself.
    """

    studio: Studio
    who: Who | None
    path: Mapping[str, str]
    query: QueryParams
    fields: Fields
    request: Request

    @property
    def wants_json(self) -> bool:
        """Whether a script asks, and not a person."""
        return wants_json(self.request)

    @property
    def owner(self) -> Owner:
        """The owner, where the route is the owner's."""
        assert isinstance(self.who, Owner)
        return self.who

    @property
    def rater(self) -> RaterOf:
        """The rater, where the route is a rater's."""
        assert isinstance(self.who, RaterOf)
        return self.who

    @property
    def participant(self) -> ParticipantOf:
        """The participant, where the route is a participant's."""
        assert isinstance(self.who, ParticipantOf)
        return self.who

    def text(self, name: str, default: str | None = None) -> str:
        """Return a field that must be a text.

        Raises:
            DataError: it is missing and has no default, or it is something else.
        """
        value = self.fields.get(name, default)
        if not isinstance(value, str):
            raise DataError(f"The field '{name}' is missing or is no text.")
        return value

    def texts(self, name: str) -> list[str]:
        """Return a field that a form may name several times."""
        value = self.fields.get(name, [])
        values = value if isinstance(value, list) else [value]
        if not all(isinstance(each, str) for each in values):
            raise DataError(f"The field '{name}' should be texts.")
        return [str(each) for each in values]

    def number(self, name: str, default: int | None = None) -> int:
        """Return a field that must be a whole number, and one that every database can hold."""
        value = self.fields.get(name, default)
        if isinstance(value, str) and not value.strip() and default is not None:
            return default
        try:
            if isinstance(value, bool) or not isinstance(value, int | str):
                raise ValueError
            number = int(value)
        except ValueError:
            raise DataError(f"The field '{name}' should be a whole number.") from None
        if abs(number) > LARGEST_NUMBER:
            raise DataError(f"The field '{name}' should be a whole number of at most {LARGEST_NUMBER:,}.")
        return number


Endpoint: TypeAlias = Callable[[Call], Response]


def page(path: str, endpoint: Endpoint, role: Role = Owner) -> Route:
    """Make a route that shows something and changes nothing."""
    return Route(path, _wrapped(endpoint, role), methods=["GET"])


def action(path: str, endpoint: Endpoint, role: Role = Owner, *, largest: int | None = None) -> Route:
    """Make a route that changes something: a form or JSON from one of our own pages.

    Args:
        path: the address.
        endpoint: does it.
        role: who may.
        largest: how many bytes may be sent; by default what a form of the role can have.
    """
    usual = LARGEST_BODY_OF_ANYBODY if role is None else LARGEST_BODY
    return Route(path, _wrapped(endpoint, role, largest=largest or usual), methods=["POST"])


def back_to(path: str) -> Response:
    """Send the browser to a page after something was done, so that a reload does not do it again."""
    # A browser that goes back would take where this led before, and go round in circles between two pages.
    return RedirectResponse(path, status_code=303, headers={"Cache-Control": "no-store"})


def answer_json(content: Mapping[str, object], status: int = 200) -> Response:
    """Answer a script."""
    return JSONResponse(content, status_code=status, headers={"Cache-Control": "no-store"})


def wants_json(request: Request) -> bool:
    """Tell whether a script asks, and not a person."""
    return "application/json" in request.headers.get("accept", "")


def _wrapped(endpoint: Endpoint, role: Role, *, largest: int | None = None) -> Callable[..., object]:
    """Let a function answer a route; ``largest`` is how much may be sent, None where nothing is read."""

    async def answer(request: Request) -> Response:
        studio: Studio = request.app.state.studio
        try:
            who = _who(request, studio, role)
            if role is not None and who is None:
                raise ForbiddenError(_SIGN_IN[role])
            sent: Sent | None = None
            if largest is not None:
                _require_own_site(request)
                sent = await read_sent(request, largest)
            return await run_in_threadpool(_done, endpoint, request, who, sent)
        except ClientDisconnect:
            return Response(status_code=400)
        except Exception as error:
            return await run_in_threadpool(refusal, request, error)

    # Tests look through all routes for what everybody may do.
    answer.role = role  # type: ignore[attr-defined]
    return answer


def _done(endpoint: Endpoint, request: Request, who: Who | None, sent: Sent | None) -> Response:
    studio: Studio = request.app.state.studio
    fields: Fields = {}
    if sent is not None:
        fields = sent.fields()
        if who is not None:
            _require_form_token(request, studio, who, fields)
    try:
        return endpoint(Call(studio, who, request.path_params, request.query_params, fields, request))
    except NotNowError:
        raise
    except StoreError as error:
        if isinstance(who, Owner):
            raise
        # Others need not know which database it is, and where.
        LOG.error("The store failed: %s", error)
        raise NotNowError(_NOT_NOW) from error


_NOT_NOW = "What you need cannot be reached right now. What was saved is kept: try again in a moment."


_SIGN_IN = {
    Owner: "Only the owner of this studio sees this page. Open the link that nliprobe serve printed when it started.",
    RaterOf: "This page belongs to a rater. Open your invitation again to go on.",
    ParticipantOf: "This page belongs to a participant of a study. Open your invitation again to go on.",
}


def _who(request: Request, studio: Studio, role: Role) -> Who | None:
    if role is Owner:
        return read_owner(request, studio.signer, studio.token)
    if role is RaterOf:
        return read_rater(request, studio.signer)
    if role is ParticipantOf:
        return read_participant(request, studio.signer)
    return None


def _require_own_site(request: Request) -> None:
    """Refuse what a page of another site sends; browsers say where a form comes from."""
    origin = request.headers.get("origin", "")
    is_ours = not origin or origin.partition("://")[2] == request.headers.get("host", "")
    if not is_ours or request.headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
        raise ForbiddenError("This was sent by a page of another site, and nothing was done.")


def _require_form_token(request: Request, studio: Studio, who: Who, fields: Fields) -> None:
    given = request.headers.get("x-form-token") or fields.get("form_token")
    if not isinstance(given, str) or not studio.signer.is_form_token(who.session, given):
        raise ForbiddenError("This form is of an earlier sign-in, and nothing was done. Load the page again.")
    if not studio.requests.take(who.session):
        raise TooManyError("That was too much at once. Wait a few seconds and repeat it.")
