"""Downloads of what raters said, and what was said elsewhere taken in."""

from __future__ import annotations

import io
import shutil
import tempfile
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from starlette.responses import Response

from nliprobe.api.people_export import LABEL_STUDIO, export_project, forms_of
from nliprobe.base.errors import DataError, NliprobeError, UsageError
from nliprobe.people.exchange.label_studio_read import parse_label_studio
from nliprobe.people.export.files import Exported
from nliprobe.people.store.adjudicating import read_adjudications
from nliprobe.people.store.looking import record_action
from nliprobe.people.store.projects import read_items, task_of
from nliprobe.people.store.raters import read_raters
from nliprobe.people.store.sheets import add_judgements
from nliprobe.studio.calls import Call
from nliprobe.studio.manage.board import Board, board_of
from nliprobe.studio.manage.items import DECIDED
from nliprobe.studio.manage.overview import STATUSES

# A file of Label Studio with 20,000 annotations of short texts has about as many bytes.
LARGEST_UPLOAD = 20_000_000
CORPUS, QUEUE, FOLDER = "corpus", "queue", "folder"
# What each form is for, and how its file ends.
FORMS = {
    "ratings": ("every rating, a line each; nliprobe data agreement reads it", ".csv"),
    CORPUS: ("a corpus with what most raters say, or what you decided; nliprobe reads it with file:", ".jsonl"),
    "marks": ("every rater's marks, a line each; nliprobe data agreement reads it", ".csv"),
    FOLDER: ("the form of the released counterfactual tables, as a ZIP archive", ""),
    QUEUE: ("the review queue with the decisions added; nliprobe review reads it", ".jsonl"),
    "responses": ("a line per answer, with what the system did", ".csv"),
    LABEL_STUDIO: ("tasks, annotations and the labelling configuration for Label Studio, as a ZIP archive", ".json"),
}
# Where nobody decides, because each answer counts, a corpus has all of them.
_EVERY = {
    "write": "a corpus of all hypotheses, three per premise and rater; nliprobe reads it with file:",
    "counterfactual": "a corpus of the tables and of every edit of them; nliprobe reads it with file:",
}
_WITH_EXTERNAL = ("ratings", "marks", "responses")


class _Made(NamedTuple):
    """A download: its bytes, the end of its name, and what is in it."""

    content: bytes
    ending: str
    done: Exported


def export_page(call: Call) -> Response:
    """Show what can be downloaded and taken in."""
    return _shown(board_of(call))


def download(call: Call) -> Response:
    """Send a file, or say what is in it; the log keeps which form was sent and whether it has ids of a platform."""
    board = board_of(call)
    form, name = call.text("form", ""), board.project.name
    external = call.text("external", "") == "yes"
    if form not in forms_of(board.project.task):
        return _shown(board, error="Choose one of the forms.", status=422)
    try:
        if external and form not in _WITH_EXTERNAL:
            raise UsageError("This form has no column for the ids of a crowd platform: take them with another one.")
        with _folder() as folder:
            made = _content(board, form, folder, external=external)
    except NliprobeError as error:
        return _shown(board, error=str(error), form=form, external=external, status=422)
    file_name = f"project-{board.key}-{form}{made.ending}"
    if call.text("go", "") == "look":
        return _shown(board, form=form, external=external, inside=_inside(form, made.done, file_name))
    record_action(call.studio.store, name, "exported", form=form, external_ids=external)
    headers = {"Content-Disposition": f'attachment; filename="{file_name}"', "Cache-Control": "no-store"}
    return Response(made.content, media_type="application/octet-stream", headers=headers)


def take_in(call: Call) -> Response:
    """Take what was said in Label Studio into the project; what is wrong with one refuses all."""
    board = board_of(call)
    store, project = call.studio.store, board.project
    text = call.text("file", "")
    try:
        if not text.strip():
            raise DataError("Choose the JSON file that Label Studio exported.")
        found = parse_label_studio(
            text, "The file", task_of(project), project.task, read_items(store, project.name), given=store.clock()
        )
        done = add_judgements(store, project.name, found.judgements)
    except NliprobeError as error:
        return _shown(board, take_error=str(error), status=422)
    call.studio.part(STATUSES).forget(project.name)
    parts = [f"{done.new:,} new judgement{'' if done.new == 1 else 's'}, {done.known:,} known"]
    parts += [f"{done.not_needed:,} not needed, because their items have all their raters"] if done.not_needed else []
    parts += [f"{count:,} {reason}" for reason, count in found.left_out.items()]
    return _shown(board, taken="; ".join(parts) + ".")


