"""Perturbed hypotheses of a run: the accuracy on originals, and on what keeps and what flips their label (Table 12)."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING, Literal, NamedTuple

from nliprobe.analysis.cases import DEFAULT_CERTAINTY, LIKELY, NONE, RunData, SystemAnswers
from nliprobe.analysis.constant import best_constant
from nliprobe.analysis.controls import FULL_PREMISE
from nliprobe.analysis.counterfactual.measures import drop
from nliprobe.analysis.counterfactual.scored import set_score
from nliprobe.analysis.outcomes import answered_right
from nliprobe.analysis.perturbed.documents import (
    Effect,
    KindScore,
    LikelyPerturbations,
    PerturbationEntry,
    PerturbedScore,
    Twin,
    TwinGap,
)
from nliprobe.analysis.scores import difference_ends, ends, share_interval
from nliprobe.base.registry import Spec
from nliprobe.task.case import IDENTITY, Certainty
from nliprobe.task.labels import C, E, Partition

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from nliprobe.store.run import RunFolder

    Rows = NDArray[np.int64]
    Marks = NDArray[np.bool_]

FAMILY = "hypothesis."
EFFECTS: tuple[Effect, ...] = ("preserved", "flipped")
# The facet by which the probes, and files of cases that people settled, name the kind of a perturbation.
KIND = "kind"


class Perturbed(NamedTuple):
    """The perturbed hypotheses of one corpus: the rows of their cases, what made them, and the kind of each."""

    corpus: str
    made_by: Literal["probes", "corpus"]
    rows: Rows
    kinds: NDArray[np.object_]


def perturbations(
    run: RunFolder, data: RunData, *, certainty: Collection[Certainty] = DEFAULT_CERTAINTY
) -> list[PerturbationEntry]:
    """Compare the answers to perturbed hypotheses with those to their originals, for every system.

    Pairs labelled N, and cases that became so, are left out: the paper leaves them alone.

    Args:
        run: the run folder.
        data: the run.
        certainty: which cases count.
    """
    sets = list(_sets(run, data))
    entries = (_entry(data, system, item, certainty) for system in data.systems for item in sets)
    return [entry for entry in entries if entry is not None]


def _sets(run: RunFolder, data: RunData) -> Iterator[Perturbed]:
    import numpy as np

    cases = data.cases
    made: dict[tuple[str, Literal["probes", "corpus"]], list[Rows]] = {}
    for part in cases.slices():
        base = cases.base[part.rows]
        decided = np.isin(cases.gold[part.rows], (E.mask, C.mask)) & np.isin(cases.gold[base], (E.mask, C.mask))
        rows = part.rows[(base != NONE) & decided & (cases.base[base] == NONE)]
        if part.probe == IDENTITY and len(rows):
            made[part.corpus, "corpus"] = [rows]
        elif Spec.parse(part.probe).name.startswith(FAMILY) and len(rows):
            made.setdefault((part.corpus, "probes"), []).append(rows)
    if not made:
        return
    kinds = _kinds(run, data)
    for (corpus, maker), parts in made.items():
        rows = np.concatenate(parts)
        # Pairs that a corpus made from others are perturbations if it says of which kind.
        rows = rows[kinds[rows] != ""] if maker == "corpus" else rows
        if len(rows):
            yield Perturbed(corpus, maker, rows, kinds[rows])


def _kinds(run: RunFolder, data: RunData) -> NDArray[np.object_]:
    """Return the kind of every case: its own, or that of its pair for a pair as it is; else nothing."""
    import numpy as np
    import polars as pl

    facets = run.read("facets").filter(pl.col("name") == KIND)
    own = facets.drop_nulls("case_id").unique("case_id", keep="first")
    of_pair = facets.filter(pl.col("case_id").is_null()).unique("pair_id", keep="first")
    pairs = run.read("pairs", ["pair_id"])["pair_id"]
    rows = pl.DataFrame({"case_id": data.cases.ids, "pair_id": pairs.gather(data.cases.pair)})
    rows = rows.join(own.select("case_id", "value"), on="case_id", how="left", maintain_order="left")
    rows = rows.join(of_pair.select("pair_id", of="value"), on="pair_id", how="left", maintain_order="left")
    asked = pl.Series("asked", data.cases.as_they_are)
    chosen = rows.select(pl.when(asked).then("of").otherwise("value").fill_null("").alias("kind"))["kind"]
    return np.array(chosen.to_list(), dtype=object)


def _entry(
    data: RunData, system: SystemAnswers, item: Perturbed, certainty: Collection[Certainty]
) -> PerturbationEntry | None:
    import numpy as np

    cases = data.cases
    partition = data.partitions[item.corpus].join(system.partition)
    asked = system.asked(item.rows) & system.asked(cases.base[item.rows])
    counted = asked & cases.wanted(certainty)[item.rows]
    rows, kinds = item.rows[counted], item.kinds[counted]
    if not len(rows):
        return None
    originals = np.unique(cases.base[rows])
    name = f"{item.corpus} perturbed"
    right = answered_right(data, system, originals, partition)
    flips = _flips(data, rows)
    return PerturbationEntry(
        system=system.name,
        corpus=item.corpus,
        made_by=item.made_by,
        partition=str(partition),
        premise_free=system.premise != FULL_PREMISE,
        originals=len(originals),
        groups=len(np.unique(cases.group[originals])),
        original=set_score(data, system, originals, clusters(data, originals), right, partition, f"{name} original"),
        effects=[
            _effect(data, system, rows[flips == (effect == "flipped")], effect, partition, f"{name} {effect}")
            for effect in EFFECTS
            if (flips == (effect == "flipped")).any()
        ],
        kinds=list(_by_kind(data, system, rows, kinds, partition)),
        twins=list(_twins(data, system, rows, partition)),
        likely=list(_likely(data, system, item.rows[asked & cases.wanted(LIKELY)[item.rows]], partition)),
    )


def _flips(data: RunData, rows: Rows) -> Marks:
    flips: Marks = data.cases.gold[rows] != data.cases.gold[data.cases.base[rows]]
    return flips


def clusters(data: RunData, rows: Rows) -> Rows:
    """Number the groups of some cases from 0."""
    import numpy as np

    numbers: Rows = np.unique(data.cases.group[rows], return_inverse=True)[1].astype(np.int64)
    return numbers


def _effect(
    data: RunData, system: SystemAnswers, rows: Rows, effect: Effect, partition: Partition, name: str
) -> PerturbedScore:
    import numpy as np

    base, groups = data.cases.base[rows], clusters(data, rows)
    before, after = (answered_right(data, system, of, partition) for of in (base, rows))
    change = drop(before, after, groups)
    assert change is not None
    return PerturbedScore(
        effect=effect,
        n=len(rows),
        originals=len(np.unique(base)),
        groups=int(groups.max()) + 1,
        score=set_score(data, system, rows, groups, after, partition, name),
        difference=change.difference,
        difference_ci95=ends(change.interval),
        p=change.p,
    )


def _by_kind(
    data: RunData, system: SystemAnswers, rows: Rows, kinds: NDArray[np.object_], partition: Partition
) -> Iterator[KindScore]:
    flips = _flips(data, rows)
    for kind in sorted(set(kinds.tolist())):
        for effect in EFFECTS:
            chosen = rows[(kinds == kind) & (flips == (effect == "flipped"))]
            if len(chosen):
                right = answered_right(data, system, chosen, partition)
                yield KindScore(
                    kind=kind,
                    effect=effect,
                    n=len(chosen),
                    correct=int(right.sum()),
                    accuracy=float(right.mean()),
                    ci95=ends(share_interval(right, clusters(data, chosen))),
                    constant=best_constant(data.cases.gold[chosen], partition),
                )


def _twins(data: RunData, system: SystemAnswers, rows: Rows, partition: Partition) -> Iterator[Twin]:
    """Yield the gaps to each system of the run that does not see the premise; for such a system itself, nothing."""
    import numpy as np

    if system.premise != FULL_PREMISE:
        return
    for control in data.systems:
        if control.premise == FULL_PREMISE:
            continue
        shared = partition.join(control.partition)
        both = rows[control.asked(rows) & control.asked(data.cases.base[rows])]
        if not len(both):
            continue
        flips = _flips(data, both)
        sets: tuple[tuple[Literal["original", "preserved", "flipped"], Rows], ...] = (
            ("original", np.unique(data.cases.base[both])),
            ("preserved", both[~flips]),
            ("flipped", both[flips]),
        )
        gaps = [_gap(data, system, control, name, chosen, shared) for name, chosen in sets if len(chosen)]
        yield Twin(control=control.name, gaps=gaps)


def _gap(
    data: RunData,
    system: SystemAnswers,
    control: SystemAnswers,
    name: Literal["original", "preserved", "flipped"],
    rows: Rows,
    partition: Partition,
) -> TwinGap:
    ours, theirs = (answered_right(data, who, rows, partition) for who in (system, control))
    gap = float(ours.mean() - theirs.mean())
    return TwinGap(set=name, n=len(rows), gap=gap, ci95=difference_ends(ours, theirs, clusters(data, rows)))


def _likely(data: RunData, system: SystemAnswers, rows: Rows, partition: Partition) -> Iterator[LikelyPerturbations]:
    flips = _flips(data, rows)
    for effect in EFFECTS:
        chosen = rows[flips == (effect == "flipped")]
        if len(chosen):
            share = float(answered_right(data, system, chosen, partition).mean())
            yield LikelyPerturbations(effect=effect, n=len(chosen), accuracy=share)
