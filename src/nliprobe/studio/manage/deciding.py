"""Adjudication: items about which raters differ, the most split first, and the owner's decisions."""

from __future__ import annotations

from starlette.responses import Response

from nliprobe.base.errors import DataError
from nliprobe.people.exchange.controls import chosen, form_of
from nliprobe.people.store.adjudicating import Disagreement, adjudicate, disagreements
from nliprobe.people.store.looking import read_item_at, read_item_numbers
from nliprobe.people.store.projects import task_of
from nliprobe.studio.calls import Call
from nliprobe.studio.manage.board import Board, board_of, number_in, page_asked
from nliprobe.studio.manage.items import DECIDED, Refused, shown_item
from nliprobe.studio.manage.overview import STATUSES
from nliprobe.studio.manage.words import about, answer_lines, share, votes_words

_PER_PAGE = 50


def disagreement_list(call: Call) -> Response:
    """Show the items about which raters differ."""
    board = board_of(call)
    store, project = call.studio.store, board.project
    every = call.query.get("which", "open") == "all"
    found = disagreements(store, project.name) if project.task in DECIDED else []
    listed = [one for one in found if every or one.decided is None]
    page, pages = page_asked(call, len(listed), _PER_PAGE)
    numbers, task = read_item_numbers(store, project.name), task_of(project)
    return board.page(
        "disagreements.html",
        "Disagreements",
        can_decide=project.task in DECIDED,
        every=every,
        total=len(found),
        undecided=sum(one.decided is None for one in found),
        page_number=page,
        pages=pages,
        rows=[
            {
                "number": numbers[one.item.name],
                "address": board.at(f"/items/{numbers[one.item.name]}?then=next"),
                "text": about(one.item.content),
                "votes": votes_words(task, one.item, one.judgements),
                "split": share(one.split),
                "decided": [] if one.decided is None else answer_lines(one.item, one.decided.answer),
            }
            for one in listed[(page - 1) * _PER_PAGE : page * _PER_PAGE]
        ],
    )


def decide(call: Call) -> Response:
    """Keep what the owner decides about an item, and go on to the next one that is open."""
    board = board_of(call)
    number = number_in(call.path["number"])
    store, project = call.studio.store, board.project
    item = read_item_at(store, project.name, number)
    if project.task not in DECIDED:
        raise DataError(f"Answers to the task '{project.task}' are not decided: each of them counts.")
    form, reason = form_of(task_of(project), project.task), call.text("reason", "")
    sent = {control.name: call.texts(control.name) for control in form.controls}
    empty = next((control for control in form.controls if control.needed and not any(sent[control.name])), None)
    if empty is not None:
        error = f"Nothing is chosen under “{empty.asks}”"
        return shown_item(board, number, item, Refused(error, sent, reason, empty.name))
    try:
        adjudicate(store, project.name, item.name, form.answer(chosen(form, sent)), reason=reason.strip())
    except DataError as error:
        return shown_item(board, number, item, Refused(str(error), sent, reason, form.controls[0].name))
    call.studio.part(STATUSES).forget(project.name)
    if call.text("then", "") == "next" and (following := _next(board)) is not None:
        return board.back(f"/items/{following}?then=next", "decided")
    return board.back("/disagreements" if call.text("then", "") == "next" else f"/items/{number}", "decided")


def _next(board: Board) -> int | None:
    """Return the number of the most split item that nobody has decided about."""
    store, name = board.call.studio.store, board.project.name
    left: list[Disagreement] = [one for one in disagreements(store, name) if one.decided is None]
    return read_item_numbers(store, name)[left[0].item.name] if left else None