@contextmanager
def _folder() -> Iterator[Path]:
    """Give a folder for a while; sentences about files in it do not name it."""
    with tempfile.TemporaryDirectory() as name:
        try:
            yield Path(name)
        except NliprobeError as error:
            raise type(error)(str(error).replace(f"{name}/", "").replace(name, "the folder")) from error


def _content(board: Board, form: str, folder: Path, *, external: bool) -> _Made:
    settings, name = board.call.studio.settings, board.project.name
    ending = FORMS[form][1]
    out = folder / f"{form}{ending}"
    if form == QUEUE:
        out = _queue(board, out)
    done = export_project(settings.database, name, out, form=form, with_external=external)
    if form in (FOLDER, LABEL_STUDIO):
        return _Made(_zipped(folder), ".zip", done)
    return _Made(out.read_bytes(), ending, done)


def _inside(form: str, done: Exported, file_name: str) -> dict[str, object]:
    """Return what nliprobe annotate export says of a file: what is in it and not in it, and how it is read."""
    what = "task" if form == LABEL_STUDIO else "edited table" if form == FOLDER else "line"
    spec = done.spec.replace(str(done.path), file_name)
    read = {QUEUE: f"nliprobe review {file_name}", FOLDER: f"{spec} --from {FOLDER}", LABEL_STUDIO: ""}
    return {
        "file": file_name,
        "written": f"{done.written:,} {'new ' if form == QUEUE else ''}{what}{'' if done.written == 1 else 's'}",
        "left_out": [(f"{count:,} item{'' if count == 1 else 's'}", why) for why, count in done.left_out.items()],
        "decided": done.adjudicated,
        "read": read.get(form, spec),
    }


def _queue(board: Board, out: Path) -> Path:
    """Copy the review queue that a project was made from; the queue itself is left to ``nliprobe annotate export``."""
    number = board.call.number("queue", 0)
    queues = board.call.studio.settings.queues
    if not 0 <= number < len(queues):
        raise UsageError(
            "The review queue that these cases come from is not served. Start nliprobe serve with that queue, or write "
            "into it with nliprobe annotate export."
        )
    try:
        shutil.copyfile(queues[number], out)
    except OSError as error:
        raise DataError(f"The review queue {queues[number].name} cannot be read: {error.strerror}.") from error
    return out


def _zipped(folder: Path) -> bytes:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sorted(folder.rglob("*")):
            if path.is_file():
                archive.write(path, path.relative_to(folder).as_posix())
    return content.getvalue()


def _shown(
    board: Board,
    *,
    form: str = "",
    external: bool = False,
    inside: dict[str, object] | None = None,
    error: str = "",
    take_error: str = "",
    taken: str = "",
    status: int = 200,
) -> Response:
    store, project = board.call.studio.store, board.project
    forms, every = forms_of(project.task), _EVERY.get(project.task)
    return board.page(
        "export.html",
        "Export",
        status=status,
        error=error,
        take_error=take_error,
        taken=taken,
        forms=[(name, every if name == CORPUS and every else FORMS[name][0]) for name in forms],
        takes="the queue" if QUEUE in forms else "a corpus" if CORPUS in forms and project.task in DECIDED else "",
        chosen=form if form in forms else forms[0],
        external=external,
        inside=inside,
        can_take=LABEL_STUDIO in forms,
        queue=str(board.call.fields.get("queue", 0)),
        queues=[path.name for path in board.call.studio.settings.queues] if QUEUE in forms else [],
        decided=len(read_adjudications(store, project.name)),
        externals=sum(bool(rater.external) for rater in read_raters(store, project.name)),
    )
