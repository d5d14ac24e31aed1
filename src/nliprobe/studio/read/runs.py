"""The runs that the studio was told to serve, by their addresses."""

from __future__ import annotations

import threading
from pathlib import Path

from nliprobe.analysis.browse.background import Browsers
from nliprobe.api.listed import run_folders
from nliprobe.api.reading import Watched
from nliprobe.base.errors import NotFoundError
from nliprobe.studio.context import Part, Studio, address

# Runs whose progress is remembered between two looks.
_MOST_WATCHED = 20


class Runs:
    """Finds runs by their addresses; a request never names a path.

    Attributes:
        folder: where they are.
        browsers: the case browsers of all of them.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.browsers = Browsers()
        self._known: dict[str, Path] = {}
        self._watched: dict[Path, Watched] = {}
        self._lock = threading.Lock()

    def paths(self) -> dict[str, Path]:
        """Return all runs that are there now, by their addresses."""
        self._known = {address(self.name(path)): path for path in run_folders(self.folder)}
        return self._known

    def name(self, path: Path) -> str:
        """Return what a run is called: its path below the folder."""
        return path.relative_to(self.folder).as_posix() if path != self.folder else path.resolve().name

    def path(self, key: str) -> Path:
        """Return the folder of a run.

        Raises:
            NotFoundError: there is none at this address, or it was deleted.
        """
        path = self._known.get(key) or self.paths().get(key)
        if path is None:
            raise NotFoundError("There is no run at this address: it may have been deleted or renamed.")
        if not path.is_dir():
            raise NotFoundError(f"The run {self.name(path)} is no longer there: it was deleted or renamed.")
        return path

    def watched(self, path: Path) -> Watched:
        """Return what looks at a run again and again."""
        with self._lock:
            if path not in self._watched:
                self._watched[path] = Watched(path)
                while len(self._watched) > _MOST_WATCHED:
                    self._watched.pop(next(iter(self._watched)))
            return self._watched[path]

    def close(self) -> None:
        """Stop what is being made in the background."""
        self.browsers.close()


RUNS = Part(Runs, lambda studio: Runs(studio.settings.folder))


def runs_of(studio: Studio) -> Runs:
    """Return the runs of a studio."""
    return studio.part(RUNS)
