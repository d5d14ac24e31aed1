"""Write folders that are either whole or absent."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from nliprobe.base.errors import StoreError
from nliprobe.base.files import refusing, require_writable, this_machine, writer_ended


@contextmanager
def writing_folder(path: Path) -> Iterator[Path]:
    """Give a new folder beside a path that gets its name when the block ends; after any error nothing is left.

    A process that is killed leaves its unfinished folder under a hidden name, which the next one deletes.

    Raises:
        StoreError: the path is a file or a folder that is not empty, or it cannot be written.
    """
    require_empty(path)
    require_writable(path)
    whole = path.absolute()
    _sweep(whole)
    partial = whole.with_name(f".{whole.name}.{this_machine()}-{os.getpid()}.partial")
    with refusing(path):
        partial.mkdir(parents=True)
    try:
        yield partial
        with refusing(path):
            partial.replace(whole)  # which replaces an empty folder, and no other
    finally:
        shutil.rmtree(partial, ignore_errors=True)


def require_empty(path: Path) -> None:
    """Raise an error unless a folder can be made at a path: nothing is there, or an empty folder."""
    if path.is_dir():
        if any(path.iterdir()):
            raise StoreError(f"{path} is not empty. Name a folder that is not there yet, or delete that one.")
    elif path.exists():
        raise StoreError(f"{path} is a file. Name a folder that is not there yet.")


def _sweep(path: Path) -> None:
    """Delete what killed processes left of a folder; that of a live one stays."""
    for left in path.parent.glob(f".{path.name}.*.partial"):
        if writer_ended(left.name):
            shutil.rmtree(left, ignore_errors=True)
