"""Peak memory and time of runs of 0.1, 1 and 10 million cases: asked, then again in a new folder from the cache.

Every case is a different input, so that nothing is saved by asking each once. Not part of ``make bench``: ten million
cases take five minutes of processor time, twice, and 2 GB of disk.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
from pathlib import Path

from measure import corpora, report, run_process

# Orders of rows per pair; a table with few rows has fewer. They make 0.10, 0.96 and 10.07 million cases.
ORDERS = {0.1: 14, 1: 139, 10: 1_800}


def one(folder: Path, orders: int) -> None:
    """Run in this process: read, index and finish as ``nliprobe run`` does; print the cases."""
    from engine_null import Null, run_suite
    from nliprobe.api.sources import open_source
    from nliprobe.probes.suite import Suite
    from nliprobe.store.record import Counts
    from nliprobe.store.run import RunFolder

    splits = ("dev", "alpha1", "alpha2", "alpha3")
    suite = Suite.build([open_source(f"infotabs/{split}") for split in splits], ["gold", f"rows.permute?n={orders}"])
    tally = run_suite(suite, Null(), folder, folder.parent / "cache")
    run = RunFolder.open(folder, writing=True)
    run.settle(Counts(tally.cases, tally.pairs, tally.shards), [])
    run.finish(run.systems[0], "")
    asked, reused = sum(tally.asked.values()), sum(tally.reused.values())
    (folder.parent / f"{folder.name}.json").write_text(json.dumps([tally.cases, asked, reused]), encoding="utf-8")


def measure(orders: int) -> dict[str, object]:
    """Run in a process of its own, cold and warm."""
    result: dict[str, object] = {}
    with tempfile.TemporaryDirectory() as name:
        for kind in ("asked", "cached"):
            folder = Path(name) / kind
            done = run_process([sys.executable, __file__, "--orders", str(orders), "--into", str(folder)])
            cases, asked, reused = json.loads((Path(name) / f"{kind}.json").read_text(encoding="utf-8"))
            result |= {"cases": cases}
            result[kind] = {
                "inputs_asked": asked,
                "inputs_reused": reused,
                "seconds": done.seconds,
                "cpu_seconds": done.cpu_seconds,
                "microseconds_per_case": done.seconds / cases * 1e6,
                "cpu_microseconds_per_case": done.cpu_seconds / cases * 1e6,
                "peak_mb": done.peak_mb,
            }
        result["disk_mb"] = sum(path.stat().st_size for path in Path(name).rglob("*") if path.is_file()) / 1e6
    return result


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--orders", type=int, help="run once, with this many orders of rows per pair")
    parser.add_argument("--into", type=Path, help="with --orders: the folder")
    parser.add_argument("--millions", type=float, nargs="*", choices=ORDERS, default=list(ORDERS))
    chosen = parser.parse_args()
    if corpora() is None:
        print("engine_memory: NLIPROBE_DATA has no InfoTabS; skipped")
        return
    if chosen.orders is not None:
        one(chosen.into, chosen.orders)
        return
    sizes = []
    for millions in chosen.millions:
        sizes.append(measure(ORDERS[millions]))
        report("engine_memory", {"load": os.getloadavg()[0], "sizes": sizes, "must": {"peak_mb": 2_000}})


if __name__ == "__main__":
    main()
