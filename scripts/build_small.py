"""Make the network that comes with the package: train it, make it small, calibrate it, write ``models/small_data``.

    NLIPROBE_DATA=… OMP_NUM_THREADS=1 python -m scripts.build_small --work /tmp/small

It needs torch, GloVe vectors (100 numbers per word), snli/train-100k, multinli/train-20k and snli/dev below
NLIPROBE_DATA, and about a quarter of an hour of one core. Training resumes when the same command is given again. It is
deterministic on one thread, so that the same seed on the same machine should give the same files.

- Two networks are trained: one with premises, which also learns word vectors, and a smaller twin that never sees a
  premise and learns layers over the same vectors. One network that learnt every pair with and without its premise was
  tried, too: on snli/dev it got 75.4 % with premise and 62.6 % without.
- Word vectors become integers from -127 to 127, each scaled by itself: the network reads them at length 1, so that no
  scale has to be kept. All other weights become half precision.
- The last layer of each is divided by a temperature with which answers to one half of the captions of snli/dev are as
  confident, on average, as they are right.

``python -m scripts.measure_small --write`` then measures what was written, without torch.
"""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from nliprobe.analysis.scores import share_interval
from nliprobe.api.sources import open_source
from nliprobe.api.train import LOG, TrainRequest, train
from nliprobe.base.files import read_json, write_atomic, write_json
from nliprobe.base.hashing import digest, digest_file
from nliprobe.language.vectors import find_vectors
from nliprobe.models._small_files import FOLDER, FORMAT, MANIFEST, SHARED, TWIN
from nliprobe.models._small_network import SmallNetwork
from nliprobe.models.small import CLASSES, LONGEST
from nliprobe.models.trained import WEIGHTS
from nliprobe.models.vocabulary import WORDS, Vocabulary
from nliprobe.stats.calibration import matching_temperature
from nliprobe.task.labels import LETTERS
from nliprobe.task.pair import Pair

if TYPE_CHECKING:
    import torch

Tensors = Mapping[str, NDArray[np.generic]]
Shares = NDArray[np.float64]
TRAIN = ("snli/train-100k", "multinli/train-20k")
DEV, TEST = "snli/dev", "snli/test"
# Words and units that together stay below 4 MB.
SPEC = f"decatt-by-word?hidden=128&words=32000&train_words=true&longest={LONGEST}&epochs=6&batch=256&lr=0.003"
TWIN_SPEC = f"decatt-twin?hidden=64&longest={LONGEST}&epochs=6&batch=256&lr=0.003"
SEED = 0


class Lines:
    """Prints how training proceeds, a line per epoch."""

    def begin(self, steps: int, done: int) -> None:
        print(f"{steps:,} steps, {done:,} of them done", flush=True)

    def advance(self, loss: float | None) -> None:
        pass

    def say(self, line: str) -> None:
        print(line, flush=True)


def trained(out: Path, spec: str, premise: str) -> Path:
    """Train a network, unless that was done, and return its folder."""
    import scripts.small_network  # noqa: F401 (registers the networks; it needs torch)

    [folder] = train(TrainRequest(spec, TRAIN, [DEV], premise=premise, seeds=[SEED]), out, Lines())
    if folder.result is not None and folder.result.stopped:
        raise SystemExit("Training was stopped; the same command continues.")
    return folder.folder


def load(folder: Path) -> dict[str, NDArray[np.generic]]:
    """Return the tensors of a trained network."""
    from safetensors.numpy import load_file

    tensors: dict[str, NDArray[np.generic]] = load_file(folder / WEIGHTS)
    return tensors


def divided(tensors: Tensors, temperature: float) -> dict[str, NDArray[np.generic]]:
    """Return the tensors with the last layer divided by a temperature."""
    return {
        name: tensor.astype(np.float32) / np.float32(temperature) if name.startswith("score.") else tensor
        for name, tensor in tensors.items()
    }


