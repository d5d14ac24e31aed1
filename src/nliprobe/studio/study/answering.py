"""The questions of a study: shown from declared fields alone, answered once or changed until their part is over."""

from __future__ import annotations

import secrets
from collections.abc import Mapping

from starlette.responses import Response

from nliprobe.base.errors import DataError, NotFoundError
from nliprobe.people.store.studies import ParticipantState, finish_participant
from nliprobe.people.store.study_answers import AnsweredMeanwhileError, answer_item, give_feedback
from nliprobe.people.study.orders import item_order
from nliprobe.people.study.shown import (
    PRACTICE,
    ClientFeedback,
    ClientItem,
    shown_item,
    shown_solution,
    shown_stage,
    shown_study,
)
from nliprobe.people.study.steps import Step, StepKind
from nliprobe.studio.calls import Call, back_to
from nliprobe.studio.rendering import render
from nliprobe.studio.study.boxes import item_values, stage_values
from nliprobe.studio.study.visits import Visit, visit

# Nobody needs longer for a question; who paused was not looking at it.
_LONGEST_SECONDS = 3600.0


def practice(call: Call) -> Response:
    """Show the practice question, or its solution when it is answered."""
    here = _active(call)
    if isinstance(here, Response):
        return here
    shown = shown_study(here.served.study)["practice"]
    if shown is None:
        return back_to(here.base)
    given = here.standing.answers.get((PRACTICE, PRACTICE))
    values = {
        **_item_page(call, here, shown, given),
        "target": f"{here.base}/practice",
        "solution": None if given is None else shown_solution(here.served.study),
        "going_on": here.base,
    }
    return render(call, "study/practice.html", p=values)


def answer_practice(call: Call) -> Response:
    """Keep the answer to the practice question, and show its solution."""
    here = visit(call)
    if here.served.study.practice is None:
        return back_to(here.base)
    _keep(call, here, PRACTICE, PRACTICE)
    return back_to(f"{here.base}/practice")


def stage(call: Call) -> Response:
    """Show what is to be read before a stage."""
    here = _active(call)
    if isinstance(here, Response):
        return here
    place = _place(call, "stage", len(here.standing.participant.stages))
    if place != here.step.stage or here.step.kind is StepKind.FEEDBACK:
        return back_to(here.base)
    name = here.standing.participant.stages[place - 1]
    first = here.address(Step(StepKind.ITEM, place, max(1, here.step.item)))
    shown = shown_stage(here.served.study, name)
    stages = len(here.standing.participant.stages)
    return render(call, "study/stage.html", base=here.base, shown=shown, place=place, stages=stages, first=first)


def item(call: Call) -> Response:
    """Show a question: the one that comes next, or an earlier one of the same stage."""
    here = _active(call)
    if isinstance(here, Response):
        return here
    found = _item_here(call, here)
    if found is None:
        return back_to(here.base)
    name, one, at = found
    study, place = here.served.study, int(call.path["stage"])
    shown = shown_item(study, name, one)
    total, stages = len(study.stage(name).items), len(here.standing.participant.stages)
    values = {
        **_item_page(call, here, shown, here.standing.answers.get((name, one))),
        **stage_values(shown_stage(study, name)),
        "target": f"{here.base}/stage/{place}/{at}",
        "before": f"{here.base}/stage/{place}/{at - 1}" if at > 1 else "",
        "at": at,
        "total": total,
        "answered": sum(stage == name for stage, _ in here.standing.answers),
        "place": place,
        "stages": stages,
        "meanwhile": "meanwhile" in call.query,
    }
    return render(call, "study/item.html", p=values)


def answer(call: Call) -> Response:
    """Keep an answer and show what comes next."""
    here = visit(call)
    stages = here.standing.participant.stages
    place = _place(call, "stage", len(stages))
    name = stages[place - 1]
    order = item_order(here.served.study, name, here.number)
    at = _place(call, "item", len(order))
    if place > here.step.stage:
        raise DataError("This part has not begun yet. Go on where you are.")
    if call.text("item", "") != order[at - 1]:
        raise DataError("This page is of another question. Load it again; nothing was kept.")
    # Nothing of a part that is over may be changed with what was learnt in the next one.
    is_over = place < here.step.stage
    try:
        _keep(call, here, name, order[at - 1], seen=0 if is_over else call.number("seen", 0))
    except AnsweredMeanwhileError:
        if is_over:
            raise DataError(
                "This part is over, and its answers cannot be changed any more. The earlier answer is kept."
            ) from None
        return back_to(f"{here.base}/stage/{place}/{at}?meanwhile=1")
    return _go_on(call)


def feedback(call: Call) -> Response:
    """Show the form about a stage, or about the whole study."""
    here = _active(call)
    if isinstance(here, Response):
        return here
    study, stages = here.served.study, here.standing.participant.stages
    if "stage" in call.path:
        place = _place(call, "stage", len(stages))
        if here.step != Step(StepKind.FEEDBACK, place):
            return back_to(here.base)
        shown = shown_stage(study, stages[place - 1])
        kick, heading = f"Part {place} of {len(stages)}", f"{shown['title']}: your opinion"
        before = f"{here.base}/stage/{place}/{shown['items']}"
        return _form(call, here, stages[place - 1], shown["feedback"], kick, heading, before)
    if here.step.kind is not StepKind.END:
        return back_to(here.base)
    return _form(call, here, "", shown_study(study, stages)["feedback"], "The end", "Your opinion of the study")


