"""The report of a run of 100 k cases: how long it takes to write, and to open in a browser."""

from __future__ import annotations

import tempfile
from pathlib import Path

from measure import corpora, median_of, nliprobe, report, run_process
from page import measure_page

ON = "infotabs/dev,infotabs/alpha1,infotabs/alpha2,infotabs/alpha3"
REPEATS = 3


def main() -> None:
    root = corpora()
    if root is None:
        print("report: NLIPROBE_DATA has no InfoTabS; skipped")
        return
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        env = {"NLIPROBE_CACHE": str(folder / "cache"), "NLIPROBE_DATA": str(root)}
        systems = ("--system", "svm?represent=para", "--system", "svm?premise=none", "--train", "infotabs/train")
        run_process(
            nliprobe(
                *("run", "--quiet", *systems, "--on", ON, "--probes", "gold,rows.delete,rows.permute?n=4"),
                *("--out", str(folder / "run")),
            ),
            env,
        )
        page = folder / "report.html"
        written = median_of(lambda: run_process(nliprobe("report", str(folder / "run"), "-o", str(page)), env), REPEATS)
        shown = median_of(lambda: run_process(nliprobe("show", str(folder / "run"), "--format", "json"), env), REPEATS)
        report(
            "report",
            {
                "write_seconds": written,
                "show_seconds": shown,
                "ratio_to_show": written / shown,
                "bytes": page.stat().st_size,
                **measure_page(page),
                "must": {"write_seconds": 10, "open_seconds": 2},
            },
        )


if __name__ == "__main__":
    main()
