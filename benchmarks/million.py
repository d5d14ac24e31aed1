"""Two runs of a million cases: their report, its page in a browser, and their comparison.

``python benchmarks/million.py FOLDER`` keeps the runs in a folder, so that measuring again does not make them again.
One of the systems answers at random, so that it fails as often as can be: the report has to choose among hundreds of
thousands of failing cases.
"""

from __future__ import annotations

import sys
from pathlib import Path

from measure import Finished, in_folder, nliprobe, report, run_process
from page import measure_page

SPLITS = ("train", "dev", "alpha1", "alpha2", "alpha3")
PROBES = "gold,rows.delete,rows.permute?n=20,rows.insert?n=8,rows.update?n=8"
# Answers that look random but are the same in every process, with probabilities.
MODEL = """
from zlib import crc32

def answer(salt):
    def predict(pairs):
        answers = []
        for premise, hypothesis in pairs:
            drawn = crc32((salt + hypothesis + premise).encode())
            share = 0.4 + drawn % 1000 / 2000
            rest = (1 - share) * (drawn // 1000 % 100) / 100
            shares = [share, rest, 1 - share - rest]
            turn = drawn % 3
            answers.append(shares[turn:] + shares[:turn])
        return answers
    return predict

one, other = answer("one"), answer("other")
"""
# The status of a gate that fails, as the random answers of one run should when the other run is the baseline.
GATE_FAILED = 3
LABELS = "labels=entailment,neutral,contradiction"


def main(folder: Path | None = None) -> None:
    in_folder("million", folder, measure)


def measure(folder: Path, root: Path) -> None:
    env = {"NLIPROBE_CACHE": str(folder / "cache"), "NLIPROBE_DATA": str(root)}
    runs = [make_run(folder, name, env) for name in ("one", "other")]
    page, compared = folder / "report.html", folder / "compare.html"
    work = {
        "report": ("report", runs[0], "-o", str(page)),
        "compare_two": ("compare", *runs, "--left", "one", "--right", "other", "-o", str(compared)),
        "compare_four": ("compare", *runs, "-o", str(compared)),
        "gate": ("gate", runs[1], "--system", "other", "--baseline", runs[0], "--baseline-system", "one"),
        "show": ("show", runs[0]),
        "watch": ("watch", runs[0], "--once"),
        "ls": ("ls", "runs", str(folder)),
    }
    done = {name: run_process(nliprobe(*words), env, fine=(0, GATE_FAILED)) for name, words in work.items()}
    report(
        "million",
        {
            "cases": count_cases(Path(runs[0])),
            **{name: numbers(finished) for name, finished in done.items()},
            "ratio_of_report_to_show": done["report"].cpu_seconds / done["show"].cpu_seconds,
            "page_bytes": page.stat().st_size,
            **measure_page(page),
            "must": {
                "report": {"seconds": 20, "peak_mb": 1500},
                "compare_two": {"seconds": 15},
                "open_seconds": 2,
                "page_bytes": 20_000_000,
            },
        },
    )


def make_run(folder: Path, name: str, env: dict[str, str]) -> str:
    """Run an SVM and the random answers on all of InfoTabS; a run that is complete costs nothing."""
    model, path = folder / "answers.py", folder / name
    model.write_text(MODEL, encoding="utf-8")
    systems = (f"python:{model}:{name}?name={name}&{LABELS}&represent=para", f"svm?represent=para&name=svm-{name}")
    run_process(
        nliprobe(
            *("run", "--quiet", "--no-doctor", "--train", "infotabs/train"),
            *(word for system in systems for word in ("--system", system)),
            *("--on", ",".join(f"infotabs/{split}" for split in SPLITS), "--probes", PROBES, "--out", str(path)),
        ),
        env,
    )
    return str(path)


def count_cases(run: Path) -> int:
    from nliprobe.store.run import RunFolder

    counts = RunFolder.open(run).record.counts
    assert counts is not None
    return counts.cases


def numbers(finished: Finished) -> dict[str, float]:
    """Wall time depends on what else the machine does; processor time hardly."""
    return {
        "seconds": round(finished.seconds, 2),
        "cpu_seconds": round(finished.cpu_seconds, 2),
        "peak_mb": round(finished.peak_mb),
    }


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve() if len(sys.argv) > 1 else None)
