"""The owner's log: who did what, outside of single projects."""

from __future__ import annotations

from datetime import UTC, datetime

from starlette.responses import Response

from nliprobe.people.store.events import read_events
from nliprobe.studio.calls import Call, page
from nliprobe.studio.rendering import render

_SHOWN = 500


def _log(call: Call) -> Response:
    entries = read_events(call.studio.store, most=_SHOWN)
    rows = [
        [
            datetime.fromtimestamp(entry.at, UTC).strftime("%Y-%m-%d %H:%M:%S"),
            entry.who,
            entry.what,
            ", ".join(f"{name.replace('_', ' ')} {value}" for name, value in entry.about.items() if value is not None),
        ]
        for entry in entries
    ]
    return render(call, "log.html", rows=rows, shown=_SHOWN)


ROUTES = [page("/log", _log)]
