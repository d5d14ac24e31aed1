"""The pages of *Try*; they are the owner's, because whoever may ask can keep the machine busy."""

from __future__ import annotations

import shlex

from starlette.responses import Response

from nliprobe.api.tried import CASE_FILE_PARAMETERS, CASE_FILES, WrittenPair, case_file, known_edit, offers
from nliprobe.api.typed import MOST_WORDS, PREMISE_FORMS
from nliprobe.base.errors import DataError, NotFoundError
from nliprobe.people.store.events import record_event
from nliprobe.report.explained_page import explained_section
from nliprobe.studio.ask.asking import ASKING, Asking
from nliprobe.studio.ask.forms import chosen_label, chosen_systems, edited_pair, typed_pair, typed_values
from nliprobe.studio.ask.shown import (
    known_words,
    offer_words,
    shown_answers,
    shown_history,
    shown_offers,
    shown_texts,
    trial_title,
)
from nliprobe.studio.ask.trials import TRIALS, Made, Trial, Version
from nliprobe.studio.calls import Call, action, answer_json, back_to, page
from nliprobe.studio.jobs import JobState
from nliprobe.studio.refusals import TooManyError
from nliprobe.studio.rendering import render
from nliprobe.task.case import Certainty
from nliprobe.task.pair import Premise
from nliprobe.task.table import Row, Table

# A page that comes complete needs no second look; one that does not come is worse than one that says "asking".
_PATIENCE = 2.0
# How long one request that waits for answers may take before it is asked again.
_POLL_SECONDS = 5.0


def _begin(call: Call) -> Response:
    return _form(call)


def _form(call: Call, wrong: str = "", status: int = 422) -> Response:
    asking = call.studio.part(ASKING)
    chosen = set(call.texts("system")) if wrong else {str(number) for number in range(len(asking.names))}
    return render(
        call,
        "ask/begin.html",
        status=status if wrong else 200,
        wrong=wrong,
        systems=[(number, name, str(number) in chosen) for number, name in enumerate(asking.names)],
        forms=PREMISE_FORMS,
        values={"premise": "", "form": "auto", "title": "", "hypothesis": "", **typed_values(call)},
        most_words=MOST_WORDS,
        seconds=asking.limits.question,
        trials=[(trial.key, trial_title(trial), len(trial.versions)) for trial in call.studio.part(TRIALS).latest()],
    )


def _ask(call: Call) -> Response:
    asking, trials = call.studio.part(ASKING), call.studio.part(TRIALS)
    try:
        systems = chosen_systems(call, asking)
        premise, hypothesis, form, notes = typed_pair(call)
        trial = trials.begin(systems, _read_notes(form, premise, notes))
        version = trial.add(asking, premise, hypothesis, None)
    except (DataError, NotFoundError) as error:
        return _form(call, str(error))
    except TooManyError as error:
        return _form(call, str(error), 429)
    trials.keep(trial)
    _record(call, "asked systems", trial, form=form)
    version.wait(_PATIENCE)
    return back_to(_address(trial, version))


def _read_notes(form: str, premise: Premise, notes: tuple[str, ...]) -> tuple[str, ...]:
    if not isinstance(premise, Table):
        return notes
    what = f"Read as {PREMISE_FORMS[form]}: {len(premise.rows)} {'row' if len(premise.rows) == 1 else 'rows'}."
    return (what, *notes)


def _show(call: Call) -> Response:
    trial = _trial(call)
    return _page(call, trial, _at(call, trial, call.query.get("at")))


