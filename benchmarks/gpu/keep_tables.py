"""Turn the answers of ``tables_minilm.json`` into runs, and into the answers that ``reproduce evidence:table12`` ships.

``python benchmarks/gpu/keep_tables.py FOLDER RUNS ANSWERS`` unpacks ``FOLDER/*.tar`` (from ``job.py``), makes the runs
``RUNS/perturbed``, ``tables`` and ``twins`` as far as there are answers, and writes ``evidence-perturbed-para`` and
``evidence-perturbed-hypothesis`` to ANSWERS. The runs over tables are those of ``docs/results/executable-tables.md``:
beside MiniLM they ask the network in the package and two linear SVMs, one of which learns executable pairs, as the
plan says, and is kept in ``RUNS/models``. NLIPROBE_DATA must name the corpora.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from keep import ENCODER, unpack
from runs import Asked, Kept, make_run

from nliprobe.papers.evidence.answers_file import PERTURBED
from nliprobe.papers.write_answers import Description, write_answers

PLAN = Path("benchmarks/gpu/tables_minilm.json")
TRAIN = "infotabs/train"
FAMILIES = ("para", "hypothesis", "made", "made-hypothesis")
SVM = "svm?C=0.1&premise_weight=0.02"
OTHERS = (
    "svm?represent=para&C=0.1&premise_weight=0.02&name=svm",
    "svm?premise=none&C=0.1&name=svm-hypothesis",
    "small?represent=para&name=small",
    "small?premise=none&name=small-hypothesis",
)


def corpora_of(suite: str) -> tuple[str, ...]:
    """Return what the plan asks under a name."""
    content = json.loads(PLAN.read_text(encoding="utf-8"))
    [on] = {tuple(one["on"]) for system in content["systems"] for one in system["ask"] if one["name"].endswith(suite)}
    return on


def asked(suite: str, families: tuple[str, ...]) -> tuple[Asked, ...]:
    """Return the systems of a run over one suite."""
    return tuple(Asked(f"{name}-{suite}", name, "none" if "hypothesis" in name else "full") for name in families)


def train_svm(models: Path) -> tuple[str, ...]:
    """Train a linear SVM and its twin without premise on what MiniLM learnt, and return their specs."""
    content = json.loads(PLAN.read_text(encoding="utf-8"))
    [made] = {name for system in content["systems"] if system["name"] == "made" for name in system["train"]}
    specs = []
    for name, premise in (("svm-made", ()), ("svm-made-hypothesis", ("--premise", "none"))):
        if not (models / name).is_dir():
            words = ["train", SVM, "--train", made, "--represent", "para", *premise, "--out", str(models / name)]
            subprocess.run([sys.executable, "-m", "nliprobe", *words], check=True)
        specs.append(f"trained:{models / name}?name={name}")
    return tuple(specs)


def main(folder: Path, runs: Path, out: Path) -> None:
    """Make the runs, and write the answers to perturbed hypotheses."""
    answers = unpack(folder, PLAN)
    beside = (*OTHERS, *train_svm(runs / "models"))
    suites = {"perturbed": FAMILIES[:2], "tables": FAMILIES, "twins": FAMILIES}
    for suite, families in suites.items():
        others = () if suite == "perturbed" else beside
        kept = Kept(corpora_of(suite), asked(suite, families), others, (TRAIN,) if others else ())
        if make_run(PLAN, answers, kept, runs / suite) and suite == "perturbed":
            for name, family in zip(PERTURBED, families, strict=True):
                about = Description(ENCODER, (TRAIN,), f"python benchmarks/gpu/job.py OUT SECONDS {PLAN}")
                print(write_answers(name, [runs / suite], family, about, out), flush=True)


if __name__ == "__main__":
    main(*(Path(argument) for argument in sys.argv[1:4]))
