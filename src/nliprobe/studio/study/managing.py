"""The owner's pages of studies: who takes part and how far they are, invitations, answers, results."""

from __future__ import annotations

import re
from datetime import UTC, datetime

from starlette.responses import Response

from nliprobe.base.errors import DataError, NliprobeError
from nliprobe.people.store.events import record_event
from nliprobe.people.store.links import first_link
from nliprobe.people.store.studies import (
    Participant,
    ParticipantState,
    invite_participant,
    open_study,
    read_participant,
    read_participants,
    read_study_row,
    renew_link,
    withdraw_participant,
)
from nliprobe.people.store.study_answers import Standing, collect_answers, read_standings
from nliprobe.people.study.answers import answers_csv
from nliprobe.people.study.files import read_key
from nliprobe.people.study.records import Study
from nliprobe.people.study.results import study_results
from nliprobe.people.study.shown import PRACTICE
from nliprobe.report.study_tables import bid_table, difference_table, said_lines, stage_table
from nliprobe.studio.calls import Call, back_to
from nliprobe.studio.rendering import render
from nliprobe.studio.study.served import STUDIES, name_of
from nliprobe.studio.study.visits import common_link, personal_link

# Links that are made at once: a class of students.
_MOST_INVITED = 100
_DAY, _LONGEST_DAYS = 24 * 3600.0, 365


def listed(call: Call) -> Response:
    """List all studies with how many people take part; what is wrong with one is said beside it."""
    studies = call.studio.part(STUDIES)
    rows: list[dict[str, object]] = []
    for key, folder in studies.folders.items():
        try:
            served = studies.read(key)
        except NliprobeError as error:
            rows.append({"key": "", "name": name_of(folder), "wrong": str(error)})
            continue
        people = read_participants(call.studio.store, served.name)
        here = [one for one in people if one.state is ParticipantState.ACTIVE]
        rows.append(
            {
                "key": key,
                "name": served.name,
                "title": served.study.title,
                "stages": ", ".join(stage.id for stage in served.study.stages),
                "people": len(here),
                "finished": sum(one.finished is not None for one in here),
            }
        )
    return render(call, "study/list.html", rows=rows)


def overview(call: Call) -> Response:
    """Show one study: links, and how far its participants are."""
    served = call.studio.part(STUDIES).read(call.path["key"])
    study, store = served.study, call.studio.store
    kept = read_study_row(store, served.name)
    standings = {one.participant.number: one for one in read_standings(store, served.name)}
    now = store.clock()
    people = [
        {
            "number": one.number,
            "name": one.name,
            "state": _state(one.state, one.finished),
            "note": one.note,
            "external": one.external,
            "code": one.code or "",
            "order": " → ".join(one.stages),
            "since": _day(one.joined),
            "done": _answered(study, standings.get(one.number)),
            "total": sum(len(study.stage(stage).items) for stage in one.stages),
            "link": "" if one.state is ParticipantState.WITHDRAWN else personal_link(call.studio, served.key, one),
            "holds": _holds(one, now),
        }
        for one in read_participants(store, served.name)
    ]
    return render(
        call,
        "study/overview.html",
        served=served,
        stages=[(stage.id, stage.title, stage.system, len(stage.items)) for stage in study.stages],
        people=people,
        kept=kept,
        common=common_link(call.studio, served.key) if kept.is_open else "",
        is_local=call.studio.settings.is_local and not call.studio.settings.public,
        made=_made(call),
        renewed=call.query.get("renewed", ""),
    )


def invite(call: Call) -> Response:
    """Make links for some more participants."""
    served = call.studio.part(STUDIES).read(call.path["key"])
    count = call.number("count", 1)
    if not 1 <= count <= _MOST_INVITED:
        raise DataError(f"The number of participants should be from 1 to {_MOST_INVITED}, not {count}.")
    seconds = _seconds(call)
    made = [
        invite_participant(
            call.studio.store,
            served.name,
            served.study,
            about=call.text("note", ""),
            seconds=seconds,
            link=first_link(),
        )
        for _ in range(count)
    ]
    record_event(call.studio.store, "owner", "participants invited", study=served.name, participants=count)
    first, last = made[0].number, made[-1].number
    return back_to(f"/studies/{served.key}?new={first}-{last}#participant-{first}")


