"""A project at a glance: how far it is, how far raters agree, who should be looked at; kept up to date by a script."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple

from starlette.responses import Response

from nliprobe.api.people_status import (
    ConstantDocument,
    PeopleDocument,
    RaterDocument,
    agreement_on_marks,
    constant_words,
    status_of,
)
from nliprobe.people.store import Database
from nliprobe.people.store.looking import read_item_numbers, read_pulse, read_remarks
from nliprobe.people.store.progress import read_progress
from nliprobe.people.store.projects import ProjectChanges, change_project
from nliprobe.people.store.raters import read_raters
from nliprobe.studio.calls import Call, answer_json
from nliprobe.studio.context import Part, Studio
from nliprobe.studio.manage.board import Board, board_of
from nliprobe.studio.manage.words import rate_cell, share, when

# Remarks and flags that the page shows; the list of items has all.
_SHOWN = 30
# Measuring quality may take this part of the time at most, however fast judgements come in.
_PART_OF_TIME = 0.1


class Status(NamedTuple):
    """A document with the pulse of the project when it was made, and when that was."""

    pulse: int
    document: PeopleDocument
    at: float


@dataclass
class Statuses:
    """Keeps the newest status of each project, because Dawid and Skene's estimate of a large one takes seconds."""

    store: Database
    clock: Callable[[], float] = time.monotonic
    _known: dict[str, tuple[Status, float, float]] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def of(self, project: str) -> Status:
        """Return the status of a project; it may be behind by ten times as long as it takes to make one."""
        pulse = read_pulse(self.store, project)
        with self._lock:
            known = self._known.get(project)
            if known is not None:
                status, made, cost = known
                if status.pulse == pulse or self.clock() - made < cost / _PART_OF_TIME:
                    return status
            begun = self.clock()
            status = Status(pulse, status_of(self.store, project), self.store.clock())
            self._known[project] = (status, self.clock(), self.clock() - begun)
            return status

    def forget(self, project: str) -> None:
        """Make a new status when one is asked for again: the owner has changed something."""
        with self._lock:
            self._known.pop(project, None)


def _make(studio: Studio) -> Statuses:
    return Statuses(studio.store)


STATUSES = Part(Statuses, _make)


def overview(call: Call) -> Response:
    """Show how far a project is."""
    board = board_of(call)
    store, name = call.studio.store, board.project.name
    status = call.studio.part(STATUSES).of(name)
    document = status.document
    numbers, raters = read_item_numbers(store, name), [rater.name for rater in read_raters(store, name)]
    places = {rater: place for place, rater in enumerate(raters, 1)}
    remarks, all_remarks = read_remarks(store, name, most=_SHOWN)
    # The document may be older than what is open now.
    numbered = [batch["batch"] for batch in document["batches"]]
    opened = [number for number in numbered if number < board.project.batches_open]
    closed = numbered[len(opened) :]
    return board.page(
        "overview.html",
        board.project.title or name,
        document=document,
        at=when(status.at),
        pulse=status.pulse,
        judged=sum(batch["judged"] for batch in document["batches"]),
        wanted=sum(batch["wanted"] for batch in document["batches"]),
        next_batch=closed[0] if closed else None,
        last_batch=opened[-1] if opened else None,
        only_batch=len(opened) == 1,
        agreement=_agreement(document),
        columns=_columns(document),
        rows=[*_baselines(document), *(_rater(board, places, rater) for rater in document["raters"])],
        flags=[
            {**flag, "number": numbers[flag["item"]], "address": board.at(f"/items/{numbers[flag['item']]}")}
            for flag in document["flags"][:_SHOWN]
        ],
        more_flags=max(0, len(document["flags"]) - _SHOWN),
        remarks=[
            {
                "rater": one.rater,
                "text": one.remark,
                "number": numbers[one.item],
                "address": board.at(f"/items/{numbers[one.item]}"),
            }
            for one in remarks
        ],
        more_remarks=all_remarks - len(remarks),
    )


