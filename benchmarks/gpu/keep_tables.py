"""Turn the answers of ``tables_minilm.json`` into runs, and into the answers that ``reproduce evidence:table12`` ships.

``python benchmarks/gpu/keep_tables.py FOLDER RUNS ANSWERS`` unpacks ``FOLDER/*.tar`` (from ``job.py``), makes the runs
``RUNS/perturbed``, ``tables`` and ``twins`` as far as there are answers, with a linear SVM beside them, and writes
``evidence-perturbed-para`` and ``evidence-perturbed-hypothesis`` to ANSWERS. NLIPROBE_DATA must name the corpora.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from keep import ENCODER, unpack
from runs import Asked, Kept, make_run

from nliprobe.papers.evidence.answers_file import PERTURBED
from nliprobe.papers.write_answers import Description, write_answers

PLAN = Path("benchmarks/gpu/tables_minilm.json")
TRAIN = "infotabs/train"
SVM = ("svm?represent=para&C=0.1&premise_weight=0.02&name=svm", "svm?premise=none&C=0.1&name=svm-hypothesis")
FAMILIES = ("para", "hypothesis", "made", "made-hypothesis")


def corpora_of(suite: str) -> tuple[str, ...]:
    """Return what the plan asks under a name."""
    content = json.loads(PLAN.read_text(encoding="utf-8"))
    [on] = {tuple(one["on"]) for system in content["systems"] for one in system["ask"] if one["name"].endswith(suite)}
    return on


def asked(suite: str, families: tuple[str, ...]) -> tuple[Asked, ...]:
    """Return the systems of a run over one suite."""
    return tuple(Asked(f"{name}-{suite}", name, "none" if "hypothesis" in name else "full") for name in families)


def main(folder: Path, runs: Path, out: Path) -> None:
    """Make the runs, and write the answers to perturbed hypotheses."""
    answers = unpack(folder, PLAN)
    suites = {"perturbed": FAMILIES[:2], "tables": FAMILIES, "twins": FAMILIES}
    for suite, families in suites.items():
        others = () if suite == "perturbed" else SVM
        kept = Kept(corpora_of(suite), asked(suite, families), others, (TRAIN,) if others else ())
        if make_run(PLAN, answers, kept, runs / suite) and suite == "perturbed":
            for name, family in zip(PERTURBED, families, strict=True):
                about = Description(ENCODER, (TRAIN,), f"python benchmarks/gpu/job.py OUT SECONDS {PLAN}")
                print(write_answers(name, [runs / suite], family, about, out), flush=True)


if __name__ == "__main__":
    main(*(Path(argument) for argument in sys.argv[1:4]))