def quantised(tensors: Tensors) -> dict[str, NDArray[np.generic]]:
    """Return word vectors as whole numbers of one byte, the rest in half precision."""
    kept: dict[str, NDArray[np.generic]] = {}
    for name, tensor in tensors.items():
        if name != "words.weight":
            kept[name] = tensor.astype(np.float16)
            continue
        largest = np.abs(tensor).max(axis=1, keepdims=True)
        kept[name] = np.rint(tensor * (127 / np.maximum(largest, 1e-12))).astype(np.int8)
    return kept


def calibrated(tensors: Tensors, vocabulary: Vocabulary, *, blind: bool) -> tuple[Tensors, float]:
    """Return the tensors with the last layer divided by the temperature of the first half of dev, and that."""
    pairs = [pair for pair in dev_pairs(blind=blind) if pair.gold is not None and in_first_half(pair)]
    logits = np.log(np.maximum(probabilities(tensors, vocabulary, pairs), 1e-30))
    temperature = matching_temperature(logits, np.array([LETTERS.index(str(pair.gold)) for pair in pairs]))
    return divided(tensors, temperature), temperature


def dev_pairs(*, blind: bool) -> list[Pair]:
    """Return the pairs of dev, or their hypotheses alone."""
    pairs = list(open_source(DEV).pairs())
    return [replace(pair, premise="") for pair in pairs] if blind else pairs


def in_first_half(pair: Pair) -> bool:
    """Tell whether the temperature is fitted on a pair; all pairs of a caption are in the same half."""
    return int(digest("small", pair.group), 16) % 2 == 0


def probabilities(tensors: Tensors, vocabulary: Vocabulary, pairs: list[Pair]) -> Shares:
    """Return what the network in numpy answers to sentence pairs."""
    premises, hypotheses = numbers(vocabulary, pairs)
    return np.array(SmallNetwork(tensors).probabilities(premises, hypotheses))


def numbers(vocabulary: Vocabulary, pairs: list[Pair]) -> tuple[list[list[int]], list[list[int]]]:
    """Return premises and hypotheses as numbers of words."""
    texts = [(str(pair.premise), pair.hypothesis) for pair in pairs]
    read = {text: vocabulary.read_text(text, LONGEST)[0] for both in texts for text in both}
    return [read[premise] for premise, _ in texts], [read[hypothesis] for _, hypothesis in texts]


def torch_probabilities(tensors: Tensors, premises: list[list[int]], hypotheses: list[list[int]]) -> Shares:
    """Return what the network of the zoo answers with the same weights, on numbers of words."""
    import torch

    from nliprobe.models.zoo._texts import texts_batch

    module, device, step = torch_network(tensors), torch.device("cpu"), 256
    rows = []
    with torch.inference_mode():
        for start in range(0, len(premises), step):
            both = [
                texts_batch([np.array(row, dtype=np.int32) for row in texts[start : start + step]], device)
                for texts in (premises, hypotheses)
            ]
            rows.append(module(*both).double().softmax(-1).numpy())
    return np.concatenate(rows)


def torch_network(tensors: Tensors) -> torch.nn.Module:
    """Return the torch network with given weights, whatever type they are kept in."""
    import torch

    from nliprobe.models.zoo._decatt import DecAttModule

    weights = {name: torch.from_numpy(tensor.astype(np.float32)) for name, tensor in tensors.items()}
    rows, width = weights["words.weight"].shape
    words = torch.nn.Embedding(rows, width, padding_idx=0)
    module = DecAttModule(words, len(CLASSES), hidden=len(weights["project.weight"]), dropout=0.0)
    module.load_state_dict(weights)
    return module.eval()


def at_home(full: Tensors, twin: Tensors, vocabulary: Vocabulary) -> dict[str, str]:
    """Return how much of their own test set the networks get right, and a constant answer."""
    pairs = [pair for pair in open_source(TEST).pairs() if pair.gold is not None]
    golds = np.array([LETTERS.index(str(pair.gold)) for pair in pairs])
    groups = np.unique([pair.group for pair in pairs], return_inverse=True)[1]
    blind = [replace(pair, premise="") for pair in pairs]
    shown = {}
    for name, tensors, asked in (("full", full, pairs), ("without_premise", twin, blind)):
        right = probabilities(tensors, vocabulary, asked).argmax(1) == golds
        interval = share_interval(right, groups)
        ends = "no interval" if interval is None else f"{100 * interval[0]:.1f} to {100 * interval[1]:.1f}"
        shown[name] = f"{100 * right.mean():.1f} % ({ends})"
    return {**shown, "constant": f"{100 * np.bincount(golds).max() / len(golds):.1f} %"}


