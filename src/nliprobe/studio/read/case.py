"""The page of one case."""

from __future__ import annotations

from starlette.responses import Response

from nliprobe.analysis.browse.browsing import Browser
from nliprobe.analysis.browse.wanted import Wanted
from nliprobe.analysis.one_case import CaseDocument
from nliprobe.api.reading import read_case
from nliprobe.base.errors import NotFoundError
from nliprobe.studio.calls import Call
from nliprobe.studio.read.asked import Asked
from nliprobe.studio.read.browsing import CaseLine, around, case_lines, open_browser
from nliprobe.studio.read.case_view import case_view, label_names
from nliprobe.studio.read.explaining import explained_systems, pools
from nliprobe.studio.rendering import render
from nliprobe.task.pair import Facet

# Cases that are like this one, of each kind.
_ALIKE, _LOOKED_AT = 5, 50
_TEMPLATE = "template"


def case_page(call: Call) -> Response:
    """Show one case with everything that is known about it."""
    with open_browser(call) as (runs, path, browser):
        try:
            document = read_case(path, call.path["case"])
        except NotFoundError:
            return _gone(call, runs.name(path))
        case_id = document["asked"]["case_id"]
        asked = Asked(call.query.multi_items(), browser.systems)
        try:
            before, after = around(browser, case_id, asked.wanted)
            alike = _alike(browser, document)
        except NotFoundError:  # made just now, and not in the index yet
            before, after, alike = None, None, []
        return render(
            call,
            "read/case.html",
            key=call.path["key"],
            name=runs.name(path),
            document=document,
            view=case_view(document),
            labels=label_names(),
            before=before,
            after=after,
            alike=alike,
            at=asked.query(),
            facets=[(facet["name"], facet["value"], _query(facet)) for facet in document["facets"]],
            explained=explained_systems(call, path, document),
            pools=pools(call.studio),
        )


def _gone(call: Call, name: str) -> Response:
    """Say that a run has no such case, where the way to those that it has is near."""
    known = {"key": call.path["key"], "name": name, "case": call.path["case"]}
    return render(call, "read/gone.html", status=404, **known)


def _alike(browser: Browser, document: CaseDocument) -> list[tuple[str, str, int, list[CaseLine]]]:
    """Return cases that are like one: what they share, the address of all of them, how many, and the first few."""
    asked = document["asked"]
    own = browser.cases([browser.row(asked["case_id"])])[0]
    no_systems = Asked([], ())
    kinds: list[tuple[str, Wanted, str]] = []
    for facet in document["facets"]:
        if facet["name"] == _TEMPLATE:
            wanted = Wanted(facets=(Facet(_TEMPLATE, facet["value"]),), probe=own.probe)
            query = no_systems.query(facet=f"{_TEMPLATE}={facet['value']}", probe=own.probe)
            kinds.append(("The same template with other words", wanted, query))
    kinds.append(("The same pair, edited otherwise", Wanted(pair=own.pair_id), no_systems.query(pair=own.pair_id)))
    if not any(facet["name"] == _TEMPLATE for facet in document["facets"]) and own.group != own.pair_id:
        wanted = Wanted(group=own.group, probe=own.probe)
        query = no_systems.query(group=own.group, probe=own.probe)
        kinds.append(("The same table, text or template, other pairs", wanted, query))
    found = []
    for words, wanted, query in kinds:
        page = browser.page(wanted, limit=_LOOKED_AT)
        others = [case for case in page.cases if case.case_id != own.case_id]
        if wanted.pair is None:
            others = [case for case in others if case.pair_id != own.pair_id]
        if others:
            found.append((words, query, page.total, case_lines(tuple(others[:_ALIKE]), [])))
    return found


def _query(facet: dict[str, str]) -> str:
    return Asked([], ()).query(facet=f"{facet['name']}={facet['value']}")
