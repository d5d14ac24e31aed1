"""The files of ``small``: words, weights, and a manifest that says what belongs to them and how they were made."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from nliprobe.base.errors import DataError
from nliprobe.base.fields import Fields
from nliprobe.base.files import read_json
from nliprobe.base.hashing import digest_file
from nliprobe.models._small_network import Tensors
from nliprobe.models.vocabulary import WORDS, Vocabulary

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

FOLDER = Path(__file__).with_name("small_data")
MANIFEST, WEIGHTS = "manifest.json", "weights.safetensors"
FORMAT = 1
_REMEDY = "Install nliprobe again."


class AtHome(NamedTuple):
    """How much of its own test set, SNLI's, ``small`` gets right, with intervals: with and without the premise.

    The third is what the best constant answer gets.
    """

    full: str
    without_premise: str
    constant: str


class SmallFiles(NamedTuple):
    """What the files hold.

    Attributes:
        vocabulary: the words it knows.
        tensors: the weights by their names in the torch network; integers for word vectors.
    """

    vocabulary: Vocabulary
    tensors: Mapping[str, NDArray[np.generic]]


def digests(folder: Path) -> dict[str, str]:
    """Return the digest of each file that decides answers, by its name."""
    return {name: _digest(folder / name) for name in (WORDS, WEIGHTS)}


def at_home(folder: Path) -> AtHome:
    """Return what was measured when the files were made."""
    measured = _manifest(folder).inner("snli_test")
    return AtHome(*(measured.text(name) for name in AtHome._fields))


def _manifest(folder: Path) -> Fields:
    path = folder / MANIFEST
    return Fields(str(path), read_json(path), error=DataError, remedy=_REMEDY)


def read(folder: Path) -> SmallFiles:
    """Read the files; they must be those that the manifest names, and fit together."""
    manifest = _manifest(folder)
    if manifest.number("format") != FORMAT:
        manifest.refuse("format", f"format {FORMAT}")
    stated = manifest.inner("files")
    for name, content in digests(folder).items():
        if content != stated.inner(name).text("digest"):
            raise DataError(f"{folder / name} is not the file that came with nliprobe: its content differs. {_REMEDY}")
    vocabulary = Vocabulary.read(folder)
    return SmallFiles(vocabulary, _tensors(folder / WEIGHTS, len(vocabulary)))


def _digest(path: Path) -> str:
    try:
        return digest_file(path)
    except OSError as error:
        raise DataError(f"The model 'small' cannot read {path}: {error.strerror or error}. {_REMEDY}") from error


def _tensors(path: Path, words: int) -> dict[str, NDArray[np.generic]]:
    from safetensors import SafetensorError
    from safetensors.numpy import load_file

    try:
        tensors: dict[str, NDArray[np.generic]] = load_file(path)
    except (OSError, SafetensorError) as error:
        raise DataError(f"{path} does not hold the weights of 'small': {error}. {_REMEDY}") from error
    first = tensors.get("project.weight")
    hidden, width = first.shape if first is not None and first.ndim == 2 else (0, 0)
    wanted = Tensors(words, width, hidden).shapes()
    held = {name: tensor.shape for name, tensor in tensors.items()}
    if held != wanted:
        name = next(name for name in (*wanted, *held) if held.get(name) != wanted.get(name))
        raise DataError(
            f"{path} holds {held.get(name, 'nothing')} as '{name}'; "
            f"the network asks for {wanted.get(name, 'nothing')}. {_REMEDY}"
        )
    return tensors