def answer_feedback(call: Call) -> Response:
    """Keep what a participant says about a stage, or about the whole study."""
    here = visit(call)
    name = ""
    if "stage" in call.path:
        stages = here.standing.participant.stages
        place = _place(call, "stage", len(stages))
        if place > here.step.stage:
            raise DataError("This part has not begun yet. Go on where you are.")
        name = stages[place - 1]
    # Forms send two characters for the end of a line, of which the page has counted one.
    said = {field[2:]: call.text(field).replace("\r\n", "\n") for field in call.fields if field.startswith("f:")}
    _require_same(call, here)
    # An empty form that is still open in another window must not wipe out what was said.
    give_feedback(
        call.studio.store,
        here.served.name,
        here.served.study,
        here.number,
        name,
        said,
        request=call.text("request"),
        once=True,
    )
    return _go_on(call)


def thanks(call: Call) -> Response:
    """Thank a participant who has answered everything, and show the code that a crowd platform wants."""
    here = _active(call)
    if isinstance(here, Response):
        return here
    if here.step.kind is not StepKind.DONE:
        return back_to(here.base)
    done = finish_participant(call.studio.store, here.served.name, here.number)
    code = done.code if done.external else ""
    return render(call, "study/thanks.html", title=here.served.study.title, base=here.base, code=code)


def _active(call: Call) -> Visit | Response:
    """Return who visits, or send them to the first page if they have not agreed yet."""
    here = visit(call)
    return here if here.standing.participant.state is ParticipantState.ACTIVE else back_to(here.base)


def _go_on(call: Call) -> Response:
    here = visit(call)
    if here.step.kind is StepKind.DONE:
        # Whoever is cut off before the last page has finished, too.
        finish_participant(call.studio.store, here.served.name, here.number)
    return back_to(here.address(here.step))


def _item_here(call: Call, here: Visit) -> tuple[str, str, int] | None:
    """Return the stage, the item and its place if a participant may see it now."""
    stages = here.standing.participant.stages
    place = _place(call, "stage", len(stages))
    if place != here.step.stage:
        return None
    name = stages[place - 1]
    order = item_order(here.served.study, name, here.number)
    at = _place(call, "item", len(order))
    # At the form that follows, the questions before it are still open; else up to the one that comes next.
    last = len(order) if here.step.kind is StepKind.FEEDBACK else max(1, here.step.item)
    return (name, order[at - 1], at) if at <= last else None


def _item_page(call: Call, here: Visit, shown: ClientItem, given: str | None) -> Mapping[str, object]:
    return {
        "base": here.base,
        **item_values(shown, given),
        "study": shown["study"],
        "landing": shown_study(here.served.study)["landing"],
        "seen": here.standing.revisions.get((shown["stage"], shown["item"]), 0),
        "request": secrets.token_urlsafe(16),
        "now": f"{call.studio.store.clock():.0f}",
    }


def _form(
    call: Call, here: Visit, stage: str, questions: list[ClientFeedback], kick: str, heading: str, before: str = ""
) -> Response:
    # Of a form that got another question meanwhile, only that one is asked.
    asked = [one for one in questions if (stage, one["id"]) not in here.standing.feedback]
    values = {
        "base": here.base,
        "target": call.request.url.path,
        "before": before,
        "questions": asked,
        "study": here.served.study.id,
        "request": secrets.token_urlsafe(16),
    }
    return render(call, "study/feedback.html", kick=kick, title=heading, p=values)


def _keep(call: Call, here: Visit, name: str, item_id: str, seen: int | None = None) -> None:
    _require_same(call, here)
    points = [point.strip() or "0" for point in call.texts("points")]
    said = "" if "skip" in call.fields else " ".join(points) or call.text("answer", "")
    if "skip" not in call.fields and (not said or (points and set(points) == {"0"})):
        raise DataError("No answer was chosen. Choose one, or skip the question. Nothing was kept.")
    answer_item(
        call.studio.store,
        here.served.name,
        here.served.study,
        here.number,
        name,
        item_id,
        said,
        request=call.text("request"),
        seconds=_seconds(call),
        seen=seen,
    )


def _require_same(call: Call, here: Visit) -> None:
    """Refuse an answer to questions that have been changed since they were shown."""
    if call.text("study", "") != here.served.study.id:
        raise DataError(
            "The questions were changed after this page was shown: this answer was not kept. Load it again."
        )


def _seconds(call: Call) -> float | None:
    """Return how long ago the page was shown; the client says when, so it is a number to read and not to trust."""
    try:
        passed = call.studio.store.clock() - float(call.text("now", ""))
    except ValueError:
        return None
    return passed if 0 <= passed <= _LONGEST_SECONDS else None


def _place(call: Call, name: str, most: int) -> int:
    text = call.path[name]
    if not (text.isascii() and text.isdecimal() and len(text) < 7 and 1 <= int(text) <= most):
        raise NotFoundError("There is nothing at this address.")
    return int(text)
