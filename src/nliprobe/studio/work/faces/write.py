"""Write three sentences about a premise."""

from __future__ import annotations

from nliprobe.people.records import Content, Item, Json
from nliprobe.people.tasks.write import WRITTEN
from nliprobe.studio.work.faces import FACES
from nliprobe.studio.work.faces._face import Face, Values, text_in

_ASKED = {
    "true": "One that must be true",
    "false": "One that must be false",
    "undecided": "One that may be true or false",
}


@FACES.register("write")
class Writing(Face):
    """A true, a false and an undecided hypothesis."""

    template = "write.html"
    script = "write.js"
    numbers = "go to the first, second or third sentence"
    names = _ASKED

    def question(self, shown: Content) -> str:
        """Ask for three sentences."""
        return f"Write three sentences about this {'table' if isinstance(shown['premise'], dict) else 'text'}"

    def view(self, item: Item, values: Values) -> dict[str, object]:
        """Return the three places to write into."""
        places = [(name, words, text_in(values, name)) for name, words in _ASKED.items()]
        return {"places": places, "longest": self.task.shown(item)["longest"]}

    def answer(self, item: Item, values: Values) -> dict[str, Json]:
        """Return the three sentences."""
        return {name: text_in(values, name) for name in WRITTEN}

    def values(self, item: Item, answer: Content) -> dict[str, Json]:
        """Return the three sentences."""
        return {name: answer[name] for name in WRITTEN}

    def said(self, item: Item, answer: Content) -> str:
        """Return the sentences with what they should be."""
        return " ".join(f"{name.capitalize()}: {answer[name]}" for name in WRITTEN)
