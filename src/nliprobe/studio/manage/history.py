"""The log of a project: who did what."""

from __future__ import annotations

from datetime import UTC, datetime

from starlette.responses import Response

from nliprobe.people.store.progress import read_log
from nliprobe.studio.calls import Call
from nliprobe.studio.manage.board import board_of

_SHOWN = 500


def log_page(call: Call) -> Response:
    """Show the newest entries of a project's log."""
    board = board_of(call)
    entries = read_log(call.studio.store, board.project.name)
    rows = [
        [
            datetime.fromtimestamp(entry.at, UTC).strftime("%Y-%m-%d %H:%M:%S"),
            entry.who,
            entry.what,
            ", ".join(f"{name} {value}" for name, value in entry.about.items() if value is not None),
        ]
        for entry in entries[: -_SHOWN - 1 : -1]
    ]
    return board.page("log.html", "Log", rows=rows, total=len(entries), shown=min(_SHOWN, len(entries)))
