"""Pairs and cases of a run, for people to judge: all pairs, or those on which systems differ or fail."""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING

from nliprobe.base.errors import DataError
from nliprobe.corpora.held import HeldPairs
from nliprobe.store.run import RunFolder
from nliprobe.task.edits import apply_edits, edits_from_json
from nliprobe.task.labels import LabelSet
from nliprobe.task.pair import Pair, Premise
from nliprobe.task.table import Table

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from nliprobe.analysis.cases import RunData


class RunChoice(StrEnum):
    """Which of a run's pairs and cases people get to see."""

    PAIRS = "pairs"  # every pair as its corpus has it
    DISAGREE = "disagree"  # pairs about which two systems that read the premise say different things
    WRONG = "wrong"  # pairs that some system answers otherwise than their gold label says
    BROKEN = "broken"  # edited cases whose expectation some system breaks


_NONE = {
    RunChoice.PAIRS: "it has no pair that was asked as it is",
    RunChoice.DISAGREE: "no two of its systems differ on a pair; systems that do not read the premise are not compared",
    RunChoice.WRONG: "its systems answer every pair as the gold label says",
    RunChoice.BROKEN: "no expectation is broken in it",
}


def run_pairs(folder: Path, choice: RunChoice) -> HeldPairs:
    """Return pairs of a run as a corpus in memory.

    An edited case is a pair with the id of the case, its premise and hypothesis after the edit, and the gold label of
    the case, if it has one.

    Args:
        folder: the folder of the run.
        choice: which of them.

    Raises:
        DataError: there are none.
    """
    from nliprobe.analysis.cases import read_run

    run = RunFolder.open(folder)
    data = read_run(run)
    rows = _rows(data, choice)
    if not len(rows):
        raise DataError(f"The run {folder.name} has nothing to judge here: {_NONE[choice]}.")
    chosen = data.cases.ids.gather(rows).to_list()
    return HeldPairs.of_pairs(f"{folder.name} ({choice.value})", list(_pairs(run, chosen)))


def _rows(data: RunData, choice: RunChoice) -> NDArray[np.int64]:
    import numpy as np

    from nliprobe.analysis.broken import broken_cases
    from nliprobe.analysis.cases import NOT_ASKED
    from nliprobe.analysis.controls import is_control
    from nliprobe.task.outcomes import coarse_masks

    readers = [system for system in data.systems if not is_control(data, system)]
    as_they_are = data.cases.as_they_are
    if choice is RunChoice.PAIRS:
        return np.flatnonzero(as_they_are)
    if choice is RunChoice.DISAGREE:
        differ = np.zeros(len(as_they_are), dtype=bool)
        for place, one in enumerate(readers):
            for other in readers[:place]:
                coarse = coarse_masks(one.partition.join(other.partition))
                both = np.ones(len(differ), dtype=bool)
                for answers in (one.answers, other.answers):
                    both &= (answers != NOT_ASKED) & (answers != 0)
                first, second = (np.where(both, system.answers, 0) for system in (one, other))
                differ |= both & (coarse[first] != coarse[second])
        return np.flatnonzero(differ & as_they_are)
    found = np.zeros(len(as_they_are), dtype=bool)
    for system in readers:
        failed = broken_cases(data, system)
        found[failed.rows[failed.wrong if choice is RunChoice.WRONG else failed.unmet]] = True
    return np.flatnonzero(found)


def _pairs(run: RunFolder, chosen: list[str]) -> Iterator[Pair]:
    import polars as pl

    columns = ["case_id", "pair_id", "probe", "gold", "edits"]
    rows = run.read("cases", columns).filter(pl.col("case_id").is_in(pl.Series(chosen, dtype=pl.String).implode()))
    wanted = rows.select("pair_id").unique()
    names = ["pair_id", "kind", "premise", "hypothesis", "gold", "group"]
    sources = {
        row["pair_id"]: row
        for row in run.read("pairs", names).join(wanted, on="pair_id", how="semi").iter_rows(named=True)
    }
    for row in rows.iter_rows(named=True):
        pair = sources[row["pair_id"]]
        premise: Premise = Table.from_json(pair["premise"]) if pair["kind"] == "table" else pair["premise"] or ""
        hypothesis = pair["hypothesis"] or ""
        if row["edits"]:
            premise, hypothesis = apply_edits(premise, hypothesis, edits_from_json(row["edits"]))
        edited = bool(row["edits"])
        gold = row["gold"] if edited else row["gold"] or pair["gold"]
        id_ = row["case_id"] if edited else row["pair_id"]
        yield Pair(id_, premise, hypothesis, LabelSet.of(gold) if gold else None, pair["group"] or row["pair_id"])
