"""Counterfactuals of a run: those of probes, and pairs that a corpus made from others by changing the premise."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING, NamedTuple

from nliprobe.analysis.cases import DEFAULT_CERTAINTY, LIKELY, NONE, RunData, Slice, SystemAnswers
from nliprobe.analysis.controls import FULL_PREMISE
from nliprobe.analysis.counterfactual.documents import (
    ControlCounts,
    CounterfactualEntry,
    CrossedCounts,
    Effect,
    LikelyCounterfactuals,
)
from nliprobe.analysis.counterfactual.measures import Crossed, crossed, crossed_with, drop
from nliprobe.analysis.counterfactual.scored import set_score
from nliprobe.analysis.matching import read_some
from nliprobe.analysis.outcomes import answered_right
from nliprobe.analysis.scores import ends
from nliprobe.base.registry import Spec
from nliprobe.task.case import IDENTITY, Certainty
from nliprobe.task.labels import Partition

if TYPE_CHECKING:
    import numpy as np
    import polars as pl
    from numpy.typing import NDArray

    from nliprobe.store.run import RunFolder

FAMILY = "counterfactual."


class Counterfactuals(NamedTuple):
    """Counterfactuals of one corpus: their rows with their groups, what made them, and what became of the label.

    Attributes:
        part: the cases.
        effect: whether the label stays or flips.
        grade: how the rows that a probe moved are known to be relevant.
        identical: how many more have the premise of their original, so that their label cannot have flipped.
    """

    part: Slice
    effect: Effect
    grade: str | None = None
    identical: int = 0


def counterfactuals(
    run: RunFolder, data: RunData, *, certainty: Collection[Certainty] = DEFAULT_CERTAINTY
) -> list[CounterfactualEntry]:
    """Compare the answers to counterfactuals with those to their originals, for every system that was asked both.

    An original that is itself made from another pair is no original: what probes make of it does not count.

    Args:
        run: the run folder.
        data: the run.
        certainty: which counterfactuals count.
    """
    sets = list(_sets(run, data))
    wanted = data.cases.wanted(certainty)
    entries = (_entry(data, system, item, wanted) for system in data.systems for item in sets)
    return [entry for entry in entries if entry is not None]


def _sets(run: RunFolder, data: RunData) -> Iterator[Counterfactuals]:
    cases = data.cases
    grades: pl.DataFrame | None = None
    for part in cases.slices():
        base = cases.base[part.rows]
        made = (base != NONE) & (cases.gold[part.rows] != 0) & (cases.gold[base] != 0) & (cases.base[base] == NONE)
        if not made.any():
            continue
        if part.probe == IDENTITY:
            yield from _of_corpus(run, data, part.where(made))
        elif Spec.parse(part.probe).name.startswith(FAMILY):
            grades = _grades(run, data) if grades is None else grades
            for effect, same in _by_effect(data, part.where(made)):
                yield from _by_grade(same, effect, grades)


def _of_corpus(run: RunFolder, data: RunData, part: Slice) -> Iterator[Counterfactuals]:
    """Tell pairs whose label flipped from those that keep it; a pair with another hypothesis is no counterfactual."""
    import numpy as np

    cases = data.cases
    base = cases.base[part.rows]
    ids = run.read("pairs", ["pair_id"])["pair_id"]
    pairs = np.concatenate([cases.pair[part.rows], cases.pair[base]])
    rows = read_some(run, "pairs", ids.gather(np.unique(pairs)), ["pair_id", "premise", "hypothesis"])
    texts = {name: (premise, hypothesis) for name, premise, hypothesis in rows.iter_rows()}
    after, before = ([texts[ids[int(pair)]] for pair in cases.pair[of]] for of in (part.rows, base))
    same_hypothesis = np.array([one[1] == other[1] for one, other in zip(after, before, strict=True)], dtype=bool)
    same_premise = np.array([one[0] == other[0] for one, other in zip(after, before, strict=True)], dtype=bool)
    for effect, same in _by_effect(data, part):
        chosen = np.isin(part.rows, same.rows)
        changed = chosen & same_hypothesis & ~same_premise
        if changed.any():
            identical = int((chosen & same_hypothesis & same_premise).sum())
            yield Counterfactuals(part.where(changed), effect, identical=identical)


def _by_effect(data: RunData, part: Slice) -> Iterator[tuple[Effect, Slice]]:
    """Tell cases whose label flipped from those that keep it, by their gold labels and those of their originals."""
    gold = data.cases.gold
    flips = (gold[part.rows] & gold[data.cases.base[part.rows]]) == 0
    effects: tuple[tuple[Effect, NDArray[np.bool_]], ...] = (("preserved", ~flips), ("flipped", flips))
    for effect, chosen in effects:
        if chosen.any():
            yield effect, part.where(chosen)


def _grades(run: RunFolder, data: RunData) -> pl.DataFrame:
    """Tabulate how the evidence of cases is known, by their rows."""
    import polars as pl

    facets = run.read("facets").filter((pl.col("name") == "grade") & pl.col("case_id").is_not_null())
    rows = pl.DataFrame({"case_id": data.cases.ids}).with_row_index("row").with_columns(pl.col("row").cast(pl.Int64))
    return facets.select("case_id", "value").join(rows, on="case_id").select("row", "value")


def _by_grade(part: Slice, effect: Effect, grades: pl.DataFrame) -> Iterator[Counterfactuals]:
    """Keep the grades of evidence apart; a probe that needs no evidence gives cases without one."""
    import numpy as np

    graded = np.zeros(len(part.rows), dtype=bool)
    for grade in grades["value"].unique(maintain_order=True).to_list():
        chosen = np.isin(part.rows, grades.filter(grades["value"] == grade)["row"].to_numpy())
        graded |= chosen
        if chosen.any():
            yield Counterfactuals(part.where(chosen), effect, grade)
    if not graded.all():
        yield Counterfactuals(part.where(~graded), effect)


def _entry(
    data: RunData, system: SystemAnswers, item: Counterfactuals, wanted: NDArray[np.bool_]
) -> CounterfactualEntry | None:
    import numpy as np

    cases = data.cases
    asked = system.asked(item.part.rows) & system.asked(cases.base[item.part.rows])
    part = item.part.where(asked & wanted[item.part.rows])
    likely = item.part.where(asked & cases.wanted(LIKELY)[item.part.rows])
    if not len(part.rows):
        return None
    partition = data.partitions[part.corpus].join(system.partition)
    base = cases.base[part.rows]
    original, counterfactual = (answered_right(data, system, rows, partition) for rows in (base, part.rows))
    change = drop(original, counterfactual, part.clusters)
    assert change is not None
    name = f"{part.corpus} {part.probe}"
    return CounterfactualEntry(
        system=system.name,
        corpus=part.corpus,
        probe=part.probe,
        effect=item.effect,
        grade=item.grade,
        partition=str(partition),
        premise_free=system.premise != FULL_PREMISE,
        n=len(part.rows),
        originals=len(np.unique(base)),
        groups=len(np.unique(part.clusters)),
        identical=item.identical,
        original=set_score(data, system, base, part.clusters, original, partition, f"{name} original"),
        counterfactual=set_score(data, system, part.rows, part.clusters, counterfactual, partition, name),
        difference=change.difference,
        difference_ci95=ends(change.interval),
        p=change.p,
        crossed=_counts(crossed(original, counterfactual)),
        controls=list(_controls(data, system, part, partition)),
        likely=_likely(data, system, likely, partition),
    )


def _controls(data: RunData, system: SystemAnswers, part: Slice, partition: Partition) -> Iterator[ControlCounts]:
    """Yield Table 15 for each system of the run that does not see the premise; for such a system itself, nothing."""
    if system.premise != FULL_PREMISE:
        return
    for control in data.systems:
        if control.premise == FULL_PREMISE:
            continue
        chosen = part.where(control.asked(data.cases.base[part.rows]))
        if not len(chosen.rows):
            continue
        shared = partition.join(control.partition)
        base = data.cases.base[chosen.rows]
        original, counterfactual = (answered_right(data, system, rows, shared) for rows in (base, chosen.rows))
        split = crossed_with(original, counterfactual, answered_right(data, control, base, shared))
        yield ControlCounts(control=control.name, right=_counts(split.right), wrong=_counts(split.wrong))


def _counts(item: Crossed) -> CrossedCounts:
    return CrossedCounts(
        both=item.both,
        only_original=item.only_original,
        only_counterfactual=item.only_counterfactual,
        neither=item.neither,
    )


def _likely(data: RunData, system: SystemAnswers, part: Slice, partition: Partition) -> LikelyCounterfactuals:
    n = len(part.rows)
    shares = [
        float(answered_right(data, system, rows, partition).mean()) if n else None
        for rows in (data.cases.base[part.rows], part.rows)
    ]
    return LikelyCounterfactuals(n=n, original=shares[0], counterfactual=shares[1])
