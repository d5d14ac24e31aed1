"""The document of a grid: models trained with other shares of edited pairs, each in every test."""

from __future__ import annotations

from typing import TypedDict

from nliprobe.analysis.constant import ConstantAnswer
from nliprobe.analysis.rates import Ends

SCHEMA = "nliprobe/grid/1"


class GridScore(TypedDict):
    """What the systems of one model and share get in one test of one genre.

    Attributes:
        share: the share of edited training pairs.
        seeds: the seeds that were trained; None for a model that has none.
        by_seed: the accuracy of each.
        accuracy: their mean, the paper's S; None if nothing was trained.
        sd: their standard deviation; None for one seed.
        ci95: the interval of the accuracy, with groups as the units of the sample; of several seeds, the mean interval.
        ratio: the accuracy divided by that without edited pairs, seed by seed, the paper's R; None if that is 0.
        ratio_sd: its standard deviation over seeds.
        ratio_ci95: its interval, from draws of groups that are the same for both.
    """

    share: float
    seeds: list[int | None]
    by_seed: list[float]
    accuracy: float | None
    sd: float | None
    ci95: Ends
    ratio: float | None
    ratio_sd: float | None
    ratio_ci95: Ends


class GridRow(TypedDict):
    """One model in one test of one genre.

    Attributes:
        model: the model.
        test: the probe, or what the corpora asked beside have in common; ``gold`` are the pairs as they are.
        likely: whether these are the cases whose label is likely only; they are counted apart.
        genre: what tells the corpus from the others of the test.
        corpus: the corpus.
        n: the cases with a gold label.
        groups: the groups they come from.
        constant: the best constant answer, and the accuracy it has.
        chance: the accuracy of guessing, all labels alike.
        partition: the labels that both corpus and model tell apart.
        scores: the accuracy for each share.
    """

    model: str
    test: str
    likely: bool
    genre: str
    corpus: str
    n: int
    groups: int
    constant: ConstantAnswer | None
    chance: float
    partition: str
    scores: list[GridScore]


class GridDeviation(TypedDict):
    """How far the scores of one model in one test move with the share of edited pairs.

    Attributes:
        model: the model.
        test: the test.
        likely: whether these are the cases whose label is likely only.
        shares: the shares that are added up.
        genres: the genres that are added up.
        deviation: the sum of (R - 1)², the mean over seeds; None if a score is missing or R has nothing to divide by.
        sd: its standard deviation over seeds.
        by_seed: the deviation of each seed.
        ci95: the interval of the deviation that would remain with endlessly many pairs; of several seeds, the mean.
        noise: the deviation that sampling the pairs of the test alone gives on average.
        noise_high: what that exceeds in one sample of forty.
        training_noise: the deviation that training again with another seed gives on average, without any edited pair;
            None for one seed.
        training_noise_high: the largest deviation that another seed gives.
        p: how often sampling alone gives as much; of several seeds, the largest.
        p_holm: the same, corrected for all deviations of the table (Holm).
        reading: ``sampling`` if sampling alone may be all, ``training`` if it is no larger than what some other seed
            gives, ``moved`` if it is larger than both; None if nothing can be said.
    """

    model: str
    test: str
    likely: bool
    shares: list[float]
    genres: list[str]
    deviation: float | None
    sd: float | None
    by_seed: list[float]
    ci95: Ends
    noise: float | None
    noise_high: float | None
    training_noise: float | None
    training_noise_high: float | None
    p: float | None
    p_holm: float | None
    reading: str | None


class GridTraining(TypedDict):
    """One training of the grid.

    Attributes:
        system: what runs call it.
        model: the model.
        share: the share of edited training pairs.
        seed: the seed; None for a model that has none.
        dev: the best accuracy on dev; None if it is not known.
        error: why there is no model, or None.
        constant: the label that it answers whatever it is asked, or None.
    """

    system: str
    model: str
    share: float
    seed: int | None
    dev: float | None
    error: str | None
    constant: str | None


class GridModel(TypedDict):
    """A model of the grid: its name, and the spec it was trained from."""

    name: str
    spec: str


class GridDocument(TypedDict):
    """A grid; ``docs/reference/schemas/grid.schema.json`` explains every field."""

    schema: str
    nliprobe: str
    models: list[GridModel]
    train: list[str]
    dev: list[str]
    premise: str
    through: str
    labels: str
    shares: list[float]
    over: list[float]
    trainings: list[GridTraining]
    rows: list[GridRow]
    deviations: list[GridDeviation]
