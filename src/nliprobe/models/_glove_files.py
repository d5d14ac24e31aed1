"""Write a trained ``glove`` as a folder of text and safetensors, and check it against the vectors when reading it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from nliprobe.base.errors import DataError, StoreError
from nliprobe.base.files import write_atomic, write_json
from nliprobe.models._config_files import CONFIG, WEIGHTS, read_classes, read_config
from nliprobe.task.labels import LabelSet

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from nliprobe.language.vectors import Vectors

FORMAT = 1
# Premise, hypothesis, their distance and their product.
_PARTS = 4


class Learnt(NamedTuple):
    """What the regression learnt: classes, weights (features × classes) and intercepts."""

    classes: list[LabelSet]
    weights: NDArray[np.float64]
    intercept: NDArray[np.float64]


def write(folder: Path, params: Mapping[str, object], learnt: Learnt, vectors: Vectors) -> None:
    """Write the two files; the one that says what the other is comes last."""
    from safetensors.numpy import save

    write_atomic(folder / WEIGHTS, save({"weights": learnt.weights, "intercept": learnt.intercept}))
    config: dict[str, object] = {
        "format": FORMAT,
        "model": "glove",
        "params": dict(params),
        "classes": [str(block) for block in learnt.classes],
        "vectors": {"digest": vectors.digest, "dimensions": vectors.dimensions},
    }
    write_json(folder / CONFIG, config)


def read(folder: Path, vectors: Vectors) -> Learnt:
    """Read classes, weights and intercepts, which must fit together and belong to the vectors."""
    path = folder / CONFIG
    config = read_config(path, "glove", FORMAT)
    names, stated = config.get("classes"), config.get("vectors")
    if not isinstance(names, list) or not isinstance(stated, dict):
        raise DataError(f"{path} should hold 'classes' and 'vectors'. Train the model again.")
    classes = read_classes(path, names)
    if stated.get("digest") != vectors.digest:
        raise DataError(
            f"{folder} was trained with other word vectors ({stated.get('dimensions')} dimensions) than {vectors.path} "
            f"({vectors.dimensions} dimensions). Name those with NLIPROBE_VECTORS, or train the model again."
        )
    return _tensors(folder / WEIGHTS, _PARTS * vectors.dimensions, classes)


def _tensors(path: Path, features: int, classes: list[LabelSet]) -> Learnt:
    import numpy as np
    from safetensors import SafetensorError
    from safetensors.numpy import load

    try:
        tensors = load(path.read_bytes())
    except (OSError, SafetensorError) as error:
        raise StoreError(f"Cannot read {path}: {error}.") from error
    for name, shape in (("weights", (features, len(classes))), ("intercept", (len(classes),))):
        tensor = tensors.get(name)
        if tensor is None or tensor.shape != shape or not np.issubdtype(tensor.dtype, np.floating):
            raise DataError(f"{path} does not hold '{name}' in the shape {shape}. Train the model again.")
        if not np.isfinite(tensor).all():
            raise DataError(f"{path} holds numbers in '{name}' that are not finite. Train the model again.")
    return Learnt(classes, tensors["weights"].astype(np.float64), tensors["intercept"].astype(np.float64))
