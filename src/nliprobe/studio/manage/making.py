"""Make a project: a form, then a look at what can be asked, and only then the project itself."""

from __future__ import annotations

import secrets
import threading
import time
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from starlette.responses import Response

from nliprobe.api.people import NewProject, PlannedProject, ProjectPlan, attention_pairs, make_project, plan_project
from nliprobe.api.run_pairs import run_pairs
from nliprobe.base.errors import NotFoundError
from nliprobe.people.store.projects import read_projects
from nliprobe.studio.calls import Call, answer_json, back_to
from nliprobe.studio.context import Part, Studio, address
from nliprobe.studio.jobs import Job, JobState
from nliprobe.studio.manage.form import (
    CHOICES,
    DEFAULTS,
    PARTITIONS,
    STRATA,
    Draft,
    ProjectForm,
    task_choices,
)
from nliprobe.studio.manage.offers import Kind, Offer, offers
from nliprobe.studio.rendering import render
from nliprobe.studio.settings import Settings
from nliprobe.task.source import PairSource

# Plans hold all their items: more of them would fill the memory, and nobody compares more.
_MOST_PLANS = 5
# Most plans are ready at once; a page that says "wait" would only flicker.
_PATIENCE, _STEP = 1.5, 0.02


@dataclass
class Plans:
    """Forms that were sent and not yet made into projects."""

    _known: OrderedDict[str, Draft] = field(default_factory=OrderedDict)
    _forms: dict[str, dict[str, str]] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def add(self, draft: Draft, fields: dict[str, str]) -> tuple[str, list[str]]:
        """Keep a form, and return its key and those that are forgotten for it."""
        key = secrets.token_hex(6)
        with self._lock:
            self._known[key], self._forms[key] = draft, fields
            gone = []
            while len(self._known) > _MOST_PLANS:
                old, _ = self._known.popitem(last=False)
                del self._forms[old]
                gone.append(old)
        return key, gone

    def find(self, key: str) -> tuple[Draft, dict[str, str]]:
        """Return a form by its key."""
        with self._lock:
            if key not in self._known:
                raise NotFoundError("This plan is no longer kept: fill in the form again.")
            return self._known[key], self._forms[key]


def _make_plans(studio: Studio) -> Plans:
    return Plans()


PLANS = Part(Plans, _make_plans)


def new_page(call: Call) -> Response:
    """Show the form, empty or as it was when it was sent."""
    key = call.query.get("plan", "")
    fields = call.studio.part(PLANS).find(key)[1] if key else dict(DEFAULTS)
    return _form(call, ProjectForm(fields))


def send_form(call: Call) -> Response:
    """Check the form and begin to look what can be asked."""
    form = ProjectForm({name: call.text(name, "") for name in DEFAULTS})
    if call.text("go", "") == "preview":
        return _form(call, form, preview=True)
    draft = form.read(offers(call.studio.settings))
    if draft is not None and any(project.name == draft.name for project in read_projects(call.studio.store)):
        form.errors["name"] = f"There is a project '{draft.name}' already: choose another name."
    if draft is None or form.errors:
        return _form(call, form, status=422)
    key, forgotten = call.studio.part(PLANS).add(draft, form.fields)
    for old in forgotten:
        call.studio.jobs.forget(_job_key("plan", old))
    settings = call.studio.settings
    _wait(call.studio.jobs.ask(_job_key("plan", key), f"Plan of {draft.name}", lambda job: _plan(settings, draft)))
    return back_to(f"/projects/new/{key}")


