"""Write files that are either whole or absent, sealed with their digest where asked; name the folders nliprobe uses."""

from __future__ import annotations

import errno
import json
import os
import tempfile
import uuid
from collections.abc import Mapping
from pathlib import Path
from typing import Generic, TypeVar

from nliprobe.base.errors import StoreError
from nliprobe.base.fields import Fields
from nliprobe.base.hashing import digest_text

T = TypeVar("T")
# The key of the digest in a sealed record.
DIGEST = "digest"
_FULL = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}


def write_atomic(path: Path, *content: bytes | memoryview) -> None:
    """Write a whole file under its name, or leave the old content; pieces are written one after the other."""
    partial = path.with_name(f".{path.name}.{os.getpid()}.partial")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with partial.open("wb") as stream:
            stream.writelines(content)
            stream.flush()
            os.fsync(stream.fileno())
        partial.replace(path)
    except OSError as error:
        partial.unlink(missing_ok=True)
        if error.errno in _FULL:
            raise StoreError(
                f"No space left to write {path} ({sum(map(len, content)):,} bytes). "
                "Free some space and repeat the command: it continues where it stopped."
            ) from error
        raise StoreError(f"Cannot write {path}: {error.strerror or error}.") from error
    except BaseException:
        partial.unlink(missing_ok=True)
        raise


def require_writable(path: Path) -> None:
    """Raise an error unless a file or folder can be made at a path; nothing is left there."""
    folder = next(parent for parent in (path.absolute(), *path.absolute().parents) if parent.exists())
    if folder != path.absolute() and not folder.is_dir():
        raise StoreError(f"Cannot write {path}: {folder} is not a folder.")
    folder = folder if folder.is_dir() else folder.parent
    try:
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        raise StoreError(f"Cannot write {path}: {error.strerror or error}.") from error


def write_new(path: Path, content: bytes) -> bool:
    """Write a whole file under a name that nobody has taken; returns whether it was this call that took it."""
    if path.exists():
        return False
    # A process and a thread have a name of their own, and a link, unlike a rename, never replaces what is there.
    own = path.with_name(f".{path.name}.{uuid.uuid4().hex}.partial")
    write_atomic(own, content)
    try:
        os.link(own, path)
    except FileExistsError:
        return False
    except OSError:  # a file system without links
        own.replace(path)
    finally:
        own.unlink(missing_ok=True)
    return True


def write_json(path: Path, content: Mapping[str, object]) -> None:
    """Write a JSON object, indented for people, atomically."""
    write_atomic(path, json_bytes(content))


def json_bytes(content: Mapping[str, object]) -> bytes:
    """Return a JSON object as files hold it: indented for people, keys in the order given."""
    return (json.dumps(content, indent=1, ensure_ascii=False) + "\n").encode("utf-8")


def read_json(path: Path) -> dict[str, object]:
    """Read a JSON object written by :func:`write_json`; the error names the file if it is damaged."""
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise StoreError(f"Cannot read {path}: {error}.") from error
    if not isinstance(content, dict):
        raise StoreError(f"{path} should hold a JSON object, but holds {type(content).__name__}.")
    return content


def sealed(content: Mapping[str, object]) -> bytes:
    """Return a record as the bytes of its file, with the digest of everything else at the end."""
    return json_bytes({**content, DIGEST: _digest(content)})


def write_sealed(path: Path, content: Mapping[str, object]) -> None:
    """Write a record with its digest, completely or not at all."""
    write_atomic(path, sealed(content))


def read_sealed(path: Path) -> Fields:
    """Read a record that :func:`write_sealed` wrote; one that was altered since is a :class:`StoreError`."""
    return check_seal(path, read_json(path))


def check_seal(path: Path, content: Mapping[str, object]) -> Fields:
    """Return the values of a record if its digest is right; otherwise raise a :class:`StoreError`."""
    fields = Fields(str(path), content)
    stored = fields.text(DIGEST)
    rest = {key: value for key, value in content.items() if key != DIGEST}
    if stored != _digest(rest):
        raise StoreError(
            f"{path} was altered after nliprobe wrote it: its digest does not fit its content. "
            "Restore it from a copy, or make the run again in another folder."
        )
    return fields


def _digest(content: Mapping[str, object]) -> str:
    return digest_text(json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=False))


class Written(Generic[T]):
    """Remembers what this process wrote into files, so that it is not read back.

    A file that was replaced or altered since is no longer remembered.
    """

    def __init__(self) -> None:
        self._contents: dict[Path, tuple[tuple[int, ...] | None, T]] = {}

    def note(self, path: Path, content: T) -> None:
        """Remember what has just been written into a file."""
        self._contents[path] = (_stamp(path), content)

    def get(self, path: Path) -> T | None:
        """Return what this process wrote into a file, or none if it must be read."""
        stamp, content = self._contents.get(path, (None, None))
        return content if stamp is not None and stamp == _stamp(path) else None


def _stamp(path: Path) -> tuple[int, ...] | None:
    try:
        state = path.stat()
    except OSError:
        return None
    return state.st_dev, state.st_ino, state.st_mtime_ns, state.st_size


def set_aside(path: Path) -> Path:
    """Rename a damaged file, so that it can be inspected but is never read again."""
    target = path.with_name(path.name + ".damaged")
    path.replace(target)
    return target


def cache_folder() -> Path:
    """Return the folder for answers and trained models: NLIPROBE_CACHE, else the user's cache folder."""
    chosen = os.environ.get("NLIPROBE_CACHE")
    if chosen:
        return Path(chosen)
    home = os.environ.get("XDG_CACHE_HOME")
    return (Path(home) if home else Path.home() / ".cache") / "nliprobe"


def data_roots(chosen: Path | None = None) -> list[Path]:
    """Return the folders to search for corpora and word vectors: the chosen one, else those of NLIPROBE_DATA."""
    if chosen is not None:
        return [chosen]
    return [Path(piece) for piece in os.environ.get("NLIPROBE_DATA", "").split(os.pathsep) if piece]
