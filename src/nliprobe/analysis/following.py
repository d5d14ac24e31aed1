"""Following an edit: pairs that were made from other pairs, and whether the answer goes where the label goes.

A corpus of edits (SummEdits, counterfactually revised pairs) has pairs with a base and a gold label on both sides. An
edit that changes the label is followed if both answers are right; a system that does not read what was edited can at
best be right once.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import TYPE_CHECKING, NamedTuple

from nliprobe.analysis.cases import DEFAULT_CERTAINTY, NONE, RunData, Slice, SystemAnswers, gold_labels
from nliprobe.analysis.controls import controls
from nliprobe.analysis.following_documents import Followed, FollowedFacet, FollowingEntry, Outcomes
from nliprobe.analysis.outcomes import answered_right
from nliprobe.analysis.rates import Ends
from nliprobe.analysis.scores import ends, rate_of
from nliprobe.analysis.slices import asked_slices
from nliprobe.task.case import IDENTITY, Certainty
from nliprobe.task.labels import Partition
from nliprobe.task.outcomes import coarse_masks

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from nliprobe.store.run import RunFolder

# A facet with more values than this does not sort edits into kinds.
_MOST_VALUES = 20


class _Rival(NamedTuple):
    """A control, how often both of its answers are right, and how far the system is above it."""

    name: str | None
    rate: float
    gain: float | None
    ends: Ends


_NO_RIVAL = _Rival(None, 0.0, None, None)


class EditFacet(NamedTuple):
    """One value of a facet that only edited pairs have, and the pairs that have it."""

    name: str
    value: str
    pairs: NDArray[np.int64]


def following(
    data: RunData,
    facets: Mapping[str, Collection[EditFacet]],
    *,
    certainty: Collection[Certainty] = DEFAULT_CERTAINTY,
) -> list[FollowingEntry]:
    """Compute how often answers follow edits, for every system and every corpus with pairs made from others.

    Args:
        data: the run.
        facets: what is known about the edits, by corpus; see :func:`edit_facets`.
        certainty: which cases count.
    """
    import numpy as np

    cases = data.cases
    wanted = cases.wanted(certainty)
    entries: list[FollowingEntry] = []
    for item in asked_slices(data, cases.base != NONE, with_bases=True):
        if item.part.probe != IDENTITY:
            continue
        part = item.part.where(item.asked & wanted[item.part.rows])
        system, corpus = item.system, part.corpus
        partition = gold_labels(data.partitions[corpus], system.partition)
        block = np.isin(coarse_masks(partition), [labels.mask for labels in partition.blocks])
        single = block[cases.gold]
        labelled = part.where(single[part.rows] & single[cases.base[part.rows]])
        if not len(labelled.rows):
            continue
        blind = [other for other in controls(data) if other is not system]
        entries.append(
            FollowingEntry(
                system=system.name,
                corpus=corpus,
                partition=str(partition),
                n=len(labelled.rows),
                unlabelled=len(part.rows) - len(labelled.rows),
                changes=_followed(data, system, blind, labelled, partition, changes=True),
                keeps=_followed(data, system, blind, labelled, partition, changes=False),
                by=[
                    FollowedFacet(
                        facet=facet.name,
                        value=facet.value,
                        changes=_followed(data, system, blind, same, partition, changes=True),
                        keeps=_followed(data, system, blind, same, partition, changes=False),
                    )
                    for facet in facets.get(corpus, ())
                    if len((same := labelled.where(np.isin(cases.pair[labelled.rows], facet.pairs))).rows)
                ],
            )
        )
    return entries


def edit_facets(run: RunFolder, data: RunData) -> dict[str, list[EditFacet]]:
    """Return the facets that say what was edited: those of edited pairs that no base of the same corpus has."""
    import numpy as np
    import polars as pl

    cases = data.cases
    derived = np.flatnonzero(cases.base != NONE)
    derived = derived[cases.as_they_are[derived]]
    if not len(derived):
        return {}
    pairs = run.read("pairs", ["pair_id"]).with_row_index("pair")
    facets = run.read("facets", ["pair_id", "case_id", "name", "value"]).filter(pl.col("case_id").is_null())
    facets = facets.select("pair_id", "name", "value").unique(maintain_order=True).join(pairs, on="pair_id")
    by_corpus: dict[str, list[EditFacet]] = {}
    for number, corpus in enumerate(cases.corpora):
        rows = derived[cases.corpus[derived] == number]
        edited, bases = cases.pair[rows], cases.pair[cases.base[rows]]
        of_bases = facets.filter(pl.col("pair").is_in(pl.Series(bases).implode()))["name"].unique()
        own = facets.filter(
            pl.col("pair").is_in(pl.Series(edited).implode()) & ~pl.col("name").is_in(of_bases.implode())
        )
        for (name,), values in own.group_by("name", maintain_order=True):
            kinds = values["value"].value_counts(sort=True)
            if len(kinds) > _MOST_VALUES:
                continue
            for value in kinds["value"].to_list():
                members = values.filter(pl.col("value") == value)["pair"].to_numpy().astype(np.int64)
                by_corpus.setdefault(corpus, []).append(EditFacet(str(name), value, members))
    return by_corpus


def _followed(
    data: RunData,
    system: SystemAnswers,
    blind: list[SystemAnswers],
    part: Slice,
    partition: Partition,
    *,
    changes: bool,
) -> Followed:
    import numpy as np

    cases, coarse = data.cases, coarse_masks(partition).astype(np.int64)
    part = part.where((coarse[cases.gold[part.rows]] != coarse[cases.gold[cases.base[part.rows]]]) == changes)
    rows, base = part.rows, cases.base[part.rows]
    before, after = answered_right(data, system, base, partition), answered_right(data, system, rows, partition)
    both = before & after
    rival = max(_rivals(data, system, blind, part, partition, both), key=lambda item: item.rate, default=_NO_RIVAL)
    return Followed(
        outcomes=Outcomes(
            both=int(both.sum()),
            before=int((before & ~after).sum()),
            after=int((~before & after).sum()),
            neither=int((~before & ~after).sum()),
        ),
        rate=rate_of(both, part.clusters),
        of_right=rate_of(both[before], part.clusters[before]),
        unanswered=int(((system.answers[rows] == 0) | (system.answers[base] == 0)).sum()),
        unreached=int(system.unchanged[rows].sum()),
        groups=len(np.unique(part.clusters)),
        constant=_constant(coarse[cases.gold[rows]], changes=changes),
        chance=1 / len(partition.blocks) ** 2,
        control=rival.name,
        control_rate=rival.rate if rival.name else None,
        gain=rival.gain,
        gain_ci95=rival.ends,
    )


def _rivals(
    data: RunData,
    system: SystemAnswers,
    blind: list[SystemAnswers],
    part: Slice,
    partition: Partition,
    both: NDArray[np.bool_],
) -> Iterator[_Rival]:
    """Compare a system with each control that tells the same labels apart, on the edits that both were asked."""
    import numpy as np

    from nliprobe.stats.grouped import group_sums, mean_difference_interval

    base = data.cases.base[part.rows]
    for control in blind:
        same = control.asked(part.rows) & control.asked(base)
        common = gold_labels(data.partitions[part.corpus], system.partition.join(control.partition))
        if not same.any() or common != partition:
            continue
        rows = part.rows[same]
        theirs = answered_right(data, control, base[same], partition) & answered_right(data, control, rows, partition)
        sums, sizes = group_sums(both[same].astype(np.int64) - theirs.astype(np.int64), part.clusters[same])
        gain = int(sums.sum()) / len(rows)
        yield _Rival(control.name, float(theirs.mean()), gain, ends(mean_difference_interval(sums, sizes)))


def _constant(gold: NDArray[np.int64], *, changes: bool) -> float | None:
    """Return what the best constant answer gets: nothing where the label changes, else the share of one label."""
    import numpy as np

    if not len(gold):
        return None
    return 0.0 if changes else float(np.bincount(gold).max() / len(gold))
