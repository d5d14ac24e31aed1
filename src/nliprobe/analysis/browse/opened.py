"""Browsers of the runs that were looked at last."""

from __future__ import annotations

import threading
from contextlib import ExitStack
from pathlib import Path

from nliprobe.analysis.browse.browsing import Browser
from nliprobe.analysis.browse.columns import Columns, read_columns
from nliprobe.analysis.browse.kept import damaged, index_file, reading, use


class OpenBrowsers:
    """Keeps the columns of the runs that were browsed last, so that they are read once; several threads may use it.

    Args:
        most: how many runs.
    """

    def __init__(self, most: int = 2) -> None:
        self._most = most
        self._columns: dict[Path, tuple[object, Columns]] = {}
        self._lock = threading.Lock()

    def open(self, stack: ExitStack, run: Path) -> Browser:
        """Open the index of a run, as long as the stack is open; one that is not there is a FileNotFoundError."""
        path = index_file(run)
        connection = stack.enter_context(reading(path))
        # By what is in the open file: another may have taken its place under the same name meanwhile.
        state = connection.execute("SELECT value FROM about WHERE name = 'state'").fetchall()
        if not state:
            raise damaged(path, "it is not whole")
        with self._lock:
            kept = self._columns.pop(path, None)
            columns = kept[1] if kept is not None and kept[0] == state else None
            if columns is None:
                columns = read_columns(path, connection)
                use(path)
            self._columns[path] = state, columns
            while len(self._columns) > self._most:
                self._columns.pop(next(iter(self._columns)))
        return Browser(path, connection, columns)