def renew(call: Call) -> Response:
    """Make another link for a participant, whose earlier one is over, was lost or is in wrong hands."""
    served = call.studio.part(STUDIES).read(call.path["key"])
    number = call.number("participant")
    who = read_participant(call.studio.store, served.name, number)
    if who.state is ParticipantState.WITHDRAWN:
        raise DataError(f"{who.name} has withdrawn, and cannot come in by any link. Nothing was done.")
    renew_link(call.studio.store, served.name, number, seconds=_seconds(call))
    record_event(call.studio.store, "owner", "link of a participant renewed", study=served.name, participant=number)
    return back_to(f"/studies/{served.key}?renewed={number}#participant-{number}")


def open_link(call: Call) -> Response:
    """Open or close the link by which anybody joins."""
    served = call.studio.part(STUDIES).read(call.path["key"])
    is_open = call.text("open", "") == "yes"
    most = call.number("most", 0) or None
    open_study(call.studio.store, served.name, is_open=is_open, most_participants=most)
    what = "study opened to whoever has the link" if is_open else "study closed to new participants"
    record_event(call.studio.store, "owner", what, study=served.name, most_participants=most)
    return back_to(f"/studies/{served.key}#everybody")


def withdraw(call: Call) -> Response:
    """Delete what a participant said, who has asked for it."""
    served = call.studio.part(STUDIES).read(call.path["key"])
    number = call.number("participant")
    if call.text("sure", "") != "yes":
        raise DataError("Tick that you are sure: what a participant said cannot be brought back. Nothing was done.")
    deleted = withdraw_participant(call.studio.store, served.name, number)
    record_event(
        call.studio.store, "owner", "participant withdrawn", study=served.name, participant=number, answers=deleted
    )
    return back_to(f"/studies/{served.key}#participant-{number}")


def results(call: Call) -> Response:
    """Show what the answers say so far."""
    served = call.studio.part(STUDIES).read(call.path["key"])
    collected = collect_answers(call.studio.store, served.name, served.study)
    if not collected.given:
        return render(call, "study/results.html", served=served, document=None, tables=[], said=[], unfinished=0)
    document = study_results(served.study, read_key(served.folder, served.study), collected)
    people = read_participants(call.studio.store, served.name)
    # Who has agreed and not answered anything is not among those who have answered.
    answered = set(collected.participants)
    unfinished = sum(one.name in answered and one.finished is None for one in people)
    tables = [
        (name, table)
        for name, table in (
            ("Stages", stage_table(document["stages"])),
            ("Bids", bid_table(document["stages"])),
            ("Differences between stages", difference_table(document)),
        )
        if table.rows
    ]
    return render(
        call,
        "study/results.html",
        served=served,
        document=document,
        tables=tables,
        said=said_lines(document, whole=True),
        unfinished=unfinished,
    )


def export(call: Call) -> Response:
    """Write all answers as the file that ``nliprobe study results`` reads; participants have pseudonyms there."""
    served = call.studio.part(STUDIES).read(call.path["key"])
    collected = collect_answers(call.studio.store, served.name, served.study)
    record_event(call.studio.store, "owner", "answers of a study exported", study=served.name)
    text = answers_csv(served.study, collected.given, collected.feedback)
    headers = {"Content-Disposition": 'attachment; filename="answers.csv"', "Cache-Control": "no-store"}
    return Response(text, media_type="text/csv; charset=utf-8", headers=headers)


def _made(call: Call) -> range:
    """Return the numbers of those whose links were just made."""
    found = re.fullmatch("([0-9]{1,9})-([0-9]{1,9})", call.query.get("new", ""))
    return range(int(found[1]), int(found[2]) + 1) if found else range(0)


def _seconds(call: Call) -> float | None:
    """Return how long a link lets somebody in who has not begun; an empty field is for ever."""
    days = call.number("days", 0)
    if not 0 <= days <= _LONGEST_DAYS:
        raise DataError(f"The number of days should be from 1 to {_LONGEST_DAYS}, or nothing, not {days}.")
    return days * _DAY or None


def _holds(who: Participant, now: float) -> str:
    """Say how long the link of somebody who has not begun holds."""
    if who.state is not ParticipantState.INVITED or who.expires is None:
        return ""
    return "the time of the link is over" if now >= who.expires else f"to begin before {_day(who.expires)}"


def _answered(study: Study, standing: Standing | None) -> int:
    return 0 if standing is None else sum(stage != PRACTICE for stage, _ in standing.answers)


def _state(state: ParticipantState, finished: float | None) -> str:
    if state is ParticipantState.ACTIVE:
        return "has finished" if finished is not None else "takes part"
    return {ParticipantState.INVITED: "is invited", ParticipantState.WITHDRAWN: "has withdrawn"}[state]


def _day(at: float) -> str:
    return datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%d")
