"""A complete run again: in its folder, in a new folder with all answers cached; and memory at ten times the size."""

from __future__ import annotations

import json
import shutil
import statistics
import tempfile
from pathlib import Path

from measure import corpora, median_of, nliprobe, report, run_process

ON = "infotabs/dev,infotabs/alpha1,infotabs/alpha2,infotabs/alpha3"
SMALL, LARGE = "gold,rows.delete,rows.permute?n=3", "gold,rows.delete,rows.permute?n=135"
REPEATS = 5


def main() -> None:
    root = corpora()
    if root is None:
        print("rerun: NLIPROBE_DATA has no InfoTabS; skipped")
        return
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        env = {"NLIPROBE_CACHE": str(folder / "cache"), "NLIPROBE_DATA": str(root)}

        def run(out: str, probes: str = SMALL) -> list[str]:
            return nliprobe(
                *("run", "--quiet", "--system", "svm?represent=para", "--train", "infotabs/train", "--on", ON),
                *("--probes", probes, "--out", str(folder / out)),
            )

        first = run_process(run("first"), env)
        cases = json.loads((folder / "first" / "run.json").read_text(encoding="utf-8"))["counts"]["cases"]
        same = median_of(lambda: run_process(run("first"), env), REPEATS)
        # In turn, so that both meet the same machine: the cases of the suite are kept, or must be made again.
        warm, remade = [], []
        for place in range(REPEATS):
            warm.append(run_process(run(f"warm{place}"), env))
            shutil.rmtree(folder / "cache" / "suites")
            remade.append(run_process(run(f"remade{place}"), env))
        # Memory is that of asking: the trained model is kept, the answers are not.
        for size in ("small", "large"):
            shutil.copytree(folder / "cache" / "models", folder / f"cache-{size}" / "models")
        cold_small = run_process(run("memory"), {**env, "NLIPROBE_CACHE": str(folder / "cache-small")})
        cold_large = run_process(run("large", LARGE), {**env, "NLIPROBE_CACHE": str(folder / "cache-large")})
        large = json.loads((folder / "large" / "run.json").read_text(encoding="utf-8"))["counts"]["cases"]
    report(
        "rerun",
        {
            "cases": cases,
            "first_seconds_with_training": first.seconds,
            "same_folder_seconds": same,
            "warm_cache_seconds": statistics.median(done.seconds for done in warm),
            "warm_cache_cpu_seconds": statistics.median(done.cpu_seconds for done in warm),
            "warm_cache_all_seconds": [done.seconds for done in warm],
            "cases_made_again_seconds": statistics.median(done.seconds for done in remade),
            "cases_made_again_cpu_seconds": statistics.median(done.cpu_seconds for done in remade),
            "speedup_same_folder": first.seconds / same,
            "peak_mb": cold_small.peak_mb,
            "large_cases": large,
            "seconds_without_training": cold_small.seconds,
            "large_seconds": cold_large.seconds,
            "large_peak_mb": cold_large.peak_mb,
            "memory_ratio": cold_large.peak_mb / cold_small.peak_mb,
            "must": {"same_folder_seconds": 1, "warm_cache_seconds": 2, "memory_ratio": 1.5},
        },
    )


if __name__ == "__main__":
    main()
