"""What a drop shows: the seed's reading of a swap, with a rule that intervals decide (swap, Swapping Evaluation)."""

from __future__ import annotations

from typing import NamedTuple

from nliprobe.analysis.rates import Ends
from nliprobe.analysis.swap.documents import Verdict
from nliprobe.task.labels import C, E, LabelSet, N

# A drop in C or N counts if it is surely above two points, and is absent if it surely lies within two points.
MARGIN = 0.02

CONTROL = "cannot use the premise, so that nothing is concluded: this is what an answer without the premise does"
EXPECTED = (
    "falls, as it must: entailment holds in one direction only, but a system that reads one text alone falls, too"
)
HARDLY = "falls, but by less than 2 points: entailment is treated as nearly symmetric"
SYMMETRIC = "does not fall: entailment is treated as symmetric, or only one of both texts is read"
NOT_SHOWN = "is not shown to fall: entailment is treated as symmetric, only one text is read, or the pairs are too few"
SHORTCUTS = "falls although swapping keeps the label: evidence of shortcuts"
SHORTCUTS_N = (
    "falls although swapping mostly keeps the label: evidence of shortcuts, unless the neutrals of this corpus become "
    "entailments that often (12 of 100 in SNLI do)"
)
NO_SIGN = "stays within 2 points: no sign of shortcuts"
UNDECIDED = "undecided: the interval does not tell a drop of more than 2 points from none"
RISES = "undecided: swapped pairs get this label more often, so the answer depends on the order, but nothing is lost"
FEW = "undecided: too few groups for an interval"
SILENT = "undecided: too many answers are missing, and an unanswered pair counts as wrong"
INDIFFERENT = "undecided: this label is answered to pairs of other labels as often, so that there is nothing to lose"
NO_RULE = "undecided: swapping may change this label"


class Drop(NamedTuple):
    """What the verdict on a row rests on.

    Attributes:
        ends: the interval of the drop.
        answered: the same over the pairs that are answered both ways.
        original: the interval of the accuracy on the pairs as they are.
        elsewhere: the interval of how often pairs of other labels get this label.
    """

    ends: Ends
    answered: Ends
    original: Ends = None
    elsewhere: Ends = None


class Judgement(NamedTuple):
    """A verdict, and the sentence that explains it."""

    verdict: Verdict
    reading: str


def keeps_label(label: LabelSet) -> bool:
    """Tell whether swapping keeps a label, certainly or mostly: all but E, and EC, of which E may become N."""
    return E & label != E or label == E | N


def judge(label: LabelSet, drop: Drop, *, control: bool = False) -> Judgement:
    """Judge the drop of one label.

    Args:
        label: the gold label, or a block of labels that are not told apart.
        drop: the intervals.
        control: whether the system cannot use the premise.
    """
    if control:
        return Judgement("control", CONTROL)
    if drop.ends is None:
        return Judgement("undecided", FEW)
    if label == E:
        told = _entailment(drop.ends)
        return told if told == _entailment(drop.answered) else Judgement("undecided", SILENT)
    if not keeps_label(label):
        return Judgement("undecided", NO_RULE)
    told = _kept(label, drop.ends)
    if told != _kept(label, drop.answered):
        return Judgement("undecided", SILENT)
    if told.verdict == "no sign" and not _tells_apart(drop):
        return Judgement("undecided", INDIFFERENT)
    return told


def _entailment(ends: Ends) -> Judgement:
    if ends is None:
        return Judgement("undecided", FEW)
    if ends[0] > 0:
        return Judgement("expected", EXPECTED if ends[1] > MARGIN else HARDLY)
    return Judgement("warning", SYMMETRIC if ends[1] <= MARGIN else NOT_SHOWN)


def _kept(label: LabelSet, ends: Ends) -> Judgement:
    if ends is None:
        return Judgement("undecided", FEW)
    low, high = ends
    if low > MARGIN:
        return Judgement("shortcuts", SHORTCUTS if label in (C, E | N) else SHORTCUTS_N)
    if low >= -MARGIN and high <= MARGIN:
        return Judgement("no sign", NO_SIGN)
    return Judgement("undecided", RISES if high < -MARGIN else UNDECIDED)


def _tells_apart(drop: Drop) -> bool:
    """Tell whether a label is surely answered more often where it is right: one that is said of all pairs stays."""
    if drop.elsewhere is None:
        return False
    return drop.original is not None and drop.original[0] > drop.elsewhere[1]
