"""One run: what it shows, and all its cases by filters and words."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Any

from starlette.responses import Response

from nliprobe.analysis.browse.background import Readiness
from nliprobe.analysis.browse.browsing import Browser
from nliprobe.analysis.browse.listed import Counts, ListedCase, Page
from nliprobe.analysis.browse.wanted import ANY_ALLOWED, Wanted
from nliprobe.analysis.browse.words import Term, marked, terms
from nliprobe.api.reading import RunOverview, run_damage, run_overview
from nliprobe.base.errors import NotFoundError, StoreError
from nliprobe.report.failing import told
from nliprobe.report.watch import watch_line
from nliprobe.report.words import cut
from nliprobe.studio.calls import Call, answer_json
from nliprobe.studio.read.asked import Asked, options
from nliprobe.studio.read.runs import Runs, runs_of
from nliprobe.studio.read.verdicts import computed_verdicts
from nliprobe.studio.rendering import render

# Cases on a page; characters of a premise in the list, and around a word that was found.
SHOWN = 25
_PREMISE, _AROUND = 220, 90
# Values of a facet that can be chosen in the list; others are chosen on a page of a case.
_VALUES = 20
_NO_CASES = (
    "No cases are written yet: they are listed here when the first are. If no process writes this run any more, repeat "
    "the command that made it."
)
Pieces = list[tuple[str, bool]]


@dataclass(frozen=True)
class CaseLine:
    """A case in the list: its texts in pieces, each with whether it was searched for; its edit in words."""

    case: ListedCase
    hypothesis: Pieces
    premise: Pieces
    edit: str


def run_page(call: Call) -> Response:
    """Show a run with the cases that its address asks for."""
    runs = runs_of(call.studio)
    key = call.path["key"]
    path = runs.path(key)
    overview = run_overview(path)
    known: dict[str, Any] = {
        "key": key,
        "name": runs.name(path),
        "no_cases": _NO_CASES,
        "run": overview,
        "verdicts": _verdicts(call, path, overview),
        "live": overview.state == "unfinished",
        "progress": _progress(runs, path) if overview.state == "unfinished" else "",
    }
    if overview.state == "damaged":
        return render(call, "read/run.html", **known, ready=None, problem=_damage(path))
    readiness = runs.browsers.look(path)
    if not readiness.ready:
        return render(call, "read/run.html", **known, ready=readiness, problem=readiness.problem)
    try:
        with runs.browsers.browse(path) as browser:
            shown = _shown(call, browser)
    except FileNotFoundError:  # damaged just now, and set aside; it is made again
        readiness = runs.browsers.look(path)
        return render(call, "read/run.html", **known, ready=readiness._replace(ready=False), problem=readiness.problem)
    return render(call, "read/run.html", **known, ready=readiness, problem=readiness.problem, **shown)


def run_state(call: Call) -> Response:
    """Tell a script how far a run and its index are."""
    runs = runs_of(call.studio)
    path = runs.path(call.path["key"])
    document = runs.watched(path).look()
    state: str = document["state"]
    # A run that was written to its end is not watched any more, and may be damaged since.
    state = run_overview(path).state if state == "complete" else state
    answer: dict[str, object] = {
        "state": state,
        "line": watch_line(document),
        "cases": document["cases"],
        "systems": [
            {"name": item["name"], "share": item["share"], "cases": item["cases"], "complete": item["complete"]}
            for item in document["systems"]
        ],
        "ready": False,
        "current": False,
        "content": "",
        "making": "",
    }
    if state != "damaged":
        readiness = runs.browsers.look(path)
        answer |= {
            "ready": readiness.ready,
            "current": readiness.current,
            "content": readiness.content,
            "making": making_words(readiness),
            "problem": readiness.problem,
        }
    return answer_json(answer)


def making_words(readiness: Readiness) -> str:
    """Say how far the index of a run is, or what it waits for; empty if none is being made."""
    if readiness.is_empty:
        return _NO_CASES
    if readiness.progress is None:
        return ""
    done, of, stage = readiness.progress
    words = {"reading": f"{done} of {of} parts are read", "judging": "answers are judged"}
    return f"The cases are being indexed: {words.get(stage, 'words are counted')}."


def wanted_page(browser: Browser, asked: Asked) -> Page:
    """Return the page of cases that an address asks for; the first one if its place is gone."""
    after, before = asked.get("after") or None, asked.get("before") or None
    try:
        return browser.page(asked.wanted, limit=SHOWN, after=None if before else after, before=before)
    except NotFoundError:  # the run was made anew since somebody kept this address
        asked.remarks.append("The case at which this page of the list began is gone: the list is shown from its start.")
        return browser.page(asked.wanted, limit=SHOWN)


def case_lines(cases: tuple[ListedCase, ...], searched: list[Term]) -> list[CaseLine]:
    """Prepare cases for a list."""
    return [
        CaseLine(
            case,
            list(marked(case.hypothesis, searched)),
            # The rows of a table in one paragraph: a list is for looking over.
            _excerpt(list(marked(case.premise.replace("\n", " · "), searched))),
            told(case.edits),
        )
        for case in cases
    ]


def _shown(call: Call, browser: Browser) -> dict[str, Any]:
    asked = Asked(call.query.multi_items(), browser.systems)
    searched = terms(asked.get("q"))
    if asked.get("q") and not searched:
        asked.remarks.append(f"“{cut(asked.get('q'))}” has no letter and no digit: nothing is searched for.")
    page = wanted_page(browser, asked)
    counts = browser.counts(asked.wanted)
    # The form chooses another facet in the place of the first one, so its values are counted without that.
    others = replace(asked.wanted, facets=asked.facets[1:])
    facets = browser.facets(others) if asked.facets else counts.facets
    return {
        "asked": asked,
        "page": page,
        "lines": case_lines(page.cases, searched),
        "all": len(browser),
        "systems": browser.systems,
        "choices": _choices(counts, asked),
        "facets": _facet_choices(facets, asked, page.total),
        "at": asked.query(),
    }


def _choices(counts: Counts, asked: Asked) -> dict[str, list[tuple[str, str]]]:
    """Return what can be chosen for each condition; counts by answer need a system."""
    choices = {
        name: options(getattr(counts, name), asked.get(name)) for name in ("corpus", "probe", "gold", "certainty")
    }
    system, other = asked.get("system"), asked.get("other")
    choices["answer"] = options(counts.answers.get(system, {}), asked.get("answer"))
    choices["other_answer"] = options(counts.answers.get(other, {}), asked.get("other_answer"))
    outcomes = ("broken", "holds", "unanswered")
    for name, judged, every in (("by_gold", "gold", outcomes), ("by_rule", "expects", (*outcomes, ANY_ALLOWED))):
        known = counts.outcomes.get(system, {}).get(judged)
        # Of no system in particular nothing is counted; what an address asks for besides can be chosen again.
        values = dict.fromkeys((*every, *filter(None, [asked.get(name)])))
        choices[name] = [(value, value) for value in values] if known is None else options(known, asked.get(name))
    return choices


def _facet_choices(
    counts: dict[str, dict[str, int]], asked: Asked, found: int
) -> list[tuple[str, list[tuple[str, str]]]]:
    """Return the values of facets to choose from; the chosen one is always among them, with what was found."""
    listed = {
        name: {value.replace("\r\n", "\n"): count for value, count in islice(values.items(), _VALUES)}
        for name, values in counts.items()
    }
    for name, value in asked.facets[:1]:
        listed.setdefault(name, {})[value] = found
    return [
        (name, [(f"{name}={value}", f"{value} ({count:,})") for value, count in values.items()])
        for name, values in listed.items()
    ]


def _excerpt(pieces: Pieces) -> Pieces:
    """Cut a premise: its beginning, or what is around the first word that was found."""
    first = next((place for place, (_, found) in enumerate(pieces) if found), None)
    before = "".join(text for text, _ in pieces[:first]) if first is not None else ""
    start = max(len(before) - _AROUND, 0) if len(before) > _PREMISE - _AROUND else 0
    cut: Pieces = [("… ", False)] if start else []
    at, left = 0, _PREMISE
    for text, found in pieces:
        piece = text[max(start - at, 0) :]
        at += len(text)
        if piece and left > 0:
            cut.append((piece[:left], found))
            left -= len(piece)
    return [*cut, ("…", False)] if left < 0 else cut


def _verdicts(call: Call, path: Path, overview: RunOverview) -> list[str]:
    if overview.state != "complete" or overview.verdicts is not None:
        return overview.verdicts or []
    return computed_verdicts(call.studio, path, overview.name)[0]


def _progress(runs: Runs, path: Path) -> str:
    try:
        return watch_line(runs.watched(path).look())
    except NotFoundError:
        raise NotFoundError(f"The run {runs.name(path)} was deleted just now.") from None


def _damage(path: Path) -> str:
    return " ".join(
        ["The run is damaged.", *run_damage(path)[:3], "Repeat the command that made it: it repairs the run."]
    )


@contextmanager
def open_browser(call: Call) -> Iterator[tuple[Runs, Path, Browser]]:
    """Open the browser of the run that an address names.

    Raises:
        StoreError: it is being made.
    """
    runs = runs_of(call.studio)
    path = runs.path(call.path["key"])
    if run_overview(path).state == "damaged":
        raise StoreError(_damage(path))
    readiness = runs.browsers.look(path)
    if not readiness.ready:
        raise StoreError(readiness.problem or f"{making_words(readiness)} Load this page again in a moment.")
    with runs.browsers.browse(path) as browser:
        yield runs, path, browser


def around(browser: Browser, case_id: str, wanted: Wanted) -> tuple[str | None, str | None]:
    """Return the cases before and after one, among those that are wanted."""
    before, after = browser.page(wanted, limit=1, before=case_id), browser.page(wanted, limit=1, after=case_id)
    row = browser.row(case_id)
    earlier = [case.case_id for case in before.cases if browser.row(case.case_id) < row]
    return (earlier[0] if earlier else None), (after.cases[0].case_id if after.cases else None)
