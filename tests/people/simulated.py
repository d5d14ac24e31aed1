"""Simulated raters with known error rates: careful ones, careless ones, and one who answers wrongly on purpose."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from nliprobe.people.records import Item, Judgement

LETTERS = "ENC"
RATERS, ITEMS, PER_ITEM = 12, 240, 5
# Nine careful raters with error rates from 5 to 25 %.
CAREFUL = tuple(float(rate) for rate in np.linspace(0.05, 0.25, 9))
# Two careless ones look at three items of ten and guess at the others: they are wrong in 47 %.
CARELESS, GUESSED = 2, 0.7
# One who gives a wrong label on purpose, but for one slip in ten.
ADVERSARY = 0.9
BAD = frozenset(range(len(CAREFUL), RATERS))


class Study(NamedTuple):
    """A project whose raters' errors are known.

    Attributes:
        items: its items, with the right label as gold.
        judgements: five per item, a hundred per rater.
        errors: how often each rater was wrong.
        truth: the number of the right label of each item.
    """

    items: tuple[Item, ...]
    judgements: tuple[Judgement, ...]
    errors: tuple[float, ...]
    truth: tuple[int, ...]


class Crowd:
    """Raters who answer when they are asked; the same seed gives the same answers."""

    def __init__(self, seed: int) -> None:
        self.draw = np.random.default_rng(seed)

    def answer(self, rater: int, right: int) -> int:
        """Return what a rater says about an item."""
        wrong = (right + int(self.draw.integers(1, 3))) % 3
        if rater < len(CAREFUL):
            return wrong if self.draw.random() < CAREFUL[rater] else right
        if rater < len(CAREFUL) + CARELESS:
            return int(self.draw.integers(0, 3)) if self.draw.random() < GUESSED else right
        return wrong if self.draw.random() < ADVERSARY else right

    def judgement(self, item: Item, rater: int, right: int, given: float) -> Judgement:
        """Return what a rater says, as a judgement."""
        return Judgement(item.name, name(rater), {"label": LETTERS[self.answer(rater, right)]}, given)


def name(rater: int) -> str:
    """Return a pseudonym; bad raters come first, so that no order by name helps."""
    return f"r{(rater + 3) % RATERS:02}"


def simulate(seed: int) -> Study:
    """Let 12 raters judge 100 items each, so that 240 items have five judgements."""
    crowd = Crowd(seed)
    truth = tuple(int(label) for label in crowd.draw.integers(0, 3, ITEMS))
    items = tuple(
        Item(f"q{place:03}", {"premise": "p", "hypothesis": f"h{place}"}, {"gold": LETTERS[right]})
        for place, right in enumerate(truth)
    )
    judgements: list[Judgement] = []
    left = np.full(RATERS, ITEMS * PER_ITEM // RATERS)
    wrong = np.zeros(RATERS)
    for item, right in zip(items, truth, strict=True):
        # Those with most left come first, so that everybody ends with a hundred.
        chosen = np.argsort(-(left + crowd.draw.random(RATERS)))[:PER_ITEM]
        left[chosen] -= 1
        for rater in map(int, chosen):
            judgement = crowd.judgement(item, rater, right, float(len(judgements)))
            wrong[rater] += judgement.answer["label"] != LETTERS[right]
            judgements.append(judgement)
    assert not left.any()
    return Study(items, tuple(judgements), tuple(wrong / (ITEMS * PER_ITEM // RATERS)), truth)
