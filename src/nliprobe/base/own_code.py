"""The code of this package, as one hash: what it makes may be kept, and belongs to this code alone."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from nliprobe.base import LOADED_AT
from nliprobe.base.hashing import digest, digest_files

PACKAGE = Path(__file__).parent.parent


def code_digest(rooms: Iterable[str]) -> str | None:
    """Hash all files of some rooms: modules, word lists, templates.

    The version of the package is not enough, because people change its files. None if that happened after this process
    began to load them, or if there are no files: then nobody knows what it runs.
    """
    files = sorted((path, when) for room in rooms for path, when in _files(PACKAGE / room))
    if not files or max(when for _, when in files) >= LOADED_AT:
        return None
    names = [str(path.relative_to(PACKAGE)) for path, _ in files]
    return digest(*names, digest_files(path for path, _ in files))


def _files(folder: Path) -> Iterator[tuple[Path, float]]:
    """Yield the files below a folder, with when their content or their place last changed."""
    for place, inside, names in os.walk(folder):
        if "__pycache__" in inside:
            inside.remove("__pycache__")
        for name in names:
            path = Path(place, name)
            state = path.stat()
            yield path, max(state.st_mtime, state.st_ctime)
