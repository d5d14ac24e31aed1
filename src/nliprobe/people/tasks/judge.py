"""Judge examples of templates: the label, and whether the texts are odd (the checklist paper, §3.2; spec C3)."""

from __future__ import annotations

from collections.abc import Mapping

from nliprobe.people.records import Content, Item, Json
from nliprobe.people.tasks import TASKS
from nliprobe.people.tasks._declared import answer_of, read_yes
from nliprobe.people.tasks.labels import LabelTask, label_under
from nliprobe.people.tasks.premises import HYPOTHESIS, PREMISE
from nliprobe.task.pair import Pair


@TASKS.register("judge")
class Judge(LabelTask):
    """The label of an example, and whether a text in it is nothing that a person would write.

    Examples come from templates, so that one mistake in a template makes hundreds of odd texts. ``odd`` may be left out
    and is then false; it is no part of the vote.
    """

    about = "Give the label of an example, and say if it is odd."
    fields = (PREMISE, HYPOTHESIS)
    cells = ("label", "odd")

    def checked(self, item: Item, answer: Content) -> dict[str, Json]:
        """Return the label as a block of the partition, and whether the example is odd."""
        fields = answer_of(answer, "label", "odd")
        odd = fields.values.get("odd", False)
        if not isinstance(odd, bool):
            fields.refuse("odd", "true or false")
        return {"label": label_under(fields, "label", self.partition), "odd": odd}

    def known(self, pair: Pair) -> dict[str, Json] | None:
        """Return the gold label as an answer; examples with a known label are taken to be in order."""
        known = super().known(pair)
        return None if known is None else known | {"odd": False}

    def read_cells(self, cells: Mapping[str, str]) -> dict[str, Json]:
        """Return the label in its cell, and whether the other cell says that the example is odd."""
        return {"label": cells.get("label", ""), "odd": read_yes(cells.get("odd", ""))}

    def agrees(self, expected: Content, answer: Content) -> bool:
        """Compare the labels only."""
        return expected["label"] == answer["label"]
