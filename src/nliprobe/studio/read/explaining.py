"""Why a system answers so: asked for on the page of a case, worked out behind it, and shown there."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from starlette.responses import Response

from nliprobe.analysis.one_case import CaseDocument
from nliprobe.api.explain import ExplainOptions
from nliprobe.api.reading import read_explanation, run_systems, written_specs
from nliprobe.base.errors import NliprobeError, NotFoundError
from nliprobe.people.store.events import record_event
from nliprobe.report.explained_page import explained_section
from nliprobe.studio.calls import Call, answer_json, back_to
from nliprobe.studio.context import Part, Studio, address
from nliprobe.studio.jobs import Job, JobState
from nliprobe.studio.read.runs import runs_of


@dataclass(frozen=True)
class Explained:
    """Whether a system's answer is explained.

    Attributes:
        system: the system.
        possible: whether it can be asked again: only systems that ``serve`` was told are.
        state: of the job, empty if it was never asked for.
        said: what the job says.
        section: the explanation, for the template of explanations.
    """

    system: str
    possible: bool
    state: str
    said: str
    section: dict[str, object] | None


def explain(studio: Studio, path: Path, case_id: str, system: str, pool: str = "") -> Job:
    """Begin to explain what a system of a run answered to a case, or return the job that does.

    Args:
        studio: the studio.
        path: the folder of the run.
        case_id: the case.
        system: the name of the system.
        pool: the address of a corpus that ``serve`` was told, for the nearest pairs there; empty for none.

    Raises:
        NotFoundError: the system is not one that the studio was told to load, or the run does not have it.
    """
    if system not in askable(studio, path):
        raise NotFoundError(
            f"'{system}' cannot be asked again here: only systems that nliprobe serve was started with can be, and "
            "only if the run was made with the same ones."
        )
    options = ExplainOptions(pool=pools(studio).get(pool), root=studio.settings.root)

    def work(job: Job) -> object:
        job.said = "it is asked about the pair with words left out"
        return explained_section(read_explanation(path, case_id, system, options))

    key = _key(path, case_id, system)
    if pool and (known := studio.jobs.find(key)) is not None and known.is_over:
        studio.jobs.forget(key)  # it was explained without neighbours
    return studio.jobs.ask(key, f"Why {system} answers so", work)


def pools(studio: Studio) -> dict[str, str]:
    """Return the corpora in which neighbours can be looked for, by their addresses."""
    return {address(spec): spec for spec in studio.settings.corpora}


class Told:
    """The systems that ``serve`` was told, as runs write their specs; they are looked up when first needed."""

    def __init__(self, studio: Studio) -> None:
        self._settings = studio.settings

    @cached_property
    def specs(self) -> frozenset[str]:
        """Their specs; none if they cannot be made, which the page that tries them says."""
        settings = self._settings
        try:
            return written_specs(settings.systems, settings.train, settings.root)
        except NliprobeError:
            return frozenset()


TOLD = Part(Told, Told)


def askable(studio: Studio, path: Path) -> set[str]:
    """Return the systems of a run that the studio may ask: those that ``serve`` was told, by spec and training pairs.

    A run is data, which may come from anywhere: that its record names a program is no reason to start it.
    """
    specs, train = studio.part(TOLD).specs, set(studio.settings.train)
    return {item.name for item in run_systems(path) if item.spec in specs and train.issuperset(item.train)}


def explained_systems(call: Call, path: Path, document: CaseDocument) -> list[Explained]:
    """Tell for every system of a run whether its answer to a case is explained."""
    possible = askable(call.studio, path)
    found = []
    for item in document["systems"]:
        name = item["system"]
        job = call.studio.jobs.find(_key(path, document["asked"]["case_id"], name))
        section = job.result if job is not None and job.state is JobState.DONE else None
        found.append(
            Explained(
                name,
                name in possible and item["after"] is not None,
                "" if job is None else job.state.value,
                "" if job is None else job.said,
                section if isinstance(section, dict) else None,
            )
        )
    return found


def ask_explanation(call: Call) -> Response:
    """Begin to explain an answer, and go back to the case."""
    runs = runs_of(call.studio)
    path, case_id, system = runs.path(call.path["key"]), call.path["case"], call.text("system")
    explain(call.studio, path, case_id, system, call.text("pool", ""))
    record_event(call.studio.store, "owner", "explanation asked for", run=runs.name(path), case=case_id, system=system)
    return back_to(f"/runs/{call.path['key']}/cases/{case_id}#explained")


def explanation_state(call: Call) -> Response:
    """Tell a script whether explanations of a case are ready."""
    path = runs_of(call.studio).path(call.path["key"])
    jobs = [call.studio.jobs.find(_key(path, call.path["case"], item.name)) for item in run_systems(path)]
    return answer_json({"pending": any(job is not None and not job.is_over for job in jobs)})


def _key(path: Path, case_id: str, system: str) -> str:
    return f"explain {path} {case_id} {system}"
