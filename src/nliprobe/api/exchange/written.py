"""What every format shares: the folder, its record, and the count of what was written."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from nliprobe import __version__
from nliprobe.api.exchange.documents import RECORD, SCHEMA, ExchangeDocument, WrittenFile
from nliprobe.api.exchange.origin import Origin
from nliprobe.base.errors import StoreError
from nliprobe.base.files import write_atomic, write_json
from nliprobe.base.folders import writing_folder

if TYPE_CHECKING:
    import polars as pl

    from nliprobe.api.export import ExportRequest

# Told how many cases are done, of how many if that is known.
Progress = Callable[[int, int | None], None]


class Tally:
    """Counts cases and the rows of files while a folder is written."""

    def __init__(self, folder: Path, origin: Origin, progress: Progress) -> None:
        self.folder = folder
        self.cases = 0
        self.lost: list[str] = []
        self._origin = origin
        self._progress = progress
        self._rows: dict[str, int] = {}

    def count(self, cases: int) -> None:
        """Count cases that were written, and tell the user."""
        self.cases += cases
        self._progress(self.cases, self._origin.total)

    def add(self, name: str, rows: int) -> Path:
        """Count the rows of a file, and return where it is."""
        self._rows[name] = self._rows.get(name, 0) + rows
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        return path

    def files(self) -> list[WrittenFile]:
        """List the files of the folder."""
        paths = sorted(path for path in self.folder.rglob("*") if path.is_file())
        names = [path.relative_to(self.folder).as_posix() for path in paths]
        return [
            WrittenFile(name=name, rows=self._rows.get(name), bytes=path.stat().st_size)
            for name, path in zip(names, paths, strict=True)
        ]


@contextmanager
def exporting(request: ExportRequest, origin: Origin) -> Iterator[tuple[Tally, ExchangeDocument]]:
    """Give the folder of an export and its document, which is complete and written when the block ends.

    The folder gets its name then. After an error or Ctrl-C nothing is left.
    """
    run = origin.run
    document = ExchangeDocument(
        schema=SCHEMA,
        nliprobe=__version__,
        to=request.to,
        kind="suite" if run is None else "run",
        source=origin.name,
        suite=origin.suite_hash,
        partial=origin.partial,
        represent=origin.view.represent,
        premise=str(origin.view.control),
        corpora=list(origin.partitions),
        probes=list(origin.probes),
        systems=[] if run is None else [item.name for item in run.systems],
        cases=0,
        files=[],
        lost=[],
    )
    with writing_folder(request.out) as folder:
        tally = Tally(folder, origin, request.progress)
        yield tally, document
        if not tally.cases:
            raise StoreError(f"{origin.name} has no case to export: nothing was written.")
        document["cases"] = tally.cases
        document["lost"] = tally.lost
        document["files"] = tally.files()
        write_json(folder / RECORD, dict(document))


def write_parquet(frame: pl.DataFrame, path: Path) -> None:
    """Write a frame as a Parquet file that common readers take."""
    content = io.BytesIO()
    frame.write_parquet(content, compression="zstd", compression_level=3, statistics=False)
    write_atomic(path, content.getbuffer())


def in_words(items: Sequence[str]) -> str:
    """Return a list as part of a sentence."""
    return ", ".join(items) or "none"
