"""Write a true, a false and an undecided hypothesis, as the authors of InfoTabS did for every table (§4)."""

from __future__ import annotations

from nliprobe.people.records import Content, Item, Json
from nliprobe.people.tasks import TASKS
from nliprobe.people.tasks._declared import DeclaredTask, answer_of
from nliprobe.people.tasks.premises import PREMISE, premise_value
from nliprobe.people.texts import LONGEST_HYPOTHESIS, sentence_under
from nliprobe.task.pair import Pair

# The label that each hypothesis has.
WRITTEN = {"true": "E", "false": "C", "undecided": "N"}


@TASKS.register("write")
class Write(DeclaredTask):
    """Three sentences about a premise: one is true, one is false, one may be either.

    They are kept on one line each. The three must differ; whether they have the label that they should have is for
    others to verify.
    """

    about = "Write one hypothesis that is true, one that is false, and one that the premise leaves open."
    fields = (PREMISE,)
    cells = tuple(WRITTEN)

    def choices(self) -> dict[str, Json]:
        """Return how long a hypothesis may be."""
        return {"longest": LONGEST_HYPOTHESIS}

    def checked(self, item: Item, answer: Content) -> dict[str, Json]:
        """Return the three sentences, each on one line."""
        fields = answer_of(answer, *WRITTEN)
        texts: dict[str, Json] = {name: sentence_under(fields, name) for name in WRITTEN}
        seen: dict[str, str] = {}
        for name, text in texts.items():
            other = seen.setdefault(str(text).casefold(), name)
            if other != name:
                fields.refuse(name, f"another sentence than under '{other}'")
        return texts

    def key_of(self, pair: Pair) -> str:
        """Return what makes an item of its own: hypotheses are written once per premise, not once per pair."""
        return pair.premise if isinstance(pair.premise, str) else pair.premise.to_json()

    def content_of(self, pair: Pair) -> dict[str, Json] | str:
        """Return the premise of a pair; its hypothesis is not shown."""
        return {"premise": premise_value(pair.premise)}
