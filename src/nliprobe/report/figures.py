"""The few figures under the answer: each a number with its interval, a plain reading, and a grade by shape and word."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple

from nliprobe.analysis.checklist.documents import ChecklistDocument
from nliprobe.analysis.documents import ShowDocument
from nliprobe.report.chapters import plain_title, probe_chapter
from nliprobe.report.claims import ProbeClaim, corpus_claims, identity_scores, probe_claims
from nliprobe.report.grades import FOR_COMPARISON, Grade, accuracy_grade, passed_grade, prohibited_grade
from nliprobe.report.hero import Hero, accuracy_of, constant_of, rule_spread
from nliprobe.report.names import middle_cut
from nliprobe.report.points import Points, spread_words
from nliprobe.report.subjects import Subject, estimate
from nliprobe.report.words import percent

# More rules than this would make a list of what is meant to be a glance.
_MOST_RULES = 3


class Figure(NamedTuple):
    """A number that carries the answer.

    Attributes:
        grade: its word and tone.
        number: the number as text.
        interval: its interval, or why there is none.
        words: what it is, in plain words.
        link: the anchor of the chapter that shows it.
    """

    grade: Grade
    number: str
    interval: str
    words: str
    link: str


def figures(document: ShowDocument, head: Hero, checklist: ChecklistDocument | None) -> list[Figure]:
    """Choose the figures for the subject in focus, from whatever the run has."""
    if head.subject is None:
        return []
    shown: list[Figure] = []
    if head.points:
        first = head.points[0]
        shown += [_accuracy(document, head.subject, first), *_without(document, head.subject, first)]
    drawn = {entry["probe"] for entry in document["transitions"]}
    shown += [_rule(probe, drawn) for probe in _rules(document, head.subject)]
    if checklist is not None:
        shown += _passed(checklist, head.subject)
    return shown


def _accuracy(document: ShowDocument, subject: Subject, first: Points) -> Figure:
    claims = [claim for claim in corpus_claims(document, subject.systems) if claim.corpus == first.corpus]
    found = accuracy_of(document, subject, first.corpus)
    return Figure(
        accuracy_grade(above=all(claim.above for claim in claims)),
        f"{percent(first.accuracy)} %",
        spread_words(found),
        f"right on {middle_cut(first.corpus, 30)}",
        "accuracy",
    )


def _without(document: ShowDocument, subject: Subject, first: Points) -> list[Figure]:
    """Return what the best control gets, and what the best constant answer gets."""
    shown: list[Figure] = []
    rivals = [
        (entry["accuracy"], entry["ci95"])
        for entry in identity_scores(document)
        if entry["system"] == first.control and entry["corpus"] == first.corpus and entry["accuracy"] is not None
    ]
    rival = estimate(rivals)
    if rival is not None:
        words = "right without the premise: the best control"
        shown.append(Figure(FOR_COMPARISON, f"{percent(rival.value)} %", spread_words(rival), words, "premise"))
    best = constant_of(document, subject, first.corpus)
    if best is not None:
        words = f"right if every answer is {best['label']}"
        shown.append(
            Figure(FOR_COMPARISON, f"{percent(best['accuracy'])} %", "counted, not estimated", words, "accuracy")
        )
    return shown


def _rules(document: ShowDocument, subject: Subject) -> Sequence[ProbeClaim]:
    """Return the rules that are broken most often."""
    probes = sorted(probe_claims(document, subject.systems), key=lambda probe: (-probe.low, -probe.rate))
    return probes[:_MOST_RULES]


def _rule(probe: ProbeClaim, drawn: Collection[str]) -> Figure:
    """Write a rule; those that look at more than labels share a chapter."""
    return Figure(
        prohibited_grade(probe.low, probe.high),
        f"{percent(probe.rate)} %",
        rule_spread(probe),
        f"of answers change where they must not: {plain_title(probe.name)}",
        probe_chapter(probe.name).anchor if probe.name in drawn else "expectations",
    )


def _passed(checklist: ChecklistDocument, subject: Subject) -> list[Figure]:
    """Return the share of templates that are passed, of seeds their mean; templates are a sample of all that exist."""
    from nliprobe.stats.intervals import Interval, wilson

    found: list[tuple[float, Interval]] = []
    for entry in checklist["bins"]:
        total = entry["passed"] + entry["unsure"] + entry["failed"]
        ends = wilson(entry["passed"], total)
        if entry["system"] in subject.systems and ends is not None:
            found.append((entry["passed"] / total, ends))
            words = f"of {total} templates passed: more than 80 % right"
    passed = estimate([(share, list(ends)) for share, ends in found])
    if passed is None:
        return []
    # Every seed must carry what is said of all of them.
    grade = passed_grade(min(ends.low for _, ends in found), max(ends.high for _, ends in found))
    return [Figure(grade, f"{percent(passed.value)} %", spread_words(passed), words, "capabilities")]
