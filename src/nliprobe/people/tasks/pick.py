"""Pick a bin of accuracy, as in the second pilot of the checklist paper (appendix C.2; spec C8)."""

from __future__ import annotations

from collections.abc import Mapping

from nliprobe.analysis.checklist.bins import BINS
from nliprobe.people.records import Content, Item, Json
from nliprobe.people.tasks import TASKS
from nliprobe.people.tasks._bins import BinTask
from nliprobe.people.tasks._declared import answer_of


@TASKS.register("pick")
class Pick(BinTask):
    """The number of one bin: 1 for accuracies below 20 %, 5 for those above 80 %."""

    about = "Pick the bin in which the system's accuracy on a template lies."
    cells = ("bin",)

    def checked(self, item: Item, answer: Content) -> dict[str, Json]:
        """Return the number of the bin."""
        fields = answer_of(answer, "bin")
        picked = fields.values.get("bin")
        if type(picked) is not int or not 1 <= picked <= len(BINS):
            fields.refuse("bin", f"a bin from 1 to {len(BINS)}")
        return {"bin": picked}

    def vote(self, answer: Content) -> str | None:
        """Return the number of the bin."""
        return str(answer["bin"])

    def read_cells(self, cells: Mapping[str, str]) -> dict[str, Json]:
        """Return the number in the cell."""
        text = cells.get("bin", "").strip()
        return {"bin": int(text) if text.isascii() and text.isdecimal() else text}
