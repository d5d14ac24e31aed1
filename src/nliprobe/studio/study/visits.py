"""A visit of a participant: the study, how far they are, and the addresses of its pages."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

from nliprobe.base.errors import NotFoundError
from nliprobe.people.store.studies import Participant, ParticipantState
from nliprobe.people.store.study_answers import Standing, read_standing
from nliprobe.people.study.steps import Step, StepKind, next_step
from nliprobe.studio.calls import Call
from nliprobe.studio.context import Studio
from nliprobe.studio.refusals import ForbiddenError
from nliprobe.studio.study.served import STUDIES, ServedStudy

# What the signatures of the two kinds of links are for; a link for one participant, and one for whoever has it.
PERSONAL, COMMON = "participant link", "study link"


class Visit(NamedTuple):
    """A participant at a study, and what they do next."""

    served: ServedStudy
    standing: Standing
    step: Step

    @property
    def number(self) -> int:
        """The number of the participant."""
        return self.standing.participant.number

    @property
    def base(self) -> str:
        """The beginning of the addresses of this study."""
        return base_of(self.served.key)

    def address(self, step: Step) -> str:
        """Return the page of a step."""
        stage = f"{self.base}/stage/{step.stage}"
        return {
            StepKind.PRACTICE: f"{self.base}/practice",
            StepKind.INSTRUCTIONS: stage,
            StepKind.ITEM: f"{stage}/{step.item}",
            StepKind.FEEDBACK: f"{stage}/feedback",
            StepKind.END: f"{self.base}/feedback",
            StepKind.DONE: f"{self.base}/thanks",
        }[step.kind]


def base_of(key: str) -> str:
    """Return the beginning of the addresses of a study."""
    return f"/study/{key}"


@contextmanager
def here_still() -> Iterator[None]:
    """Say that something is gone without its name, which is that of a folder of the owner's."""
    try:
        yield
    except NotFoundError:
        raise NotFoundError("You are no longer known to this study. Ask whoever invited you.") from None


def visit(call: Call) -> Visit:
    """Return who visits which study.

    Raises:
        ForbiddenError: the participant is one of another study, or has withdrawn.
    """
    key, who = call.path["key"], call.participant
    if who.study != key:
        raise ForbiddenError("Your invitation is for another study. Open the link that you were sent again.")
    served = call.studio.part(STUDIES).show(key)
    with here_still():
        standing = read_standing(call.studio.store, served.name, who.participant)
    withdrawn = standing.participant.state is ParticipantState.WITHDRAWN
    if who.link != standing.participant.link:
        kept = "" if withdrawn else " Your answers are kept."
        raise ForbiddenError(
            "Your link was replaced by a newer one. If a platform sent you here, come again from there; else ask "
            f"whoever invited you.{kept}"
        )
    if withdrawn:
        raise ForbiddenError("You have withdrawn from this study, and your answers were deleted.")
    stages = standing.participant.stages
    step = next_step(served.study, stages, who.participant, standing.answers, standing.feedback)
    return Visit(served, standing, step)


def personal_link(studio: Studio, key: str, who: Participant) -> str:
    """Return the link by which a participant comes, on any device; it says nothing but where and who."""
    token = studio.signer.sign(PERSONAL, {"study": key, "participant": who.number, "link": who.link})
    return f"{studio.address}{base_of(key)}/come/{token}"


def common_link(studio: Studio, key: str) -> str:
    """Return the link by which anybody joins who has it."""
    return f"{studio.address}{base_of(key)}/join/{studio.signer.sign(COMMON, {'study': key})}"
