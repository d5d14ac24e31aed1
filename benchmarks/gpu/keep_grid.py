"""Turn the labels of the zoo's plan into the grids that ``reproduce swap:table2`` ships.

``python benchmarks/gpu/keep_grid.py ANSWERS OUT`` reads the unpacked answers of ``job.py`` below the folder ANSWERS and
the inputs that ``prepare.py`` left in ``carry/inputs``, and writes a document per condition to OUT. A network with a
seed counts only if it was asked with every share. NLIPROBE_DATA must name the corpora.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from zoo import CONDITIONS, GRID_SHARES, MULTINLI, NETWORKS, RELEASED, asking, grid

from nliprobe.analysis.grid import GridSystem
from nliprobe.api.grid import GridAbout
from nliprobe.base.files import json_bytes, write_atomic
from nliprobe.papers.label_answers import read_labels
from nliprobe.papers.swap.grid_answers import LabelledSuite, grid_from_labels

DOCUMENTS = {"multinli": "multinli-20k", "both": "snli-100k-multinli-20k"}
OVER = [0.5, 0.75, 1.0]


def systems(answers: Path, condition: str) -> dict[GridSystem, list[float]]:
    """Return the trainings of a condition that were asked, with their accuracies on dev; half a row is left out."""
    found: dict[GridSystem, list[float]] = {}
    for one in grid():
        name, seed = one["name"], one["seeds"][0]
        prefix = f"t2-{condition}-"
        path = next(answers.rglob(f"{name}-{seed}.result.json"), None)
        if name.startswith(prefix) and path is not None:
            model, share = name.removeprefix(prefix).rsplit("-", 1)
            dev = json.loads(path.read_text(encoding="utf-8"))["dev"]
            found[GridSystem(f"{name}-{seed}", model, int(share) / 100, seed)] = dev
    rows: dict[tuple[str, int | None], int] = {}
    for place in found:
        rows[place.model, place.seed] = rows.get((place.model, place.seed), 0) + 1
    for (model, number), count in rows.items():
        if count < len(GRID_SHARES):
            print(f"{condition}: {model}, seed {number} was asked with {count} of {len(GRID_SHARES)} shares: left out")
    return {place: dev for place, dev in found.items() if rows[place.model, place.seed] == len(GRID_SHARES)}


def suite(answers: Path, name: str, places: list[GridSystem], on: list[str], probes: list[str]) -> LabelledSuite:
    """Return what systems answered to one suite."""
    files = {}
    for place in places:
        stem, seed = place.system.rsplit("-", 1)
        files[place.system] = next(answers.rglob(f"{stem}-{name}-{seed}.labels.json"))
    given = read_labels(Path(asking("", name)["inputs"]), files)
    return LabelledSuite(on, probes, given.inputs, given.labels)


def main(answers: Path, out: Path) -> None:
    """Write the document of each condition."""
    for condition, file in DOCUMENTS.items():
        chosen = systems(answers, condition)
        places = list(chosen)
        models = {name: NETWORKS[name] for name in dict.fromkeys(place.model for place in places)}
        train, dev = CONDITIONS[condition]
        document = grid_from_labels(
            [
                suite(answers, "stress", places, MULTINLI, asking("", "stress")["probes"]),
                suite(answers, "released", places, RELEASED, ["gold"]),
            ],
            chosen,
            GridAbout(models, train, dev),
            OVER,
            [RELEASED],
        )
        write_atomic(out / f"{file}.json", json_bytes(document))
        print(f"{out / file}.json: {len(places)} trainings", flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
