"""Items of a project: a list, and one item with everything that was said about it."""

from __future__ import annotations

from typing import NamedTuple

from starlette.responses import Response

from nliprobe.people.exchange.controls import Form, Values, form_of, unit_choices
from nliprobe.people.records import Item, JudgementState
from nliprobe.people.store.adjudicating import read_adjudications
from nliprobe.people.store.looking import Which, count_items, list_items, read_history, read_item_at
from nliprobe.people.store.projects import task_of
from nliprobe.people.store.raters import read_raters
from nliprobe.studio.calls import Call
from nliprobe.studio.manage.board import Board, board_of, number_in, page_asked
from nliprobe.studio.manage.words import about, answer_lines, label_words, unit_votes, votes_words, when

_PER_PAGE = 50
# Tasks whose items are decided by the owner where raters differ; written texts and tables differ always.
DECIDED = frozenset({"verify", "judge", "evidence", "settle", "predict", "pick"})
LISTS = (
    (Which.ALL, "All"),
    (Which.OPEN, "Not complete"),
    (Which.FLAGGED, "Skipped or flagged"),
    (Which.ATTENTION, "Attention"),
)


def item_list(call: Call) -> Response:
    """Show the items, page by page."""
    board = board_of(call)
    asked = call.query.get("which", Which.ALL.value)
    which = Which(asked) if asked in [one.value for one in Which] else Which.ALL
    store, name = call.studio.store, board.project.name
    total = count_items(store, name, which)
    page, pages = page_asked(call, total, _PER_PAGE)
    return board.page(
        "items.html",
        "Items",
        which=which.value,
        lists=[(one.value, words) for one, words in LISTS],
        total=total,
        page_number=page,
        pages=pages,
        rows=[
            (row, about(row.content))
            for row in list_items(store, name, which, first=(page - 1) * _PER_PAGE, most=_PER_PAGE)
        ],
    )


def item_page(call: Call) -> Response:
    """Show one item."""
    board = board_of(call)
    number = number_in(call.path["number"])
    return shown_item(board, number, read_item_at(call.studio.store, board.project.name, number))


class Refused(NamedTuple):
    """A decision that was sent and not kept.

    Attributes:
        error: what is wrong with it.
        sent: what was chosen under each control.
        reason: the reason that was written.
        control: the control at which it is said.
    """

    error: str
    sent: Values
    reason: str
    control: str


def shown_item(board: Board, number: int, item: Item, refused: Refused | None = None) -> Response:
    """Show one item with all judgements, and the form by which the owner decides.

    Args:
        board: the project.
        number: of the item.
        item: the item.
        refused: a decision that was just sent and not kept; the form has what was entered.
    """
    call, project = board.call, board.project
    store = call.studio.store
    task, history = task_of(project), read_history(store, project.name, item.name)
    places = {rater.name: place for place, rater in enumerate(read_raters(store, project.name), 1)}
    decisions = [one for one in read_adjudications(store, project.name, history=True) if one.item == item.name]
    counting = [one.judgement for one in history.said if one.judgement.state is JudgementState.COUNTS]
    form = form_of(task, project.task, [item]) if project.task in DECIDED and item.expected is None else None
    decided = decisions[-1].answer if decisions else None
    now = form.values(decided) if form is not None and decided is not None else {}
    # The label belongs to a hypothesis, and where one is to be written there is none.
    gold = str(item.hidden.get(task.right, "")) if project.task != "write" else ""
    return board.page(
        "item.html",
        f"Item {number}",
        status=200 if refused is None else 422,
        error="" if refused is None else refused.error,
        wrong="" if refused is None else refused.control,
        reason="" if refused is None else refused.reason,
        number=number,
        item=item,
        content=item.content,
        units=unit_choices(item) if project.task == "evidence" else [],
        marks=unit_votes(item, counting) if project.task == "evidence" else [],
        votes=votes_words(task, item, counting) if project.task in DECIDED else "",
        raters=len(counting),
        gold=label_words(gold) if gold else "",
        expected=None if item.expected is None else answer_lines(item, item.expected),
        facts=[(name, str(value)) for name, value in item.hidden.items() if value not in ("", None)],
        said=[
            {
                "rater": one.judgement.rater,
                "address": board.at(f"/raters/{places[one.judgement.rater]}"),
                "answer": answer_lines(item, one.judgement.answer),
                "given": when(one.judgement.given),
                "seconds": "" if one.judgement.seconds is None else f"{one.judgement.seconds:.0f} s",
                "revision": one.judgement.revision,
                "state": one.judgement.state.value,
                "remark": one.judgement.remark,
                "instructions": one.instructions,
            }
            for one in history.said
        ],
        passed=[{**one._asdict(), "given": when(one.given)} for one in history.passed],
        decisions=[
            {"answer": answer_lines(item, one.answer), "who": one.who, "at": when(one.at), "reason": one.reason}
            for one in reversed(decisions)
        ],
        controls=[] if form is None else _controls(form, item, now if refused is None else refused.sent),
        # After a refusal the address is that to which the form was sent.
        then="next" in (call.query.get("then", ""), call.fields.get("then", "")),
    )


def _controls(form: Form, item: Item, now: Values) -> list[dict[str, object]]:
    """Return the questions of a task for a form, with what is chosen now."""
    return [
        {
            "name": control.name,
            "asks": control.asks,
            "many": control.from_item or len(control.choices) == 1,
            # Places of units count, so only their numbers are sent.
            "choices": [(f"{place}.", words) for place, words in enumerate(unit_choices(item), 1)]
            if control.from_item
            else control.choices,
            # Sent numbers have their point already.
            "chosen": [f"{value.rstrip('.')}." for value in now.get(control.name, [])]
            if control.from_item
            else now.get(control.name, []),
            "needed": control.needed,
        }
        for control in form.controls
    ]
