"""Questions about the accuracy of a template: five bins, to pick one of or to place points on."""

from __future__ import annotations

from nliprobe.people.records import Content, Item, Json
from nliprobe.studio.work.faces import FACES
from nliprobe.studio.work.faces._face import Face, Values, number_in, text_in
from nliprobe.studio.work.told import told
from nliprobe.studio.work.words import Choice


def what_is_told(shown: Content) -> dict[str, object]:
    """Return the examples and what is known about the system, as pages draw them."""
    return {name: shown.get(name) and told(shown[name]) for name in ("examples", "information")}


def bin_names(shown: Content) -> list[str]:
    """Return the bins in percent."""
    bins = shown["bins"]
    assert isinstance(bins, list)
    return [f"{name} %" for name in bins]


@FACES.register("pick")
class Picking(Face):
    """One of the bins."""

    template = "pick.html"
    chooses = True
    numbers = "choose a range, which saves it"

    def question(self, shown: Content) -> str:
        """Ask for the bin."""
        return "How often is the system right about sentences like these?"

    def view(self, item: Item, values: Values) -> dict[str, object]:
        """Return the bins as buttons."""
        shown = self.task.shown(item)
        choices = [Choice(str(number), name, "", str(number)) for number, name in enumerate(bin_names(shown), 1)]
        return {"choices": choices, "name": "bin", **what_is_told(shown)}

    def answer(self, item: Item, values: Values) -> dict[str, Json]:
        """Return the number of the bin."""
        return {"bin": number_in(text_in(values, "bin"))}

    def values(self, item: Item, answer: Content) -> dict[str, Json]:
        """Return the number of the bin."""
        return {"bin": str(answer["bin"])}

    def said(self, item: Item, answer: Content) -> str:
        """Return the bin in percent."""
        number = answer["bin"]
        assert isinstance(number, int)
        return bin_names(self.task.shown(item))[number - 1]


@FACES.register("bid")
class Bidding(Picking):
    """Points on the bins."""

    template = "bid.html"
    script = "bid.js"
    chooses = False
    numbers = "place a point on a range; Backspace takes the last one back"

    def question(self, shown: Content) -> str:
        """Ask for the points."""
        return f"{super().question(shown)} Place {shown['points']} points."

    def view(self, item: Item, values: Values) -> dict[str, object]:
        """Return the bins with the points that are on them."""
        shown = self.task.shown(item)
        names = enumerate(bin_names(shown), 1)
        bins = [(number, name, text_in(values, f"points-{number}") or "0") for number, name in names]
        return {"bins": bins, "points": shown["points"], **what_is_told(shown)}

    def answer(self, item: Item, values: Values) -> dict[str, Json]:
        """Return the points on each bin; an empty field is none."""
        numbers = range(1, len(bin_names(self.task.shown(item))) + 1)
        return {"points": [number_in(text_in(values, f"points-{number}") or "0") for number in numbers]}

    def values(self, item: Item, answer: Content) -> dict[str, Json]:
        """Return the points on each bin."""
        points = answer["points"]
        assert isinstance(points, list)
        return {f"points-{number}": str(one) for number, one in enumerate(points, 1)}

    def said(self, item: Item, answer: Content) -> str:
        """Return the bins that have points."""
        points = answer["points"]
        assert isinstance(points, list)
        placed = zip(bin_names(self.task.shown(item)), points, strict=True)
        return ", ".join(f"{one} on {name}" for name, one in placed if one)
