"""Vectors of pairs as a model reads them, kept by the system's fingerprint so that no pair is read twice."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from nliprobe.base.errors import ModelError, StoreError
from nliprobe.base.files import cache_folder, set_aside, write_atomic
from nliprobe.base.hashing import digest
from nliprobe.explain.nearest import unit_length
from nliprobe.models.system import System
from nliprobe.task.case import Input

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

# Inputs per file: a stopped computation loses at most so many.
AT_ONCE = 4096
_NAME = "vectors"


def pair_vectors(
    system: System,
    inputs: Sequence[Input],
    prepare: Callable[[System], None],
    progress: Callable[[int], None] = lambda count: None,
) -> NDArray[np.float32]:
    """Return the vector of each input at length 1, from the cache where it is kept.

    Vectors are kept by the fingerprint of the system and the ids of the inputs: what is read otherwise, or by another
    model, is never mistaken for them. A system without a fingerprint keeps none.

    Args:
        system: whose vectors.
        inputs: what it reads.
        prepare: trains or loads its model; called only if a vector is not kept.
        progress: is told how many inputs are done.

    Raises:
        UsageError: the model has no vectors of pairs.
    """
    import numpy as np

    fingerprint = system.fingerprint()
    folder = None if fingerprint is None else cache_folder() / "vectors" / fingerprint
    parts: list[NDArray[np.float32]] = []
    for start in range(0, len(inputs), AT_ONCE):
        some = inputs[start : start + AT_ONCE]
        path = None if folder is None else folder / f"{digest(*(item.id for item in some))}.safetensors"
        part = None if path is None else _kept(path, len(some))
        if part is None:
            prepare(system)
            part = _made(system, some)
            if path is not None:
                _keep(path, part)
        parts.append(part)
        progress(len(some))
    return np.concatenate(parts) if parts else np.empty((0, 0), dtype=np.float32)


def _made(system: System, inputs: Sequence[Input]) -> NDArray[np.float32]:
    vectors = system.model.embed_pairs(inputs)
    if vectors.ndim != 2 or len(vectors) != len(inputs):
        shape = " × ".join(map(str, vectors.shape))
        raise ModelError(f"{system.name} gave an array of {shape} as the vectors of {len(inputs)} pairs.")
    try:
        return unit_length(vectors)
    except ValueError as error:
        raise ModelError(f"The vectors of {system.name} cannot be used: {error}.") from error


def _kept(path: Path, count: int) -> NDArray[np.float32] | None:
    """Read vectors; a file that is damaged is set aside and made again."""
    import numpy as np
    from safetensors import SafetensorError
    from safetensors.numpy import load

    try:
        content = path.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise StoreError(f"Cannot read {path}: {error.strerror or error}.") from error
    try:
        part = load(content)[_NAME]
    except (SafetensorError, KeyError):
        part = None
    if part is None or part.ndim != 2 or len(part) != count or part.dtype != np.float32 or not np.isfinite(part).all():
        set_aside(path)
        return None
    return part


def _keep(path: Path, part: NDArray[np.float32]) -> None:
    from safetensors.numpy import save

    path.parent.mkdir(parents=True, exist_ok=True)
    write_atomic(path, save({_NAME: part}))