def live(call: Call) -> Response:
    """Tell a script how far a project is, and whether the page has something new to show."""
    board = board_of(call)
    store, name = call.studio.store, board.project.name
    progress = read_progress(store, name)
    return answer_json(
        {
            "pulse": read_pulse(store, name),
            "judged": sum(batch.judged for batch in progress.batches),
            "wanted": sum(batch.wanted for batch in progress.batches),
            "leased": progress.leased,
            "complete": progress.is_complete,
        }
    )


def open_batches(call: Call) -> Response:
    """Open so many first batches; the form says the number, so that sending it twice opens one batch, not two.

    It says also how many were open: a page that is older than what somebody else has opened must not close that.
    """
    board = board_of(call)
    wanted, known = call.number("batches"), call.number("known", board.project.batches_open)
    if wanted == board.project.batches_open:
        return board.back("", "same")
    if known != board.project.batches_open:
        return board.back("", "moved")
    change_project(call.studio.store, board.project.name, ProjectChanges(batches_open=wanted))
    call.studio.part(STATUSES).forget(board.project.name)
    return board.back("", "opened" if wanted > board.project.batches_open else "closed")


def _agreement(document: PeopleDocument) -> list[tuple[str, str, str]]:
    """Return measures of agreement: a name, the value, and what it is compared with."""
    measured = document["agreement"]
    if measured is None:
        rows = agreement_on_marks(document)
    else:
        by_chance = "0 is chance, 1 is full agreement"
        guessing = "0 is what raters get who guess as often as these say each label"
        rows = [
            ("Fleiss' kappa", measured["fleiss_kappa"], guessing),
            ("Krippendorff's alpha", measured["krippendorff_alpha"], by_chance),
            ("Cohen's kappa of majority and gold label", measured["cohen_kappa"], by_chance),
        ]
    return [(name, f"{value:.2f}", compared) for name, value, compared in rows if value is not None]


def _columns(document: PeopleDocument) -> list[str]:
    per = ", per unit" if document["task"] == "evidence" else ""
    return [
        "rater",
        "judgements",
        "right, as estimated",
        f"with the others' majority{per}",
        f"with the majority{per}",
        "with the gold label",
        "attention items",
        "seconds",
        "look at this",
    ]


def _baselines(document: PeopleDocument) -> list[list[object]]:
    """Return what needs no care, as the first lines of the table of raters."""
    constants, chance = document["constants"], document["chance"]
    if constants is None or chance is None:
        return []
    majority, estimated = constants["majority"], constants["accuracy"]
    # Who always says the same is none of the raters, so that all of them are the others.
    cells = [_constant_cell(document, one) for one in (majority, majority, constants["gold"], constants["attention"])]
    best = {"text": share(estimated["value"]), "notes": [_said(document, estimated["answer"])]}
    guessed = share(chance)
    # A set of marks is guessed by fewer than one unit is.
    checks = "–" if document["task"] == "evidence" else guessed
    return [
        [{"text": "always the same answer, at best", "tone": "soft"}, "", best, *cells, "", ""],
        [{"text": "guessing", "tone": "soft"}, "", *[guessed] * 4, checks, "", ""],
    ]


def _constant_cell(document: PeopleDocument, constant: ConstantDocument | None) -> dict[str, object] | str:
    if constant is None or constant["rate"]["value"] is None:
        return "–"
    return rate_cell(constant["rate"], _said(document, constant["answer"]))


def _said(document: PeopleDocument, answer: str) -> str:
    return constant_words(document, answer).removeprefix("always saying ")


def _rater(board: Board, places: dict[str, int], rater: RaterDocument) -> list[object]:
    state = [] if rater["state"] == "active" else [rater["state"]]
    return [
        {"text": rater["rater"], "address": board.at(f"/raters/{places[rater['rater']]}"), "notes": state},
        f"{rater['judgements']:,}",
        share(rater["accuracy"]),
        rate_cell(rater["others"]),
        rate_cell(rater["majority"]),
        rate_cell(rater["gold"]),
        rate_cell(rater["attention"]),
        "–" if rater["seconds"] is None else f"{rater['seconds']:.0f}",
        {"text": "", "notes": rater["flags"], "long": True} if rater["flags"] else "",
    ]
