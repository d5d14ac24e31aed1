"""What the processes of one pytest session share: a folder for runs, and locks on what one of them makes for all."""

from __future__ import annotations

import os
import shutil
import tempfile
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

WORKER_KEY = "nliprobe_folder"
_FOLDER = pytest.StashKey[Path]()


def shared_folder(config: pytest.Config) -> Path:
    """Return the folder of this session; it is made by the first process that keeps something there."""
    workerinput: dict[str, str] | None = getattr(config, "workerinput", None)
    if workerinput is not None:
        return Path(workerinput[WORKER_KEY])
    if _FOLDER not in config.stash:
        config.stash[_FOLDER] = Path(tempfile.gettempdir()) / f"nliprobe-pytest-{uuid.uuid4().hex}"
    return config.stash[_FOLDER]


def remove_shared(config: pytest.Config) -> None:
    """Remove the folder of this session, in the process that chose it."""
    if _FOLDER in config.stash:
        shutil.rmtree(config.stash[_FOLDER], ignore_errors=True)


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Hold a lock on a file inside a ``with`` block; the system releases it when the process ends, however it ends."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with path.open("ab") as stream:
        _lock(stream.fileno())
        yield


if os.name == "nt":  # pragma: no cover

    def _lock(file: int) -> None:
        import msvcrt
        import time

        while True:
            try:
                # It gives up after ten seconds, and a run may take longer.
                msvcrt.locking(file, msvcrt.LK_LOCK, 1)  # type: ignore[attr-defined,unused-ignore]
                return
            except OSError:
                time.sleep(0.1)

else:

    def _lock(file: int) -> None:
        import fcntl

        fcntl.flock(file, fcntl.LOCK_EX)
