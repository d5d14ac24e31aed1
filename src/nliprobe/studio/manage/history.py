"""The log of a project: who did what."""

from __future__ import annotations

from datetime import UTC, datetime

from starlette.responses import Response

from nliprobe.people.store.progress import read_log
from nliprobe.studio.calls import Call
from nliprobe.studio.manage.board import board_of, page_asked

_PER_PAGE = 500
# There are thousands of these, between which nobody finds why a rater was blocked.
_JUDGED = ("judged", "revised")


def log_page(call: Call) -> Response:
    """Show a project's log, the newest entries first."""
    board = board_of(call)
    every = call.query.get("which", "") != "others"
    entries = read_log(call.studio.store, board.project.name)
    listed = [entry for entry in reversed(entries) if every or entry.what not in _JUDGED]
    page, pages = page_asked(call, len(listed), _PER_PAGE)
    rows = [
        [
            datetime.fromtimestamp(entry.at, UTC).strftime("%Y-%m-%d %H:%M:%S"),
            entry.who,
            entry.what,
            ", ".join(f"{name} {value}" for name, value in entry.about.items() if value is not None),
        ]
        for entry in listed[(page - 1) * _PER_PAGE : page * _PER_PAGE]
    ]
    return board.page(
        "log.html",
        "Log",
        rows=rows,
        total=len(listed),
        every=every,
        page_number=page,
        pages=pages,
    )
