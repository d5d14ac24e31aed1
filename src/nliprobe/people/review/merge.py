"""Put two copies of a queue together, on which two people have worked."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from nliprobe.base.errors import DataError
from nliprobe.people.review.files import append_decisions, read_queue
from nliprobe.people.review.records import Decision, Queue, Verdict


class Disagreement(NamedTuple):
    """A case that two people settled differently."""

    case_id: str
    ours: Decision
    theirs: Decision


class Both(NamedTuple):
    """What two people said about a case that both settled, and its group."""

    group: str
    ours: str
    theirs: str


class Merged(NamedTuple):
    """What became of another copy's decisions.

    Attributes:
        taken: those about cases that were open.
        conflicts: cases that they settled differently, which are open again.
        earlier: conflicts that an earlier merge has opened, and that are not opened again.
        unknown: cases that this file does not have.
        both: what both said about each case that both settled.
    """

    taken: int
    conflicts: tuple[Disagreement, ...]
    earlier: int
    unknown: int
    both: tuple[Both, ...]


def merge_queues(path: Path, other: Path) -> Merged:
    """Add the decisions of another copy to a queue; cases that both settled differently are open again.

    Merging the same copy once more changes nothing.
    """
    ours, theirs = read_queue(path), read_queue(other)
    added: list[Decision] = []
    conflicts: list[Disagreement] = []
    both: list[Both] = []
    earlier = unknown = taken = 0
    for name, item in theirs.items.items():
        decision = theirs.decision(name)
        if name not in ours.items:
            unknown += 1
            continue
        if ours.items[name].digest != item.digest:
            raise DataError(f"The case '{name}' is another one in {other} than in {path}: they are no copies.")
        if decision is None or decision.outcome is None:
            continue
        own = ours.decision(name)
        dispute = _dispute(ours, name, decision.outcome)
        if dispute is not None:
            both.append(Both(item.group, *dispute.said))
            earlier += 1
        elif own is None or own.outcome is None:
            added.append(decision)
            taken += 1
        else:
            both.append(Both(item.group, own.outcome, decision.outcome))
            if own.outcome != decision.outcome:
                conflicts.append(Disagreement(name, own, decision))
                added.append(_conflict(name, own, decision))
    if unknown == len(theirs.items):
        raise DataError(f"{other} has no case of {path}: they are no copies of one queue.")
    append_decisions(path, added)
    return Merged(taken, tuple(conflicts), earlier, unknown, tuple(both))


def _dispute(queue: Queue, case_id: str, outcome: str) -> Decision | None:
    """Return the conflict that an outcome was part of, whether or not somebody has decided since."""
    conflicts = (decision for decision in queue.history.get(case_id, ()) if decision.verdict is Verdict.CONFLICT)
    return next((decision for decision in conflicts if outcome == decision.said[-1]), None)


def _conflict(case_id: str, ours: Decision, theirs: Decision) -> Decision:
    remark = "; ".join(said_by(decision) for decision in (ours, theirs))
    said = (str(ours.outcome), str(theirs.outcome))
    return Decision(case_id, Verdict.CONFLICT, remark=remark, said=said)


def said_by(decision: Decision) -> str:
    """Say in a few words who decided what.

    >>> said_by(Decision("c1", Verdict.FIX, "N", "no year in the table", "Ann"))
    'Ann: N (no year in the table)'
    """
    who = f"{decision.rater}: " if decision.rater else ""
    return f"{who}{decision.outcome or decision.verdict.value}{f' ({decision.remark})' if decision.remark else ''}"
