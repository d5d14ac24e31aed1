"""Explain the answers of systems to cases of a run, or to pairs of one's own."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from nliprobe.analysis.one_case import CaseDocument, asked_premise, case_document
from nliprobe.api.resolve import Request, open_sources
from nliprobe.api.systems import GivenSystem, as_systems
from nliprobe.base.errors import NotFoundError, UsageError, option
from nliprobe.engine.ask import Caches, ask_known
from nliprobe.explain.kept import kept_explanation
from nliprobe.explain.lime import LimeOptions
from nliprobe.explain.neighbours import COUNT, NeighbourPool
from nliprobe.explain.vectors import pair_vectors
from nliprobe.models.system import System
from nliprobe.represent.controls import Control
from nliprobe.store.record import SystemRecord
from nliprobe.store.run import RunFolder
from nliprobe.task.evidence import Evidence, Grade
from nliprobe.task.explanation import (
    EXPLAIN_SCHEMA,
    ExplainDocument,
    ExplainedCase,
    NeighbourEntry,
    Neighbours,
)
from nliprobe.task.labels import LabelSet
from nliprobe.task.pair import Facet, Pair
from nliprobe.task.source import PairSource
from nliprobe.training.fit import make_ready

Progress = Callable[[str, int], None]


@dataclass(frozen=True)
class ExplainOptions:
    """What is explained and how.

    Attributes:
        lime: how much is asked for one explanation.
        pool: the corpus in which neighbours are looked for; none for no neighbours.
        neighbours: how many of them.
        root: the folder above the corpora.
        progress: is told what is being done, and how much of it is.
    """

    lime: LimeOptions = field(default_factory=LimeOptions)
    pool: str | PairSource | None = None
    neighbours: int = COUNT
    root: Path | None = None
    progress: Progress = lambda what, count: None


def explain_pairs(request: Request, pairs: Sequence[Pair], options: ExplainOptions) -> ExplainDocument:
    """Explain what each system of a request answers to each pair."""
    training = request.training()
    systems = request.build_systems(training)
    explained: list[ExplainedCase] = []
    for system in systems:
        with_pool = _Explainer(system, training, options)
        explained += [with_pool.explained(pair, None) for pair in pairs]
    return ExplainDocument(schema=EXPLAIN_SCHEMA, run=None, explained=explained)


def explain_answer(
    system: System, training: Sequence[PairSource], pair: Pair, options: ExplainOptions
) -> ExplainedCase:
    """Explain what a system that is made already answers to a pair.

    Args:
        system: the system.
        training: what it learns from if that was never done.
        pair: the pair.
        options: what is explained and how.
    """
    return _Explainer(system, training, options).explained(pair, None)


def explain_cases(
    run: RunFolder, case_ids: Sequence[str], names: Sequence[str], options: ExplainOptions
) -> ExplainDocument:
    """Explain what systems of a run answered to some of its cases.

    Args:
        run: the run.
        case_ids: the ids of cases, or so many first characters of each that it is the only one.
        names: the systems; all of them if none is named.
        options: what is explained and how.

    Raises:
        UsageError: a system of the run cannot be asked again.
    """
    cases = [case_document(run, case_id) for case_id in case_ids]
    records = _chosen(run, names)
    explained: list[ExplainedCase] = []
    for record in records:
        request = Request((), _again(record), train=record.train, root=options.root, seed=run.record.suite.seed)
        training = request.training()
        [system] = request.build_systems(training)
        if system.identity() != record.identity:
            raise UsageError(
                f"{record.name} is not what the run {run.path} asked: its model, its training pairs or its files have "
                f"changed since. Name the system itself with {option('system')}, without the run."
            )
        explainer = _Explainer(system, training, options)
        explained += [explainer.explained(case_pair(case), case["asked"]["case_id"]) for case in cases]
    return ExplainDocument(schema=EXPLAIN_SCHEMA, run=run.path.resolve().name, explained=explained)


def case_pair(case: CaseDocument) -> Pair:
    """Return what a case asks as a pair; marked units are those of the pair only if the premise was not edited."""
    edited = any(not str(edit["op"]).startswith("hypothesis.") for edit in case["edits"])
    evidence = case["evidence"]
    return Pair(
        case["asked"]["pair_id"],
        asked_premise(case["asked"]),
        case["asked"]["hypothesis"],
        gold=None if case["gold"] is None else LabelSet.of(case["gold"]),
        evidence=None
        if evidence is None or edited
        else Evidence(tuple(evidence["units"]), Grade(evidence["grade"]), evidence["outside"], evidence["alone"]),
        facets=tuple(Facet(item["name"], item["value"]) for item in case["facets"]),
    )


def _chosen(run: RunFolder, names: Sequence[str]) -> list[SystemRecord]:
    known = {record.name: record for record in run.systems}
    for name in names:
        if name not in known:
            raise NotFoundError(f"The run {run.path} has no system '{name}'. It has: {', '.join(known)}.")
    return [known[name] for name in names] if names else list(known.values())


def _again(record: SystemRecord) -> list[str | GivenSystem]:
    """Return a system of a run with its name, as a request makes it again."""
    if record.spec.startswith(("object:", "function:")):
        raise UsageError(
            f"{record.name} was given to the run as a Python object, so it cannot be made again from the run. "
            "Explain it in Python, with the object."
        )
    return as_systems({record.name: record.spec})


def require_explainable(system: System) -> None:
    """Raise a UsageError if the words of a pair cannot explain what a system answers."""
    if system.model.keyed:
        raise UsageError(
            f"{system.name} looks its answers up, so it cannot be asked what it would answer to an edited pair."
        )
    if system.reader.control in (Control.SWAPPED, Control.DUMMY):
        raise UsageError(
            f"{system.name} is not shown the premise of the pair (premise={system.reader.control.value}), so the "
            "words of the pair do not explain its answer."
        )


class _Explainer:
    """Explains the answers of one system; its model and its pool are made ready when they are first needed."""

    def __init__(self, system: System, training: Sequence[PairSource], options: ExplainOptions) -> None:
        require_explainable(system)
        system.model.check()
        self.system = system
        self.training = training
        self.options = options
        self._caches = Caches()
        self._pool: tuple[str, NeighbourPool] | None = None

    def explained(self, pair: Pair, case_id: str | None) -> ExplainedCase:
        """Explain one answer."""
        explanation = kept_explanation(
            self.system, pair, self.options.lime, self._prepare, lambda count: self.options.progress("masks", count)
        )
        return ExplainedCase(
            case_id=case_id,
            pair_id=pair.id,
            gold=None if pair.gold is None else str(pair.gold),
            explanation=explanation,
            neighbours=None if self.options.pool is None else self._neighbours(pair, self.options.pool),
        )

    def _prepare(self, system: System) -> None:
        make_ready(system, self.training)

    def _neighbours(self, pair: Pair, wanted: str | PairSource) -> Neighbours:
        if self._pool is None:
            [source] = open_sources([wanted], self.options.root)
            pool = NeighbourPool.of(
                self.system, list(source.pairs()), self._prepare, lambda count: self.options.progress("vectors", count)
            )
            self._pool = source.name, pool
        name, pool = self._pool
        asked = self.system.reader.read_pair(pair)
        [vector] = pair_vectors(self.system, [asked], self._prepare)
        found = pool.neighbours(pair, asked, vector, self.options.neighbours)
        inputs = [pool.inputs[item.place] for item in found]
        answers = ask_known(self.system, inputs, self._caches.of(self.system), self._prepare)
        return Neighbours(
            pool=name,
            size=len(pool.pairs),
            nearest=[
                NeighbourEntry(
                    pair_id=item.pair.id,
                    cosine=round(item.cosine, 4),
                    premise=read.premise,
                    hypothesis=item.pair.hypothesis,
                    gold=None if item.pair.gold is None else str(item.pair.gold),
                    label=None if answer.label is None else str(answer.label),
                    template=dict(item.pair.facets).get("template"),
                )
                for item, read, answer in zip(found, inputs, answers, strict=True)
            ],
        )
