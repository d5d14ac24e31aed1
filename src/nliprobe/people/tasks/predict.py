"""Predict what a system answers, with or without an explanation (the checklist paper, §5; spec C8)."""

from __future__ import annotations

from nliprobe.people.records import Json
from nliprobe.people.tasks import TASKS
from nliprobe.people.tasks._declared import Field
from nliprobe.people.tasks.labels import LabelTask
from nliprobe.people.tasks.premises import HYPOTHESIS, PREMISE
from nliprobe.people.texts import LONGEST_PREMISE, require_json
from nliprobe.task.pair import Pair


@TASKS.register("predict")
class Predict(LabelTask):
    """The label that a person thinks a system gives.

    ``explanation`` is any JSON, such as neighbours with highlighted words; front ends know how to draw it. What the
    system answered stays hidden as ``truth``.
    """

    right = "truth"
    about = "Predict what the system answers."
    fields = (
        PREMISE,
        HYPOTHESIS,
        Field("explanation", lambda fields, key: require_json(fields, key, longest=LONGEST_PREMISE), needed=False),
    )

    def known(self, pair: Pair) -> dict[str, Json] | None:
        """Return nothing: the gold label is not what the system answers."""
        return None
