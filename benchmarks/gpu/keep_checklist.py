"""Turn the answers of ``checklist_minilm.json`` into the answers to the checklist and to the cells that are shipped.

``python benchmarks/gpu/keep_checklist.py FOLDER RUNS ANSWERS`` unpacks ``FOLDER/*.tar`` (from ``job.py``), makes runs
``RUNS/checklist`` and ``RUNS/cells``, and writes ``nli``, ``hypothesis``, ``cells-nli`` and ``cells-hypothesis`` to
ANSWERS. NLIPROBE_DATA must name the corpora.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from keep import ENCODER, unpack

from nliprobe.papers.checklist._genders import ASKED
from nliprobe.papers.checklist.answers_file import PAPER, READINGS
from nliprobe.papers.checklist.write_answers import SUITE, Description, write_answers

PLAN = Path("benchmarks/gpu/checklist_minilm.json")
TRAIN = ("snli/train-100k", "multinli/train-20k")
SEEDS = (0, 1, 2)
# What the plan calls a network, what the package calls its answers, and the premise it reads.
SYSTEMS = {"nli": ("nli", "full"), "nli-hypothesis": ("hypothesis", "none")}


def run(answers: Path, asked: list[str], on: list[str], out: Path) -> None:
    """Make a run from the answers of every network to some suites."""
    words = [sys.executable, "-m", "nliprobe", "run", "--out", str(out), "--on", ",".join(on)]
    for name, (family, premise) in SYSTEMS.items():
        for seed in SEEDS:
            # Gzip files can be joined end to end.
            joined = answers / f"{out.name}-{family}-{seed}.jsonl.gz"
            joined.write_bytes(b"".join((answers / f"{name}-{kind}-{seed}.jsonl.gz").read_bytes() for kind in asked))
            spec = f"predictions:{joined}?labels=entailment,neutral,contradiction&family={family}&premise={premise}"
            words += ["--system", spec]
    subprocess.run(words, check=True)


def main(folder: Path, runs: Path, out: Path) -> None:
    """Make both runs and write the answers of both networks."""
    answers = unpack(folder, PLAN)
    about = Description(ENCODER, TRAIN, f"python benchmarks/gpu/job.py OUT SECONDS {PLAN}")
    run(
        answers,
        ["checklist", "bench"],
        [SUITE, PAPER, READINGS, "snli/dev", "multinli/dev-matched"],
        runs / "checklist",
    )
    run(answers, ["cells"], [ASKED], runs / "cells")
    for family, _ in SYSTEMS.values():
        print(write_answers(runs / "checklist", family, about, out), flush=True)
        print(write_answers(runs / "cells", family, about, out, suite=ASKED, name=f"cells-{family}"), flush=True)


if __name__ == "__main__":
    main(*(Path(argument) for argument in sys.argv[1:4]))
