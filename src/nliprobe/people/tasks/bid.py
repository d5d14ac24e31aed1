"""Bid points on bins of accuracy, as in the first pilot of the checklist paper (appendix C.1; spec C8)."""

from __future__ import annotations

from collections.abc import Mapping

from nliprobe.analysis.checklist.bins import BINS
from nliprobe.people.records import Content, Item, Json
from nliprobe.people.tasks import TASKS
from nliprobe.people.tasks._bins import BinTask
from nliprobe.people.tasks._declared import answer_of

# "to place bids (out of 5) on the most accurate bin(s)"
POINTS = 5


@TASKS.register("bid")
class Bid(BinTask):
    """Five points, placed on one or several of the five bins; all of them are placed."""

    about = f"Place {POINTS} points on the bins in which the system's accuracy on a template may lie."
    cells = tuple(f"b{number}" for number in range(1, len(BINS) + 1))

    def choices(self) -> dict[str, Json]:
        """Return the names of the bins, and the points."""
        return super().choices() | {"points": POINTS}

    def checked(self, item: Item, answer: Content) -> dict[str, Json]:
        """Return the points on each bin, from the lowest."""
        fields = answer_of(answer, "points")
        points = fields.values.get("points")
        if not isinstance(points, list) or len(points) != len(BINS) or not all(type(one) is int for one in points):
            fields.refuse("points", f"a list of {len(BINS)} whole numbers, one per bin")
        if min(points) < 0 or sum(points) != POINTS:
            fields.refuse("points", f"{POINTS} points in all, and none below 0")
        return {"points": list(points)}

    def vote(self, answer: Content) -> str | None:
        """Return the number of the bin with the most points, from 1; None if several have as many."""
        points = answer["points"]
        assert isinstance(points, list)
        numbers = [one for one in points if isinstance(one, int)]
        best = [place for place, one in enumerate(numbers, 1) if one == max(numbers)]
        return str(best[0]) if len(best) == 1 else None

    def read_cells(self, cells: Mapping[str, str]) -> dict[str, Json]:
        """Return the points in the cells; an empty cell among others is 0."""
        texts = [cells.get(name, "").strip() for name in self.cells]
        return {"points": [int(text) if text.isascii() and text.isdecimal() else text or 0 for text in texts]}
