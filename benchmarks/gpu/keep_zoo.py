"""Turn the labels of the zoo's plan into the answers that ``reproduce swap:table1`` ships.

``python benchmarks/gpu/keep_zoo.py ANSWERS OUT`` reads the unpacked answers of ``job.py`` below the folder ANSWERS and
the inputs that ``prepare.py`` left in ``carry/inputs``, makes the cases again, and writes ``zoo-NAME.json.gz`` for
every network with its seeds to OUT. How the trainings went goes to ``zoo.json`` next to OUT. NLIPROBE_DATA must name
the corpora.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from nliprobe.base.files import write_json
from nliprobe.papers.asked import make_cases
from nliprobe.papers.label_answers import read_labels
from nliprobe.papers.swap.answers_file import SWAP, SWAPPED, ZOO, ZOO_ON
from nliprobe.papers.write_answers import Description, Written, write_recorded

INPUTS = {"full": Path("carry/inputs/snli.jsonl.gz"), "none": Path("carry/inputs/snli-none.jsonl.gz")}
REPRESENT = "para"
MADE_BY = (
    "python benchmarks/gpu/zoo.py PLAN, python benchmarks/gpu/job.py OUT SECONDS PLAN, "
    "then python benchmarks/gpu/keep_zoo.py OUT ANSWERS"
)


def main(answers: Path, out: Path) -> None:
    """Write the answers of every network that was asked."""
    for name, shown in (ZOO | SWAPPED).items():
        place = name.replace("zoo-", "t1-").replace("infersent-swapped-", "t3-")
        files = {
            path.name.split("-")[-1].split(".")[0]: path
            for path in sorted(answers.rglob(f"{place}-snli-*.labels.json"), key=lambda path: path.name)
        }
        if not files:
            print(f"{name}: not answered", flush=True)
            continue
        premise = "none" if name.endswith("-hypothesis") else "full"
        labels = read_labels(INPUTS[premise], files)
        written = Written()
        for corpus in ZOO_ON:
            cases = make_cases(corpus, [SWAP], None, REPRESENT, premise)
            written.add_labels(cases, labels, represent=REPRESENT, premise=premise)
        print(write_recorded(name, written, Description(shown, ("snli/train-100k",), MADE_BY), out), flush=True)


def trainings(answers: Path) -> dict[str, dict[str, dict[str, object]]]:
    """Return how the trainings of each network went, by seed: accuracies on dev, seconds, broken rules."""
    networks: dict[str, dict[str, dict[str, object]]] = {}
    for name in ZOO:
        for path in sorted(answers.rglob(f"{name.replace('zoo-', 't1-')}-?.result.json"), key=lambda path: path.name):
            content = json.loads(path.read_text(encoding="utf-8"))
            kept = {key: content[key] for key in ("dev", "training_seconds", "violations") if key in content}
            networks.setdefault(name.removeprefix("zoo-"), {})[str(content["seed"])] = kept
    return networks


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
    write_json(Path(sys.argv[2]).parent / "zoo.json", {"made_by": MADE_BY, "networks": trainings(Path(sys.argv[1]))})
