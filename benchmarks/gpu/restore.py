"""Make folders that ``trained:FOLDER`` reads from weights that the GPU machine sent back.

``python benchmarks/gpu/restore.py PLAN.json ANSWERS OUT`` does so for every training of the plan that says ``keep``.
The weights come in half precision and without word vectors that were not learnt; those, and the vocabulary, are made
again from the training pairs. NLIPROBE_DATA must name the corpora and the word vectors. Needs the extra [torch].
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from nliprobe.api.remote_job import BarePlan, JobSystem
from nliprobe.api.resolve import open_sources
from nliprobe.api.through import PassedThrough, Through
from nliprobe.base.files import write_atomic
from nliprobe.base.hashing import digest_file
from nliprobe.base.registry import Spec
from nliprobe.models.learnable import learnable
from nliprobe.models.trained import network_of
from nliprobe.models.trained_record import TrainedRecord
from nliprobe.represent.controls import Control
from nliprobe.represent.reader import Reader, build_representation
from nliprobe.training.fit import read_examples
from nliprobe.training.trainer import keep_weights


def restore(system: JobSystem, seed: int, weights: Path, folder: Path) -> None:
    """Write one trained network as if it had been trained here; its answers differ by what half precision rounds."""
    from safetensors.torch import load_file

    premise = system.get("premise", "full")
    reader = Reader(build_representation(system["represent"]), Control.parse(premise), seed=0, keyed=False)
    sources = open_sources(system["train"], None)
    if "through" in system:
        sources = [PassedThrough(source, Through(**system["through"])) for source in sources]
    classes, examples = learnable(read_examples(reader, sources))
    network = network_of(Spec.parse(system["network"]), seed=seed)
    network.study([example.input for example in examples], classes)
    module = network.fresh(len(classes))
    learnt = {name: weight.float() for name, weight in load_file(weights).items()}
    missing, unknown = module.load_state_dict(learnt, strict=False)
    if unknown or set(missing) - {"words.weight"}:
        raise SystemExit(f"{weights} does not fit {system['network']}: {[*missing, *unknown]}")
    folder.mkdir(parents=True, exist_ok=True)
    keep_weights(network, module, folder)
    names = tuple(source.name for source in sources)
    identity = f"restored from {digest_file(weights)}"
    TrainedRecord(
        "network", system["network"], system["represent"], premise, tuple(classes), names, tuple(system["dev"]),
        identity, seed, made_from=network.origin.digests,
    ).write(folder)  # fmt: skip


def _found(answers: Path, name: str) -> Path | None:
    """Return the file of this name, put together if it came in pieces."""
    pieces = sorted(answers.rglob(f"{name}.[0-9][0-9]"))
    if pieces:
        whole = answers / name
        write_atomic(whole, *(piece.read_bytes() for piece in pieces))
        return whole
    return next(answers.rglob(name), None)


def main(plan: Path, answers: Path, out: Path) -> None:
    """Restore every network of the plan whose weights came back."""
    content: BarePlan = json.loads(plan.read_text(encoding="utf-8"))
    for system in content["systems"]:
        for seed in system["seeds"] if system.get("keep") else ():
            weights = _found(answers, f"{system['name']}-{seed}.safetensors")
            if weights is not None:
                restore(system, seed, weights, out / system["name"] / f"seed-{seed}")
                print(out / system["name"] / f"seed-{seed}", flush=True)


if __name__ == "__main__":
    main(*(Path(argument) for argument in sys.argv[1:4]))
