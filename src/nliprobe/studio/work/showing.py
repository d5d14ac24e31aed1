"""The page of one item: the next one, or one that is revised."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from starlette.responses import Response

from nliprobe.base.errors import DataError
from nliprobe.people.records import Content, Item, Json, Judgement
from nliprobe.people.store.drafting import read_draft
from nliprobe.studio.rendering import render
from nliprobe.studio.work.desk import Desk
from nliprobe.studio.work.faces._face import Values
from nliprobe.studio.work.progress import how_far

# What a page says when something happened to the item before; the address names one of these, and nothing else.
TOLD = {
    "judged": "You had judged that item already, in another tab or window, and your first answer counts. What you "
    "entered now is kept: you can revise your answer.",
    "late": "You had that item for so long that others have judged it since, and it is no longer needed. Go on with "
    "the next one.",
    "revised": "Your answer was changed. The earlier one is kept in its history.",
    "skipped": "The item was passed on to others.",
    "flagged": "The item was passed on to others, and the owner will look at it.",
}


class Draft(NamedTuple):
    """An unfinished answer: its fields, and the key of the page that they were entered on."""

    fields: dict[str, Json]
    page: str


@dataclass(frozen=True)
class Asked:
    """What is shown of an item.

    Attributes:
        item: the item.
        values: what is in the form.
        revise: whether it is judged already.
        history: what the rater said about it before.
        wrong: why what was sent is no answer.
        draft: the key of the page that what is in the form was entered on, if it is a draft.
    """

    item: Item
    values: Values
    revise: bool = False
    history: Sequence[Judgement] = field(default_factory=tuple)
    wrong: str = ""
    draft: str = ""


def draft_of(desk: Desk, item: str) -> Draft:
    """Return an unfinished answer; an empty one if there is none."""
    return draft_in(read_draft(desk.store, desk.project.name, desk.rater, item) or {})


def draft_in(kept: Content) -> Draft:
    """Return the unfinished answer in what is kept."""
    fields = kept.get("fields")
    return Draft(fields if isinstance(fields, dict) else {}, str(kept.get("page", "")))


def new_request() -> str:
    """Return a key for one judgement: however often the form is sent, it counts once."""
    return secrets.token_hex(16)


def show_item(desk: Desk, asked: Asked, *, status: int = 200) -> Response:
    """Show an item with its form."""
    shown = desk.task.shown(asked.item)
    alias = desk.alias(asked.item.name)
    history = [(desk.face.said(asked.item, one.answer), one.given, one.remark) for one in asked.history]
    return render(
        desk.call,
        "work/item.html",
        status=status,
        **frame(desk),
        face=f"work/{desk.face.template}",
        script=desk.face.script,
        chooses=desk.face.chooses,
        numbers=desk.face.numbers,
        question=desk.face.question(shown),
        shown=shown,
        values=asked.values,
        view=_view(desk, asked),
        alias=alias,
        request_key=new_request(),
        revise=asked.revise,
        history=history,
        wrong=asked.wrong,
        draft=asked.draft,
    )


def frame(desk: Desk) -> dict[str, object]:
    """Return what every page of a rater shows around its content."""
    query, standing = desk.call.query, desk.standing
    about = query.get("about", "")
    return {
        "project": standing.project,
        "base": desk.base,
        "version": standing.version,
        "changed": _has_changed(desk),
        "far": how_far(desk),
        "last": "" if standing.last is None else desk.alias(standing.last),
        "told": TOLD.get(query.get("told", ""), ""),
        "about": about if about.isalnum() and len(about) < 100 else "",
    }


def _view(desk: Desk, asked: Asked) -> dict[str, object]:
    try:
        return desk.face.view(asked.item, asked.values)
    except DataError:
        # A form that no page of ours can have sent, or a draft of an older one: it is shown empty.
        return desk.face.view(asked.item, {})


def _has_changed(desk: Desk) -> bool:
    """Tell whether the instructions are others than those that the rater has read."""
    said = desk.call.query.get("seen", "")
    seen = int(said) if said.isascii() and said.isdecimal() and len(said) < 6 else desk.standing.last_version
    return 0 < min(seen, desk.standing.last_version or seen) < desk.standing.version
