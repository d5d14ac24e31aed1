"""What a web page reads of a run: how far it is, one case, two systems compared, an explanation, the whole report."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from nliprobe.analysis.browse.building import state_of
from nliprobe.analysis.compare.documents import CompareDocument
from nliprobe.analysis.compare.systems import compare_two
from nliprobe.analysis.one_case import CaseDocument, case_document
from nliprobe.analysis.watch import WatchDocument, watch_document
from nliprobe.api.explain import ExplainOptions, explain_cases
from nliprobe.api.listed import known_verdicts, run_verdicts
from nliprobe.api.report import report
from nliprobe.api.resolve import Request
from nliprobe.api.systems import as_systems
from nliprobe.base.errors import StoreError
from nliprobe.store.record import SystemStatus
from nliprobe.store.run import RunFolder
from nliprobe.store.soundness import DamagedRunError
from nliprobe.store.watch import RunWatch
from nliprobe.task.explanation import ExplainedCase


@dataclass(frozen=True)
class AskedSystem:
    """A system of a run: its name, its spec, what it was trained on, its premise control, whether it has finished."""

    name: str
    spec: str
    train: tuple[str, ...]
    premise: str
    complete: bool


@dataclass(frozen=True)
class RunOverview:
    """What stands at the head of a run.

    Attributes:
        name: the name of its folder.
        created: when it was begun.
        state: complete, unfinished or damaged.
        corpora: what was asked.
        systems: who was asked.
        cases: how many cases there are, once all are made.
        notes: what there is to know, by what it is about.
        verdicts: what it shows, a text per system; None if that is not known yet.
    """

    name: str
    created: str
    state: str
    corpora: tuple[str, ...]
    systems: tuple[AskedSystem, ...]
    cases: int | None
    notes: dict[str, list[str]]
    verdicts: list[str] | None


def run_overview(path: Path) -> RunOverview:
    """Describe a run without reading its cases; one that is not there is a NotFoundError."""
    # Opened in part, a damaged run has an overview, too; nothing that would read all its bytes is asked.
    run = RunFolder.open(path, partial=True)
    counts = run.record.counts
    return RunOverview(
        name=run.path.resolve().name,
        created=run.record.created,
        state=run.state.value,
        corpora=tuple(item.name for item in run.corpora),
        systems=_systems(run),
        cases=None if counts is None else counts.cases,
        notes=run.notes,
        verdicts=known_verdicts(run),
    )


def run_systems(path: Path) -> tuple[AskedSystem, ...]:
    """Describe the systems of a run; its shards are not looked at."""
    return _systems(RunFolder.open(path, partial=True))


def count_cases(path: Path) -> int | None:
    """Return how many cases a run has, once all are made; its shards are not looked at."""
    counts = RunFolder.open(path, partial=True).record.counts
    return None if counts is None else counts.cases


def run_content(path: Path) -> str:
    """Return what changes when anything does that reports of a run are made from; a damaged run is an error."""
    return state_of(RunFolder.open(path))


def run_damage(path: Path) -> list[str]:
    """Say what is wrong with the files of a run, a sentence for each, as far as that is seen without reading them."""
    try:
        state_of(RunFolder.open(path))
    except DamagedRunError as error:
        return [fault.problem for fault in error.faults]
    except StoreError as error:
        return [str(error)]
    return []


class Watched:
    """Looks at one run again and again, as cheaply as that can be done."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._watch = RunWatch(path)

    def look(self) -> WatchDocument:
        """Tell how far the run is."""
        return watch_document(self._path, self._watch.look())


def read_verdicts(path: Path) -> list[str]:
    """Say what a complete run shows, a text per system; it is computed if it is not known yet."""
    return run_verdicts(RunFolder.open(path))


def read_case(path: Path, case_id: str) -> CaseDocument:
    """Describe one case of a run."""
    return case_document(RunFolder.open(path), case_id)


def read_comparison(path: Path, left: str, right: str) -> CompareDocument:
    """Compare two systems of a run by the cases that both were asked."""
    run = RunFolder.open(path)
    return compare_two(run, run, left, right)


def read_explanation(path: Path, case_id: str, system: str, options: ExplainOptions) -> ExplainedCase:
    """Explain what a system of a run answered to one case; the same system must be at hand again."""
    document = explain_cases(RunFolder.open(path), [case_id], [system], options)
    [explained] = document["explained"]
    return explained


def written_specs(systems: Sequence[str], train: Sequence[str], root: Path | None = None) -> frozenset[str]:
    """Return the specs of systems as runs write them: with all that is usual filled in, and without their names."""
    request = Request((), as_systems(list(systems)), train=tuple(train), root=root)
    return frozenset(str(system.spec) for system in request.build_systems(request.training()))


def read_report(path: Path) -> str:
    """Write the report of a run as one self-contained page."""
    with tempfile.TemporaryDirectory() as folder:
        return report(RunFolder.open(path), Path(folder) / "report.html").read_text(encoding="utf-8")


def _systems(run: RunFolder) -> tuple[AskedSystem, ...]:
    return tuple(
        AskedSystem(item.name, item.spec, item.train, item.premise, item.status is SystemStatus.COMPLETE)
        for item in run.systems
    )
