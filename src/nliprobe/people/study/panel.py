"""A simulated panel: participants with a known skill, to show what the analysis makes of answers before people do.

A participant with skill *s* knows the answer with the chance *s* and guesses among all answers otherwise. So the
expected accuracy with *k* answers is s + (1 − s) / k, and two participants with skills s and t agree on
s·t + (1 − s·t) / k of the questions. Whoever knows bids all points on the right bin; whoever does not places them one
by one at random, which puts 1/k of them on it.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import NamedTuple

from nliprobe.base.errors import UsageError, option
from nliprobe.base.seeds import below, draws
from nliprobe.people.study.answers import Feedback, Given
from nliprobe.people.study.key import StudyKey
from nliprobe.people.study.orders import item_order, order_of
from nliprobe.people.study.records import FeedbackQuestion, Question, Stage, Study


class Simulated(NamedTuple):
    """What a simulated panel answered, and the skill of each of its participants by name."""

    given: list[Given]
    feedback: list[Feedback]
    skills: dict[str, float]


def simulate_panel(study: Study, key: StudyKey, skills: Sequence[float], seed: int = 0) -> Simulated:
    """Let simulated participants answer a whole study, each in an order of their own.

    Args:
        study: what they are shown.
        key: what is right, which they know as often as their skill says.
        skills: one number from 0 to 1 per participant.
        seed: of all draws.
    """
    wrong = [skill for skill in skills if not 0 <= skill <= 1]
    if wrong or not skills:
        raise UsageError(
            f"A skill is a chance from 0 to 1, not {wrong[0]:g}: see {option('skill')}."
            if wrong
            else f"There is no participant: name the skill of each with {option('skill')}."
        )
    width = len(str(len(skills)))
    named = {f"simulated-{number:0{width}}": skill for number, skill in enumerate(skills, 1)}
    given: list[Given] = []
    feedback: list[Feedback] = []
    for number, (name, skill) in enumerate(named.items(), 1):
        for position, stage_id in enumerate(order_of(study, number), 1):
            stage = study.stage(stage_id)
            for item in item_order(study, stage_id, number):
                generator = draws(seed, "panel", study.id, name, stage_id, item)
                truth = key.truths[stage_id][item].truth
                answer, points = _answer(stage, study.points, truth, skill, generator)
                given.append(Given(name, stage_id, item, answer, points, position, simulated=True))
            feedback += _feedback(stage.feedback, name, stage_id, seed)
        feedback += _feedback(study.feedback, name, "", seed)
    return Simulated(given, feedback, named)


def even_skills(count: int, skill: float, spread: float) -> list[float]:
    """Return skills that lie evenly between ``skill - spread`` and ``skill + spread``, none below 0 or above 1.

    >>> even_skills(3, 0.5, 0.25)
    [0.25, 0.5, 0.75]
    """
    if count == 1:
        return [skill]
    return [min(1.0, max(0.0, skill + spread * (2 * place / (count - 1) - 1))) for place in range(count)]


def _answer(stage: Stage, most: int, truth: str, skill: float, generator: Random) -> tuple[str, tuple[float, ...]]:
    knows = generator.random() < skill
    if stage.question is not Question.BID:
        return truth if knows else stage.answers[below(len(stage.answers), generator)], ()
    points = [0.0] * len(stage.answers)
    for _ in range(most):
        points[stage.answers.index(truth) if knows else below(len(points), generator)] += 1
    return "", tuple(points)


def _feedback(questions: Sequence[FeedbackQuestion], name: str, stage: str, seed: int) -> list[Feedback]:
    """Choose any answer: nobody has an opinion here."""
    return [
        Feedback(name, stage, one.id, one.answers[below(len(one.answers), draws(seed, "panel", name, stage, one.id))])
        for one in questions
        if one.answers
    ]
