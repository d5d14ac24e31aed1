"""Read word vectors from files: GloVe's text format, or an array with a list of words."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from functools import cached_property, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from nliprobe.base.errors import DataError, NotFoundError, where
from nliprobe.base.files import data_roots
from nliprobe.base.hashing import digest_files

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

FOLDER = "glove"
VARIABLE = "NLIPROBE_VECTORS"
WORDS = "words.txt"
_TEXTS = (".txt", ".vec", ".txt.gz", ".vec.gz")
_HOME = "https://nlp.stanford.edu/projects/glove"


class Vectors:
    """Vectors by word; nothing is read before the first word is asked for.

    Args:
        path: a text file of GloVe's kind (``word 0.1 -0.2 …``, may end in ``.gz``), an array ``NAME.npy`` of any
            float type with ``words.txt`` next to it (one word per line, in the order of the rows), or a folder
            that holds one of them.
    """

    def __init__(self, path: Path) -> None:
        self.path = _file_of(path)

    @cached_property
    def digest(self) -> str:
        """A hash of the words and their vectors' files."""
        if self.path.suffix == ".npy":
            return digest_files([self.path, self.path.with_name(WORDS)])
        from nliprobe.language._vector_text import source_digest

        return source_digest(self._converted)

    @property
    def dimensions(self) -> int:
        """The number of numbers per vector."""
        return int(self._array.shape[1])

    def __len__(self) -> int:
        return len(self._places)

    def words(self) -> Iterator[str]:
        """Yield the words in the order of the file, each once; files of vectors begin with the most frequent ones."""
        return (word for word, _ in sorted(self._places.items(), key=lambda item: item[1]))

    def place(self, word: str) -> int | None:
        """Return the row of a word's vector, or None if the word has no vector."""
        return self._places.get(word)

    def take(self, places: Sequence[int]) -> NDArray[np.float64]:
        """Return the vectors at the given rows, as a new array."""
        import numpy as np

        vectors = np.asarray(self._array[np.asarray(places, dtype=np.intp)], dtype=np.float64)
        if not np.isfinite(vectors).all():
            row = next(place for place, vector in zip(places, vectors, strict=True) if not np.isfinite(vector).all())
            raise DataError(
                f"{self.path}: the vector in row {row} (counted from 0) holds something that is not a number."
            )
        return vectors

    @cached_property
    def _converted(self) -> Path:
        from nliprobe.language._vector_text import converted

        return converted(self.path)

    @cached_property
    def _array(self) -> NDArray[np.floating]:
        array_file = self.path if self.path.suffix == ".npy" else self._converted / "vectors.npy"
        return _read_array(array_file)

    @cached_property
    def _places(self) -> dict[str, int]:
        array_file = self.path if self.path.suffix == ".npy" else self._converted / "vectors.npy"
        file = array_file.with_name(WORDS)
        words = _read_words(file)
        if len(words) != len(self._array):
            raise DataError(
                f"{array_file} has {len(self._array):,} vectors, but {file} has {len(words):,} words. "
                "They should be the rows of one table: take both from the same place."
            )
        # Backwards, so that the first of a repeated word counts.
        return dict(zip(reversed(words), range(len(words) - 1, -1, -1), strict=True))


def find_vectors(named: str = "") -> Vectors:
    """Return the vectors at a path; without one those of NLIPROBE_VECTORS, else ``glove`` below the data folders.

    Raises:
        NotFoundError: there are no vectors; the message says where it looked and where to get some.
    """
    chosen = named or os.environ.get(VARIABLE, "")
    if chosen:
        return _shared(Path(chosen).expanduser())
    roots = data_roots()
    for root in roots:
        if (root / FOLDER).is_dir():
            return _shared(root / FOLDER)
    looked = ", ".join(str(root / FOLDER) for root in roots) or "nowhere: NLIPROBE_DATA is not set"
    raise NotFoundError(
        f"There are no word vectors (looked in {looked}). Get a GloVe file from {_HOME} and name it with "
        f"?vectors=PATH or {VARIABLE}, or put it into a folder '{FOLDER}' below NLIPROBE_DATA."
    )


def _shared(path: Path) -> Vectors:
    file = _file_of(path)
    states = [item.stat() for item in (file, file.with_name(WORDS)) if item.exists()]
    # The time of the last change of a file, unlike that of its content, cannot be set back.
    stamps = [(state.st_dev, state.st_ino, state.st_size, state.st_mtime_ns, state.st_ctime_ns) for state in states]
    return _opened(file.absolute(), tuple(stamps))


@lru_cache(maxsize=2)
def _opened(file: Path, states: tuple[tuple[int, ...], ...]) -> Vectors:
    """Return the vectors of a file in a given state, so that systems with the same vectors share them."""
    return Vectors(file)


def _file_of(path: Path) -> Path:
    if not path.exists():
        raise NotFoundError(f"The word vectors {path} do not exist. Name a GloVe text file, a .npy file or a folder.")
    if path.is_dir():
        inside = sorted(item for item in path.iterdir() if item.is_file())
        arrays = [item for item in inside if item.suffix == ".npy"]
        texts = [item for item in inside if item.name.endswith(_TEXTS) and item.name != WORDS]
        candidates = arrays or texts
        if len(candidates) != 1:
            names = ", ".join(item.name for item in candidates) or "none of them"
            raise NotFoundError(
                f"The folder {path} should hold one .npy file with {WORDS}, or one text file of vectors, "
                f"but holds {names}. Name the file itself."
            )
        path = candidates[0]
    if path.suffix == ".npy" and not path.with_name(WORDS).is_file():
        raise NotFoundError(
            f"{path} has no {WORDS} next to it. Put it there: one word per line, in the order of the rows."
        )
    return path


def _read_array(path: Path) -> NDArray[np.floating]:
    import numpy as np

    try:
        array = np.load(path, mmap_mode="r", allow_pickle=False)
    except Exception as error:  # the header of an array is Python code, whose parser raises errors of all kinds
        raise DataError(f"{path} is not an array that NumPy can read: {error}. It may be cut short.") from error
    if not isinstance(array, np.ndarray) or array.ndim != 2 or array.dtype.kind != "f" or 0 in array.shape:
        what = f"{array.dtype} of shape {array.shape}" if isinstance(array, np.ndarray) else "something else"
        raise DataError(f"{path} should hold a table of floats with a row per word, but holds {what}.")
    # The plain view of the mapped file: indexing the subclass takes twice the time per word.
    return np.asarray(array)


def _read_words(path: Path) -> list[str]:
    content = path.read_bytes().removesuffix(b"\n")
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError as error:
        number = content.count(b"\n", 0, error.start) + 1
        raise DataError(f"{where(path, number)}: the word is not UTF-8.") from None
    # Only line feeds end a line: some words are themselves what str.splitlines takes for an end.
    words = text.split("\n")
    return [word.removesuffix("\r") for word in words] if "\r" in text else words
