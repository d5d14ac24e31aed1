"""Knowledge bias: how much better a system answers about what is real than about the same with invented names.

Twins are two pairs with the same facet ``twin``: a table of something real with its hypothesis, and the same table with
a title and names that exist nowhere (tables.md, T9). Everything that decides is the same in both, so a difference shows
what a system knows, or thinks it knows, about the names.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING, NamedTuple

from nliprobe.analysis.cases import DEFAULT_CERTAINTY, RunData, SystemAnswers, gold_labels
from nliprobe.analysis.constant import best_constant
from nliprobe.analysis.controls import best_control
from nliprobe.analysis.knowledge_documents import KnowledgeControl, KnowledgeEntry, TwinOutcomes
from nliprobe.analysis.outcomes import answered_right
from nliprobe.analysis.scores import difference_ends, rate_of
from nliprobe.task.case import Certainty
from nliprobe.task.labels import Partition

if TYPE_CHECKING:
    import numpy as np
    import polars as pl
    from numpy.typing import NDArray

    from nliprobe.store.run import RunFolder

TWIN, WORLD = "twin", "world"
REAL, FICTIONAL = "real", "fictional"


class Twins(NamedTuple):
    """The twins of one corpus.

    Attributes:
        corpus: the corpus.
        real: the rows of the cases that ask the real pairs as they are.
        fictional: the rows of their twins, in the same order.
        clusters: for each twin the number of the real pair's group.
        left_out: how many real or fictional pairs have no other half, or one with another label.
    """

    corpus: str
    real: NDArray[np.int64]
    fictional: NDArray[np.int64]
    clusters: NDArray[np.int64]
    left_out: int

    def where(self, chosen: NDArray[np.bool_]) -> Twins:
        """Return some of the twins, given a mark per twin."""
        return self._replace(real=self.real[chosen], fictional=self.fictional[chosen], clusters=self.clusters[chosen])


def knowledge(
    run: RunFolder, data: RunData, *, certainty: Collection[Certainty] = DEFAULT_CERTAINTY
) -> list[KnowledgeEntry]:
    """Compare the answers to real pairs with those to their fictional twins, for every system that was asked both.

    Args:
        run: the run folder.
        data: the run.
        certainty: which cases count.
    """
    twins = find_twins(run, data, certainty=certainty)
    entries = (_entry(data, system, item) for system in data.systems for item in twins)
    return [entry for entry in entries if entry is not None]


def find_twins(run: RunFolder, data: RunData, *, certainty: Collection[Certainty] = DEFAULT_CERTAINTY) -> list[Twins]:
    """Find the real and fictional pairs of each corpus that belong together; corpora without any are left out."""
    import numpy as np
    import polars as pl

    facets = run.read("facets", ["pair_id", "case_id", "name", "value"])
    facets = facets.filter(pl.col("case_id").is_null() & pl.col("name").is_in([TWIN, WORLD]))
    if not (facets["name"] == TWIN).any():
        return []
    cases = data.cases
    rows = np.flatnonzero(cases.as_they_are & cases.wanted(certainty) & (cases.gold != 0))
    asked = pl.DataFrame(
        {"pair": cases.pair[rows], "row": rows, "corpus": cases.corpus[rows], "gold": cases.gold[rows]}
    )
    numbers = run.read("pairs", ["pair_id"]).with_row_index("pair").with_columns(pl.col("pair").cast(pl.Int64))
    known = {
        name: facets.filter(pl.col("name") == name).select("pair_id", pl.col("value").alias(name)).unique()
        for name in (TWIN, WORLD)
    }
    halves = known[TWIN].join(known[WORLD], on="pair_id").join(numbers, on="pair_id").join(asked, on="pair")
    real, fictional = (_halves(halves.filter(pl.col(WORLD) == world)) for world in (REAL, FICTIONAL))
    # A name that occurs twice in one world, or whose halves have different labels, makes no twin.
    both = real.join(fictional, on=["corpus", TWIN, "gold"], suffix="_twin").sort("row")
    twins: list[Twins] = []
    for number, corpus in enumerate(cases.corpora):
        own = both.filter(pl.col("corpus") == number)
        if len(own):
            rows = own["row"].to_numpy().astype(np.int64)
            _, clusters = np.unique(cases.group[rows], return_inverse=True)
            of_corpus = int((halves["corpus"] == number).sum())
            others = own["row_twin"].to_numpy().astype(np.int64)
            twins.append(Twins(corpus, rows, others, clusters.astype(np.int64), of_corpus - 2 * len(own)))
    return twins


def _halves(frame: pl.DataFrame) -> pl.DataFrame:
    """Return the halves of twins of one world that occur once."""
    import polars as pl

    return frame.filter(pl.len().over("corpus", TWIN) == 1).select("corpus", TWIN, "gold", "row")


def _entry(data: RunData, system: SystemAnswers, twins: Twins) -> KnowledgeEntry | None:
    import numpy as np

    from nliprobe.stats.grouped import group_sums
    from nliprobe.stats.sign_flip import sign_flip_p

    twins = twins.where(system.asked(twins.real) & system.asked(twins.fictional))
    n = len(twins.real)
    if not n:
        return None
    partition = gold_labels(data.partitions[twins.corpus], system.partition)
    real, fictional = (answered_right(data, system, rows, partition) for rows in (twins.real, twins.fictional))
    sums, _ = group_sums(real.astype(np.int64) - fictional.astype(np.int64), twins.clusters)
    return KnowledgeEntry(
        system=system.name,
        corpus=twins.corpus,
        partition=str(partition),
        n=n,
        groups=len(np.unique(twins.clusters)),
        left_out=twins.left_out,
        unanswered=int(((system.answers[twins.real] == 0) | (system.answers[twins.fictional] == 0)).sum()),
        real=rate_of(real, twins.clusters),
        fictional=rate_of(fictional, twins.clusters),
        bias=int(sums.sum()) / n,
        bias_ci95=difference_ends(real, fictional, twins.clusters),
        p=sign_flip_p(sums),
        outcomes=TwinOutcomes(
            both=int((real & fictional).sum()),
            real=int((real & ~fictional).sum()),
            fictional=int((~real & fictional).sum()),
            neither=int((~real & ~fictional).sum()),
        ),
        constant=best_constant(data.cases.gold[twins.real], partition),
        chance=1 / len(partition.blocks),
        control=_control(data, system, twins, partition),
    )


def _control(data: RunData, system: SystemAnswers, twins: Twins, partition: Partition) -> KnowledgeControl | None:
    """Return the control that is right most often on the same twins, in the labels that the system tells apart."""

    def share(control: SystemAnswers) -> float | None:
        common = gold_labels(data.partitions[twins.corpus], system.partition.join(control.partition))
        asked = control.asked(twins.real) & control.asked(twins.fictional)
        if common != partition or not asked.all():
            return None
        right = [answered_right(data, control, rows, partition) for rows in (twins.real, twins.fictional)]
        return float(sum(marks.mean() for marks in right) / 2)

    best = best_control(data, system, share)
    if best is None:
        return None
    real, fictional = (answered_right(data, best[0], rows, partition) for rows in (twins.real, twins.fictional))
    return KnowledgeControl(
        system=best[0].name,
        real=float(real.mean()),
        fictional=float(fictional.mean()),
        bias=(int(real.sum()) - int(fictional.sum())) / len(real),
        bias_ci95=difference_ends(real, fictional, twins.clusters),
    )