def _page(
    call: Call,
    trial: Trial,
    version: Version,
    wrong: str = "",
    own: dict[str, object] | None = None,
    status: int = 422,
) -> Response:
    asking = call.studio.part(ASKING)
    # Before the answers are looked at: one that comes meanwhile must not leave a page that waits for nothing.
    waiting = version.is_waiting
    why = _number(call.query.get("why"))
    explaining = None if why is None else version.explanations.get(why)
    explained = None if explaining is None or explaining.result is None else explained_section(explaining.result)
    return render(
        call,
        "ask/trial.html",
        status=status if wrong else 200,
        wrong=wrong,
        trial=trial,
        version=version,
        # An edit that was refused is shown at another address, which answers only what sends an edit.
        address=_address(trial, version, why),
        waiting=waiting,
        texts=shown_texts(trial, version),
        answers=shown_answers(asking, trial, version),
        known=known_words(version.made),
        offers=shown_offers(version),
        own=own or _own(version.premise, version.hypothesis),
        history=shown_history(asking, trial, version.number),
        why=None if explaining is None or why is None else asking.name(why),
        explaining=explaining,
        explained=explained,
        explain_seconds=asking.limits.explanation,
        command=_command(asking, trial),
        files=list(CASE_FILES),
    )


def _own(premise: Premise, hypothesis: str) -> dict[str, object]:
    """Prepare the form in which a version is edited by hand."""
    if not isinstance(premise, Table):
        return {"premise": premise, "hypothesis": hypothesis}
    empty = Row("", ("",) * max(1, len(premise.columns)))
    rows = [(row.key, list(row.values)) for row in (*premise.rows, empty)]
    return {"title": premise.title, "rows": rows, "hypothesis": hypothesis}


def _sent(call: Call, premise: Premise) -> dict[str, object]:
    """Prepare the same form with what was sent, beside what is wrong with it."""
    hypothesis = call.text("hypothesis", "")
    if not isinstance(premise, Table):
        return {"premise": call.text("premise", ""), "hypothesis": hypothesis}
    width = len(premise.columns)
    if width:
        cells = call.texts("cell")
        rows = [("", cells[start : start + width]) for start in range(0, len(cells) - width + 1, width)]
    else:
        rows = [(key, lines.split("\n")) for key, lines in zip(call.texts("key"), call.texts("values"), strict=False)]
    return {"title": call.text("title", ""), "rows": rows, "hypothesis": hypothesis}


def _edit(call: Call) -> Response:
    asking, trial = call.studio.part(ASKING), _trial(call)
    base = _at(call, trial, call.text("at", ""))
    try:
        premise, hypothesis, made = _offered(call, base) if call.text("case", "") else _by_hand(call, base)
        version = trial.add(asking, premise, hypothesis, made)
    except (DataError, TooManyError) as error:
        own = None if call.text("case", "") else _sent(call, base.premise)
        return _page(call, trial, base, str(error), own, 429 if isinstance(error, TooManyError) else 422)
    _record(call, "asked systems about an edit", trial, edit=made.name or "own")
    version.wait(_PATIENCE)
    # Whoever edits watches the answers; by keys they go on from there, and not through the whole menu again.
    return back_to(f"{_address(trial, version)}#answers")


def _offered(call: Call, base: Version) -> tuple[Premise, str, Made]:
    wanted = call.text("case")
    found = next((offer for offer in offers(base.pair) if offer.case.id == wanted), None)
    if found is None:
        raise DataError("This edit is not one of this version any more. Load the page again.")
    case = found.case
    made = Made(base.number, offer_words(found), case.probe, case.expects, case.certainty)
    return case.premise, case.hypothesis, made


def _by_hand(call: Call, base: Version) -> tuple[Premise, str, Made]:
    premise, hypothesis = edited_pair(call, base.premise)
    if (premise, hypothesis) == (base.premise, base.hypothesis):
        raise DataError("Nothing is changed: there is nothing new to ask.")
    known = known_edit(base.pair, premise, hypothesis)
    words = _by_hand_words(base, premise, hypothesis)
    if known is None:
        return premise, hypothesis, Made(base.number, words)
    return premise, hypothesis, Made(base.number, words, known.name, known.expects, known.certainty)


def _by_hand_words(base: Version, premise: Premise, hypothesis: str) -> str:
    changed = [
        name
        for name, differs in (
            ("table" if isinstance(premise, Table) else "premise", premise != base.premise),
            ("hypothesis", hypothesis != base.hypothesis),
        )
        if differs
    ]
    return f"You changed the {' and the '.join(changed)}."


def _label(call: Call) -> Response:
    trial = _trial(call)
    version = _at(call, trial, call.text("at", ""))
    version.gold = chosen_label(call)
    return back_to(f"{_address(trial, version)}#save")


