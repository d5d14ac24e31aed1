"""The rules of the answer at the head of a page: each at and around its thresholds, and how often a claim is false."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from numpy.typing import NDArray
from tests.report.hero_documents import MODEL, OnCorpus, document
from tests.stats.samples import at_most, uneven_sizes

from nliprobe.report.grades import HALF, MUCH
from nliprobe.report.hero import TONES, Answer, answer
from nliprobe.stats.grouped import mean_difference_interval, share_interval
from nliprobe.stats.sign_flip import sign_flip_p

HAIR = 1e-6


def corpus(
    low: float, high: float, *, p: float = 0.5, accuracy: float = 0.6, least: float = 0.58, gain: float | None = None
) -> OnCorpus:
    """A corpus by the ends of its gain and the lower end of its accuracy; what is above a constant answer is known."""
    middle = (low + high) / 2 if gain is None else gain
    return OnCorpus(accuracy, [least, 2 * accuracy - least], middle, [low, high], p)


CLEAR = corpus(0.08, 0.12, p=0.001)
LITTLE = corpus(-0.02, 0.04)
WIDE = corpus(-0.1, 0.3)
SHOWN_WIDE = corpus(0.01, 0.3, p=0.01)
# Half of what is surely above a constant answer.
ROOM = HALF * (0.58 - 1 / 3)


@pytest.mark.parametrize(
    ("found", "said"),
    [
        # Clear use: the lower end above five points, and shown.
        (corpus(MUCH + HAIR, 0.2, p=0.001), Answer.READS),
        (corpus(MUCH, 0.2, p=0.001), Answer.SOMEWHAT),
        (corpus(MUCH + HAIR, 0.2, p=0.05), Answer.OPEN),
        # A gain is shown below 5 %, not at it.
        (corpus(0.001, 0.2, p=0.05 - HAIR), Answer.SOMEWHAT),
        (corpus(0.001, 0.2, p=0.05), Answer.OPEN),
        # Little: the upper end at five points or below.
        (corpus(-0.02, MUCH), Answer.GUESSES),
        (corpus(-0.02, MUCH + HAIR), Answer.MOSTLY),
        (corpus(0.01, MUCH, p=0.01), Answer.MOSTLY),
        # Small: the upper end at half of what is surely above a constant answer, or below.
        (corpus(0.01, ROOM - HAIR, p=0.01), Answer.MOSTLY),
        (corpus(0.01, ROOM + HAIR, p=0.01), Answer.SOMEWHAT),
        (corpus(-0.1, ROOM - HAIR), Answer.MOSTLY),
        (corpus(-0.1, ROOM + HAIR), Answer.OPEN),
        # Shown to be worse than the control: nothing comes from the premise.
        (corpus(-0.2, -0.01, p=0.01), Answer.GUESSES),
        # A constant answer must surely be beaten before a gain counts.
        (corpus(0.1, 0.2, p=0.001, accuracy=0.4, least=1 / 3), Answer.NO_BETTER),
        (corpus(0.1, 0.2, p=0.001, accuracy=0.4, least=1 / 3 + HAIR), Answer.READS),
    ],
)
def test_one_corpus_at_every_threshold(found: OnCorpus, said: Answer) -> None:
    assert answer(document({"c": found}), MODEL) is said


@pytest.mark.parametrize(
    ("corpora", "said"),
    [
        ([CLEAR, CLEAR], Answer.READS),
        ([CLEAR, SHOWN_WIDE], Answer.SOMEWHAT),
        ([CLEAR, WIDE], Answer.IN_PLACES),
        ([CLEAR, LITTLE], Answer.IN_PLACES),
        ([SHOWN_WIDE, LITTLE], Answer.IN_PLACES),
        ([LITTLE, LITTLE], Answer.GUESSES),
        ([LITTLE, corpus(-0.2, -0.01, p=0.01)], Answer.GUESSES),
        ([LITTLE, corpus(0.01, 0.04, p=0.01)], Answer.MOSTLY),
        ([LITTLE, WIDE], Answer.OPEN),
        ([WIDE, WIDE], Answer.OPEN),
    ],
)
def test_several_corpora_are_answered_together(corpora: list[OnCorpus], said: Answer) -> None:
    # Intervals are widened so that they hold together; with two corpora by a factor of 1.144.
    assert answer(document({f"c{at}": item for at, item in enumerate(corpora)}), MODEL) is said


KEPT, BROKEN, UNKNOWN = (0.0, 0.05 - HAIR), (0.02 + HAIR, 0.3), (0.0, 0.05)


@pytest.mark.parametrize(
    ("found", "broken", "said"),
    [
        (CLEAR, {}, Answer.READS),
        (CLEAR, {"a": KEPT}, Answer.REASONS),
        (CLEAR, {"a": UNKNOWN}, Answer.READS),
        (CLEAR, {"a": (0.02, 0.3)}, Answer.READS),
        (CLEAR, {"a": BROKEN}, Answer.BREAKS),
        (WIDE, {"a": BROKEN}, Answer.UNSHOWN),
        (WIDE, {"a": (0.02, 0.3)}, Answer.OPEN),
        (WIDE, {"a": KEPT}, Answer.OPEN),
        (SHOWN_WIDE, {"a": BROKEN}, Answer.SOMEWHAT),
        (LITTLE, {"a": BROKEN}, Answer.GUESSES),
    ],
)
def test_rules_that_are_kept_and_broken(found: OnCorpus, broken: dict[str, tuple[float, float]], said: Answer) -> None:
    assert answer(document({"c": found}, broken), MODEL) is said


def test_rules_of_several_probes_are_looked_at_together() -> None:
    often, hardly = (0.1, 0.3), (0.0, 0.02)
    assert answer(document({"c": CLEAR}, {"a": hardly, "b": often}), MODEL) is Answer.PARTLY
    assert answer(document({"c": CLEAR}, {"a": hardly, "b": (0.0, 0.2)}), MODEL) is Answer.READS
    # Alone it is surely broken; as one of forty it is not.
    forty = {f"p{number}": (0.0, 0.2) for number in range(39)}
    assert answer(document({"c": CLEAR}, {"a": BROKEN}), MODEL) is Answer.BREAKS
    assert answer(document({"c": CLEAR}, {"a": BROKEN, **forty}), MODEL) is Answer.READS


def test_what_supports_no_answer() -> None:
    assert answer(document({}), MODEL) is Answer.NO_LABELS
    assert answer(document({"c": CLEAR}, state="unfinished"), MODEL) is Answer.UNFINISHED
    assert answer(document({"c": CLEAR}, control=False), MODEL) is Answer.NO_CONTROL
    # Where no constant answer is known, nothing must be beaten, and there is no half of anything.
    assert answer(document({"c": CLEAR._replace(constant=None)}), MODEL) is Answer.READS
    assert answer(document({"c": corpus(-0.1, ROOM - HAIR)._replace(constant=None)}), MODEL) is Answer.OPEN
    # Too few groups for an interval.
    few = CLEAR._replace(accuracy_ends=None, gain_ends=None, groups=4)
    assert answer(document({"c": few}), MODEL) is Answer.NO_BETTER


def sampled(random: np.random.Generator, n: int, size: int, gain: float, *, accuracy: float) -> OnCorpus:
    """Draw what a system and its control get on groups that differ in what they are right on."""
    sizes = np.full(n, 1) if size == 1 else uneven_sizes(random, n // size, size)
    flips = gain + 0.1
    rates = np.array([(flips + gain) / 2, (flips - gain) / 2, accuracy - (flips + gain) / 2, 0.0])
    rates[3] = 1 - rates.sum()
    chances = rates if size == 1 else random.dirichlet(rates * 4, size=len(sizes))
    won, lost, both, _ = random.multinomial(sizes, chances).T
    return measured(sizes, won, lost, both)


def measured(
    sizes: NDArray[np.int64], won: NDArray[np.int64], lost: NDArray[np.int64], both: NDArray[np.int64]
) -> OnCorpus:
    """Compute what a document says, with the methods of the analysis."""
    right, n = won + both, int(sizes.sum())
    accuracy, gain = share_interval(right, sizes), mean_difference_interval(won - lost, sizes)
    ends = [None if item is None else list(item) for item in (accuracy, gain)]
    difference = float((won - lost).sum()) / n
    return OnCorpus(
        float(right.sum()) / n, ends[0], difference, ends[1], sign_flip_p(won - lost), groups=int((sizes > 0).sum())
    )


def false(said: Answer, gain: float, accuracy: float) -> bool:
    """Tell whether an answer claims something that is not so; those that claim nothing are never false."""
    half = HALF * (accuracy - 1 / 3)
    wrong = {
        Answer.GUESSES: gain > MUCH,
        Answer.MOSTLY: gain > max(MUCH, half),
        Answer.READS: gain < MUCH,
        Answer.SOMEWHAT: gain <= 0,
        Answer.IN_PLACES: gain <= 0,
    }
    return wrong.get(said, False)


@pytest.mark.parametrize("draws", [100, pytest.param(4_000, marks=pytest.mark.simulation)])
@pytest.mark.parametrize(
    ("n", "size"), [(200, 1), (200, 9), (1000, 9), pytest.param(5000, 9, marks=pytest.mark.simulation)]
)
@pytest.mark.parametrize("points", [0, 3, 4.999, 5.001, 8, 15])
def test_claims_are_false_in_at_most_one_of_twenty_samples(points: float, n: int, size: int, draws: int) -> None:
    random = np.random.default_rng([n, size, round(1000 * points)])
    # With 0.433 half of what is above a constant answer is five points, where both thresholds meet.
    for accuracy in (0.433, 0.7):
        gain = points / 100
        said = Counter(
            answer(document({"c": sampled(random, n, size, gain, accuracy=accuracy)}), MODEL) for _ in range(draws)
        )
        wrong = sum(times for words, times in said.items() if false(words, gain, accuracy))
        assert wrong <= at_most(0.05, draws), said


def test_every_answer_that_takes_sides_has_a_tone() -> None:
    open_ones = {answer for answer in Answer if answer not in TONES}
    assert {Answer.OPEN, Answer.SOMEWHAT, Answer.IN_PLACES, Answer.PARTLY} <= open_ones
