"""The report of a run as one file, made when it is asked for."""

from __future__ import annotations

import html
import re
from pathlib import Path

from starlette.responses import HTMLResponse, Response

from nliprobe.api.reading import run_content
from nliprobe.base.errors import StoreError
from nliprobe.studio.calls import Call
from nliprobe.studio.context import Part
from nliprobe.studio.jobs import JobState
from nliprobe.studio.read.apart import APART
from nliprobe.studio.read.runs import runs_of
from nliprobe.studio.rendering import render

_POLICY = re.compile(r'<meta http-equiv="Content-Security-Policy" content="([^"]*)">')
# Reports that are kept in memory while the studio is open; one may have 20 MB.
_MOST = 3


class Reports:
    """Keeps the reports that were read last, by what their runs held then."""

    def __init__(self) -> None:
        self._texts: dict[tuple[Path, str], str] = {}

    def find(self, path: Path, content: str) -> str | None:
        """Return the report of a run as it is now, if it has been made."""
        return self._texts.get((path, content))

    def keep(self, path: Path, content: str, text: str) -> None:
        """Keep a report in the place of older ones of the same run."""
        self._texts = {key: kept for key, kept in self._texts.items() if key[0] != path}
        self._texts[path, content] = text
        while len(self._texts) > _MOST:
            self._texts.pop(next(iter(self._texts)))


REPORTS = Part(Reports, lambda studio: Reports())


def report_page(call: Call) -> Response:
    """Send the report of a run; while it is being made, a page says so and loads itself again."""
    runs = runs_of(call.studio)
    path = runs.path(call.path["key"])
    content = run_content(path)
    reports, apart = call.studio.part(REPORTS), call.studio.part(APART)
    text = reports.find(path, content)
    if text is not None:
        # The report brings its own style and script, which its own policy allows by their digests.
        return HTMLResponse(text, headers={"Content-Security-Policy": report_policy(text), "Cache-Control": "no-store"})
    jobs, key = call.studio.jobs, f"report {path} {content}"

    def work(job: object) -> None:
        reports.keep(path, content, apart.report(path))

    job = jobs.find(key) or jobs.ask(key, f"The report of {runs.name(path)}", work)
    if job.state is JobState.FAILED:
        jobs.forget(key)
        raise StoreError(job.said)
    if job.state is JobState.DONE:  # it was made, and has been dropped for others since
        jobs.forget(key)
    return render(call, "read/waiting.html", title=f"The report of {runs.name(path)}", key=call.path["key"])


def report_policy(text: str) -> str:
    """Return the policy that a report carries in its head, with what only a header can say.

    Raises:
        StoreError: it carries none.
    """
    found = _POLICY.search(text[:10_000])
    if found is None:
        raise StoreError("The report carries no policy of its own, so it is not shown here. Write it to a file.")
    return f"{html.unescape(found[1])}; frame-ancestors 'none'"
