"""The answers of one stage as arrays: participants in rows, items in columns, each item with its template."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from nliprobe.people.study.answers import Given
from nliprobe.people.study.key import KeyAnswer, StudyKey
from nliprobe.people.study.records import Question, Stage, Study
from nliprobe.task.study_results import Ends, Measured

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Codes = NDArray[np.int64]
    Numbers = NDArray[np.float64]
    # A statistic of some participants and some items, by their places.
    Statistic = Callable[[Codes, Codes], "float | None"]


@dataclass(frozen=True)
class StageData:
    """What participants answered in a stage, and what was right.

    Attributes:
        stage: the stage.
        key: what is right about each item, in the order of the items.
        participants: who reached the stage.
        templates: the templates of its items.
        template: the place of each item's template.
        answers: class numbers of answers, or of the highest bins of bids.
        points: the points of bids; None for other questions.
        truth: the class number of what is right about each item.
        most: how many points a bid may place.
    """

    stage: Stage
    key: Sequence[KeyAnswer]
    participants: Sequence[str]
    templates: Sequence[str]
    template: Codes
    answers: Codes
    points: Numbers | None
    truth: Codes
    most: int

    @cached_property
    def right(self) -> Numbers:
        """1 where an answer is right, 0 where it is wrong or skipped, NaN where the question was not reached."""
        from nliprobe.stats.panel import right_answers

        return right_answers(self.answers, self.truth)

    def items_of(self, templates: Codes) -> Codes:
        """Return the places of the items of some templates."""
        import numpy as np

        return np.flatnonzero(np.isin(self.template, templates))

    def measured(self, statistic: Statistic, lowest: float = 0.0, highest: float = 1.0) -> Measured:
        """Measure a statistic on all participants and items, with its interval over participants and templates."""
        import numpy as np

        from nliprobe.stats.crossed import crossed_interval

        value = statistic(np.arange(len(self.participants)), np.arange(len(self.truth)))
        interval = crossed_interval(
            lambda rows, templates: statistic(rows, self.items_of(templates)),
            len(self.participants),
            len(self.templates),
            lowest=lowest,
            highest=highest,
        )
        return Measured(value=rounded(value), ci95=interval_ends(interval))

    def mean(self, values: Numbers, lowest: float = 0.0, highest: float = 1.0) -> Measured:
        """Measure the mean over participants of their own means of a value per answer."""
        from nliprobe.stats.panel import mean_of_rows

        return self.measured(lambda rows, items: mean_of_rows(values[rows][:, items]), lowest, highest)


def stage_data(study: Study, key: StudyKey, stage: Stage, given: Sequence[Given]) -> StageData:
    """Arrange the answers of a stage."""
    import numpy as np

    from nliprobe.stats.panel import NOT_REACHED, SKIPPED, highest_bins

    mine = [one for one in given if one.stage == stage.id]
    people = sorted({one.participant for one in mine})
    items = [entry.item for entry in stage.items]
    owners = [key.by_item[item].template for item in items]
    templates = sorted(set(owners))
    rows = {name: place for place, name in enumerate(people)}
    columns = {name: place for place, name in enumerate(items)}
    codes = {"": SKIPPED, **{answer: code for code, answer in enumerate(stage.answers)}}
    truths = [key.truths[stage.id][item] for item in items]
    points: Numbers | None = None
    if stage.question is Question.BID:
        points = np.full((len(people), len(items), len(stage.answers)), np.nan)
        for one in mine:
            points[rows[one.participant], columns[one.item]] = one.points
        answers = highest_bins(points)
    else:
        answers = np.full((len(people), len(items)), NOT_REACHED, dtype=np.int64)
        for one in mine:
            answers[rows[one.participant], columns[one.item]] = codes[one.answer]
    return StageData(
        stage,
        truths,
        people,
        templates,
        np.array([templates.index(owner) for owner in owners], dtype=np.int64),
        answers,
        points,
        np.array([codes[one.truth] for one in truths], dtype=np.int64),
        study.points,
    )


def rounded(value: float | None) -> float | None:
    """Return a number with as many digits as documents hold."""
    return None if value is None else round(value, 6)


def interval_ends(interval: tuple[float, float] | None) -> Ends:
    """Return an interval as documents hold it."""
    return None if interval is None else [round(interval[0], 6), round(interval[1], 6)]
