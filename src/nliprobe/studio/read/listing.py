"""The list of runs, each with what it shows."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from starlette.responses import Response

from nliprobe.api.listed import ListedRun, listed_runs
from nliprobe.studio.calls import Call, answer_json
from nliprobe.studio.context import Studio, address
from nliprobe.studio.read.runs import runs_of
from nliprobe.studio.read.verdicts import computed_verdicts
from nliprobe.studio.rendering import render


@dataclass(frozen=True)
class Line:
    """A run in the list.

    Attributes:
        key: its address.
        name: its path below the folder.
        about: its state, systems and corpora in words.
        state: complete, unfinished or damaged; None if it cannot be read.
        created: when it was begun.
        verdicts: what it shows, a text per system.
        pending: whether that is being computed.
    """

    key: str
    name: str
    about: str
    state: str | None
    created: str
    verdicts: list[str]
    pending: bool


def runs_page(call: Call) -> Response:
    """Show all runs, the newest first."""
    lines = _lines(call.studio)
    pending = any(line.pending or line.state == "unfinished" for line in lines)
    return render(call, "read/runs.html", lines=lines, pending=pending, folder=call.studio.settings.folder.name)


def runs_state(call: Call) -> Response:
    """Tell a script what is new in the list."""
    lines = _lines(call.studio, polled=True)
    return answer_json(
        {
            "runs": [
                {"key": line.key, "about": line.about, "verdicts": line.verdicts, "pending": line.pending}
                for line in lines
            ],
            "pending": any(line.pending or line.state == "unfinished" for line in lines),
        }
    )


def _lines(studio: Studio, *, polled: bool = False) -> list[Line]:
    runs = runs_of(studio)
    names = {str(path): runs.name(path) for path in runs.paths().values()}
    # A run that was begun just now is in the next list.
    found = (item for item in listed_runs(runs.folder) if item["name"] in names)
    lines = [_line(studio, item, names[item["name"]], polled=polled) for item in found]
    return sorted(lines, key=lambda line: (line.created, line.name), reverse=True)


def _line(studio: Studio, item: ListedRun, name: str, *, polled: bool) -> Line:
    verdicts, pending = item["verdicts"], False
    if verdicts is None and item["state"] == "complete":
        verdicts, pending = computed_verdicts(studio, Path(item["name"]), name, polled=polled)
    return Line(
        key=address(name),
        name=name,
        about=item["about"],
        state=item["state"],
        created=(item["created"] or "")[:16].replace("T", " "),
        verdicts=verdicts or [],
        pending=pending,
    )
