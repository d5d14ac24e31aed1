"""What is explained: the probability, the margin or the mere presence of the label that a system gives."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

from nliprobe.base.errors import ModelError
from nliprobe.engine.ask import Failures, ask
from nliprobe.models.system import System
from nliprobe.task.case import Input, Prediction, Status
from nliprobe.task.labels import LETTERS, LabelSet

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Scale: TypeAlias = Literal["probability", "margin", "label"]
# Of a system that answers fewer masks than this share, no line can be fitted.
_ENOUGH = 0.5


class Answered(NamedTuple):
    """What a system says to one input: its label, and the number that is explained; None if it did not answer."""

    label: LabelSet | None
    value: float | None


@dataclass(frozen=True)
class Target:
    """Asks a system about edits of one input, for the label that it gives to the input itself.

    Attributes:
        system: whom to ask; its model is ready.
        label: the label that is explained.
        scale: what number stands for the label: its probability, its margin, or 1 if it is the answer and 0 if not.
        value: that number for the input itself.
    """

    system: System
    label: LabelSet
    scale: Scale
    value: float

    def ask(self, inputs: Sequence[Input], progress: Callable[[int], None] = lambda count: None) -> list[Answered]:
        """Return what the system says to each input; equal ones are asked once, and nothing is kept in the cache."""
        distinct = list({item.id: item for item in inputs}.values())
        answers = dict(zip((item.id for item in distinct), self._ask(distinct, progress), strict=True))
        return [answers[item.id] for item in inputs]

    def _ask(self, inputs: Sequence[Input], progress: Callable[[int], None]) -> list[Answered]:
        if self.scale == "margin":
            return _by_margin(self.system, inputs, self.label, progress)
        # Masks are of no use to any other run, so they are not kept.
        answers = ask(self.system, inputs, None, progress, Failures()).answers
        return [self._read(answers[item.id]) for item in inputs]

    def _read(self, answer: Prediction) -> Answered:
        if answer.label is None or answer.status is not Status.OK:
            return Answered(None, None)
        if self.scale == "probability":
            return Answered(answer.label, probability_of(answer, self.label))
        return Answered(answer.label, float(answer.label == self.label))


def target_of(system: System, asked: Input) -> Target:
    """Ask a system about an input, and return what of its answer to explain.

    Raises:
        ModelError: the system does not answer the input.
    """
    answer = ask(system, [asked], None, lambda count: None, Failures()).answers[asked.id]
    if answer.label is None or answer.status is not Status.OK:
        reason = f": {answer.raw:.200}" if answer.raw else ""
        raise ModelError(f"{system.name} gives no answer to this pair ({answer.status}{reason}): nothing to explain.")
    share = probability_of(answer, answer.label)
    if share is not None:
        return Target(system, answer.label, "probability", share)
    margins = system.model.margins([asked])
    if margins is not None:
        place = system.model.partition.blocks.index(answer.label)
        return Target(system, answer.label, "margin", float(margins[0][place]))
    return Target(system, answer.label, "label", 1.0)


def probability_of(answer: Prediction, label: LabelSet) -> float | None:
    """Return the probability of a label, or of a block of labels; None if the answer does not have all of it."""
    if answer.probabilities is None:
        return None
    shares = [share for letter, share in zip(LETTERS, answer.probabilities, strict=True) if letter in str(label)]
    known = [share for share in shares if share is not None]
    return sum(known) if known and len(known) == len(shares) else None


def usable(values: Sequence[Answered], system: System) -> NDArray[np.float64]:
    """Return the values as an array, not a number where the system did not answer.

    Raises:
        ModelError: it answers too few.
    """
    import numpy as np

    numbers = np.array([np.nan if item.value is None else item.value for item in values])
    answered = int(np.isfinite(numbers).sum())
    if answered < max(2, _ENOUGH * len(numbers)):
        raise ModelError(
            f"{system.name} answered {answered} of {len(numbers)} edits of the pair: too few to explain its answer."
        )
    return numbers


def _by_margin(
    system: System, inputs: Sequence[Input], label: LabelSet, progress: Callable[[int], None]
) -> list[Answered]:
    blocks = system.model.partition.blocks
    place = blocks.index(label)
    said: list[Answered] = []
    for start in range(0, len(inputs), system.model.batch):
        some = inputs[start : start + system.model.batch]
        rows = system.model.margins(some)
        assert rows is not None, "a model has margins of all inputs or of none"
        said += [Answered(blocks[list(row).index(max(row))], float(row[place])) for row in rows]
        progress(len(some))
    return said
