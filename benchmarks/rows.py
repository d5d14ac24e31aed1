"""Cases per second of all probes of rows over InfoTabS α1–α3, with ids, after loading.

The naive way copies the table for each case, edits the copy and hashes it as JSON; it checks nothing and draws once.
"""

from __future__ import annotations

import copy
import hashlib
import json
import random
import resource
import statistics
import time
from typing import NamedTuple

from measure import corpora, report
from nliprobe.api.sources import open_source
from nliprobe.probes.suite import build_probe
from nliprobe.task.case import Case
from nliprobe.task.pair import Pair
from nliprobe.task.source import Pool
from nliprobe.task.table import Table

SPLITS = ("alpha1", "alpha2", "alpha3")
SPECS = ("rows.delete", "rows.insert", "rows.update", "rows.permute", "rows.compose")
REPEATS = 7


class Loaded(NamedTuple):
    pairs: list[Pair]
    pool: Pool


def ours(data: list[Loaded], specs: tuple[str, ...] = SPECS) -> int:
    count = 0
    for pairs, pool in data:
        probes = [build_probe(spec) for spec in specs]
        for pair in pairs:
            for probe in probes:
                for case in probe.cases(pair, pool):
                    count += isinstance(case, Case)
    return count


def naive(data: list[Loaded]) -> int:
    count = 0
    for pairs, pool in data:
        tables = [as_dict(table) for table in pool.tables.values()]
        for pair in pairs:
            assert isinstance(pair.premise, Table)
            table = as_dict(pair.premise)
            draws = random.Random(f"0/naive/{pair.id}")
            for key in table:
                edited = copy.deepcopy(table)
                del edited[key]
                count += hashed(pair, edited)
            for kind in ("insert", "update", "permute", "compose"):
                edited = copy.deepcopy(table)
                key, values = draws.choice(list(draws.choice(tables).items()))
                if kind == "compose":
                    del edited[draws.choice(list(edited))]
                if kind in ("insert", "compose"):
                    edited[key] = list(values)
                if kind == "update":
                    edited[draws.choice(list(edited))][0] = values[0]
                if kind == "permute":
                    items = list(edited.items())
                    draws.shuffle(items)
                    edited = dict(items)
                count += hashed(pair, edited)
    return count


def as_dict(table: Table) -> dict[str, list[str]]:
    return {"title": [table.title]} | {row.key: list(row.values) or [""] for row in table.rows}


def hashed(pair: Pair, table: dict[str, list[str]]) -> bool:
    return bool(hashlib.sha256(json.dumps([pair.id, table, pair.hypothesis]).encode()).hexdigest())


def peak_mb() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def main() -> None:
    root = corpora()
    if root is None:
        print("rows: NLIPROBE_DATA has no InfoTabS; skipped")
        return
    sources = [open_source(f"infotabs/{split}", root) for split in SPLITS]
    data = [Loaded(list(source.pairs()), Pool.of(source)) for source in sources]
    loaded = peak_mb()
    count = ours(data)
    first = peak_mb()
    # Both ways take turns, and processor time is measured, because other programs may be running.
    seconds: dict[str, list[float]] = {"ours": [], "naive": [], **{spec: [] for spec in SPECS}}
    counts: dict[str, int] = {}
    for _ in range(REPEATS):
        for name, times in seconds.items():
            start = time.process_time()
            counts[name] = naive(data) if name == "naive" else ours(data, SPECS if name == "ours" else (name,))
            times.append(time.process_time() - start)
    assert counts["ours"] == count
    speed = {name: counts[name] / statistics.median(times) for name, times in seconds.items()}
    report(
        "rows",
        {
            "cases": count,
            "ours_per_second": speed["ours"],
            "best_per_second": count / min(seconds["ours"]),
            "naive_per_second": speed["naive"],
            "ratio": speed["ours"] / speed["naive"],
            "per_second_by_probe": {spec: speed[spec] for spec in SPECS},
            "peak_mb_after_loading": loaded,
            "peak_mb_after_first_pass": first,
            "peak_mb_after_all_passes": peak_mb(),
            "must": {"ours_per_second": 100_000},
        },
    )


if __name__ == "__main__":
    main()
