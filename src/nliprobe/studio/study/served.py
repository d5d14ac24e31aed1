"""The studies that ``serve`` was told: read from their folders, and read again when their files change."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from nliprobe.base.errors import DataError, NliprobeError, NotFoundError, StoreError, UsageError
from nliprobe.people.store.database import Database
from nliprobe.people.store.studies import keep_study
from nliprobe.people.study.files import STUDY, read_study
from nliprobe.people.study.records import Study
from nliprobe.studio.context import Part, Studio, address
from nliprobe.studio.log import LOG
from nliprobe.studio.refusals import NotNowError

# Forms that are recognised if they are sent again: a button is pressed twice within seconds.
_REMEMBERED = 1000


class ServedStudy(NamedTuple):
    """A study as it is now.

    Attributes:
        key: how it is called in addresses.
        name: the name of its folder, which only the owner sees.
        folder: where its files are.
        study: what participants are shown.
    """

    key: str
    name: str
    folder: Path
    study: Study


class _Read(NamedTuple):
    """What was read, and of which state of the file."""

    stamp: tuple[int, int]
    study: Study


@dataclass
class Studies:
    """Knows all studies by their addresses."""

    store: Database
    folders: dict[str, Path]
    _known: dict[str, _Read] = field(default_factory=dict)
    _joined: OrderedDict[tuple[str, str], int] = field(default_factory=OrderedDict)
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _joining: threading.Lock = field(default_factory=threading.Lock)

    def read(self, key: str) -> ServedStudy:
        """Return a study, for its owner: what is wrong with its files is said in full.

        Raises:
            DataError: the files cannot be read, or were changed so that answers no longer belong to them.
            NotFoundError: there is no such study.
        """
        folder = self.folders.get(key)
        if folder is None:
            raise NotFoundError("There is no such study here.")
        name = name_of(folder)
        with self._lock:
            stamp = _stamp(folder / STUDY)
            known = self._known.get(key)
            if known is None or known.stamp != stamp:
                study = _read_now(folder)
                keep_study(self.store, name, study)
                known = self._known[key] = _Read(stamp, study)
        return ServedStudy(key, name, folder, known.study)

    def join_once(self, key: str, request: str, join: Callable[[], int]) -> int:
        """Return the number of a participant who joins; the same form sent twice is the same participant."""
        with self._joining:
            known = self._joined.get((key, request)) if request else None
            if known is None:
                known = self._joined[key, request] = join()
            while len(self._joined) > _REMEMBERED:
                self._joined.popitem(last=False)
            return known

    def show(self, key: str) -> ServedStudy:
        """Return a study, for a participant, who need not know where its files are and what is wrong with them."""
        if key not in self.folders:
            raise NotFoundError("There is no such study here.")
        try:
            return self.read(key)
        except StoreError:
            raise
        except NliprobeError as error:
            LOG.warning("A study cannot be shown: %s", error)
            raise NotNowError(
                "This study was changed meanwhile and cannot be shown now. Your answers are kept. Please tell whoever "
                "invited you."
            ) from error


def _open(studio: Studio) -> Studies:
    folders: dict[str, Path] = {}
    for folder in studio.settings.studies:
        key = address(f"study {name_of(folder)}")
        if key in folders:
            raise UsageError(f"Two folders of studies are called '{name_of(folder)}': rename one of them.")
        folders[key] = folder
    return Studies(studio.store, folders)


def name_of(folder: Path) -> str:
    """Return the name of a study: that of its folder."""
    return folder.resolve().name


def _read_now(folder: Path) -> Study:
    """Read a study; a StoreError is of the store of answers alone, whose words participants may read."""
    try:
        return read_study(folder)
    except StoreError as error:
        raise DataError(str(error)) from error


def _stamp(path: Path) -> tuple[int, int]:
    try:
        found = path.stat()
    except OSError:
        return 0, 0
    return found.st_mtime_ns, found.st_size


STUDIES = Part(Studies, _open)
