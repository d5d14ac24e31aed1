"""How good each rater is, from the items and judgements of a project."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from nliprobe.analysis.agreement import AgreementDocument, measure
from nliprobe.people.counted import Counted, counted, marked_pairs, ratings_of
from nliprobe.people.marks import MarksAgreement, RaterQuality, marks_agreement
from nliprobe.people.quality.constant import Constants, constants_of
from nliprobe.people.quality.flags import Flag, QualityRule, Seen, flags_of
from nliprobe.people.quality.votes import Votes, agreement_with_others, votes_of
from nliprobe.people.records import Item, Judgement
from nliprobe.people.tasks import Task
from nliprobe.people.tasks.evidence import Marking
from nliprobe.people.tasks.labels import LabelTask
from nliprobe.stats.agreement import Share, majority, rater_agreement
from nliprobe.stats.dawid_skene import DawidSkene, dawid_skene
from nliprobe.stats.matches import Measure

NONE = Share(0, 0)


class Times(NamedTuple):
    """How long judgements took, in seconds: the median, and the quartiles around it."""

    n: int
    low: float
    median: float
    high: float


@dataclass(frozen=True, slots=True)
class RaterReport:
    """One rater.

    Attributes:
        rater: the pseudonym.
        judgements: those that count, without attention items.
        majority: votes that are those of the majority of all raters, which the rater is part of: this flatters. For
            marks, a vote is a unit, marked or not.
        others: votes that are those of the majority of the others; where they have none, a vote is left out.
        gold: votes that are right, where the project knows it.
        attention: attention items, and how many are right.
        accuracy: how often the rater is right, as :mod:`nliprobe.stats.dawid_skene` estimates it; for marks, the mean
            of how often relevant units are marked and others are not. None if answers are no votes.
        said: how often the rater said what.
        seconds: how long judgements took, if it is known.
        marks: agreement on marks, for the task *evidence*.
        flags: reasons to look at this rater.
    """

    rater: str
    judgements: int
    majority: Share
    others: Share
    gold: Share
    attention: Share
    accuracy: float | None
    said: dict[str, int]
    seconds: Times | None
    marks: RaterQuality | None
    flags: tuple[Flag, ...]


@dataclass(frozen=True, slots=True)
class Quality:
    """All raters of a project.

    Attributes:
        raters: from the best to the worst by ``accuracy``; by name where there is none.
        constants: what always saying the same would get, at best, if answers are votes.
        chance: the accuracy of guessing.
        estimate: Dawid and Skene's estimate, if answers are votes.
        agreement: what ``nliprobe data agreement`` says about the exported ratings, for labels.
        marks: the same for marks.
    """

    raters: tuple[RaterReport, ...]
    constants: Constants | None
    chance: float | None
    estimate: DawidSkene | None
    agreement: AgreementDocument | None
    marks: MarksAgreement | None

    @property
    def worst(self) -> RaterReport | None:
        """The rater who ranks last, if raters can be ranked at all."""
        last = self.raters[-1] if self.raters else None
        return last if last is not None and last.accuracy is not None else None


def quality_of(
    task: Task, items: Sequence[Item], judgements: Iterable[Judgement], rule: QualityRule | None = None
) -> Quality:
    """Measure the quality of all raters who gave a judgement that counts."""
    rule = rule or QualityRule()
    every = list(judgements)
    found, checks = counted(items, every), counted(items, every, attention=True)
    people = tuple(dict.fromkeys(one.judgement.rater for one in [*found, *checks]))
    votes = votes_of(task, found, people)
    estimate = None if votes is None else _estimate(votes)
    marks = marks_agreement(marked_pairs(items, every)) if isinstance(task, Marking) and found else None
    reports = _Reports(task, found, checks, people, votes, estimate, marks, rule).all()
    return Quality(
        raters=tuple(sorted(reports, key=_rank)),
        constants=None if votes is None or estimate is None else constants_of(task, votes, checks, estimate),
        chance=None if votes is None else 1 / len(votes.names),
        estimate=estimate,
        agreement=measure(ratings_of(task, items, every, "ratings")) if isinstance(task, LabelTask) and found else None,
        marks=marks,
    )


def _rank(report: RaterReport) -> tuple[float, str]:
    return (math.inf if report.accuracy is None else -report.accuracy, report.rater)


def _estimate(votes: Votes) -> DawidSkene:
    return dawid_skene(
        votes.items,
        votes.raters,
        votes.labels,
        size=len(votes.gold),
        people=len(votes.people),
        classes=len(votes.names),
    )


class _Reports:
    """Makes the reports of all raters; what they share is computed once."""

    def __init__(
        self,
        task: Task,
        found: Sequence[Counted],
        checks: Sequence[Counted],
        people: Sequence[str],
        votes: Votes | None,
        estimate: DawidSkene | None,
        marks: MarksAgreement | None,
        rule: QualityRule,
    ) -> None:
        self._task, self._people, self._votes, self._rule = task, people, votes, rule
        self._own: dict[str, list[Judgement]] = {rater: [] for rater in people}
        self._checks: dict[str, list[Counted]] = {rater: [] for rater in people}
        for one in found:
            self._own[one.judgement.rater].append(one.judgement)
        for one in checks:
            self._checks[one.judgement.rater].append(one)
        self._marks = {} if marks is None else {quality.rater: quality for quality in marks.raters}
        self._majority = self._others = self._gold = [NONE] * len(people)
        if votes is not None:
            labels = self._labels = majority(votes.counts).labels
            self._majority, self._gold = (
                rater_agreement(votes.items, votes.raters, votes.labels, reference, len(people))
                for reference in (labels, votes.gold)
            )
            self._others = agreement_with_others(votes)
        self._accuracy = [None] * len(people) if estimate is None else self._accuracies(estimate)
        self._times = {rater: _times(own) for rater, own in self._own.items()}
        self._agreed = {rater: self._agreement(place, rater) for place, rater in enumerate(people)}
        self._usual = _median(one.value for one in self._agreed.values())
        self._usual_seconds = _median(times and times.median for times in self._times.values())

    def all(self) -> list[RaterReport]:
        """Return the reports in the order of the raters."""
        return [self._report(place, rater) for place, rater in enumerate(self._people)]

    def _agreement(self, place: int, rater: str) -> Measure:
        if (marks := self._marks.get(rater)) is not None:
            return marks.others_pooled.f1
        others = self._others[place]
        return Measure(others.value, others.ci95, others.n)

    def _accuracies(self, estimate: DawidSkene) -> list[float | None]:
        values = estimate.accuracy
        if isinstance(self._task, Marking):
            # Most units are not relevant: who marks nothing would be right about all of those.
            values = np.where(np.isnan(values), np.nan, np.trace(estimate.tables, axis1=1, axis2=2) / 2)
        return [None if np.isnan(value) else float(value) for value in values]

    def _report(self, place: int, rater: str) -> RaterReport:
        own, marks, times = self._own[rater], self._marks.get(rater), self._times[rater]
        checks = self._checks[rater]
        right = sum(self._task.agrees(one.item.expected or {}, one.judgement.answer) for one in checks)
        attention = Share(right, len(checks))
        said, commonest, expected = self._said(place)
        seen = Seen(
            judgements=len(own),
            attention=attention,
            agreed=self._agreed[rater],
            usual=self._usual,
            accuracy=self._accuracy[place],
            chance=0.0 if self._votes is None else 1 / len(self._votes.names),
            commonest=commonest,
            expected=expected,
            nothing=0 if marks is None else marks.nothing,
            seconds=None if times is None else times.median,
            usual_seconds=self._usual_seconds,
        )
        return RaterReport(
            rater=rater,
            judgements=len(own),
            majority=self._majority[place],
            others=self._others[place],
            gold=self._gold[place],
            attention=attention,
            accuracy=self._accuracy[place],
            said=said,
            seconds=times,
            marks=marks,
            flags=flags_of(seen, self._rule),
        )

    def _said(self, place: int) -> tuple[dict[str, int], tuple[str, Share] | None, Share]:
        """Return what a rater said how often, the commonest of it, and how often the majority says that, too."""
        votes = self._votes
        if votes is None or isinstance(self._task, Marking):
            return {}, None, NONE
        own = votes.raters == place
        counts = np.bincount(votes.labels[own], minlength=len(votes.names))
        most = int(counts.argmax())
        labels = self._labels[votes.items[own]]
        said = {name: int(number) for name, number in zip(votes.names, counts, strict=True)}
        same = Share(int((labels == most).sum()), int((labels >= 0).sum()))
        return said, (votes.names[most], Share(int(counts[most]), int(counts.sum()))), same


def _median(values: Iterable[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return float(np.median(known)) if known else None


def _times(judgements: Sequence[Judgement]) -> Times | None:
    seconds = [judgement.seconds for judgement in judgements if judgement.seconds is not None]
    if not seconds:
        return None
    low, median, high = (float(value) for value in np.quantile(seconds, (0.25, 0.5, 0.75)))
    return Times(len(seconds), low, median, high)
