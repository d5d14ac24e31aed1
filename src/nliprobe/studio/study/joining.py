"""How participants come and go: by a link, with their consent, with a pause, and out again."""

from __future__ import annotations

import secrets

from starlette.responses import Response

from nliprobe.base.errors import DataError, NotFoundError
from nliprobe.people.store.events import record_event
from nliprobe.people.store.links import first_link
from nliprobe.people.store.studies import (
    Participant,
    ParticipantState,
    give_consent,
    join_study,
    read_study_row,
    withdraw_participant,
)
from nliprobe.people.store.studies import read_participant as known_participant
from nliprobe.people.study.shown import shown_study
from nliprobe.studio.calls import Call, back_to
from nliprobe.studio.entrance import client_of
from nliprobe.studio.refusals import ForbiddenError, TooManyError
from nliprobe.studio.rendering import render, render_bare
from nliprobe.studio.signing import Claims
from nliprobe.studio.study.served import STUDIES, ServedStudy
from nliprobe.studio.study.visits import COMMON, PERSONAL, base_of, here_still, personal_link, visit
from nliprobe.studio.who import ParticipantOf, link_in, read_participant, sign_in, sign_out
from nliprobe.studio.work.inviting import WORKER_NAMES


def come(call: Call) -> Response:
    """Let a participant in by a link of their own: on this device it need not be opened again."""
    claims = call.studio.signer.read(PERSONAL, call.path["token"])
    if claims["study"] != call.path["key"]:
        raise DataError("This link is not complete, or it was not made here. Ask for a new one.")
    served = call.studio.part(STUDIES).show(call.path["key"])
    with here_still():
        who = known_participant(call.studio.store, served.name, int(claims["participant"]))
    if refusal := who.refusal(link_in(claims), call.studio.store.clock()):
        raise DataError(f"{refusal} Ask whoever sent it for another one.")
    return _let_in(call, who)


def welcome(call: Call) -> Response:
    """Show the first page to whoever has the common link; whoever has joined on this device goes on."""
    key = _common_key(call)
    served = call.studio.part(STUDIES).show(key)
    worker = next((call.query[name] for name in WORKER_NAMES if call.query.get(name)), "")[:_LONGEST_ID]
    number = _known_here(call, served)
    if number is not None:
        # Somebody else at the same machine must not go on in the place of who was here before.
        before = known_participant(call.studio.store, served.name, number).external
        if not (worker.strip() and before and worker.strip() != before):
            return back_to(base_of(key))
    with here_still():
        kept = read_study_row(call.studio.store, served.name)
    if not kept.is_open:
        raise ForbiddenError("Nobody new can join this study now. Ask whoever sent you the link.")
    shown = shown_study(served.study)
    target, request = call.request.url.path, secrets.token_urlsafe(16)
    return render(call, "study/landing.html", shown=shown, target=target, worker=worker, request=request)


# Crowd platforms' ids have some 24 characters.
_LONGEST_ID = 200


def join(call: Call) -> Response:
    """Let in somebody who has agreed, under a number of their own."""
    key = _common_key(call)
    if not call.studio.requests.take(f"join {client_of(call)}"):
        raise TooManyError("Too many people join at once. Wait a few seconds and try again.")
    studies = call.studio.part(STUDIES)
    served = studies.show(key)
    worker = call.text("worker", "")[:_LONGEST_ID]
    here = _known_here(call, served)

    def joined() -> int:
        with here_still():
            who = join_study(
                call.studio.store, served.name, served.study, external=worker, here=here, link=first_link()
            )
        give_consent(call.studio.store, served.name, who.number)
        return who.number

    number = studies.join_once(key, call.text("request", "")[:_LONGEST_ID], joined)
    return _let_in(call, known_participant(call.studio.store, served.name, number))


def begin(call: Call) -> Response:
    """Show the first page, or go on where the participant stopped."""
    here = visit(call)
    if here.standing.participant.state is ParticipantState.INVITED:
        shown, target = shown_study(here.served.study), f"{here.base}/consent"
        return render(call, "study/landing.html", shown=shown, target=target, worker="", request="")
    return back_to(here.address(here.step))


def consent(call: Call) -> Response:
    """Keep that a participant has agreed."""
    here = visit(call)
    give_consent(call.studio.store, here.served.name, here.number)
    return back_to(here.base)


def pause(call: Call) -> Response:
    """Show how to come back later, on this or another device."""
    here = visit(call)
    link = personal_link(call.studio, here.served.key, here.standing.participant)
    return render(call, "study/pause.html", base=here.base, link=link)


def ask_withdrawal(call: Call) -> Response:
    """Ask a participant whether they want to withdraw."""
    return render(call, "study/withdraw.html", base=visit(call).base)


def withdraw(call: Call) -> Response:
    """Delete what a participant has said."""
    here = visit(call)
    withdraw_participant(call.studio.store, here.served.name, here.number)
    record_event(call.studio.store, here.standing.participant.name, "withdrew from a study", study=here.served.name)
    response = render_bare(
        "refusal.html", title="You have withdrawn", sentence="Your answers were deleted. Thank you for your time."
    )
    sign_out(response, call.studio.signer, ParticipantOf.purpose, here.base)
    return response


def _common_key(call: Call) -> str:
    key = call.path["key"]
    if call.studio.signer.read(COMMON, call.path["token"])["study"] != key:
        raise DataError("This link is not complete, or it was not made here. Ask for a new one.")
    return key


def _known_here(call: Call, served: ServedStudy) -> int | None:
    """Return the number of the participant whose cookie this browser has for the study."""
    who = read_participant(call.request, call.studio.signer)
    if who is None or who.study != served.key:
        return None
    try:
        known = known_participant(call.studio.store, served.name, who.participant)
    except NotFoundError:  # the database was put back to an earlier state
        return None
    return known.number if known.link == who.link else None


def _let_in(call: Call, who: Participant) -> Response:
    key = call.path["key"]
    response = back_to(base_of(key))
    claims: Claims = {"study": key, "participant": who.number, "link": who.link}
    sign_in(call.request, response, call.studio.signer, ParticipantOf.purpose, claims, base_of(key))
    return response
