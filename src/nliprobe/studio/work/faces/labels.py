"""Tasks whose answer is a label: three large buttons."""

from __future__ import annotations

from nliprobe.people.records import Content, Item, Json
from nliprobe.people.review.records import Verdict
from nliprobe.people.tasks.premises import premise_of
from nliprobe.studio.work.compared import Pair, compare_pairs
from nliprobe.studio.work.faces import FACES
from nliprobe.studio.work.faces._face import Face, Values, is_ticked, text_in, ticked
from nliprobe.studio.work.told import told
from nliprobe.studio.work.words import label_choices, label_name


@FACES.register("verify")
class Labels(Face):
    """The label of a pair."""

    template = "labels.html"
    chooses = True
    numbers = "choose a label, which saves it"

    def question(self, shown: Content) -> str:
        """Ask for the label."""
        return "Given the premise, is the hypothesis true?"

    def view(self, item: Item, values: Values) -> dict[str, object]:
        """Return the labels to choose from."""
        labels = self.task.shown(item)["labels"]
        assert isinstance(labels, list)
        return {"choices": label_choices(labels), "name": "label", "boxes": [], "explanation": None}

    def answer(self, item: Item, values: Values) -> dict[str, Json]:
        """Return the label of the button that was pressed."""
        return {"label": text_in(values, "label")}

    def values(self, item: Item, answer: Content) -> dict[str, Json]:
        """Return the label."""
        return {"label": answer["label"]}

    def said(self, item: Item, answer: Content) -> str:
        """Return the name of the label."""
        return label_name(str(answer["label"]))


@FACES.register("judge")
class Examples(Labels):
    """The label of an example of a template, and whether it is odd."""

    def view(self, item: Item, values: Values) -> dict[str, object]:
        """Return the labels, and the box that says that the example is odd."""
        box = ("odd", "Odd: nobody would write this", "o")
        return super().view(item, values) | {"boxes": [box]}

    def answer(self, item: Item, values: Values) -> dict[str, Json]:
        """Return the label and whether the box is ticked."""
        return super().answer(item, values) | {"odd": is_ticked(values, "odd")}

    def values(self, item: Item, answer: Content) -> dict[str, Json]:
        """Return the label and the box."""
        return super().values(item, answer) | {"odd": ticked(on=answer.get("odd") is True)}

    def said(self, item: Item, answer: Content) -> str:
        """Return the name of the label."""
        return super().said(item, answer) + (", odd" if answer.get("odd") else "")


@FACES.register("predict")
class Predictions(Labels):
    """What a system answers."""

    def question(self, shown: Content) -> str:
        """Ask for the answer of the system."""
        return "What does the system answer?"

    def view(self, item: Item, values: Values) -> dict[str, object]:
        """Return the labels, and the explanation as pages draw it."""
        explanation = self.task.shown(item).get("explanation")
        return super().view(item, values) | {"explanation": explanation and told(explanation)}


@FACES.register("settle")
class Settling(Labels):
    """The right label of a changed pair, or that there is none."""

    template = "settle.html"

    def question(self, shown: Content) -> str:
        """Ask for the right label."""
        return "This pair was changed. Which label is right now?"

    def view(self, item: Item, values: Values) -> dict[str, object]:
        """Return the labels, what is suggested, and the pair before and after the change."""
        shown = self.task.shown(item)
        suggested = shown.get("suggested")
        words = "" if suggested is None else label_name(str(suggested))
        now = Pair(premise_of(shown["premise"]), str(shown["hypothesis"]))
        before = Pair(premise_of(shown.get("before", shown["premise"])), str(shown["original"]))
        compared = dict(zip(("before", "now"), compare_pairs(before, now), strict=True))
        return super().view(item, values) | {"name": "choice", "suggestion": words, **compared}

    def answer(self, item: Item, values: Values) -> dict[str, Json]:
        """Return the label, which the task takes as a fix or as accepted; or that the case is rejected."""
        choice = text_in(values, "choice")
        return {"verdict": Verdict.REJECT.value} if choice == Verdict.REJECT else {"label": choice}

    def values(self, item: Item, answer: Content) -> dict[str, Json]:
        """Return the button that says this."""
        return {"choice": answer["label"] or answer["verdict"]}

    def said(self, item: Item, answer: Content) -> str:
        """Return the label, or that none is right."""
        return label_name(str(answer["label"])) if answer["label"] else "No label is right"