def _explain(call: Call) -> Response:
    asking, trial = call.studio.part(ASKING), _trial(call)
    version = _at(call, trial, call.text("at", ""))
    system = call.number("system")
    if system not in trial.systems:
        raise NotFoundError("This system was not asked in this trial.")
    before = version.explanations.get(system)
    if before is None or (before.is_over and before.result is None):
        version.explanations[system] = asking.explain(system, version.pair)
        _record(call, "explained an answer", trial, explained=asking.name(system))
    version.explanations[system].wait(_PATIENCE)
    return back_to(f"{_address(trial, version, system)}#why")


def _state(call: Call) -> Response:
    """Tell a script whether something is still to come; the request waits a while for it."""
    trial = _trial(call)
    version = _at(call, trial, call.query.get("at"))
    for question in version.asked:
        if not question.wait(_POLL_SECONDS):
            break
    return answer_json({"waiting": version.is_waiting})


def _save(call: Call) -> Response:
    trial, form = _trial(call), call.path["form"]
    if form not in CASE_FILES:
        raise NotFoundError(f"There is no case file of this form: expected {', '.join(CASE_FILES)}.")
    pairs = [_written(version) for version in trial.versions]
    _record(call, "saved a case file", trial, form=form)
    headers = {
        "Content-Disposition": f'attachment; filename="tried-{trial.key}.{form}"',
        "Cache-Control": "no-store",
    }
    return Response(case_file(pairs, form), media_type=f"{CASE_FILES[form]}; charset=utf-8", headers=headers)


def _written(version: Version) -> WrittenPair:
    made = version.made
    # A rule of a file is certain. One that is only likely would be a fault in a run, and here it is none; so the pair
    # stands by itself, as one does that was made by an edit of which nothing is known.
    compared = made is not None and made.rule is not None and made.certainty is Certainty.CERTAIN
    return WrittenPair(
        str(version.number),
        version.premise,
        version.hypothesis,
        version.gold,
        base=str(made.base) if made is not None and compared else "",
        expects=made.rule if made is not None and compared else None,
        edit="" if made is None else f"{made.name or 'own edit'} of {made.base}",
    )


def _command(asking: Asking, trial: Trial) -> str:
    """Write the line that asks the same systems about a saved trial; one that cannot be asked would stop the run."""
    name = f"tried-{trial.key}"
    corpus = f"file:{name}.jsonl?{CASE_FILE_PARAMETERS}"
    asked = [[version.questions[system] for version in trial.versions] for system in trial.systems]
    failed = [all(question.state is JobState.FAILED for question in questions) for questions in asked]
    systems = [system for system, all_failed in zip(trial.systems, failed, strict=True) if not all_failed]
    options = asking.run_options(systems or trial.systems)
    return shlex.join(["nliprobe", "run", "--on", corpus, *options, "--out", f"runs/{name}"])


def _trial(call: Call) -> Trial:
    return call.studio.part(TRIALS).find(call.path["key"])


def _at(call: Call, trial: Trial, given: str | None) -> Version:
    number = _number(given)
    return trial.versions[-1] if number is None else trial.version(number)


def _number(text: str | None) -> int | None:
    return int(text) if text and text.isdecimal() and len(text) < 6 else None


def _address(trial: Trial, version: Version, why: int | None = None) -> str:
    return f"/ask/{trial.key}?at={version.number}{'' if why is None else f'&why={why}'}"


def _record(call: Call, what: str, trial: Trial, **about: str) -> None:
    asking: Asking = call.studio.part(ASKING)
    names = ", ".join(asking.name(system) for system in trial.systems)
    record_event(call.studio.store, "owner", what, systems=names, versions=len(trial.versions), **about)


ROUTES = [
    page("/ask", _begin),
    action("/ask", _ask),
    page("/ask/{key}", _show),
    page("/ask/{key}/state", _state),
    action("/ask/{key}/edit", _edit),
    action("/ask/{key}/label", _label),
    action("/ask/{key}/explain", _explain),
    page("/ask/{key}/save.{form}", _save),
]
