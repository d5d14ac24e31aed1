"""Read the many-column tables of TabFact from a folder of '#'-separated files or from its archive."""

from __future__ import annotations

import tarfile
from collections.abc import Iterable
from pathlib import Path

from nliprobe.base.errors import DataError
from nliprobe.base.files import member
from nliprobe.corpora._parts import grid
from nliprobe.task.table import Table

_SEPARATOR = "#"


class GridStore:
    """Gives tables by file name; each is parsed once, and every caller gets the same object."""

    def __init__(self, home: Path) -> None:
        self._home = home
        self._contents: dict[str, bytes] = {}
        self._tables: dict[tuple[str, str], Table] = {}

    def files(self, names: Iterable[str]) -> list[Path]:
        """Return the files of the given tables: one per table, or the archive."""
        if self._home.is_file():
            return [self._home]
        paths = (member(self._home, name) for name in names)
        return [path for path in paths if path is not None and path.is_file()]

    def load(self, names: Iterable[str]) -> None:
        """Read the given tables from the archive in one pass; do nothing for a folder."""
        missing = set(names) - self._contents.keys()
        if not missing or self._home.is_dir():
            return
        try:
            with tarfile.open(self._home) as archive:
                for member in archive:
                    name = member.name.rpartition("/")[2]
                    stream = archive.extractfile(member) if name in missing else None
                    if stream is not None:
                        self._contents[name] = stream.read()
                        missing.discard(name)
                    if not missing:
                        break
        except (tarfile.TarError, EOFError, OSError) as error:
            raise DataError(f"{self._home} is not a whole tar archive: {error}.") from error

    def get(self, name: str, title: str, place: str) -> Table:
        """Return the table in a file, under a title; ``place`` says in errors what asked for it."""
        key = (name, title)
        table = self._tables.get(key)
        if table is None:
            table = self._tables[key] = self._parse(name, title, place)
        return table

    def _parse(self, name: str, title: str, place: str) -> Table:
        path = member(self._home, name)
        if path is None:
            raise DataError(f"{place}: the table {name!r:.80} cannot be the name of a file in {self._home}.")
        if self._home.is_dir() and path.is_file():
            content = path.read_bytes()
        elif name in self._contents:
            content = self._contents.pop(name)
        else:
            raise DataError(f"{place}: the table '{name}' is missing from {self._home}.")
        try:
            lines = content.decode("utf-8").replace("\r\n", "\n").split("\n")
        except UnicodeDecodeError as error:
            line = content.count(b"\n", 0, error.start) + 1
            raise DataError(f"{path}, line {line}: byte 0x{content[error.start]:02x} is not UTF-8.") from error
        rows = [line.split(_SEPARATOR) for line in lines if line]
        return grid(title, rows[0] if rows else (), rows[1:], place=f"{place}: {path}")
