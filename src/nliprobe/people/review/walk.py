"""Walk through the open cases of a queue: forwards by decisions, backwards to look again."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from nliprobe.people.review.files import append_decisions
from nliprobe.people.review.records import Decision, Queue, ReviewItem, Verdict, judged


class Walk:
    """Shows the open cases of a queue one by one, and keeps every decision on the disk at once.

    Attributes:
        rater: who decides; kept with every decision.
        blind: whether the expected labels are hidden, which is kept, too.
        decided: how many cases were settled on this walk.
    """

    def __init__(self, path: Path, queue: Queue, *, rater: str = "", blind: bool = False) -> None:
        self.queue = queue
        self.rater = rater
        self.blind = blind
        self.decided = 0
        self._path = path
        self._names: Sequence[str] = list(queue.items)
        self._way = [item.case_id for item in queue.open]
        self._at = 0

    @property
    def current(self) -> ReviewItem | None:
        """The case to look at, or None if no open one is left on this walk."""
        return self.queue.items[self._way[self._at]] if self._at < len(self._way) else None

    @property
    def left(self) -> int:
        """How many cases are still to be looked at, the current one included."""
        return len(self._way) - self._at

    def label(self, label: str, remark: str = "") -> Decision:
        """Give the current case a label; it is accepted if that is the expected one, else fixed."""
        return self._decide(judged(self._item(), label, remark=remark, rater=self.rater, blind=self.blind))

    def accept(self, remark: str = "") -> Decision:
        """Accept the expected label of the current case, which must have exactly one."""
        return self.label(self._item().expected, remark)

    def reject(self, remark: str = "") -> Decision:
        """Reject the current case."""
        return self._decide(Decision(self._item().case_id, Verdict.REJECT, "", remark, self.rater, self.blind))

    def skip(self, remark: str = "") -> Decision:
        """Leave the current case as it is; an open one is shown again on the next walk."""
        item = self._item()
        decision = Decision(item.case_id, Verdict.SKIP, "", remark, self.rater, self.blind)
        # A settled case that was looked at again stays settled, and a conflict stays one.
        if self.queue.decision(item.case_id) is None or (remark and self.queue.outcome(item.case_id) is None):
            return self._decide(decision)
        self._at += 1
        return decision

    def back(self) -> bool:
        """Go back to the case before the current one, which may have been settled earlier; False at the first one."""
        if self._at:
            self._at -= 1
            return True
        item = self.current
        place = len(self._names) if item is None else self._names.index(item.case_id)
        if not place:
            return False
        self._way.insert(0, self._names[place - 1])
        return True

    def _item(self) -> ReviewItem:
        item = self.current
        if item is None:
            raise IndexError("there is no case left to decide about")
        return item

    def _decide(self, decision: Decision) -> Decision:
        append_decisions(self._path, [decision])
        was_open = self.queue.outcome(decision.case_id) is None
        self.queue.add(decision)
        self.decided += was_open and decision.outcome is not None
        self._at += 1
        return decision
