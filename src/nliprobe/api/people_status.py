"""How far a project for raters is, and how good its raters are: the document ``nliprobe/people/2``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, TypedDict

from nliprobe.analysis.agreement import AgreementDocument, RateDocument, rate
from nliprobe.api.marks import SetDocument, set_document
from nliprobe.people.quality.constant import Constant, Constants
from nliprobe.people.quality.raters import RaterReport, quality_of
from nliprobe.people.records import Rater

if TYPE_CHECKING:
    from nliprobe.people.store import Database

SCHEMA = "nliprobe/people/2"
# Where rows and sentences are marked, an answer about one of them is whether it is.
_OF_MARKS = {"0": "marking nothing", "1": "marking everything"}


class BatchDocument(TypedDict):
    """A batch: its items, how many have all judgements, and the judgements wanted and there."""

    batch: int
    open: bool
    items: int
    complete: int
    wanted: int
    judged: int


class RaterDocument(TypedDict):
    """One rater; ``accuracy`` is estimated (Dawid and Skene) and None where answers are no votes."""

    rater: str
    state: str
    judgements: int
    majority: RateDocument
    others: RateDocument
    gold: RateDocument
    attention: RateDocument
    accuracy: float | None
    seconds: float | None
    flags: list[str]


class FlagDocument(TypedDict):
    """An item that a rater skipped or flagged, and why."""

    item: str
    rater: str
    reason: str
    flagged: bool


class ConstantDocument(TypedDict):
    """An answer, and what always giving it would get."""

    answer: str
    rate: RateDocument


class EstimatedConstantDocument(TypedDict):
    """An answer, and how often it is right, as estimated."""

    answer: str
    value: float


class ConstantsDocument(TypedDict):
    """What always saying the same would get, at best, against each measure of a rater; None without the measure."""

    majority: ConstantDocument
    gold: ConstantDocument | None
    attention: ConstantDocument | None
    accuracy: EstimatedConstantDocument


class PeopleDocument(TypedDict):
    """What ``nliprobe annotate status --format json`` prints; ``people.schema.json`` explains every field."""

    schema: str
    project: str
    task: str
    title: str
    raters_per_item: int
    complete: bool
    batches: list[BatchDocument]
    attention_items: int
    leased: int
    judgements: int
    raters: list[RaterDocument]
    constants: ConstantsDocument | None
    chance: float | None
    agreement: AgreementDocument | None
    marks: SetDocument | None
    flags: list[FlagDocument]


def project_status(database: str | Path, name: str) -> PeopleDocument:
    """Return how far a project is, and the quality of its raters, from the best to the worst."""
    from nliprobe.people.store import open_store

    with open_store(database, make=False) as store:
        return status_of(store, name)


def status_of(store: Database, name: str) -> PeopleDocument:
    """Return the same of a project in an open store."""
    from nliprobe.people.store.judging import read_judgements
    from nliprobe.people.store.progress import read_progress
    from nliprobe.people.store.projects import read_items, read_project, task_of
    from nliprobe.people.store.raters import read_raters

    project, progress = read_project(store, name), read_progress(store, name)
    people = {rater.name: rater for rater in read_raters(store, name)}
    judgements = read_judgements(store, name)
    quality = quality_of(task_of(project), read_items(store, name), judgements)
    reported = [report.rater for report in quality.raters]
    return PeopleDocument(
        schema=SCHEMA,
        project=project.name,
        task=project.task,
        title=project.title,
        raters_per_item=project.raters_per_item,
        complete=progress.is_complete,
        batches=[
            BatchDocument(
                batch=batch.batch,
                open=batch.is_open,
                items=batch.items,
                complete=batch.complete,
                wanted=batch.wanted,
                judged=batch.judged,
            )
            for batch in progress.batches
        ],
        attention_items=progress.attention,
        leased=progress.leased,
        judgements=len(judgements),
        raters=[
            *(_rater(people[report.rater], report) for report in quality.raters),
            *(_silent(rater) for rater in people.values() if rater.name not in reported),
        ],
        constants=None if quality.constants is None else _constants(quality.constants),
        chance=quality.chance,
        agreement=quality.agreement,
        marks=None if quality.marks is None else set_document(quality.marks),
        flags=[
            FlagDocument(item=flag.item, rater=flag.rater, reason=flag.reason, flagged=flag.flagged)
            for flag in progress.flags
        ],
    )


def constant_words(document: PeopleDocument, answer: str) -> str:
    """Return what it is to give always the same answer, in words."""
    words = _OF_MARKS.get(answer) if document["task"] == "evidence" else None
    return words or f"always saying {answer}"


def agreement_on_marks(document: PeopleDocument) -> list[tuple[str, float | None, str]]:
    """Return measures of agreement on marks: the name, the value, and what it is to be compared with."""
    marks = document["marks"]
    if marks is None:
        return []
    everything = marks["everything"]["f1"]
    compared = "" if everything is None else f"marking everything gets {everything:.2f}"
    return [
        ("Fleiss' kappa per item, on average", marks["kappa"]["mean"], "0 is chance, 1 is full agreement"),
        ("F1 with the others' majority, on average", marks["over_raters_others"]["f1"]["value"], compared),
        ("F1 with the majority, on average", marks["over_raters"]["f1"]["value"], compared),
    ]


def _rater(rater: Rater, report: RaterReport) -> RaterDocument:
    return RaterDocument(
        rater=rater.name,
        state=rater.state.value,
        judgements=report.judgements,
        majority=rate(report.majority),
        others=rate(report.others),
        gold=rate(report.gold),
        attention=rate(report.attention),
        accuracy=report.accuracy,
        seconds=None if report.seconds is None else report.seconds.median,
        flags=[flag.reason for flag in report.flags],
    )


def _silent(rater: Rater) -> RaterDocument:
    """Return a rater of whom nothing counts: new, blocked or withdrawn."""
    none = RateDocument(right=0, n=0, value=None, ci95=None)
    return RaterDocument(
        rater=rater.name,
        state=rater.state.value,
        judgements=0,
        majority=none,
        others=none,
        gold=none,
        attention=none,
        accuracy=None,
        seconds=None,
        flags=[],
    )


def _constants(constants: Constants) -> ConstantsDocument:
    answer, value = constants.accuracy
    return ConstantsDocument(
        majority=_constant(constants.majority),
        gold=None if constants.gold is None else _constant(constants.gold),
        attention=None if constants.attention is None else _constant(constants.attention),
        accuracy=EstimatedConstantDocument(answer=answer, value=value),
    )


def _constant(constant: Constant) -> ConstantDocument:
    return ConstantDocument(answer=constant.answer, rate=rate(constant.rate))
