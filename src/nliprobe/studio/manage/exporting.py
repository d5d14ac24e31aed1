"""Downloads of what raters said, and what was said elsewhere taken in."""

from __future__ import annotations

import io
import shutil
import tempfile
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from starlette.responses import Response

from nliprobe.api.people_export import LABEL_STUDIO, export_project, forms_of
from nliprobe.base.errors import DataError, NliprobeError, UsageError
from nliprobe.people.exchange.label_studio_read import parse_label_studio
from nliprobe.people.store.adjudicating import read_adjudications
from nliprobe.people.store.looking import record_action
from nliprobe.people.store.projects import read_items, task_of
from nliprobe.people.store.raters import read_raters
from nliprobe.people.store.sheets import add_judgements
from nliprobe.studio.calls import Call
from nliprobe.studio.manage.board import Board, board_of
from nliprobe.studio.manage.overview import STATUSES

# A file of Label Studio with 20,000 annotations of short texts has about as many bytes.
LARGEST_UPLOAD = 20_000_000
QUEUE, FOLDER = "queue", "folder"
# What each form is for, and how its file ends.
FORMS = {
    "ratings": ("every rating, a line each; nliprobe data agreement reads it", ".csv"),
    "corpus": ("a corpus with what most raters say, or what you decided; nliprobe reads it with file:", ".jsonl"),
    "marks": ("every rater's marks, a line each; nliprobe data agreement reads it", ".csv"),
    FOLDER: ("the form of the released counterfactual tables, as a ZIP archive", ""),
    QUEUE: ("the review queue with the decisions added; nliprobe review reads it", ".jsonl"),
    "responses": ("a line per answer, with what the system did", ".csv"),
    LABEL_STUDIO: ("tasks, annotations and the labelling configuration for Label Studio, as a ZIP archive", ".json"),
}
_WITH_EXTERNAL = ("ratings", "marks", "responses")


def export_page(call: Call) -> Response:
    """Show what can be downloaded and taken in."""
    return _shown(board_of(call))


def download(call: Call) -> Response:
    """Send a file; the log keeps which form it was and whether it has ids of a crowd platform."""
    board = board_of(call)
    form, name = call.text("form", ""), board.project.name
    external = call.text("external", "") == "yes"
    if form not in forms_of(board.project.task):
        return _shown(board, error="Choose one of the forms.", status=422)
    try:
        if external and form not in _WITH_EXTERNAL:
            raise UsageError("This form has no column for the ids of a crowd platform: take them with another one.")
        with _folder() as folder:
            content, ending = _content(board, form, folder, external=external)
    except NliprobeError as error:
        return _shown(board, error=str(error), status=422)
    record_action(call.studio.store, name, "exported", form=form, external_ids=external)
    file_name = f"project-{board.key}-{form}{ending}"
    headers = {"Content-Disposition": f'attachment; filename="{file_name}"', "Cache-Control": "no-store"}
    return Response(content, media_type="application/octet-stream", headers=headers)


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


def _content(board: Board, form: str, folder: Path, *, external: bool) -> tuple[bytes, str]:
    """Return the bytes of a download, and how its name ends."""
    settings, name = board.call.studio.settings, board.project.name
    ending = FORMS[form][1]
    out = folder / f"{form}{ending}"
    if form == QUEUE:
        out = _queue(board, out)
    export_project(settings.database, name, out, form=form, with_external=external)
    if form in (FOLDER, LABEL_STUDIO):
        return _zipped(folder), ".zip"
    return out.read_bytes(), ending


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


def _shown(board: Board, *, error: str = "", take_error: str = "", taken: str = "", status: int = 200) -> Response:
    store, project = board.call.studio.store, board.project
    forms = forms_of(project.task)
    return board.page(
        "export.html",
        "Export",
        status=status,
        error=error,
        take_error=take_error,
        taken=taken,
        forms=[(form, FORMS[form][0]) for form in forms],
        can_take=LABEL_STUDIO in forms,
        queues=[path.name for path in board.call.studio.settings.queues] if QUEUE in forms else [],
        decided=len(read_adjudications(store, project.name)),
        externals=sum(bool(rater.external) for rater in read_raters(store, project.name)),
    )
