"""The files of ``small``: words, weights, and a manifest that says what belongs to them and how they were made."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from nliprobe.base.errors import DataError
from nliprobe.base.fields import Fields
from nliprobe.base.files import read_json
from nliprobe.base.hashing import digest_file
from nliprobe.models._small_network import Tensors
from nliprobe.models.vocabulary import WORDS, Vocabulary

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Weights: TypeAlias = Mapping[str, "NDArray[np.generic]"]
FOLDER = Path(__file__).with_name("small_data")
MANIFEST, WEIGHTS = "manifest.json", "weights.safetensors"
# The tensors of the twin begin with this; it has no word vectors of its own.
TWIN, SHARED = "twin.", "words.weight"
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
        full: the weights by their names in the torch network; integers for word vectors.
        without_premise: those of the twin that learnt without premises, over the same word vectors.
    """

    vocabulary: Vocabulary
    full: Weights
    without_premise: Weights


def digests(folder: Path) -> dict[str, str]:
    """Return the digest of each file that decides answers, by its name."""
    return {name: _digest(folder / name) for name in (WORDS, WEIGHTS)}


def known_digests(folder: Path) -> dict[str, str]:
    """Return the same; a file that a process has hashed is not read again while it looks unchanged.

    A run asks for the fingerprint of a system ten times. What is about to be used is checked with :func:`digests`.
    """
    found: dict[str, str] = {}
    for path in (folder / WORDS, folder / WEIGHTS):
        try:
            state = path.stat()
        except OSError as error:
            raise _unreadable(path, error) from error
        found[path.name] = _hashed(path, state.st_ino, state.st_size, state.st_mtime_ns)
    return found


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
    tensors = _tensors(folder / WEIGHTS)
    of_twin = {name: tensor for name, tensor in tensors.items() if name.startswith(TWIN)}
    full = {name: tensor for name, tensor in tensors.items() if name not in of_twin}
    twin = {name.removeprefix(TWIN): tensor for name, tensor in of_twin.items()}
    if SHARED in full:
        twin[SHARED] = full[SHARED]
    for weights in (full, twin):
        _require_shapes(folder / WEIGHTS, weights, len(vocabulary))
    return SmallFiles(vocabulary, full, twin)


def _digest(path: Path) -> str:
    try:
        return digest_file(path)
    except OSError as error:
        raise _unreadable(path, error) from error


@lru_cache(maxsize=8)
def _hashed(path: Path, inode: int, size: int, changed: int) -> str:
    """Return the digest of a file in one state."""
    return _digest(path)


def _unreadable(path: Path, error: OSError) -> DataError:
    return DataError(f"The model 'small' cannot read {path}: {error.strerror or error}. {_REMEDY}")


def _tensors(path: Path) -> Weights:
    from safetensors import SafetensorError
    from safetensors.numpy import load_file

    try:
        tensors: Weights = load_file(path)
    except (OSError, SafetensorError) as error:
        raise DataError(f"{path} does not hold the weights of 'small': {error}. {_REMEDY}") from error
    return tensors


def _require_shapes(path: Path, tensors: Weights, words: int) -> None:
    """Raise an error unless the tensors are those of a network over so many words."""
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
