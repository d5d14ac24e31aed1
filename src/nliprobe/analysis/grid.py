"""From the answers of a grid to its table: the score S of each model and share, the ratio R, and the deviation."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import permutations
from statistics import fmean, stdev
from typing import TYPE_CHECKING, NamedTuple

from nliprobe.analysis.cases import DEFAULT_CERTAINTY, LIKELY, NOT_ASKED, RunData, Slice, SystemAnswers
from nliprobe.analysis.constant import best_constant
from nliprobe.analysis.documents import LEVEL
from nliprobe.analysis.grid_documents import GridDeviation, GridRow, GridScore
from nliprobe.analysis.rates import Ends
from nliprobe.analysis.scores import ends, right_answers, share_interval
from nliprobe.stats.deviation import deviation
from nliprobe.stats.intervals import Interval
from nliprobe.task.case import IDENTITY

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from nliprobe.stats.deviation_noise import Noise

SAMPLING, TRAINING, MOVED = "sampling", "training", "moved"
# Of the draws, so many must have something to divide by.
_LEAST_USABLE = 0.99


class GridSystem(NamedTuple):
    """Which model, share and seed a system of a run is."""

    system: str
    model: str
    share: float
    seed: int | None


class GridTest(NamedTuple):
    """A test: its name, whether its labels are likely only, and its corpora with the probe that makes the cases."""

    name: str
    likely: bool
    corpora: tuple[str, ...]
    probe: str


class GridNumbers(NamedTuple):
    """The rows and deviations of a grid, and the label of each system that always answers the same."""

    rows: list[GridRow]
    deviations: list[GridDeviation]
    constant: dict[str, str]


def grid_numbers(
    runs: Sequence[RunData], systems: Sequence[GridSystem], over: Sequence[float], also: Sequence[Sequence[str]] = ()
) -> GridNumbers:
    """Score every system of a grid in every test.

    Args:
        runs: what the systems were asked, each corpus in one run only.
        systems: which system is which.
        over: the shares whose squared changes are added up.
        also: corpora that are tests themselves, those of one test together; all others are asked with probes.
    """
    places: dict[tuple[GridTest, str], _Place] = {}
    tests: list[GridTest] = []
    for data in runs:
        parts = {(part.corpus, part.probe): part for part in data.cases.slices()}
        for test in _tests(data, also):
            made = {
                corpus: _Place.read(data, parts[corpus, test.probe], systems, likely=test.likely)
                for corpus in test.corpora
                if (corpus, test.probe) in parts
            }
            some = {corpus: place for corpus, place in made.items() if place is not None}
            if some:
                kept = test._replace(corpora=tuple(some))
                tests.append(kept)
                places |= {(kept, corpus): place for corpus, place in some.items()}
    models = list(dict.fromkeys(item.model for item in systems))
    shares = sorted({item.share for item in systems})
    rows = [
        _row(model, test, corpus, places[test, corpus], shares)
        for model in models
        for test in tests
        for corpus in test.corpora
        if places[test, corpus].of(model)
    ]
    deviations = [
        _deviation(model, test, [places[test, corpus] for corpus in test.corpora], sorted({*over} - {0.0}))
        for model in models
        for test in tests
        if any(places[test, corpus].of(model) for corpus in test.corpora)
    ]
    _correct(deviations)
    return GridNumbers(rows, deviations, _constants(runs, systems))


def genres(corpora: Sequence[str]) -> list[str]:
    """Return what tells the corpora of a test apart.

    >>> genres(["multinli/dev-matched", "multinli/dev-mismatched"]), genres(["snli/test"])
    (['matched', 'mismatched'], ['snli/test'])
    """
    names = [name.partition("?")[0] for name in corpora]
    # Options that all corpora have do not tell them apart.
    plain = names if len({name.partition("?")[2] for name in corpora}) == 1 else list(corpora)
    start = len(_shared(plain)) if len(plain) > 1 else 0
    return [name[start:] for name in plain]


def common_name(corpora: Sequence[str]) -> str:
    """Return what the corpora of a test have in common, or all their names.

    >>> common_name(["nli-stress/antonymy-matched", "nli-stress/antonymy-mismatched"]), common_name(["snli/test"])
    ('nli-stress/antonymy', 'snli/test')
    """
    shared = _shared(corpora).rstrip("-/_") if len(corpora) > 1 else corpora[0]
    return shared or " + ".join(corpora)


def _shared(corpora: Sequence[str]) -> str:
    """Return the whole words that the names of corpora begin with, each different after them."""
    first, last = min(corpora), max(corpora)
    alike = next((place for place, letter in enumerate(first) if letter != last[place : place + 1]), len(first))
    match = re.match(r".*[-/_]", first[:alike])
    return match[0] if match else ""


def _tests(data: RunData, also: Sequence[Sequence[str]]) -> Iterator[GridTest]:
    """Yield the tests of a run: pairs as they are first, then the probes by name, then corpora that are tests."""
    beside = {name for group in also for name in group}
    asked = tuple(name for name in data.cases.corpora if name not in beside)
    for probe in sorted(data.cases.probes, key=lambda name: (name != IDENTITY, name)) if asked else ():
        yield GridTest(probe, likely=False, corpora=asked, probe=probe)
        if probe != IDENTITY:
            yield GridTest(probe, likely=True, corpora=asked, probe=probe)
    for group in also:
        own = tuple(name for name in group if name in data.cases.corpora)
        if own:
            yield GridTest(common_name(own), likely=False, corpora=own, probe=IDENTITY)


@dataclass(frozen=True)
class _Place:
    """The answers of all systems to the labelled cases of one test and corpus.

    Attributes:
        data: the run.
        part: the cases.
        systems: which system is which, in the order of the columns below.
        answers: the systems with their answers.
        shares: the share of right answers of each system.
        intervals: their intervals.
        drawn: the shares in draws of groups, a row per draw and a column per system; None with too few groups.
    """

    data: RunData
    part: Slice
    systems: tuple[GridSystem, ...]
    answers: tuple[SystemAnswers, ...]
    shares: NDArray[np.float64]
    intervals: tuple[Interval | None, ...]
    drawn: NDArray[np.float64] | None

    @classmethod
    def read(cls, data: RunData, part: Slice, systems: Sequence[GridSystem], *, likely: bool) -> _Place | None:
        """Score the systems that a run holds; None if it holds none of them, or no labelled cases."""
        import numpy as np

        from nliprobe.stats.deviation_noise import resampled_shares
        from nliprobe.stats.draws import generator
        from nliprobe.stats.grouped import group_sums

        cases = data.cases
        known = {item.name: item for item in data.systems}
        own = tuple(item for item in systems if item.system in known)
        if not own:
            return None
        wanted = cases.wanted(LIKELY if likely else DEFAULT_CERTAINTY) & (cases.gold != 0)
        answers = tuple(known[item.system] for item in own)
        asked = np.logical_and.reduce([item.asked(part.rows) for item in answers])
        part = part.where(wanted[part.rows] & asked)
        if not len(part.rows):
            return None
        right = [right_answers(data, item, part) for item in answers]
        hits = np.stack([group_sums(one, part.clusters)[0] for one in right], axis=1)
        sizes = np.bincount(part.clusters)
        random = generator(0, "grid", part.corpus, part.probe, str(likely))
        return cls(
            data,
            part,
            own,
            answers,
            np.array([one.mean() for one in right]),
            tuple(share_interval(one, part.clusters) for one in right),
            resampled_shares(hits, sizes, random),
        )

    def of(self, model: str) -> dict[tuple[float, int | None], int]:
        """Return the columns of a model by share and seed."""
        return {(item.share, item.seed): place for place, item in enumerate(self.systems) if item.model == model}

    def seeds(self, model: str, share: float) -> list[int | None]:
        """Return the seeds with which a model was trained with a share."""
        return [seed for own, seed in self.of(model) if own == share]


def _row(model: str, test: GridTest, corpus: str, place: _Place, shares: Sequence[float]) -> GridRow:
    import numpy as np

    first = place.answers[next(iter(place.of(model).values()))]
    partition = place.data.partitions[corpus].join(first.partition)
    return GridRow(
        model=model,
        test=test.name,
        likely=test.likely,
        genre=dict(zip(test.corpora, genres(test.corpora), strict=True))[corpus],
        corpus=corpus,
        n=len(place.part.rows),
        groups=len(np.unique(place.part.clusters)),
        constant=best_constant(place.data.cases.gold[place.part.rows], partition),
        chance=1 / len(partition.blocks),
        partition=str(partition),
        scores=[_score(place, model, share) for share in shares],
    )


def _score(place: _Place, model: str, share: float) -> GridScore:
    columns = place.of(model)
    seeds = place.seeds(model, share)
    own = [columns[share, seed] for seed in seeds]
    accuracies = [float(place.shares[column]) for column in own]
    both = [(columns[0.0, seed], columns[share, seed]) for seed in seeds if (0.0, seed) in columns]
    comparable = bool(both) and len(both) == len(own) and all(place.shares[before] > 0 for before, _ in both)
    ratios = [float(place.shares[after] / place.shares[before]) for before, after in both] if comparable else []
    return GridScore(
        share=share,
        seeds=seeds,
        by_seed=accuracies,
        accuracy=fmean(accuracies) if accuracies else None,
        sd=_sd(accuracies),
        ci95=_mean_ends([ends(place.intervals[column]) for column in own]),
        ratio=fmean(ratios) if ratios else None,
        ratio_sd=_sd(ratios),
        ratio_ci95=_mean_ends([_ratio_ends(place, *pair) for pair in both]) if ratios else None,
    )


def _ratio_ends(place: _Place, before: int, after: int) -> Ends:
    """Return the interval of a ratio over the draws."""
    import numpy as np

    drawn = _usable(_ratios(place, before, [after]))
    return None if drawn is None else [float(end) for end in np.quantile(drawn[:, 0], [0.025, 0.975])]


def _ratios(place: _Place, before: int, after: Sequence[int]) -> NDArray[np.float64] | None:
    """Return ratios in each draw, a row per draw; one without anything to divide by has no numbers."""
    import numpy as np

    if place.drawn is None:
        return None
    divisor = place.drawn[:, [before]]
    ratios: NDArray[np.float64] = place.drawn[:, list(after)] / np.where(divisor > 0, divisor, np.nan)
    return ratios


def _usable(drawn: NDArray[np.float64] | None) -> NDArray[np.float64] | None:
    """Return the draws that have numbers, if nearly all have: otherwise ratios rest on a handful of right answers."""
    import numpy as np

    if drawn is None:
        return None
    kept = drawn[~np.isnan(drawn).any(axis=1)]
    return kept if len(kept) >= _LEAST_USABLE * len(drawn) else None


def _deviation(model: str, test: GridTest, places: Sequence[_Place], over: Sequence[float]) -> GridDeviation:
    """Add up squared changes over shares and genres, for each seed that has all of them."""
    seeds = places[0].seeds(model, 0.0) if over else []
    whole = all(
        {(share, seed) for share in (0.0, *over) for seed in seeds} <= place.of(model).keys() for place in places
    )
    values = [_of_seed(model, places, seed, over) for seed in seeds] if whole else []
    known = [value for value in values if value is not None]
    complete = bool(known) and len(known) == len(values)
    noises = [_noise(model, places, seed, over) for seed in seeds] if complete else []
    sampled = [noise for noise in noises if noise is not None]
    # Draws are the same for all seeds, so either all seeds have some or none has.
    drawn = bool(sampled) and len(sampled) == len(noises)
    again = _training_deviations(model, places, seeds, len(over)) if complete else []
    return GridDeviation(
        model=model,
        test=test.name,
        likely=test.likely,
        shares=list(over),
        genres=genres(test.corpora),
        deviation=fmean(known) if complete else None,
        sd=_sd(known) if complete else None,
        by_seed=known if complete else [],
        ci95=_mean_ends([ends(noise.interval) for noise in sampled]) if drawn else None,
        noise=fmean(noise.mean for noise in sampled) if drawn else None,
        noise_high=fmean(noise.high for noise in sampled) if drawn else None,
        training_noise=fmean(again) if again else None,
        training_noise_high=max(again) if again else None,
        p=max(noise.p for noise in sampled) if drawn else None,
        p_holm=None,
        reading=None,
    )


def _of_seed(model: str, places: Sequence[_Place], seed: int | None, over: Sequence[float]) -> float | None:
    scores = []
    for place in places:
        columns = place.of(model)
        before = float(place.shares[columns[0.0, seed]])
        scores.append((before, [float(place.shares[columns[share, seed]]) for share in over]))
    return deviation(scores)


def _noise(model: str, places: Sequence[_Place], seed: int | None, over: Sequence[float]) -> Noise | None:
    """Compare the deviation of one seed with what sampling gives; genres have draws of their own."""
    import numpy as np

    from nliprobe.stats.deviation_noise import deviation_noise

    changes, drawn = [], []
    for place in places:
        columns = place.of(model)
        before, after = columns[0.0, seed], [columns[share, seed] for share in over]
        ratios = _ratios(place, before, after)
        if ratios is None:
            return None
        changes.append(place.shares[after] / place.shares[before] - 1)
        drawn.append(ratios - 1)
    usable = _usable(np.concatenate(drawn, axis=1))
    return None if usable is None else deviation_noise(np.concatenate(changes), usable)


def _training_deviations(model: str, places: Sequence[_Place], seeds: Sequence[int | None], shares: int) -> list[float]:
    """Return the deviations of models trained without edited pairs, one seed after another in the place of 0 %."""
    found = []
    for first, second in permutations(seeds, 2):
        scores = []
        for place in places:
            columns = place.of(model)
            again = float(place.shares[columns[0.0, second]])
            scores.append((float(place.shares[columns[0.0, first]]), [again] * shares))
        value = deviation(scores)
        if value is not None:
            found.append(value)
    return found


def _correct(deviations: Sequence[GridDeviation]) -> None:
    """Say what deviations show, with p-values corrected for all of the table: the largest of many is no finding."""
    from nliprobe.stats.paired import holm

    tested = [(item, item["p"]) for item in deviations if item["p"] is not None]
    for (item, _), adjusted in zip(tested, holm([p for _, p in tested]), strict=True):
        item["p_holm"] = adjusted
        again, value = item["training_noise_high"], item["deviation"]
        assert value is not None
        if adjusted >= LEVEL:
            item["reading"] = SAMPLING
        else:
            item["reading"] = TRAINING if again is not None and value <= again else MOVED


def _constants(runs: Sequence[RunData], systems: Sequence[GridSystem]) -> dict[str, str]:
    """Return the label of each system that answers the same whatever it is asked, in all runs."""
    import numpy as np

    labels: dict[str, str] = {}
    answered: dict[str, set[int]] = {}
    wanted = {item.system for item in systems}
    for data in runs:
        for system in data.systems:
            if system.name in wanted:
                answered.setdefault(system.name, set()).update(np.unique(system.answers).tolist())
                # Pairs that all have one label do not tell, so one run is enough to say so.
                labels |= {system.name: label} if (label := data.constants[system.name]) else {}
    return {name: label for name, label in labels.items() if len(answered[name] - {0, NOT_ASKED}) == 1}


def _sd(values: Sequence[float]) -> float | None:
    return stdev(values) if len(values) > 1 else None


def _mean_ends(intervals: Sequence[Ends]) -> Ends:
    known = [interval for interval in intervals if interval is not None]
    if not known or len(known) < len(intervals):
        return None
    return [fmean(low for low, _ in known), fmean(high for _, high in known)]
