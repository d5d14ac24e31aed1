"""Make runs from the answers that the GPU machine gave to the suites of a plan."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple


class Asked(NamedTuple):
    """A system of a run: the name of its answers in the plan, the premise control and the representation."""

    answers: str
    family: str
    premise: str = "full"
    represent: str = "para"


class Kept(NamedTuple):
    """A run over some corpora. The probes are those of the plan; a system without premise reads no edit of one.

    ``others`` are systems that are asked here, beside those of the plan, and ``train`` is what they learn from.
    """

    on: tuple[str, ...]
    systems: tuple[Asked, ...]
    others: tuple[str, ...] = ()
    train: tuple[str, ...] = ()


def make_run(plan: Path, answers: Path, kept: Kept, out: Path) -> bool:
    """Make a run from the answers of every seed; tell whether there were any."""
    content = json.loads(plan.read_text(encoding="utf-8"))
    askings = {asking["name"]: (asking, system["seeds"]) for system in content["systems"] for asking in system["ask"]}
    probes = askings[kept.systems[0].answers][0].get("probes", ["gold"])
    words = [sys.executable, "-m", "nliprobe", "run", "--out", str(out), "--on", ",".join(kept.on)]
    words += ["--probes", ",".join(probes)]
    for name, family, premise, represent in kept.systems:
        files = [answers / f"{name}-{seed}.jsonl.gz" for seed in askings[name][1]]
        if not all(file.is_file() for file in files):
            print(f"{out.name}: there are not answers of all seeds of {name}", flush=True)
            return False
        for seed, file in zip(askings[name][1], files, strict=True):
            labels = f"labels=entailment,neutral,contradiction&family={family}&premise={premise}&represent={represent}"
            words += ["--system", f"predictions:{file}?{labels}&name={family}-{seed}"]
    for spec in kept.others:
        words += ["--system", spec]
    if kept.train:
        words += ["--train", ",".join(kept.train)]
    subprocess.run(words, check=True)
    return True