def differences(small: Tensors, whole: Tensors, vocabulary: Vocabulary, *, blind: bool) -> dict[str, float]:
    """Return by how much probabilities on dev differ from those of torch, with the same weights and before rounding."""
    pairs = dev_pairs(blind=blind)
    ours = probabilities(small, vocabulary, pairs)
    same, before = (torch_probabilities(tensors, *numbers(vocabulary, pairs)) for tensors in (small, whole))
    return {
        "torch, these weights": float(np.abs(ours - same).max()),
        "torch, before rounding": float(np.abs(ours - before).max()),
        "torch, before rounding, mean": float(np.abs(ours - before).mean()),
        "torch, before rounding, other label": float((ours.argmax(1) != before.argmax(1)).mean()),
    }


def keep(folder: Path, tensors: Tensors, vocabulary: Vocabulary) -> None:
    """Write words and weights."""
    from safetensors.numpy import save

    vocabulary.keep(folder)
    write_atomic(folder / WEIGHTS, save({name: np.ascontiguousarray(tensor) for name, tensor in tensors.items()}))


def write(folder: Path, tensors: Tensors, vocabulary: Vocabulary, made: Mapping[str, object]) -> None:
    """Write words, weights and the manifest."""
    keep(folder, tensors, vocabulary)
    files = {
        name: {"digest": digest_file(folder / name), "bytes": (folder / name).stat().st_size}
        for name in (WORDS, WEIGHTS)
    }
    write_json(folder / MANIFEST, {"format": FORMAT, "files": files, **made})


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--work", type=Path, required=True, help="the folder of the training")
    parser.add_argument("--out", type=Path, default=FOLDER, help="where the files of the package go")
    options = parser.parse_args()
    folder = trained(options.work / "small", SPEC, "full")
    vocabulary = Vocabulary.read(folder)
    whole, temperature = calibrated(load(folder), vocabulary, blind=False)
    small = quantised(whole)
    shared = options.work / "shared"
    shared.mkdir(exist_ok=True)
    keep(shared, small, vocabulary)
    blind_folder = trained(options.work / "twin", f"{TWIN_SPEC}&main={shared}", "none")
    # Its vectors are those of the other network, rounded already.
    whole_twin, twin_temperature = calibrated(load(blind_folder), vocabulary, blind=True)
    twin = {**quantised(whole_twin), SHARED: small[SHARED]}
    made = {
        "made_by": "scripts/build_small.py",
        "networks": {"full": SPEC, "twin": TWIN_SPEC},
        "seed": SEED,
        "threads": int(os.environ.get("OMP_NUM_THREADS", "0")),
        "train": {spec: open_source(spec).digest() for spec in TRAIN},
        "dev": {DEV: open_source(DEV).digest()},
        "vectors": find_vectors().digest,
        "versions": read_json(folder / LOG)["versions"],
        "dev_accuracy_per_epoch": {
            "full": read_json(folder / LOG)["dev"], "twin": read_json(blind_folder / LOG)["dev"]
        },
        "temperature": {"full": temperature, "twin": twin_temperature},
        "differences_on_dev": {
            "full": differences(small, whole, vocabulary, blind=False),
            "twin": differences(twin, whole_twin, vocabulary, blind=True),
        },
        "snli_test": at_home(small, twin, vocabulary),
    }  # fmt: skip
    write(options.out, {**small, **{f"{TWIN}{name}": twin[name] for name in twin if name != SHARED}}, vocabulary, made)
    print(json.dumps(made, indent=1))


if __name__ == "__main__":
    main()
