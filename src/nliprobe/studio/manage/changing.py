"""Change a project while raters work: its instructions, with all versions, and the rules by which items go out."""

from __future__ import annotations

from dataclasses import replace

from starlette.responses import Response

from nliprobe.base.errors import NliprobeError
from nliprobe.people.store.looking import Which, count_items, read_versions
from nliprobe.people.store.projects import ProjectChanges, change_project
from nliprobe.people.store.rows import LONGEST_TEXT
from nliprobe.studio.calls import Call, answer_json
from nliprobe.studio.manage.board import Board, board_of
from nliprobe.studio.manage.numbers import whole_number
from nliprobe.studio.manage.overview import STATUSES
from nliprobe.studio.manage.words import when
from nliprobe.studio.markdown import to_html

_MOST_RATERS, _MOST_ITEMS, _LONGEST_TITLE = 1000, 1_000_000, 300
# Which rule each field of the form is.
_CHANGED = {"title": "title", "raters": "raters_per_item", "most": "most_per_rater",
            "attention_every": "attention_every", "lease": "lease_seconds"}  # fmt: skip
# From one minute to three months, in minutes.
_LEASE = (1, 130_000)


def instructions_page(call: Call) -> Response:
    """Show the instructions and all their versions."""
    return _instructions(board_of(call))


def change_instructions(call: Call) -> Response:
    """Keep a new version of the instructions, or show how a text will look."""
    board = board_of(call)
    text = call.text("instructions").replace("\r\n", "\n").strip()
    if call.text("go", "") == "preview":
        return _instructions(board, text=text, preview=True)
    error = text_error(text)
    newest = read_versions(call.studio.store, board.project.name)[0]
    if not error and call.number("version") != newest.version:
        error = f"Version {newest.version} was written in the meantime; it stands below. Nothing of yours was kept yet."
    if error:
        return _instructions(board, text=text, preview=True, error=error, status=422)
    if text == newest.text:
        return board.back("/instructions", "same")
    change_project(call.studio.store, board.project.name, ProjectChanges(instructions=text))
    return board.back("/instructions", "instructed")


def preview(call: Call) -> Response:
    """Tell a script how Markdown looks; raw HTML in it is text."""
    return answer_json({"html": str(to_html(call.text("instructions", "")[:LONGEST_TEXT]))})


def rules_page(call: Call) -> Response:
    """Show the rules."""
    board = board_of(call)
    return _rules(board, _fields_of(board))


def change_rules(call: Call) -> Response:
    """Change the title and the rules; what was judged before stays as it is.

    What nobody touched on the page is not sent back: somebody else may have changed it since the page was loaded.
    """
    board = board_of(call)
    now = _fields_of(board)
    sent = {name: call.text(name, "") for name in now}
    kept = {name for name in now if call.text(f"before-{name}", "") == sent[name] and f"before-{name}" in call.fields}
    if len(kept) == len(now):
        return board.back("/rules", "same")
    fields = {name: now[name] if name in kept else sent[name] for name in now}
    errors: dict[str, str] = {}
    changes = _changes(board, fields, errors)
    changes = replace(changes, **{_CHANGED[name]: None for name in kept})
    if not errors:
        try:
            change_project(call.studio.store, board.project.name, changes)
        except NliprobeError as error:
            errors["raters"] = str(error)
    if errors:
        return _rules(board, fields, errors, status=422)
    call.studio.part(STATUSES).forget(board.project.name)
    return board.back("/rules", "changed")


def text_error(text: str) -> str:
    """Say what is wrong with instructions, or nothing."""
    if not text.strip():
        return "Raters need to know what to do: write instructions."
    if len(text) > LONGEST_TEXT:
        return f"The instructions have {len(text):,} characters: expected at most {LONGEST_TEXT:,}."
    return ""


def _instructions(
    board: Board, *, text: str | None = None, preview: bool = False, error: str = "", status: int = 200
) -> Response:
    versions = read_versions(board.call.studio.store, board.project.name)
    return board.page(
        "instructions.html",
        "Instructions",
        status=status,
        text=versions[0].text if text is None else text,
        version=versions[0].version,
        preview=preview,
        error=error,
        versions=[{**one._asdict(), "created": when(one.created)} for one in versions],
    )


def _fields_of(board: Board) -> dict[str, str]:
    project = board.project
    return {
        "title": project.title,
        "raters": str(project.raters_per_item),
        "most": "" if project.most_per_rater is None else str(project.most_per_rater),
        "attention_every": str(project.attention_every),
        "lease": str(max(1, project.lease_seconds // 60)),
    }


def _changes(board: Board, fields: dict[str, str], errors: dict[str, str]) -> ProjectChanges:
    if len(fields["title"]) > _LONGEST_TITLE:
        errors["title"] = f"Expected at most {_LONGEST_TITLE} characters."
    raters = whole_number(fields["raters"], "raters", errors, least=1, most=_MOST_RATERS, needed=True)
    most = whole_number(fields["most"], "most", errors, least=1, most=_MOST_ITEMS)
    attention = whole_number(
        fields["attention_every"], "attention_every", errors, least=0, most=_MOST_ITEMS, needed=True
    )
    if attention == 1:
        errors["attention_every"] = "Expected 0 for never, or 2 and more."
    lease = whole_number(fields["lease"], "lease", errors, least=_LEASE[0], most=_LEASE[1], needed=True)
    return ProjectChanges(
        title=fields["title"].strip() or board.project.name,
        raters_per_item=raters,
        most_per_rater=most or 0,
        attention_every=attention,
        lease_seconds=None if lease is None else lease * 60,
    )


def _rules(board: Board, fields: dict[str, str], errors: dict[str, str] | None = None, status: int = 200) -> Response:
    attention = count_items(board.call.studio.store, board.project.name, Which.ATTENTION)
    return board.page(
        "rules.html",
        "Rules",
        status=status,
        fields=fields,
        before=_fields_of(board),
        errors=errors or {},
        attention=attention,
    )
