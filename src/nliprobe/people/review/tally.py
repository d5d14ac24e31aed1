"""Count what people decided: how often a rule's expected label was right, per kind and rule, with intervals."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TypedDict

from nliprobe.people.review.records import Queue, ReviewItem, Verdict
from nliprobe.task.labels import LETTERS

SCHEMA = "nliprobe/review/1"


class ShareDocument(TypedDict):
    """A share with its 95 % interval: Wilson's, with the effective number of cases where tables have several.

    ``ci95`` is None without cases, and with several cases per table of fewer than five tables.
    """

    count: int
    n: int
    groups: int
    share: float | None
    ci95: list[float] | None


class RuleTally(TypedDict):
    """The decisions about the cases of one rule, of one kind of edit, or of all.

    ``right`` is how often the expected label was accepted, among the cases that got a label; ``usable`` how often a
    case got a label at all, among those that were decided. ``became`` counts the labels that fixed cases got. ``blind``
    is ``right`` among the cases that were judged without seeing the expected label.
    """

    kind: str
    rule: str
    cases: int
    open: int
    accepted: int
    fixed: int
    rejected: int
    became: dict[str, int]
    right: ShareDocument
    usable: ShareDocument
    blind: ShareDocument


class ReviewDocument(TypedDict):
    """What ``nliprobe review FILE --format json`` prints; ``review.schema.json`` explains every field."""

    schema: str
    file: str
    all: RuleTally
    kinds: list[RuleTally]
    rules: list[RuleTally]
    skipped: int
    conflicts: list[str]
    raters: list[str]
    notes: list[str]


def tally(queue: Queue, file: str) -> ReviewDocument:
    """Count the decisions of a queue."""
    items = list(queue.items.values())
    decisions = [decision for name in queue.items if (decision := queue.decision(name)) is not None]
    verdicts = [decision.verdict for decision in decisions]
    return ReviewDocument(
        schema=SCHEMA,
        file=file,
        all=_tally(queue, items, "", ""),
        kinds=[_tally(queue, part, kind, "") for (kind,), part in _parts(items, lambda item: (item.kind,))],
        rules=[
            _tally(queue, part, kind, rule) for (kind, rule), part in _parts(items, lambda item: (item.kind, item.rule))
        ],
        skipped=verdicts.count(Verdict.SKIP),
        conflicts=[decision.case_id for decision in decisions if decision.verdict is Verdict.CONFLICT],
        raters=sorted({decision.rater for decision in decisions if decision.rater}),
        notes=list(queue.notices),
    )


def _parts(
    items: Iterable[ReviewItem], key: Callable[[ReviewItem], tuple[str, ...]]
) -> list[tuple[tuple[str, ...], list[ReviewItem]]]:
    parts: dict[tuple[str, ...], list[ReviewItem]] = {}
    for item in items:
        parts.setdefault(key(item), []).append(item)
    return sorted(parts.items())


def _tally(queue: Queue, items: Sequence[ReviewItem], kind: str, rule: str) -> RuleTally:
    decided = [(item, queue.decision(item.case_id)) for item in items if queue.outcome(item.case_id) is not None]
    verdicts = [decision.verdict for _, decision in decided if decision is not None]
    labelled = [(item, decision) for item, decision in decided if decision is not None and decision.label]
    fixed = [decision.label for _, decision in labelled if decision.verdict is Verdict.FIX]
    return RuleTally(
        kind=kind,
        rule=rule,
        cases=len(items),
        open=len(items) - len(decided),
        accepted=verdicts.count(Verdict.ACCEPT),
        fixed=len(fixed),
        rejected=verdicts.count(Verdict.REJECT),
        became={letter: fixed.count(letter) for letter in LETTERS},
        right=share_document([(item.group, decision.verdict is Verdict.ACCEPT) for item, decision in labelled]),
        usable=share_document(
            [(item.group, decision is not None and bool(decision.label)) for item, decision in decided]
        ),
        blind=share_document(
            [(item.group, decision.verdict is Verdict.ACCEPT) for item, decision in labelled if decision.blind]
        ),
    )


def share_document(marks: Sequence[tuple[str, bool]]) -> ShareDocument:
    """Return the share of marks that are set, each of which comes with its group."""
    import numpy as np

    from nliprobe.stats.grouped import group_sums, share_interval

    numbers: dict[str, int] = {}
    clusters = np.array([numbers.setdefault(group, len(numbers)) for group, _ in marks], dtype=np.int64)
    happened = np.array([mark for _, mark in marks], dtype=bool)
    interval = share_interval(*group_sums(happened, clusters)) if marks else None
    count = int(happened.sum())
    return ShareDocument(
        count=count,
        n=len(marks),
        groups=len(numbers),
        share=count / len(marks) if marks else None,
        ci95=None if interval is None else [interval.low, interval.high],
    )
