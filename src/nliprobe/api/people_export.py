"""Export what raters said as files that nliprobe reads."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from nliprobe.base.errors import UsageError, did_you_mean, option
from nliprobe.people.exchange.label_studio import write_label_studio
from nliprobe.people.export.decisions import decide_queue
from nliprobe.people.export.evidence import write_marked, write_marks
from nliprobe.people.export.files import Exported
from nliprobe.people.export.hypotheses import write_hypotheses
from nliprobe.people.export.ratings import write_ratings, write_verified
from nliprobe.people.export.responses import write_responses
from nliprobe.people.export.tables import write_counterfactual_folder, write_counterfactuals
from nliprobe.people.records import Adjudication, Item, Judgement
from nliprobe.people.tasks import Task
from nliprobe.people.tasks.labels import LabelTask


@dataclass(frozen=True)
class _Work:
    """What is exported."""

    task: Task
    items: Sequence[Item]
    judgements: Sequence[Judgement]
    externals: Mapping[str, str] | None
    adjudications: Sequence[Adjudication]


def _ratings(path: Path, work: _Work) -> Exported:
    assert isinstance(work.task, LabelTask)
    return write_ratings(
        path, work.task, work.items, work.judgements, externals=work.externals, adjudications=work.adjudications
    )


def _verified(path: Path, work: _Work) -> Exported:
    assert isinstance(work.task, LabelTask)
    return write_verified(path, work.task, work.items, work.judgements, adjudications=work.adjudications)


def _marks(path: Path, work: _Work) -> Exported:
    return write_marks(path, work.items, work.judgements, externals=work.externals, adjudications=work.adjudications)


def _marked(path: Path, work: _Work) -> Exported:
    return write_marked(path, work.items, work.judgements, adjudications=work.adjudications)


def _decisions(path: Path, work: _Work) -> Exported:
    decided = decide_queue(path, work.items, work.judgements, work.adjudications)
    left_out = {"raters disagree and none has a majority": decided.conflicts} if decided.conflicts else {}
    return Exported(path, decided.added, left_out, str(path), len(work.adjudications))


def _responses(path: Path, work: _Work) -> Exported:
    return write_responses(path, work.task, work.items, work.judgements, externals=work.externals)


_LABELS: dict[str, Callable[[Path, _Work], Exported]] = {"ratings": _ratings, "corpus": _verified}
# The forms of each task, the commonest first: it is taken if none is named.
FORMS: Mapping[str, Mapping[str, Callable[[Path, _Work], Exported]]] = {
    "verify": _LABELS,
    "judge": _LABELS,
    "evidence": {"marks": _marks, "corpus": _marked},
    "write": {"corpus": lambda path, work: write_hypotheses(path, work.items, work.judgements)},
    "counterfactual": {
        "corpus": lambda path, work: write_counterfactuals(path, work.items, work.judgements),
        "folder": lambda path, work: write_counterfactual_folder(path, work.items, work.judgements),
    },
    "settle": {"queue": _decisions},
    "predict": {"responses": _responses},
    "pick": {"responses": _responses},
    "bid": {"responses": _responses},
}

# For Label Studio, whatever is asked; tasks whose answers are neither choices nor texts are refused.
LABEL_STUDIO = "label-studio"


def forms_of(task: str) -> list[str]:
    """Return the names of the forms in which a task is exported, the commonest first."""
    exchanged = [] if task in ("counterfactual", "bid") else [LABEL_STUDIO]
    return [*FORMS.get(task, ()), *exchanged]


def export_project(
    database: str | Path, name: str, out: Path, *, form: str = "", with_external: bool = False
) -> Exported:
    """Write what the raters of a project said.

    Args:
        database: the store.
        name: the project.
        out: the file or folder; for the task *settle*, the review queue that the cases come from.
        form: what is written, see :func:`forms_of`; by default the first form of the task.
        with_external: whether the ids that a crowd platform has for raters are written.
    """
    from nliprobe.people.store import open_store
    from nliprobe.people.store.adjudicating import read_adjudications
    from nliprobe.people.store.judging import read_judgements
    from nliprobe.people.store.projects import read_items, read_project, task_of
    from nliprobe.people.store.raters import read_raters

    with open_store(database, make=False) as store:
        project = read_project(store, name)
        if form == LABEL_STUDIO:
            items, judgements = read_items(store, name), read_judgements(store, name)
            return write_label_studio(out, project, task_of(project), items, judgements)
        forms = FORMS.get(project.task)
        if forms is None:
            raise UsageError(f"The task '{project.task}' has no export: read its judgements in Python.")
        if form and form not in forms:
            hint = did_you_mean(form, forms_of(project.task))
            raise UsageError(f"The task '{project.task}' is not exported as {option('as', form)}. {hint}")
        externals = {rater.name: rater.external for rater in read_raters(store, name)} if with_external else None
        work = _Work(
            task_of(project),
            read_items(store, name),
            read_judgements(store, name),
            externals,
            read_adjudications(store, name),
        )
    return forms[form or next(iter(forms))](out, work)
