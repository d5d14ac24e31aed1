"""Text files of word vectors, plain and zipped, and the arrays made from them."""

from __future__ import annotations

import io
import os
from functools import partial
from pathlib import Path

from tests.fuzz.harness import Target
from tests.fuzz.targets._attempts import attempt, zipped

from nliprobe.language.vectors import Vectors

_GLOVE = "the 0.1 -0.2 3e-1\nman 1 2 3\n. . . 0.5 0.25 1\ncafé 0 0 1\n"
_WORD2VEC = "2 3\nthe 0.1 0.2 0.3\nman 1 2 3\n"


def _seeds() -> list[bytes]:
    import numpy as np

    array = io.BytesIO()
    np.save(array, np.ones((2, 3), dtype=np.float32))
    return [_GLOVE.encode(), _WORD2VEC.encode(), zipped(_GLOVE), array.getvalue()]


def _run(data: bytes, folder: Path) -> None:
    os.environ["NLIPROBE_CACHE"] = str(folder / "cache")
    for name in ("x.txt", "x.txt.gz", "x.vec", "vectors.npy"):
        path = folder / name
        path.write_bytes(data)
        (folder / "words.txt").write_bytes(b"the\nman\n")
        attempt(partial(_read, path))
    (folder / "words.txt").write_bytes(data)
    (folder / "vectors.npy").write_bytes(_seeds()[3])
    attempt(partial(_read, folder / "vectors.npy"))


def _read(path: Path) -> None:
    vectors = Vectors(path)
    vectors.digest.encode()
    places = [place for word in ("the", "man", "café") if (place := vectors.place(word)) is not None]
    assert vectors.take(places).shape == (len(places), vectors.dimensions)
    assert len(vectors) >= len(places)


TARGET = Target("vectors_text", _seeds, _run)