def plan_page(call: Call) -> Response:
    """Show what the project would ask, what it cannot ask and why, and the button that makes it."""
    key = call.path["plan"]
    draft, _ = call.studio.part(PLANS).find(key)
    made = call.studio.jobs.find(_job_key("make", key))
    if made is not None and isinstance(made.result, NewProject):
        return back_to(f"/projects/{address(draft.name)}?done=made")
    job = made or call.studio.jobs.find(_job_key("plan", key))
    if job is None:
        raise NotFoundError("This plan is no longer kept: fill in the form again.")
    planned = call.studio.jobs.find(_job_key("plan", key))
    result = planned.result if planned is not None else None
    return render(
        call,
        "manage/plan.html",
        title=f"A new project: {draft.name}",
        draft=draft,
        key=key,
        job=job,
        is_over=job.is_over,
        failed=job.said if job.state is JobState.FAILED else "",
        planned=result if isinstance(result, PlannedProject) else None,
    )


def plan_state(call: Call) -> Response:
    """Tell a script whether a plan or the making of a project is over."""
    key = call.path["plan"]
    call.studio.part(PLANS).find(key)
    job = call.studio.jobs.find(_job_key("make", key)) or call.studio.jobs.find(_job_key("plan", key))
    return answer_json({"over": job is None or job.is_over})


def make(call: Call) -> Response:
    """Make the project of a plan; sending this twice makes one."""
    key = call.path["plan"]
    draft, _ = call.studio.part(PLANS).find(key)
    job = call.studio.jobs.find(_job_key("plan", key))
    planned = None if job is None else job.result
    if not isinstance(planned, PlannedProject):
        return back_to(f"/projects/new/{key}")
    store = call.studio.store
    _wait(
        call.studio.jobs.ask(
            _job_key("make", key), f"Make {draft.name}", lambda job: make_project(store, draft.name, planned)
        )
    )
    return back_to(f"/projects/new/{key}")


def _plan(settings: Settings, draft: Draft) -> PlannedProject:
    source: str | PairSource = draft.source.place
    if draft.source.kind is Kind.RUN:
        source = run_pairs(Path(draft.source.place), draft.choice)
    attention: Sequence[str | PairSource] = ()
    if draft.attention is not None:
        attention = [
            attention_pairs(
                draft.attention.place,
                draft.task,
                draft.options,
                most=draft.attention_count,
                root=settings.root,
                seed=draft.seed,
            )
        ]
    return plan_project(
        ProjectPlan(
            task=draft.task,
            on=[source],
            attention=attention,
            attention_every=draft.attention_every,
            raters_per_item=draft.raters,
            most_per_rater=draft.most,
            per_group=draft.per_group,
            most_items=draft.items,
            pilot=draft.pilot,
            batch=draft.batch,
            stratum=draft.stratum,
            blind=draft.blind,
            title=draft.title,
            instructions=draft.instructions,
            options=draft.options,
            lease_seconds=draft.lease_seconds,
            root=settings.root,
            seed=draft.seed,
        )
    )


def _form(call: Call, form: ProjectForm, *, preview: bool = False, status: int = 200) -> Response:
    every = offers(call.studio.settings)
    groups = [
        ("Corpora and templates", [one for one in every if one.kind is Kind.CORPUS]),
        ("Runs", [one for one in every if one.kind is Kind.RUN]),
        ("Review queues (task settle)", [one for one in every if one.kind is Kind.QUEUE]),
    ]
    return render(
        call,
        "manage/new.html",
        title="A new project",
        status=status,
        fields=form.fields,
        errors={name: form.errors[name] for name in DEFAULTS if name in form.errors},
        preview=preview,
        tasks=task_choices(),
        groups=[(title, found) for title, found in groups if found],
        corpora=_corpora(every),
        choices=[(choice.value, words) for choice, words in CHOICES],
        strata=[(stratum.value, words) for stratum, words in STRATA],
        partitions=PARTITIONS,
    )


def _corpora(every: Sequence[Offer]) -> list[Offer]:
    return [one for one in every if one.kind is Kind.CORPUS]


def _job_key(what: str, key: str) -> str:
    return f"{what} a project {key}"


def _wait(job: Job) -> None:
    """Give a job a moment: mostly it is over then."""
    until = time.monotonic() + _PATIENCE
    while not job.is_over and time.monotonic() < until:
        time.sleep(_STEP)
