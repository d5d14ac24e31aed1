"""Turn the answers of ``swap_minilm.json`` into runs, and into the answers that ``reproduce swap`` ships.

``python benchmarks/gpu/keep_swap.py FOLDER RUNS ANSWERS`` unpacks ``FOLDER/*.tar`` (from ``job.py``), makes the runs
``RUNS/bench`` (pairs of SNLI and MultiNLI, swapped and stressed) and ``RUNS/released`` (released test sets), in which
linear SVMs trained on the same pairs are asked, too, and writes ``swap-nli``, ``swap-hypothesis``, ``swap-svm`` and
``swap-svm-hypothesis`` to ANSWERS. NLIPROBE_DATA must name the corpora.
"""

from __future__ import annotations

import sys
from pathlib import Path

from keep import ENCODER, unpack
from runs import Asked, Kept, make_run

from nliprobe.papers.swap.answers_file import BENCH, BENCHED, RELEASED
from nliprobe.papers.write_answers import Description, write_answers

PLAN = Path("benchmarks/gpu/swap_minilm.json")
TRAIN = ("snli/train-100k", "multinli/train-20k")
SVMS = ("svm?name=svm", "svm?premise=none&name=svm-hypothesis")
RUNS = {
    name: Kept(on, (Asked(f"nli-{name}", "nli"), Asked(f"nli-hypothesis-{name}", "hypothesis", "none")), SVMS, TRAIN)
    for name, on in (("bench", BENCH), ("released", RELEASED))
}
ENCODERS = {"nli": ENCODER, "hypothesis": ENCODER, "svm": "linear SVM", "svm-hypothesis": "linear SVM"}


def main(folder: Path, runs: Path, out: Path) -> None:
    """Make the runs, and write the answers of every model if all of them are there."""
    answers = unpack(folder, PLAN)
    made = {name for name, kept in RUNS.items() if make_run(PLAN, answers, kept, runs / name)}
    if made != set(RUNS):
        return
    for name in BENCHED:
        family = name.removeprefix("swap-")
        learnt = f"python benchmarks/gpu/job.py OUT SECONDS {PLAN}, then python benchmarks/gpu/keep_swap.py"
        about = Description(ENCODERS[family], TRAIN, f"{learnt} OUT RUNS ANSWERS")
        print(write_answers(name, [runs / place for place in RUNS], family, about, out), flush=True)


if __name__ == "__main__":
    main(*(Path(argument) for argument in sys.argv[1:4]))
