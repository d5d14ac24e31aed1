"""Write a trained SVM as a folder of text and safetensors, and check it as a whole when reading it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from nliprobe.base.errors import DataError, StoreError
from nliprobe.base.files import write_atomic, write_json
from nliprobe.base.hashing import digest_text
from nliprobe.models._config_files import CONFIG, WEIGHTS, read_classes, read_config
from nliprobe.task.labels import LabelSet

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

FORMAT = 1
VOCABULARY = "vocabulary.txt"


def write(
    folder: Path,
    params: Mapping[str, object],
    classes: Sequence[LabelSet],
    vocabulary: Sequence[str],
    weights: NDArray[np.float64],
    intercept: NDArray[np.float64],
) -> None:
    """Write the three files; the one with the digests of the others comes last."""
    from safetensors.numpy import save

    # No n-gram holds a line break (tokens hold no whitespace); surrogates pass because a premise may be any string.
    text = "".join(f"{name}\n" for name in vocabulary)
    write_atomic(folder / VOCABULARY, text.encode("utf-8", "surrogatepass"))
    write_atomic(folder / WEIGHTS, save({"weights": weights, "intercept": intercept}))
    config: dict[str, object] = {
        "format": FORMAT,
        "model": "svm",
        "params": dict(params),
        "classes": [str(block) for block in classes],
        "vocabulary": {"count": len(vocabulary), "digest": digest_text(text)},
    }
    write_json(folder / CONFIG, config)


def read(
    folder: Path,
) -> tuple[dict[str, object], list[LabelSet], list[str], NDArray[np.float64], NDArray[np.float64]]:
    """Read parameters, classes, n-grams, weights (n-grams × classes) and intercepts; they must fit together."""
    path = folder / CONFIG
    config = read_config(path, "svm", FORMAT)
    params, stated, names = config.get("params"), config.get("vocabulary"), config.get("classes")
    if not isinstance(params, dict) or not isinstance(stated, dict) or not isinstance(names, list):
        raise DataError(f"{path} should hold 'params', 'classes' and 'vocabulary'. Train the model again.")
    classes = read_classes(path, names)
    vocabulary = _vocabulary(folder / VOCABULARY, stated)
    weights, intercept = _tensors(folder / WEIGHTS, len(vocabulary), len(classes))
    return params, classes, vocabulary, weights, intercept


def _vocabulary(path: Path, stated: Mapping[str, object]) -> list[str]:
    try:
        text = path.read_bytes().decode("utf-8", "surrogatepass")
    except (OSError, UnicodeDecodeError) as error:
        raise StoreError(f"Cannot read {path}: {error}.") from error
    names = text.split("\n")[:-1]
    if len(names) != stated.get("count") or digest_text(text) != stated.get("digest"):
        raise DataError(
            f"{path} holds {len(names)} n-grams that are not the {stated.get('count')} the model was saved with. "
            "Train the model again."
        )
    return names


def _tensors(path: Path, features: int, classes: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    import numpy as np
    from safetensors import SafetensorError
    from safetensors.numpy import load

    try:
        tensors = load(path.read_bytes())
    except (OSError, SafetensorError) as error:
        raise StoreError(f"Cannot read {path}: {error}.") from error
    for name, shape in (("weights", (features, classes)), ("intercept", (classes,))):
        tensor = tensors.get(name)
        if tensor is None or tensor.shape != shape:
            content = "nothing" if tensor is None else f"an array of {' × '.join(map(str, tensor.shape))}"
            raise DataError(
                f"{path} holds {content} as '{name}'; the vocabulary and the classes ask for "
                f"{' × '.join(map(str, shape))}. Train the model again."
            )
        if not np.issubdtype(tensor.dtype, np.floating) or not np.isfinite(tensor).all():
            raise DataError(f"{path} holds numbers in '{name}' that are not finite. Train the model again.")
    return tensors["weights"].astype(np.float64, copy=False), tensors["intercept"].astype(np.float64, copy=False)
