"""Cases a second: every single-row deletion of InfoTabS dev and α1–α3 with ids and ``para`` inputs.

The naive way rebuilds the table and all its sentences for each case and makes no ids.
"""

from __future__ import annotations

import time

from measure import corpora, median_of, report
from nliprobe.api.sources import open_source
from nliprobe.probes.suite import build_probe
from nliprobe.represent.controls import Control
from nliprobe.represent.para import Para
from nliprobe.represent.reader import Reader, build_representation
from nliprobe.task.case import Case
from nliprobe.task.pair import Pair
from nliprobe.task.table import Table

SPLITS = ("dev", "alpha1", "alpha2", "alpha3")
REPEATS = 5


def naive(pairs: list[Pair]) -> int:
    count = 0
    sentences = Para()
    for pair in pairs:
        table = pair.premise
        assert isinstance(table, Table)
        for index in range(len(table.rows)):
            edited = {row.key: row for place, row in enumerate(table.rows) if place != index}
            text = " ".join(sentences.row(row, table.title, ()) for row in edited.values())
            _ = (text, pair.hypothesis)
            count += 1
    return count


def ours(pairs: list[Pair]) -> int:
    probe = build_probe("rows.delete")
    reader = Reader(build_representation("para"), Control.FULL, seed=0, keyed=False)
    count = 0
    for pair in pairs:
        for case in probe.cases(pair, None):
            assert isinstance(case, Case)
            reader.read(case)
            count += 1
    return count


def main() -> None:
    root = corpora()
    if root is None:
        print("cases: NLIPROBE_DATA has no InfoTabS; skipped")
        return
    start = time.perf_counter()
    pairs = [pair for split in SPLITS for pair in open_source(f"infotabs/{split}", root).pairs()]
    loading = time.perf_counter() - start
    count = ours(pairs)
    assert count == naive(pairs) == 70_893
    fast, slow = median_of(lambda: ours(pairs), REPEATS), median_of(lambda: naive(pairs), REPEATS)
    report(
        "cases",
        {
            "cases": count,
            "loading_seconds": loading,
            "ours_per_second": count / fast,
            "naive_per_second": count / slow,
            "ratio": slow / fast,
            "must": {"ours_per_second": 60_000},
        },
    )


if __name__ == "__main__":
    main()
