"""Why a system answers so: asked for on the page of a case, worked out behind it, and shown there."""

from __future__ import annotations

import threading
from collections import OrderedDict
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from starlette.responses import Response

from nliprobe.analysis.one_case import CaseDocument
from nliprobe.api.reading import AskedSystem, run_systems, written_specs
from nliprobe.base.errors import NliprobeError, NotFoundError
from nliprobe.people.store.events import record_event
from nliprobe.report.explained_page import explained_section
from nliprobe.studio.ask.asking import ASKING, Asking, Question
from nliprobe.studio.ask.messages import RunCase
from nliprobe.studio.calls import Call, answer_json, back_to
from nliprobe.studio.context import Part, Studio, address
from nliprobe.studio.jobs import JobState
from nliprobe.studio.read.asked import Asked
from nliprobe.studio.read.runs import runs_of
from nliprobe.task.explanation import ExplainedCase

# Explanations that are kept; each has some ten KB.
_MOST = 100
_MEANWHILE = "it is asked about the pair with words left out"


@dataclass(frozen=True)
class Explained:
    """Whether a system's answer is explained.

    Attributes:
        system: the system.
        possible: whether it can be asked again: only systems that ``serve`` was told are.
        state: where the explanation stands, empty if it was never asked for.
        said: what happens meanwhile, or why there is none.
        section: the explanation, for the template of explanations.
    """

    system: str
    possible: bool
    state: str
    said: str
    section: dict[str, object] | None


class Explanations:
    """Explanations that were asked for, by what they explain; the newest are kept while the studio is open."""

    def __init__(self) -> None:
        self._known: OrderedDict[tuple[Path, str, str], Question[ExplainedCase]] = OrderedDict()
        self._lock = threading.Lock()

    def find(self, path: Path, case_id: str, system: str) -> Question[ExplainedCase] | None:
        """Return what was last asked about a case and a system."""
        return self._known.get((path, case_id, system))

    def ask(self, asking: Asking, case: RunCase, *, learns: bool) -> None:
        """Ask for an explanation; one that is being made, or was made in the same way, is not asked for again.

        A system that ``learns`` has the time to do so first.
        """
        key = case.run, case.case_id, case.system
        with self._lock:
            known = self._known.get(key)
            if known is not None and not known.is_over:
                return
            # It may have been explained without neighbours.
            if known is not None and known.state is JobState.DONE and case.pool is None:
                return
            self._known[key] = asking.explain_case(case, learns=learns)
            self._known.move_to_end(key)
            while len(self._known) > _MOST and next(iter(self._known.values())).is_over:
                self._known.popitem(last=False)


EXPLANATIONS = Part(Explanations, lambda studio: Explanations())


def explain(studio: Studio, path: Path, case_id: str, system: str, pool: str = "") -> None:
    """Begin to explain what a system of a run answered to a case, in the process that holds the systems.

    Args:
        studio: the studio.
        path: the folder of the run.
        case_id: the case.
        system: the name of the system.
        pool: the address of a corpus that ``serve`` was told, for the nearest pairs there; empty for none.

    Raises:
        NotFoundError: the system is not one that the studio was told to load, or the run does not have it.
        TooManyError: too many questions are waiting.
    """
    found = askable(studio, path).get(system)
    if found is None:
        raise NotFoundError(
            f"'{system}' cannot be asked again here: only systems that nliprobe serve was started with can be, and "
            "only if the run was made with the same ones."
        )
    case = RunCase(path, case_id, system, pools(studio).get(pool))
    studio.part(EXPLANATIONS).ask(studio.part(ASKING), case, learns=bool(found.train))


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


def askable(studio: Studio, path: Path) -> dict[str, AskedSystem]:
    """Return the systems of a run that the studio may ask: those that ``serve`` was told, by spec and training pairs.

    A run is data, which may come from anywhere: that its record names a program is no reason to start it.
    """
    specs, train = studio.part(TOLD).specs, set(studio.settings.train)
    return {item.name: item for item in run_systems(path) if item.spec in specs and train.issuperset(item.train)}


def explained_systems(call: Call, path: Path, document: CaseDocument) -> list[Explained]:
    """Tell for every system of a run whether its answer to a case is explained."""
    possible, explanations = askable(call.studio, path), call.studio.part(EXPLANATIONS)
    found = []
    for item in document["systems"]:
        name = item["system"]
        question = explanations.find(path, document["asked"]["case_id"], name)
        made = None if question is None else question.result
        found.append(
            Explained(
                name,
                name in possible and item["after"] is not None,
                "" if question is None else question.state.value,
                "" if question is None else _MEANWHILE if question.state is JobState.RUNNING else question.said,
                None if made is None else explained_section(made),
            )
        )
    return found


def ask_explanation(call: Call) -> Response:
    """Begin to explain an answer, and go back to the case."""
    runs = runs_of(call.studio)
    path, case_id, system = runs.path(call.path["key"]), call.path["case"], call.text("system")
    explain(call.studio, path, case_id, system, call.text("pool", ""))
    record_event(call.studio.store, "owner", "explanation asked for", run=runs.name(path), case=case_id, system=system)
    # The list that the case was come to from is kept, so that the cases around it are still those of that list.
    at = Asked(call.query.multi_items(), [item.name for item in run_systems(path)]).query()
    return back_to(f"/runs/{call.path['key']}/cases/{case_id}{at if at != '?' else ''}#explained")


def explanation_state(call: Call) -> Response:
    """Tell a script whether explanations of a case are ready."""
    path = runs_of(call.studio).path(call.path["key"])
    explanations = call.studio.part(EXPLANATIONS)
    asked = [explanations.find(path, call.path["case"], item.name) for item in run_systems(path)]
    return answer_json({"pending": any(question is not None and not question.is_over for question in asked)})
