"""Whether a system gives the same answer when it is asked the same again, in the same batch and in another one."""

from __future__ import annotations

from collections.abc import Sequence

from nliprobe.engine.doctor.habits import Habit
from nliprobe.engine.doctor.interview import Interview
from nliprobe.engine.doctor.pairs import spread
from nliprobe.task.case import Input, Prediction, Status

# Pairs that are asked again. A system that tosses a coin answers some of them differently in 99 % of cases.
REPEATED = 7
# Probabilities may differ that much: padding moves those of 32-bit networks in the sixth digit, and 16-bit ones compute
# with two to three digits.
TOLERANCE = 0.02
# The names of repetitions.
_ALONE, _FEW = "alone", "few, 1"


def unsteady(interview: Interview, inputs: Sequence[Input], answers: Sequence[Prediction]) -> list[Habit]:
    """Ask some inputs again, and tell whether answers are drawn at random or depend on the rest of the batch.

    A model that is asked inputs one by one has no batches: it is only asked again. Any other is asked twice in a small
    batch of the same inputs, which are in other places and among others than in the first batch. Only if that changes
    an answer both batches are asked once more, so that chance is not mistaken for an effect of the batch.

    Args:
        interview: whom to ask.
        inputs: what was asked at first, in one batch.
        answers: what was answered then.
    """
    few = spread(list(zip(inputs, answers, strict=True)), REPEATED)[::-1]
    small, before = [item for item, _ in few], [answer for _, answer in few]
    if _one_by_one(interview, small):
        return _random(before, interview.ask_again(small, _ALONE))
    first, second = (interview.ask_again(small, time) for time in (_FEW, "few, 2"))
    if named := _random(first, second):
        return named
    elsewhere = _changed(before, first)
    if not elsewhere:
        return []
    third = interview.ask_again(small, "few, 3")
    whole = interview.ask_again(inputs, "all, 2")
    if named := _random(first, third) or _random(answers, whole):
        return named
    finding = (
        f"Its answers depend on their place in the batch: among other pairs it answers {elsewhere} of {len(small)} "
        "differently. Check that it returns answers in the order of the pairs, and that padding is masked."
    )
    return [Habit("batch", finding)]


def _one_by_one(interview: Interview, small: Sequence[Input]) -> bool:
    """Tell whether a model has no batches; only a loaded model says so, so one whose answers are known is not asked."""
    if interview.remembers(small, _FEW):
        return False
    asynchronous = interview.system.model.asynchronous
    return interview.remembers(small, _ALONE) or (asynchronous is not None and asynchronous.batch == 1)


def _random(first: Sequence[Prediction], second: Sequence[Prediction]) -> list[Habit]:
    changed = _changed(first, second)
    if not changed:
        return []
    finding = (
        f"It answers at random: asked {len(first)} pairs twice in the same way, it answers {changed} of them "
        "differently. Switch off sampling (temperature 0) and dropout, or fix its seed: otherwise its numbers are one "
        "draw of many."
    )
    return [Habit("random", finding)]


def _changed(first: Sequence[Prediction], second: Sequence[Prediction]) -> int:
    return sum(differs(one, other) for one, other in zip(first, second, strict=True))


def differs(one: Prediction, other: Prediction) -> bool:
    """Tell whether two answers to one input differ by more than the noise of computing with floats.

    Probabilities decide where there are any: two labels that are equally likely may change places by noise alone.
    An input that failed was not answered, so it does not count.
    """
    if Status.FAILED in (one.status, other.status):
        return False
    if one.probabilities is not None and other.probabilities is not None:
        pairs = zip(one.probabilities, other.probabilities, strict=True)
        changes = [abs(left - right) for left, right in pairs if left is not None and right is not None]
        if changes:
            return max(changes) > TOLERANCE
    return one.label != other.label
