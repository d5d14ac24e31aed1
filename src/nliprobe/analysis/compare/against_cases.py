"""The cases that speak against a run in a gate, a few for each failed check, for people to read."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from nliprobe.analysis.cases import RunData
from nliprobe.analysis.compare.baseline import Compared
from nliprobe.analysis.compare.contract_checks import Decided
from nliprobe.analysis.failures import Failure, describe_cases

if TYPE_CHECKING:
    import polars as pl

    from nliprobe.store.run import RunFolder

# Judged by what is expected of an answer, not by the gold label of its case.
_EXPECTED = ("prohibited", "broken", "changed", "holds")


def add_cases(
    run: RunFolder,
    system: str,
    data: RunData,
    decided: Sequence[Decided],
    compared: Sequence[Compared],
    most: int,
) -> None:
    """Give every failed check some cases: wrong or forbidden answers, and against a baseline those that got worse.

    Case ids are hashes, so the first ones in their order are a random sample.
    """
    import polars as pl

    for item in decided:
        if not item.document["passed"]:
            ids = data.cases.ids.gather(item.measured.measure.against)
            item.document["cases"] = _described(run, system, data, ids, most, item.measured.check.metric)
    for check, entry in compared:
        if entry is not None and not check["passed"]:
            ids = pl.Series([flip["case_id"] for flip in entry["broken_examples"]], dtype=pl.String)
            check["cases"] = _described(run, system, data, ids, most, str(check["metric"]))


def _described(run: RunFolder, system: str, data: RunData, ids: pl.Series, most: int, metric: str) -> list[Failure]:
    chosen = ids.sort().head(most)
    if chosen.is_empty():
        return []
    return describe_cases(run, data, system, chosen, by_gold=metric not in _EXPECTED)
