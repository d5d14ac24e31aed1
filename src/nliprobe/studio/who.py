"""Who asks: the owner, a rater of one project, a participant of one study, or somebody unknown."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, TypeAlias

from starlette.requests import Request
from starlette.responses import Response

from nliprobe.base.errors import DataError
from nliprobe.studio.signing import Claims, Signer

# A session lasts so long, and at least for half of it after whoever has one comes in again: a study or a project takes
# days, not months.
_SESSION_SECONDS = 30 * 24 * 3600


@dataclass(frozen=True)
class Owner:
    """Whoever runs the studio; may read everything."""

    purpose: ClassVar[str] = "owner"
    session: str


@dataclass(frozen=True)
class RaterOf:
    """A rater of one project, named by its address; may see what is given to them, and their own work."""

    purpose: ClassVar[str] = "rater"
    session: str
    project: str
    rater: str
    link: int


@dataclass(frozen=True)
class ParticipantOf:
    """A participant of one study; may see what its stages show."""

    purpose: ClassVar[str] = "participant"
    session: str
    study: str
    participant: int
    link: int


Who: TypeAlias = Owner | RaterOf | ParticipantOf


def owner_claims(signer: Signer, token: str) -> Claims:
    """Return what the cookie of an owner says: with which token they signed in, and nothing that tells it."""
    return {"by": signer.alias("owner's token", token)}


def read_owner(request: Request, signer: Signer, token: str) -> Owner | None:
    """Return the owner if the request comes with the cookie of somebody who signed in with this token.

    A studio that starts with another token ends all earlier sessions of its owner: a token that got lost is worthless.
    """
    found = _cookie(request, signer, Owner.purpose)
    if found is None or found[1] != owner_claims(signer, token):
        return None
    return Owner(found[0])


def read_rater(request: Request, signer: Signer) -> RaterOf | None:
    """Return the rater whose cookie the request comes with; the cookie is sent to one project only."""
    found = _cookie(request, signer, RaterOf.purpose)
    if found is None:
        return None
    session, claims = found
    return RaterOf(session, str(claims["project"]), str(claims["rater"]), link_in(claims))


def read_participant(request: Request, signer: Signer) -> ParticipantOf | None:
    """Return the participant whose cookie the request comes with; the cookie is sent to one study only."""
    found = _cookie(request, signer, ParticipantOf.purpose)
    if found is None:
        return None
    session, claims = found
    return ParticipantOf(session, str(claims["study"]), int(claims["participant"]), link_in(claims))


def link_in(claims: Claims) -> int:
    """Return the number of the link by which somebody came; before links had numbers, it was the first."""
    return int(claims.get("link", 1))


def sign_in(request: Request, response: Response, signer: Signer, purpose: str, claims: Claims, path: str) -> None:
    """Give the client a cookie that says who they are.

    Whoever is in already keeps their session for the first half of its time, so that forms in other windows stay good.

    Args:
        request: what was asked.
        response: what is sent.
        signer: of the studio.
        purpose: of the role, such as ``Owner.purpose``.
        claims: who they are.
        path: the addresses to which browsers send the cookie.
    """
    if signer.says(purpose, request.cookies.get(_name(purpose), ""), claims, seconds=_SESSION_SECONDS / 2):
        return
    token = signer.sign(purpose, claims, seconds=_SESSION_SECONDS)
    # Lax, not strict: with strict, whoever follows an invitation in a mail would arrive without the cookie just set.
    response.set_cookie(
        _name(purpose), token, max_age=_SESSION_SECONDS, path=path, secure=signer.secure, httponly=True, samesite="lax"
    )


def sign_out(response: Response, signer: Signer, purpose: str, path: str) -> None:
    """Take the cookie away."""
    response.delete_cookie(_name(purpose), path=path, secure=signer.secure, httponly=True, samesite="lax")


def _name(purpose: str) -> str:
    return f"nliprobe_{purpose}"


def _cookie(request: Request, signer: Signer, purpose: str) -> tuple[str, Claims] | None:
    token = request.cookies.get(_name(purpose))
    if not token:
        return None
    try:
        return token, signer.read(purpose, token)
    except DataError:
        return None
