"""What a rater has said so far, and how they change it."""

from __future__ import annotations

from datetime import UTC, datetime

from starlette.responses import Response

from nliprobe.base.errors import DataError
from nliprobe.people.records import Item
from nliprobe.people.store.own_work import own_answers, own_history
from nliprobe.people.store.states import WorkState
from nliprobe.studio.calls import page
from nliprobe.studio.rendering import render
from nliprobe.studio.who import RaterOf
from nliprobe.studio.work.desk import Desk, at_desk
from nliprobe.studio.work.showing import Asked, draft_of, frame, show_item

_PER_PAGE = 50
_LONGEST = 160


def _answers(desk: Desk) -> Response:
    said = desk.call.query.get("page", "1")
    number = int(said) if said.isascii() and said.isdecimal() and len(said) < 6 else 1
    skip = (max(1, number) - 1) * _PER_PAGE
    found = own_answers(desk.store, desk.project.name, desk.rater, most=_PER_PAGE + 1, skip=skip)
    rows = [
        {
            "about": _short(desk, one.item),
            "said": _cut(desk.face.said(one.item, one.judgement.answer)),
            "when": datetime.fromtimestamp(one.judgement.given, UTC).strftime("%Y-%m-%d %H:%M"),
            "revision": one.judgement.revision,
            "remark": _cut(one.judgement.remark),
            "address": f"{desk.base}/answers/{desk.alias(one.item.name)}",
        }
        for one in found[:_PER_PAGE]
    ]
    return render(
        desk.call,
        "work/answers.html",
        status=200,
        **frame(desk),
        rows=rows,
        first=skip + 1,
        page=max(1, number),
        more=len(found) > _PER_PAGE,
    )


def _revise(desk: Desk) -> Response:
    """Show an earlier answer in its form, with what was said before it."""
    item, state = desk.item(desk.call.path["item"])
    if state is not WorkState.DONE:
        raise DataError("You have not judged this item, so there is nothing to revise.")
    history = own_history(desk.store, desk.project.name, desk.rater, item.name)
    newest = history[-1]
    draft = draft_of(desk, item.name)
    values = draft.fields or desk.face.values(item, newest.answer) | {"remark": newest.remark}
    return show_item(desk, Asked(item, values, revise=True, history=history, draft=draft.page))


def _short(desk: Desk, item: Item) -> str:
    """Return the beginning of what an item is about."""
    shown = desk.task.shown(item)
    for name in ("hypothesis", "template", "premise"):
        value = shown.get(name)
        if isinstance(value, dict):
            return _cut(str(value.get("title", "")))
        if isinstance(value, str):
            return _cut(value)
    return ""


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"


ROUTES = [
    page("/work/{key}/answers", at_desk(_answers), RaterOf),
    page("/work/{key}/answers/{item}", at_desk(_revise), RaterOf),
]
