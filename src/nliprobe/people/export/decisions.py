"""Export settled cases: the decisions of raters, added to the review queue that the cases come from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from nliprobe.base.errors import DataError
from nliprobe.people.counted import Counted, counted
from nliprobe.people.records import Adjudication, Content, Item, Judgement
from nliprobe.people.review.files import append_decisions, read_queue
from nliprobe.people.review.merge import said_by
from nliprobe.people.review.records import Decision, ReviewItem, Verdict, judged

# Who decides a case about which raters disagree.
MAJORITY = "majority"


class Decided(NamedTuple):
    """What was added to a queue: decisions, how many cases they settle, and how many are in conflict and stay open."""

    added: int
    settled: int
    conflicts: int


def decide_queue(
    path: Path, items: Sequence[Item], judgements: Iterable[Judgement], adjudications: Sequence[Adjudication] = ()
) -> Decided:
    """Add what raters decided to a queue; adding the same once more changes nothing.

    Every rater's decision becomes a line. Where they differ, what more than half of them say is added as the decision
    of the *majority*; where there is no majority, a conflict is, and the case stays open. What the owner decided comes
    last and counts instead.
    """
    queue = read_queue(path)
    own = {one.item: one for one in adjudications}
    # What the owner decided counts also where no rater is left who judged it.
    by_item: dict[str, list[Counted]] = {item.name: [] for item in items if item.name in own}
    for one in counted(items, judgements):
        by_item.setdefault(one.item.name, []).append(one)
    added: list[Decision] = []
    settled = conflicts = 0
    for item in items:
        if item.name not in by_item:
            continue
        found, case_id = by_item[item.name], str(item.hidden.get("case_id", item.name))
        case = queue.items.get(case_id)
        if case is None:
            raise DataError(f"{path} has no case '{case_id:.80}': it is not the queue that these items come from.")
        if str(item.hidden.get("digest", case.digest)) != case.digest:
            raise DataError(f"The case '{case_id:.80}' is another one in {path} than the one that raters saw.")
        decided = own.get(item.name)
        decisions = _decisions(case, found) if found else []
        if decided is not None:
            decisions.append(_decision(case, item, decided.answer, decided.who, decided.reason))
        settled += decisions[-1].outcome is not None
        conflicts += decisions[-1].verdict is Verdict.CONFLICT
        if queue.history.get(case_id, [])[-len(decisions) :] != decisions:
            added += decisions
    append_decisions(path, added)
    return Decided(len(added), settled, conflicts)


def _decisions(case: ReviewItem, found: Sequence[Counted]) -> list[Decision]:
    decisions = [
        _decision(case, one.item, one.judgement.answer, one.judgement.rater, one.judgement.remark) for one in found
    ]
    votes = Counter(str(decision.outcome) for decision in decisions)
    if len(votes) == 1:
        return decisions
    [(most, number), (second, _)] = votes.most_common(2)
    remark = "; ".join(said_by(decision) for decision in decisions)
    if 2 * number <= len(decisions):
        return [*decisions, Decision(case.case_id, Verdict.CONFLICT, remark=remark, said=(most, second))]
    blind = all(decision.blind for decision in decisions)
    if most == Verdict.REJECT.value:
        return [*decisions, Decision(case.case_id, Verdict.REJECT, "", remark, MAJORITY, blind)]
    return [*decisions, judged(case, most, remark=remark, rater=MAJORITY, blind=blind)]


def _decision(case: ReviewItem, item: Item, answer: Content, rater: str, remark: str) -> Decision:
    blind = "suggested" not in item.content
    if answer["verdict"] == Verdict.REJECT:
        return Decision(case.case_id, Verdict.REJECT, "", remark, rater, blind)
    return judged(case, str(answer["label"]), remark=remark, rater=rater, blind=blind)
