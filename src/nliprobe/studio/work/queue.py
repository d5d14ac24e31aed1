"""The queue of a rater: one item at a time, until there is none."""

from __future__ import annotations

from starlette.responses import Response

from nliprobe.people.store.completing import completion_code
from nliprobe.people.store.handing_out import next_item
from nliprobe.people.store.own_work import has_passed_on
from nliprobe.studio.calls import answer_json, page
from nliprobe.studio.rendering import render
from nliprobe.studio.who import RaterOf
from nliprobe.studio.work.desk import Desk, at_desk
from nliprobe.studio.work.progress import how_far
from nliprobe.studio.work.showing import Asked, draft_in, frame, new_request, show_item


def _next(desk: Desk) -> Response:
    """Show the item that the rater has, or give them a new one; asking again gives the same one."""
    offer = next_item(desk.store, desk.project.name, desk.rater)
    if offer is None:
        return _finished(desk)
    draft = draft_in(offer.draft or {})
    if not desk.call.wants_json:
        return show_item(desk, Asked(offer.item, draft.fields, draft=draft.page))
    far = how_far(desk)
    return answer_json(
        {
            "item": desk.alias(offer.item.name),
            "task": desk.project.task,
            "shown": desk.task.shown(offer.item),
            "request": new_request(),
            "draft": draft.fields,
            "progress": far._asdict(),
            "instructions": {"version": desk.standing.version, "text": desk.project.instructions},
        }
    )


def _finished(desk: Desk) -> Response:
    code = completion_code(desk.store, desk.project.name, desk.rater)
    if desk.call.wants_json:
        return answer_json({"item": None, "code": code, "progress": how_far(desk)._asdict()})
    passed_on = not desk.standing.done and has_passed_on(desk.store, desk.project.name, desk.rater)
    return render(desk.call, "work/finished.html", status=200, **frame(desk), code=code, passed_on=passed_on)


ROUTES = [page("/work/{key}", at_desk(_next), RaterOf)]
