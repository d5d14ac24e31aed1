"""What raters send: answers, unfinished ones, and that they pass an item on or stop for now."""

from __future__ import annotations

from collections.abc import Mapping

from starlette.responses import Response

from nliprobe.base.errors import DataError
from nliprobe.people.records import Item, Json
from nliprobe.people.store.drafting import keep_draft
from nliprobe.people.store.judging import judge_item, skip_item
from nliprobe.people.store.own_work import own_history
from nliprobe.people.store.raters import leave_project
from nliprobe.people.store.states import JudgedError, TooLateError, WorkState
from nliprobe.people.texts import require_remark
from nliprobe.studio.calls import action, answer_json, back_to
from nliprobe.studio.who import RaterOf
from nliprobe.studio.work.desk import Desk, at_desk
from nliprobe.studio.work.faces._face import is_ticked, text_in
from nliprobe.studio.work.showing import TOLD, Asked, draft_in, show_item
from nliprobe.studio.work.words import plain_refusal

_LONGEST_REASON = 5_000


def _judge(desk: Desk) -> Response:
    """Keep an answer. The same request again changes nothing; another one about a judged item is told so."""
    values = desk.sent()
    item, state = desk.item(desk.call.text("item"))
    revise = is_ticked(desk.call.fields, "revise")
    try:
        said = _answer(desk, item, values)
        checked = desk.task.checked(item, said)
        kept = judge_item(
            desk.store,
            desk.project.name,
            desk.rater,
            item.name,
            said,
            request=desk.call.text("request"),
            remark=require_remark(text_in(values, "remark")),
            revise=revise,
        )
        if kept.answer != checked:
            raise JudgedError("this request has kept another answer")
    except JudgedError:
        # Nothing is lost: the page that revises the first answer shows what was entered now.
        keep_draft(desk.store, desk.project.name, desk.rater, item.name, {"fields": values})
        return _go_on(desk, "judged", item)
    except TooLateError:
        return _go_on(desk, "late", item)
    except DataError as error:
        wrong = _refusal(desk, error)
        if desk.call.wants_json:
            raise DataError(wrong) from error
        history = own_history(desk.store, desk.project.name, desk.rater, item.name)
        asked = Asked(item, values, state is WorkState.DONE and revise, history, wrong)
        return show_item(desk, asked, status=422)
    return _go_on(desk, "revised" if kept.revision else "", item)


def _draft(desk: Desk) -> Response:
    """Keep what is entered so far, but not in the place of what was entered on another page meanwhile."""
    values = desk.sent()
    item, state = desk.item(desk.call.text("item"))
    # A draft may come after the answer that was made of it; then it is nothing to go on with.
    wanted = is_ticked(desk.call.fields, "revise") or state is not WorkState.DONE
    # The key of a page's answer tells it from other pages; programs need not send one.
    page, begun_with = (text_in(desk.call.fields, name) for name in ("request", "draft"))
    kept = wanted and keep_draft(
        desk.store,
        desk.project.name,
        desk.rater,
        item.name,
        {"fields": values, "page": page},
        replaces=lambda kept: not page or draft_in(kept).page in ("", page, begun_with),
    )
    return answer_json({"kept": kept, "elsewhere": wanted and not kept, "instructions": desk.standing.version})


def _check(desk: Desk) -> Response:
    """Say what is missing from an answer, before it is sent, and what it changes."""
    values = desk.sent()
    item, state = desk.item(desk.call.text("item"))
    error = ""
    try:
        desk.task.checked(item, _answer(desk, item, values))
    except DataError as refused:
        error = _refusal(desk, refused)
    if desk.call.wants_json:
        return answer_json({"error": error, **desk.face.live(item, values)})
    revise = state is WorkState.DONE and is_ticked(desk.call.fields, "revise")
    return show_item(desk, Asked(item, values, revise, (), error))


def _skip(desk: Desk) -> Response:
    """Pass an item on, with a reason; a flag asks the owner to look at it."""
    values = desk.sent()
    item, _ = desk.item(desk.call.text("item"))
    reason, flag = text_in(values, "reason").strip(), is_ticked(values, "flag")
    if len(reason) > _LONGEST_REASON:
        raise DataError(f"The reason has {len(reason):,} characters: expected at most {_LONGEST_REASON:,}.")
    if flag and not reason:
        raise DataError("Say what is wrong with the item: the owner reads it. Nothing was done.")
    try:
        skip_item(desk.store, desk.project.name, desk.rater, item.name, reason, flag=flag)
    except JudgedError:
        return _go_on(desk, "judged", item)
    return _go_on(desk, "flagged" if flag else "skipped", item)


def _pause(desk: Desk) -> Response:
    """Give the item back, so that others get it."""
    leave_project(desk.store, desk.project.name, desk.rater)
    there = f"{desk.base}/me?paused=1"
    return answer_json({"next": there}) if desk.call.wants_json else back_to(there)


def _answer(desk: Desk, item: Item, values: Mapping[str, Json]) -> Mapping[str, Json]:
    """Return the answer of a form, or the one that a program sends as such."""
    said = desk.call.fields.get("answer")
    if said is None:
        return desk.face.answer(item, values)
    if not isinstance(said, dict):
        raise DataError("The field 'answer' should be an object.")
    return said


def _refusal(desk: Desk, error: DataError) -> str:
    """Return why an answer is none: to people in the words of their page, to programs in those of the task."""
    return str(error) if "answer" in desk.call.fields else plain_refusal(str(error), desk.face.names)


def _go_on(desk: Desk, told: str, item: Item) -> Response:
    seen = desk.call.fields.get("seen")
    known = seen if isinstance(seen, str) and seen.isascii() and seen.isdecimal() and len(seen) < 6 else ""
    about = desk.alias(item.name) if told == "judged" else ""
    query = "&".join(f"{name}={value}" for name, value in (("told", told), ("about", about), ("seen", known)) if value)
    there = f"{desk.base}?{query}" if query else desk.base
    if not desk.call.wants_json:
        return back_to(there)
    if told in ("judged", "late"):
        return answer_json({"error": TOLD[told], "next": there}, 409)
    return answer_json({"kept": True, "next": there})


ROUTES = [
    action("/work/{key}/judge", at_desk(_judge), RaterOf),
    action("/work/{key}/draft", at_desk(_draft), RaterOf),
    action("/work/{key}/check", at_desk(_check), RaterOf),
    action("/work/{key}/skip", at_desk(_skip), RaterOf),
    action("/work/{key}/pause", at_desk(_pause), RaterOf),
]
