"""Count how often trained networks break the rules of inference, all on the same sets of sentences.

``PYTHONPATH=src python3 benchmarks/gpu/violations.py FOLDER… --on snli/dev --out FILE.json`` needs numpy and torch.
Name a base and what was trained with rules side by side: the pairs should be of neither's training. It prints, per
network and kind of sets, the percent of sets that break each rule, with the mean of max(0, p(body) - p(head)) behind.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from nliprobe.api.plan import distinct_inputs
from nliprobe.api.resolve import Request
from nliprobe.models.trained import Trained, TrainedParams
from nliprobe.models.violations import Violations, render, rule_violations
from nliprobe.represent.controls import Control


def main(folders: list[Path], on: list[str], out: Path, data: Path | None) -> None:
    """Count the violations of every folder, and write them by its name."""
    counted: dict[str, Violations] = {}
    for folder in folders:
        model = Trained(folder, TrainedParams(tokens=131_072))
        reading = Request(on, probes=["gold"], root=data)
        inputs = list(distinct_inputs(reading, model.record.represent, Control.parse(model.record.premise)))
        counted[str(folder)] = rule_violations(model, inputs)
        print("\n".join(render(str(folder), counted[str(folder)])), flush=True)
    out.write_text(json.dumps({"on": on, "networks": counted}, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--on", action="append", required=True, help="a corpus, such as snli/dev; repeatable")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--data", type=Path, help="the folder above the corpora; by default that of NLIPROBE_DATA")
    given = parser.parse_args()
    main(given.folders, given.on, given.out, given.data)
