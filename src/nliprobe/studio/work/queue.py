"""The queue of a rater: one item at a time, until there is none."""

from __future__ import annotations

from starlette.responses import Response

from nliprobe.people.store.completing import completion_code
from nliprobe.people.store.handing_out import next_item
from nliprobe.studio.calls import answer_json, page
from nliprobe.studio.rendering import render
from nliprobe.studio.who import RaterOf
from nliprobe.studio.work.desk import Desk, at_desk
from nliprobe.studio.work.progress import how_far
from nliprobe.studio.work.showing import Asked, fields_of, frame, new_request, show_item


def _next(desk: Desk) -> Response:
    """Show the item that the rater has, or give them a new one; asking again gives the same one."""
    offer = next_item(desk.store, desk.project.name, desk.rater)
    if offer is None:
        return _finished(desk)
    values = fields_of(offer.draft)
    if not desk.call.wants_json:
        return show_item(desk, Asked(offer.item, values))
    far = how_far(desk)
    return answer_json(
        {
            "item": desk.alias(offer.item.name),
            "task": desk.project.task,
            "shown": desk.task.shown(offer.item),
            "request": new_request(),
            "draft": values,
            "progress": far._asdict(),
            "instructions": {"version": desk.standing.version, "text": desk.project.instructions},
        }
    )


def _finished(desk: Desk) -> Response:
    code = completion_code(desk.store, desk.project.name, desk.rater)
    if desk.call.wants_json:
        return answer_json({"item": None, "code": code, "progress": how_far(desk)._asdict()})
    return render(desk.call, "work/finished.html", status=200, **frame(desk), code=code)


ROUTES = [page("/work/{key}", at_desk(_next), RaterOf)]
