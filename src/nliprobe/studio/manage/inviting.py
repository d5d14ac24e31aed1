"""Invitations: links by which raters come in, made, counted and revoked; and codes for crowd platforms."""

from __future__ import annotations

from starlette.responses import Response

from nliprobe.people.store.completing import read_completions
from nliprobe.people.store.inviting import Invitation, invite, read_invitations, revoke_invitation
from nliprobe.people.store.raters import read_raters
from nliprobe.studio.calls import Call
from nliprobe.studio.context import Studio, address
from nliprobe.studio.manage.board import Board, board_of, number_in
from nliprobe.studio.manage.numbers import whole_number
from nliprobe.studio.manage.words import when

_DAY = 24 * 3600.0
_LONGEST_DAYS, _MOST_USES, _LONGEST_NOTE = 365, 100_000, 500


def invitation_link(studio: Studio, made: Invitation) -> str:
    """Return the link of an invitation; whoever has it can come in.

    Until when is known to the store alone: raters who came in by the link find their way back by it later, too.
    """
    token = studio.signer.sign("invitation", {"project": address(made.project), "number": made.number})
    return f"{studio.address}/i/{token}"


def invitations_page(call: Call) -> Response:
    """Show all invitations."""
    return _shown(board_of(call))


def make_invitation(call: Call) -> Response:
    """Make an invitation and show its link once: afterwards only its number is known here."""
    board = board_of(call)
    fields = {name: call.text(name, "") for name in ("days", "most", "note")}
    errors: dict[str, str] = {}
    days = whole_number(fields["days"], "days", errors, least=1, most=_LONGEST_DAYS)
    most = whole_number(fields["most"], "most", errors, least=1, most=_MOST_USES)
    if len(fields["note"]) > _LONGEST_NOTE:
        errors["note"] = f"Expected at most {_LONGEST_NOTE} characters."
    if errors:
        return _shown(board, fields=fields, errors=errors, status=422)
    seconds = None if days is None else days * _DAY
    made = invite(call.studio.store, board.project.name, seconds=seconds, about=fields["note"].strip(), most_uses=most)
    return _shown(board, link=invitation_link(call.studio, made), number=made.number)


def revoke(call: Call) -> Response:
    """Let nobody new in by an invitation."""
    board = board_of(call)
    revoke_invitation(call.studio.store, board.project.name, number_in(call.path["number"]))
    return board.back("/invitations", "revoked")


def _shown(
    board: Board,
    *,
    fields: dict[str, str] | None = None,
    errors: dict[str, str] | None = None,
    link: str = "",
    number: int = 0,
    status: int = 200,
) -> Response:
    store, name = board.call.studio.store, board.project.name
    now = store.clock()
    codes = read_completions(store, name)
    return board.page(
        "invitations.html",
        "Invitations",
        status=status,
        fields=fields or {"days": "14", "most": "", "note": ""},
        errors=errors or {},
        link=link,
        link_number=number,
        is_local=board.call.studio.settings.is_local and not board.call.studio.settings.public,
        raters=len(read_raters(store, name)),
        codes=list(codes.items()),
        rows=[
            {
                "number": one.number,
                "note": one.note,
                "made": when(one.made),
                "expires": when(one.expires) or "never",
                "uses": f"{one.uses:,}" + (f" of {one.most_uses:,}" if one.most_uses is not None else ""),
                "refusal": one.refusal(now),
                "revoked": one.revoked is not None,
            }
            for one in reversed(read_invitations(store, name))
        ],
    )
