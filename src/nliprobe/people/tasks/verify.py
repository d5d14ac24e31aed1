"""Verify a label, as five people did for every pair of InfoTabS (§4, appendix F)."""

from __future__ import annotations

from nliprobe.people.tasks import TASKS
from nliprobe.people.tasks.labels import LabelTask
from nliprobe.people.tasks.premises import HYPOTHESIS, PREMISE


@TASKS.register("verify")
class Verify(LabelTask):
    """The label of a premise and a hypothesis; the option ``partition`` says how finely labels are told apart."""

    about = "Say whether the premise entails the hypothesis, contradicts it, or leaves it open."
    fields = (PREMISE, HYPOTHESIS)
