"""The bad habits of a system that its answers show: one label for all, and answers that ignore what is shown."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from itertools import permutations
from math import factorial, prod
from typing import NamedTuple

from nliprobe.base.seeds import draws
from nliprobe.task.case import Input
from nliprobe.task.labels import LETTERS, LabelSet

# A habit is named if answers in random order would show it less often than this.
LEVEL = 0.0025
# A model answers by length if all except this many answers fit into one range of lengths per label.
MISFITS = 1
# Random orders of the answers that are tried. The p-value of a test is never below one in so many, plus one.
_SHUFFLES = 1999

Label = LabelSet | None


class Habit(NamedTuple):
    """A habit by its name, and the sentences that say what it is and what to do."""

    name: str
    finding: str


class Asked(NamedTuple):
    """What was asked and answered: the inputs, the premise that each belongs to, and the labels given."""

    inputs: Sequence[Input]
    groups: Sequence[str]
    labels: Sequence[Label]


def silence(labels: Sequence[Label]) -> list[Habit]:
    """Tell whether a system leaves pairs unanswered."""
    silent = sum(label is None for label in labels)
    if not silent:
        return []
    finding = (
        f"It gives no answer to {silent} of {len(labels)} unmistakable pairs, and what is unanswered counts as wrong: "
        "look at its raw answers."
    )
    return [Habit("silent", finding)]


def habits(asked: Asked, turned: Sequence[tuple[Label, Label]]) -> list[Habit]:
    """Return the habits that are more than chance.

    Args:
        asked: the pairs as they are.
        turned: the labels of some pairs as they are, and with another premise.
    """
    given = {str(label) for label in asked.labels if label is not None}
    named = silence(asked.labels)
    if not given:
        return named
    if len(given) == 1 and None not in asked.labels:
        finding = (
            f"It answers {min(given)} to every pair: check that it is trained, and that its answers are read from the "
            "right field."
        )
        return [*named, Habit("constant", finding)]
    if all(before == after for before, after in turned) and _chance_of_equal([one for one, _ in turned]) <= LEVEL:
        finding = (
            "It ignores its premise: no answer changes when another premise is shown. Check that the premise reaches "
            "it; if it is meant so, it is a control, and premise=none says so."
        )
        named.append(Habit("premise-blind", finding))
    by_premise = _by_premise(asked)
    if by_premise is not None and _chance_of_groups(asked.groups, asked.labels) <= LEVEL:
        finding = (
            "It ignores its hypothesis: all hypotheses of a premise get the same answer. Check that the hypothesis "
            "reaches it and is not cut off after a long premise."
        )
        named.append(Habit("hypothesis-blind", finding))
        if _by_length([len(item.premise) for item in by_premise], list(by_premise.values())):
            named.append(_length_habit("premise"))
    if _by_length([len(item.hypothesis) for item in asked.inputs], asked.labels):
        named.append(_length_habit("hypothesis"))
    return named


def _length_habit(what: str) -> Habit:
    finding = (
        f"It seems to answer by the length of the {what}: each label has a range of lengths for itself. Check what it "
        "learnt from, and compare it with a control that cannot read."
    )
    return Habit(f"{what} length", finding)


def _chance_of_equal(labels: Sequence[Label]) -> float:
    """Return how often labels in random order are the same as before."""
    return prod(factorial(number) for number in Counter(labels).values()) / factorial(len(labels))


def _chance_of_groups(groups: Sequence[str], labels: Sequence[Label]) -> float:
    """Return how often labels in random order are the same within each group, if they are so now."""
    # All groups are of one size, so they can exchange their labels: that many orders keep each group of one label.
    by_group = list(dict(zip(groups, labels, strict=True)).values())
    return _chance_of_equal(labels) / _chance_of_equal(by_group)


def _by_premise(asked: Asked) -> dict[Input, Label] | None:
    """Return the answer to each premise, by one of its inputs; none if a premise has different answers."""
    answer_of: dict[str, tuple[Input, Label]] = {}
    for item, group, label in zip(asked.inputs, asked.groups, asked.labels, strict=True):
        if answer_of.setdefault(group, (item, label))[1] != label:
            return None
    return dict(answer_of.values())


def _by_length(lengths: Sequence[int], labels: Sequence[Label]) -> bool:
    """Tell whether labels have ranges of lengths for themselves, and labels in random order hardly ever do."""
    answers: list[Hashable] = [str(label) for label in labels]
    left_out = misfits(lengths, answers)
    if len(set(answers)) < 2 or left_out > MISFITS:
        return False
    random, as_good = draws(0, "doctor", "length"), 1
    for _ in range(_SHUFFLES):
        random.shuffle(answers)
        as_good += misfits(lengths, answers) <= left_out
        if as_good > LEVEL * (_SHUFFLES + 1):
            return False
    return True


def misfits(lengths: Sequence[int], answers: Sequence[Hashable]) -> int:
    """Count the answers that must be left out so that each label has one range of lengths for itself."""
    ordered = [answer for _, answer in sorted(zip(lengths, map(str, answers), strict=True))]
    labels = sorted(set(ordered), key=lambda label: LETTERS.find(label[0]))
    best = len(ordered)
    for order in permutations(labels):
        # The lowest cost of cutting the first places into one range (maybe empty) for each label so far.
        costs = [0, *[len(ordered)] * len(ordered)]
        for label in order:
            wrong, lowest, following = 0, costs[0], [costs[0]]
            for place, answer in enumerate(ordered, 1):
                wrong += answer != label
                lowest = min(lowest, costs[place] - wrong)
                following.append(wrong + lowest)
            costs = following
        best = min(best, costs[-1])
    return best
