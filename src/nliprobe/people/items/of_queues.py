"""Items of the task *settle* from a review queue: the cases that nobody has settled yet."""

from __future__ import annotations

from nliprobe.people.records import Item, Json
from nliprobe.people.review.records import Queue, ReviewItem
from nliprobe.people.tasks.premises import premise_value


def settle_items(queue: Queue, *, blind: bool = True, everything: bool = False) -> list[Item]:
    """Make an item of each open case.

    Args:
        queue: the queue, see :func:`nliprobe.people.review.files.read_queue`.
        blind: whether raters do not see the label that the probe expects; those who see it tend to accept it.
        everything: whether settled cases are asked again.
    """
    cases = queue.items.values() if everything else queue.open
    return [_item(case, blind=blind) for case in cases]


def _item(case: ReviewItem, *, blind: bool) -> Item:
    content: dict[str, Json] = {
        "premise": premise_value(case.premise),
        "hypothesis": case.perturbed,
        "original": case.original,
    }
    if case.before is not None:
        content["before"] = premise_value(case.before)
    if case.expected and not blind:
        content["suggested"] = case.expected
    hidden: dict[str, Json] = {
        "case_id": case.case_id,
        "pair_id": case.pair_id,
        "group": case.group,
        "digest": case.digest,
        "suggested": case.expected,
    }
    return Item(case.case_id, content, hidden, f"{case.kind} {case.rule}".strip())
