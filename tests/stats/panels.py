"""Panels whose members have known skills, asked about templates of known difficulty."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Codes = NDArray[np.int64]
Numbers = NDArray[np.float64]
# Draws behind what is true of all people and all templates: shares are then exact to about 0.0005.
_MANY = 1_000_000
BINS, POINTS = 5, 5


class Panel(NamedTuple):
    """How much people, templates, and both together differ, on the logistic scale; and how easy it is on average."""

    people: int
    templates: int
    examples: int
    by_person: float
    by_template: float
    by_both: float
    ease: float

    def chances(self, random: np.random.Generator) -> Numbers:
        """Draw the chance of a right answer for each participant and template."""
        person = random.normal(0, self.by_person, (self.people, 1))
        template = random.normal(0, self.by_template, (1, self.templates))
        both = random.normal(0, self.by_both, (self.people, self.templates))
        return _logistic(self.ease + person + template + both)

    def answers(self, random: np.random.Generator, chances: Numbers) -> Codes:
        """Draw answers: 0 is right, and each template has a wrong answer that attracts."""
        chance = np.repeat(chances, self.examples, axis=1)
        lure = np.repeat(random.random(self.templates), self.examples)
        right = random.random(chance.shape) < chance
        return np.where(right, 0, np.where(random.random(chance.shape) < lure, 1, 2))

    def bids(self, random: np.random.Generator, chances: Numbers) -> Numbers:
        """Draw bids: all points on the first bin by chance, otherwise spread at random."""
        points = random.multinomial(POINTS, [1 / BINS] * BINS, chances.shape).astype(np.float64)
        points[random.random(chances.shape) < chances] = [POINTS, *[0] * (BINS - 1)]
        return points

    @property
    def template(self) -> Codes:
        """The template of each question."""
        return np.repeat(np.arange(self.templates), self.examples)

    def truth(self) -> tuple[float, float, float]:
        """Return accuracy, agreement of two participants, and score of bids, for all people and all templates."""
        random = np.random.default_rng(12345)
        template = self.ease + random.normal(0, self.by_template, _MANY)
        spread = float(np.hypot(self.by_person, self.by_both))
        one, two = (_logistic(template + random.normal(0, spread, _MANY)) for _ in range(2))
        lure = random.random(_MANY)
        agreement = one * two + (1 - one) * (1 - two) * (lure**2 + (1 - lure) ** 2)
        accuracy = float(one.mean())
        return accuracy, float(agreement.mean()), POINTS * (accuracy + (1 - accuracy) / BINS)

    def correlation(self) -> float:
        """Return the mean correlation of two participants' points on the right bin, over all templates."""
        random = np.random.default_rng(12345)
        found = []
        for _ in range(100):
            template = self.ease + random.normal(0, self.by_template, 20_000)
            rows = []
            for _ in range(2):
                chance = _logistic(
                    template + random.normal(0, self.by_person) + random.normal(0, self.by_both, len(template))
                )
                guessed = random.binomial(POINTS, 1 / BINS, len(template))
                rows.append(np.where(random.random(len(template)) < chance, POINTS, guessed))
            found.append(np.corrcoef(rows[0], rows[1])[0, 1])
        return float(np.mean(found))


def _logistic(values: Numbers) -> Numbers:
    chances: Numbers = 1 / (1 + np.exp(-values))
    return chances


# The panels of the paper, 4 students and 10 olympiad participants, with much and little difference between people.
PANELS = {
    "4 people alike": Panel(4, 25, 5, 0.1, 1.0, 0.2, 0.0),
    "4 people": Panel(4, 25, 5, 0.4, 1.0, 0.3, 0.0),
    "4 different people": Panel(4, 25, 5, 0.9, 0.5, 0.5, 0.0),
    "4 people, one question each": Panel(4, 25, 1, 0.4, 1.0, 0.3, 0.5),
    "4 people, easy": Panel(4, 25, 5, 0.4, 1.0, 0.3, 2.5),
    "3 people": Panel(3, 25, 5, 0.5, 1.0, 0.3, 0.0),
    "10 people": Panel(10, 25, 5, 0.4, 1.0, 0.3, 0.0),
    "10 different people": Panel(10, 25, 5, 0.9, 1.5, 0.5, 1.0),
    "10 people by chance": Panel(10, 25, 5, 0.0, 0.0, 0.0, -0.7),
    "10 people, 8 templates": Panel(10, 8, 5, 0.4, 1.0, 0.3, 0.0),
    "30 people": Panel(30, 25, 5, 0.5, 1.2, 0.3, 0.3),
}
