"""Settle a perturbed hypothesis: its expected label is right, another one is, or none (spec T6, T8)."""

from __future__ import annotations

from nliprobe.base.fields import Fields
from nliprobe.people.records import Content, Item, Json
from nliprobe.people.review.records import Verdict
from nliprobe.people.tasks import TASKS
from nliprobe.people.tasks._declared import DeclaredTask, Field, answer_of
from nliprobe.people.tasks.labels import label_under
from nliprobe.people.tasks.premises import HYPOTHESIS, PREMISE, require_premise
from nliprobe.people.texts import LONGEST_PREMISE, text_under
from nliprobe.task.labels import LETTERS, THREE_WAY

_VERDICTS = (Verdict.ACCEPT, Verdict.FIX, Verdict.REJECT)


def _require_labels(fields: Fields, key: str) -> None:
    text = fields.text(key)
    if not text or set(text) - set(LETTERS):
        fields.refuse(key, "labels such as E or EN")


@TASKS.register("settle")
class Settle(DeclaredTask):
    """What is right about a case that a probe is not sure of, as ``nliprobe review`` asks it.

    ``original`` is the hypothesis before the edit, ``before`` the premise before it, if the edit changed that. An item
    with the field ``suggested`` shows the label that the probe expects; without it the judgement is blind, and every
    label is kept as a fix, so that an answer does not tell whether it is the expected one.
    """

    about = "Say which label of a changed pair is right, or that none is."
    fields = (
        PREMISE,
        HYPOTHESIS,
        Field("original", lambda fields, key: text_under(fields, key, longest=LONGEST_PREMISE)),
        Field("before", require_premise, needed=False),
        Field("suggested", _require_labels, needed=False),
    )
    cells = ("verdict", "label")

    def choices(self) -> dict[str, Json]:
        """Return the labels to choose from."""
        return {"labels": list(LETTERS)}

    def checked(self, item: Item, answer: Content) -> dict[str, Json]:
        """Return a verdict with a label; the label alone is enough, and so are *accept* and *reject* alone."""
        fields = answer_of(answer, "verdict", "label")
        verdict = (fields.text_or_none("verdict") or Verdict.FIX.value).strip().lower()
        if verdict not in _VERDICTS:
            fields.refuse("verdict", "accept, fix or reject")
        given = fields.text_or_none("label") or ""
        if verdict == Verdict.REJECT:
            if given.strip():
                fields.refuse("label", "no label, because the case is rejected")
            return {"verdict": verdict, "label": ""}
        suggested = str(item.content.get("suggested", ""))
        single = suggested if len(suggested) == 1 else ""
        if verdict == Verdict.ACCEPT and not single:
            fields.refuse("verdict", "fix with a label, because no single label is suggested")
        label = label_under(fields, "label", THREE_WAY) if given.strip() or verdict == Verdict.FIX else single
        if verdict == Verdict.ACCEPT and label != single:
            fields.refuse("label", f"the suggested label {single}; another one is a fix")
        return {"verdict": (Verdict.ACCEPT if label == single else Verdict.FIX).value, "label": label}

    def vote(self, answer: Content) -> str | None:
        """Return the label, or ``reject``."""
        return str(answer["label"] or answer["verdict"])
