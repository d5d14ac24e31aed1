"""One rater: what they said, and what the owner can do about them."""

from __future__ import annotations

from starlette.responses import Response

from nliprobe.api.people_status import PeopleDocument, RaterDocument, constant_words
from nliprobe.base.errors import DataError
from nliprobe.people.records import RaterState
from nliprobe.people.store.completing import read_completions
from nliprobe.people.store.judging import read_judgements
from nliprobe.people.store.links import read_rater_link, renew_rater_link
from nliprobe.people.store.looking import read_item_numbers
from nliprobe.people.store.projects import OWNER, read_items
from nliprobe.people.store.raters import block_rater, unblock_rater, withdraw_rater
from nliprobe.studio.calls import Call
from nliprobe.studio.manage.board import board_of, rater_at
from nliprobe.studio.manage.overview import STATUSES
from nliprobe.studio.manage.words import about, answer_lines, share, when
from nliprobe.studio.work.inviting import return_link

# The newest judgements that the page shows; exports have all.
_SHOWN = 100
_LONGEST_REASON = 2000


def rater_page(call: Call) -> Response:
    """Show one rater."""
    board = board_of(call)
    number, rater = rater_at(board)
    store, name = call.studio.store, board.project.name
    own = [one for one in read_judgements(store, name, all_states=True) if one.rater == rater.name]
    items = {item.name: item for item in read_items(store, name)} if own else {}
    numbers = read_item_numbers(store, name)
    status = call.studio.part(STATUSES).of(name).document
    measured = next((one for one in status["raters"] if one["rater"] == rater.name), None)
    return board.page(
        "rater.html",
        rater.name,
        number=number,
        rater=rater,
        about=measured,
        facts=[] if measured is None else _facts(status, measured),
        code=read_completions(store, name).get(rater.name, ""),
        link=return_link(call.studio, name, rater.name, read_rater_link(store, name, rater.name)),
        judgements=len(own),
        shown=[
            {
                "item": board.at(f"/items/{numbers[one.item]}"),
                "number": numbers[one.item],
                "subject": about(items[one.item].content),
                "answer": answer_lines(items[one.item], one.answer),
                "attention": items[one.item].expected is not None,
                "given": when(one.given),
                "seconds": "" if one.seconds is None else f"{one.seconds:.0f} s",
                "state": one.state.value,
                "remark": one.remark,
            }
            for one in own[: -_SHOWN - 1 : -1]
        ],
    )


def _facts(status: PeopleDocument, rater: RaterDocument) -> list[str]:
    """Say how often a rater is right, by each measure that there is, beside what needs no care."""
    constants, chance = status["constants"], status["chance"]
    if constants is None or chance is None:
        return []
    facts = []
    if rater["accuracy"] is not None:
        best = constants["accuracy"]
        needs_no_care = (
            f"{constant_words(status, best['answer'])} gets {share(best['value'])}, guessing {share(chance)}"
        )
        facts.append(f"Estimated to be right in {share(rater['accuracy'])}; {needs_no_care}.")
    for what, rate, constant in (
        ("the others' majority", rater["others"], constants["majority"]),
        ("the majority of all (this rater is part of it)", rater["majority"], constants["majority"]),
        ("the gold label", rater["gold"], constants["gold"]),
        ("the known answer of attention items", rater["attention"], constants["attention"]),
    ):
        if rate["value"] is None or rate["ci95"] is None:
            continue
        low, high = (f"{100 * end:.0f}" for end in rate["ci95"])
        counted = f"{rate['right']} of {rate['n']} ({share(rate['value'])}, 95 % interval {low} to {high})"
        fact = f"Says the same as {what} in {counted}"
        if constant is not None and constant["rate"]["value"] is not None:
            words = constant_words(status, constant["answer"])
            fact += f"; {words} gets {share(constant['rate']['value'])}, guessing {share(chance)}"
        facts.append(f"{fact}.")
    return facts


def renew(call: Call) -> Response:
    """Make another link for a rater, because an earlier one was lost or is in wrong hands."""
    board = board_of(call)
    number, rater = rater_at(board)
    if rater.state is RaterState.WITHDRAWN:
        return board.back(f"/raters/{number}", "same")
    renew_rater_link(call.studio.store, board.project.name, rater.name)
    return board.back(f"/raters/{number}", "renewed")


def block(call: Call) -> Response:
    """Let nothing of a rater count."""
    board = board_of(call)
    number, rater = rater_at(board)
    reason = call.text("reason", "").strip()
    if not reason:
        raise DataError("Say why: the log keeps the reason, and somebody may ask for it. Nothing was done.")
    if len(reason) > _LONGEST_REASON:
        raise DataError(f"The reason has {len(reason):,} characters: expected at most {_LONGEST_REASON:,}.")
    if rater.state is not RaterState.ACTIVE:
        return board.back(f"/raters/{number}", "same")
    block_rater(call.studio.store, board.project.name, rater.name, reason)
    call.studio.part(STATUSES).forget(board.project.name)
    return board.back(f"/raters/{number}", "blocked")


def unblock(call: Call) -> Response:
    """Let a blocked rater work again."""
    board = board_of(call)
    number, rater = rater_at(board)
    if rater.state is not RaterState.BLOCKED:
        return board.back(f"/raters/{number}", "same")
    unblock_rater(call.studio.store, board.project.name, rater.name)
    call.studio.part(STATUSES).forget(board.project.name)
    return board.back(f"/raters/{number}", "unblocked")


def withdraw(call: Call) -> Response:
    """Delete what a rater said, because they asked for it."""
    board = board_of(call)
    number, rater = rater_at(board)
    if call.text("sure", "") != "yes":
        raise DataError("Tick that you are sure: what a rater said cannot be brought back. Nothing was done.")
    if rater.state is RaterState.WITHDRAWN:
        return board.back(f"/raters/{number}", "same")
    withdraw_rater(call.studio.store, board.project.name, rater.name, entered_by=OWNER)
    call.studio.part(STATUSES).forget(board.project.name)
    return board.back(f"/raters/{number}", "withdrawn")
