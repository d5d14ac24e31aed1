"""The swap evaluation of a run (swap, Table 1): a table per system and corpus, and what was found in the corpora."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nliprobe.analysis.cases import RunData, is_swap
from nliprobe.analysis.constant import best_constant
from nliprobe.analysis.controls import is_control
from nliprobe.analysis.swap.compared import Compared, best_rival, compared
from nliprobe.analysis.swap.consistency import consistency_row
from nliprobe.analysis.swap.documents import Swap, SwapEntry
from nliprobe.analysis.swap.doubtful import doubtful_cases, swapped_corpora
from nliprobe.analysis.swap.table import label_row
from nliprobe.analysis.swap.verdicts import keeps_label
from nliprobe.task.labels import N

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from nliprobe.store.run import RunFolder


def swap(run: RunFolder, data: RunData) -> Swap | None:
    """Compare the answers to pairs with those to the swapped pairs; None if the run does not swap.

    All cases count, certain or likely, because the table has a row per gold label.

    Args:
        run: the run folder.
        data: the run as analysis reads it.
    """
    probes = [probe.spec for probe in run.record.suite.probes] + list(data.cases.probes)
    if not any(map(is_swap, probes)):
        return None
    doubtful = doubtful_cases(run, data)
    entries = [_entry(data, pairs, doubtful) for pairs in compared(data)]
    return Swap(
        entries=[entry for entry in entries if entry["n"] or entry["unlabelled"]],
        corpora=swapped_corpora(run, data, doubtful),
    )


def _entry(data: RunData, pairs: Compared, doubtful: NDArray[np.bool_]) -> SwapEntry:
    best = best_constant(pairs.gold, pairs.partition)
    constant = None if best is None else best["label"]
    rival, control = best_rival(data, pairs), is_control(data, pairs.system)
    marked = doubtful[pairs.rows]
    rows = [
        label_row(pairs, block, constant=constant, rival=rival, control=control, doubtful=left_out)
        for block in pairs.partition.blocks
        for left_out in ((None, marked) if block == N and marked.any() else (None,))
    ]
    kept = [consistency_row(pairs, block, rival) for block in pairs.partition.blocks if keeps_label(block)]
    return SwapEntry(
        system=pairs.system.name,
        corpus=pairs.corpus,
        probe=pairs.probe,
        partition=str(pairs.partition),
        n=len(pairs.rows),
        unlabelled=pairs.unlabelled,
        constant=constant,
        labels=[row for row in rows if row is not None],
        consistency=[row for row in kept if row is not None],
    )
