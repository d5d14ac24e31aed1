"""The way in: the owner signs in with the token that was printed, and signs out."""

from __future__ import annotations

import hmac

from starlette.responses import Response

from nliprobe.people.store.events import record_event
from nliprobe.studio.calls import Call, action, back_to, page
from nliprobe.studio.refusals import ForbiddenError, TooManyError
from nliprobe.studio.rendering import render, render_bare
from nliprobe.studio.who import Owner, owner_claims, sign_in, sign_out


def client_of(call: Call) -> str:
    """Return the address that somebody comes from."""
    client = call.request.client
    return "unknown" if client is None else client.host


def _enter(call: Call) -> Response:
    """Show the form that signs in; the token stands after the # of the address, which no server and no log sees."""
    return render(call, "enter.html")


def _sign_in(call: Call) -> Response:
    client = client_of(call)
    if not call.studio.failures.is_open(client):
        raise TooManyError("Too many wrong tokens came from your address. Wait a minute.")
    given = call.text("token", "").strip()
    if not hmac.compare_digest(given.encode("utf-8", "replace"), call.studio.token.encode()):
        call.studio.failures.take(client)
        record_event(call.studio.store, "unknown", "sign-in refused")
        raise ForbiddenError("This is not the owner's token. nliprobe serve prints it when it starts.")
    record_event(call.studio.store, "owner", "signed in")
    response = back_to("/")
    signer = call.studio.signer
    sign_in(call.request, response, signer, Owner.purpose, owner_claims(signer, call.studio.token), "/")
    return response


def _sign_out(call: Call) -> Response:
    response = render_bare("refusal.html", title="Signed out", sentence="You have signed out.")
    sign_out(response, call.studio.signer, Owner.purpose, "/")
    return response


ROUTES = [
    page("/enter", _enter, None),
    action("/enter", _sign_in, None),
    action("/leave", _sign_out),
]
