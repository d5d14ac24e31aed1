"""Write files that are either whole or absent, sealed with their digest where asked; name the folders nliprobe uses."""

from __future__ import annotations

import errno
import json
import os
import re
import tempfile
import time
import uuid
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path, PureWindowsPath
from typing import BinaryIO, Generic, TypeVar

from nliprobe.base.errors import NliprobeError, StoreError
from nliprobe.base.fields import Fields
from nliprobe.base.hashing import digest_text

T = TypeVar("T")
# The key of the digest in a sealed record.
DIGEST = "digest"
_FULL = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}
# A file is written and renamed within seconds. A process that has ended leaves its unfinished files after a minute; one
# of another machine, whose processes cannot be asked for, after a day.
_OWN_LEFT, _ANY_LEFT = 60.0, 86_400.0
_PARTIAL = re.compile(r"\.(?P<machine>[0-9a-f]{8})-(?P<process>\d+)\.partial$")
# Bytes in the name of a file, on every common file system.
_LONGEST_NAME = 255


def write_atomic(path: Path, *content: bytes | memoryview) -> None:
    """Write a whole file under its name, or leave the old content; pieces are written one after the other."""
    with writing(path) as stream:
        stream.writelines(content)


@contextmanager
def writing(path: Path) -> Iterator[BinaryIO]:
    """Give a stream whose content becomes the file when the block ends; after any error the old content stays.

    A full disk, a read-only one and a path that cannot be are a :class:`StoreError` that names the file. A device or a
    pipe, such as ``/dev/null``, is written to and never replaced.
    """
    partial = path.with_name(f".{path.name}.{this_machine()}-{os.getpid()}.partial") if path.name else path
    direct = _is_special(path)
    try:
        with refusing(path):
            if not direct:
                path.parent.mkdir(parents=True, exist_ok=True)
            with (path if direct else partial).open("wb") as stream:
                yield stream
                stream.flush()
                if not direct:
                    os.fsync(stream.fileno())
            if not direct:
                partial.replace(path)
    except BaseException:
        if not direct:
            _forget(partial)
        raise


@contextmanager
def refusing(path: Path) -> Iterator[None]:
    """Turn errors of the file system, while a file or folder is written, into a sentence that names it."""
    try:
        yield
    except NliprobeError:
        raise
    except OSError as error:
        if error.errno in _FULL:
            raise StoreError(
                f"No space left to write {path}. Free some space and repeat the command: it continues where it stopped."
            ) from error
        raise StoreError(f"Cannot write {path}: {error.strerror or error}.") from error
    except ValueError as error:
        if "\0" not in str(path):
            raise
        raise StoreError(f"Cannot write {str(path)!r}: a name cannot hold the character NUL.") from error


def _is_special(path: Path) -> bool:
    try:
        return path.exists() and not path.is_file() and not path.is_dir()
    except (OSError, ValueError):  # what is wrong with it is said when it is opened
        return False


def _forget(partial: Path) -> None:
    with suppress(OSError, ValueError):
        partial.unlink(missing_ok=True)


def member(folder: Path, name: str) -> Path | None:
    """Return the path of a name from data inside a folder, or none if it would lead out of it.

    >>> member(Path("tables"), "film/T12.json"), member(Path("tables"), "../secret"), member(Path("tables"), "/etc/x")
    (PosixPath('tables/film/T12.json'), None, None)
    """
    parts = name.replace("\\", "/").split("/")
    if any(part in ("", ".", "..") or len(part.encode("utf-8", "surrogatepass")) > _LONGEST_NAME for part in parts):
        return None
    # A drive has a colon, or two backslashes and so an empty part; asking only then saves a third of the time.
    if "\0" in name or (":" in name and PureWindowsPath(name).drive):
        return None
    return folder / name


def require_writable(path: Path) -> None:
    """Raise an error unless a file or folder can be made at a path; nothing is left there."""
    with refusing(path):
        if "\0" in str(path):  # which does not exist, and so would pass
            raise ValueError(path)
        if _is_special(path):
            return
        folder = next(parent for parent in (path.absolute(), *path.absolute().parents) if parent.exists())
        if folder != path.absolute() and not folder.is_dir():
            raise StoreError(f"Cannot write {path}: {folder} is not a folder.")
        with tempfile.TemporaryFile(dir=folder if folder.is_dir() else folder.parent):
            pass


def write_new(path: Path, content: bytes) -> bool:
    """Write a whole file under a name that nobody has taken; returns whether it was this call that took it."""
    if path.exists():
        return False
    # A process and a thread have a name of their own, and a link, unlike a rename, never replaces what is there.
    own = path.with_name(f".{path.name}.{uuid.uuid4().hex}.{this_machine()}-{os.getpid()}.partial")
    write_atomic(own, content)
    try:
        with refusing(path):
            try:
                os.link(own, path)
            except FileExistsError:
                return False
            except OSError:  # a file system without links
                own.replace(path)
    finally:
        _forget(own)
    return True


def sweep_partials(folder: Path) -> None:
    """Delete the unfinished files that killed processes left in a folder; that of a live writer stays."""
    for path in folder.glob(".*.partial"):
        try:
            age = time.time() - path.stat().st_mtime
            if age > _ANY_LEFT or (age > _OWN_LEFT and writer_ended(path.name)):
                path.unlink(missing_ok=True)
        except OSError:
            continue  # gone meanwhile, or not ours to delete: it is never read


def writer_ended(name: str) -> bool:
    """Tell whether the process that began an unfinished file has surely ended."""
    writer = partial_writer(name)
    return writer is not None and writer[2] is True


def partial_writer(name: str) -> tuple[int, bool, bool | None] | None:
    """Return who began an unfinished file: the process, whether it is of this machine, and whether it has ended.

    The last is none where it cannot be known. A file with another name was begun by nobody.
    """
    owner = _PARTIAL.search(name)
    if owner is None:
        return None
    process = int(owner["process"])
    if owner["machine"] != this_machine():
        return process, False, None
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return process, True, True
    except (OSError, OverflowError):  # it is there, but another user's; or no number of a process
        return process, True, False
    return process, True, False


def this_machine() -> str:
    """Return a short name for this machine, by which unfinished files are told from those of others."""
    import platform

    return digest_text(platform.node())[:8]


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
    except OSError as error:
        raise StoreError(f"Cannot read {path}: {error.strerror or error}.") from error
    except (ValueError, RecursionError) as error:
        raise StoreError(f"Cannot read {path}: it does not hold JSON ({error}).") from error
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
        raise StoreError(f"{path} was altered after nliprobe wrote it: its digest does not fit its content.")
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
        self._contents[path] = (stamp(path), content)

    def get(self, path: Path) -> T | None:
        """Return what this process wrote into a file, or none if it must be read."""
        noted, content = self._contents.get(path, (None, None))
        return content if noted is not None and noted == stamp(path) else None


def stamp(path: Path) -> tuple[int, ...] | None:
    """Return what changes when a file is replaced or written, or none if there is no file."""
    try:
        state = path.stat()
    except OSError:
        return None
    return state.st_dev, state.st_ino, state.st_mtime_ns, state.st_size


def set_aside(path: Path) -> Path:
    """Rename a damaged file, so that it can be inspected but is never read again; another process may be faster."""
    target = path.with_name(path.name + ".damaged")
    with refusing(path), suppress(FileNotFoundError):
        path.replace(target)
    return target


def cache_folder() -> Path:
    """Return the folder for what is kept between runs: NLIPROBE_CACHE, else the user's cache folder."""
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
