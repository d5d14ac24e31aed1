"""The run folder: one suite asked of n systems, as JSON and Parquet and nothing else."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from nliprobe.base.errors import NotFoundError, StoreError, command, did_you_mean, option
from nliprobe.base.files import read_json, set_aside, write_json
from nliprobe.store.frames import read_frame, row_count, schema, write_frame

if TYPE_CHECKING:
    import polars as pl

FORMAT = 1
MANIFEST = "run.json"
KINDS = ("pairs", "facets", "cases")
Manifest = dict[str, object]


class RunFolder:
    """Reads and writes one run; analysis, report, compare and studio only read."""

    def __init__(self, path: Path, manifest: Manifest) -> None:
        self.path = path
        self.manifest = manifest

    @classmethod
    def open(cls, path: Path) -> RunFolder:
        """Open a folder that holds a run of a format this version knows."""
        if not (path / MANIFEST).is_file():
            raise NotFoundError(
                f"{path} is not a run: it has no {MANIFEST}. Make one with {command('run', 'out', str(path))}."
            )
        manifest = read_json(path / MANIFEST)
        version = manifest.get("format")
        if not isinstance(version, int):
            raise StoreError(f"{path / MANIFEST} does not say its format: it is not a run of nliprobe.")
        if version > FORMAT:
            raise StoreError(
                f"The run {path} has format {version}, newer than format {FORMAT} of this nliprobe "
                f"(it was written by nliprobe {manifest.get('nliprobe')}). Update nliprobe to read it."
            )
        return cls(path, manifest)

    @classmethod
    def create(cls, path: Path, manifest: Manifest) -> RunFolder:
        """Start a run in a new or empty folder."""
        # A kill in the first instant leaves the manifest half-written under a temporary name, and nothing else.
        if path.exists() and (not path.is_dir() or any(not _unfinished(item) for item in path.iterdir())):
            raise StoreError(f"{path} exists and is not a run. Choose another folder with {option('out')}.")
        run = cls(path, {"format": FORMAT, **manifest})
        run.save()
        return run

    def save(self) -> None:
        """Write the manifest."""
        write_json(self.path / MANIFEST, self.manifest)

    @property
    def complete(self) -> bool:
        """Whether every case has been asked of every system."""
        return self.manifest.get("status") == "complete"

    @property
    def systems(self) -> list[dict[str, object]]:
        """What the manifest says of each system: name, folder, spec, fingerprint, partition…"""
        return [dict(item) for item in _items(self.manifest.get("systems"))]

    @property
    def corpora(self) -> list[dict[str, object]]:
        """What the manifest says of each corpus: name, digest, partition."""
        suite = self.manifest.get("suite")
        return [dict(item) for item in _items(suite.get("corpora"))] if isinstance(suite, Mapping) else []

    def system(self, name: str) -> dict[str, object]:
        """One system by the name the run gives it."""
        for item in self.systems:
            if item["name"] == name:
                return item
        names = [str(item["name"]) for item in self.systems]
        raise NotFoundError(f"The run {self.path} has no system '{name}'. {did_you_mean(name, names)}")

    # Shards -----------------------------------------------------------------------------------------------

    def shard(self, kind: str, number: int) -> Path:
        """The file of one shard of pairs, facets, cases or predictions/<folder>."""
        return self.path / kind / f"{number:05d}.parquet"

    def has(self, kind: str, number: int, rows: int | None = None) -> bool:
        """Whether a shard is there and whole; a damaged one is set aside so that it is made again."""
        path = self.shard(kind, number)
        if not path.is_file():
            return False
        found = row_count(path)
        if found is None or (rows is not None and found != rows):
            set_aside(path)
            return False
        return True

    def write(self, kind: str, number: int, frame: pl.DataFrame) -> None:
        """Write one shard."""
        write_frame(self.shard(kind, number), frame)

    def read(self, kind: str, columns: Sequence[str] | None = None) -> pl.DataFrame:
        """All shards of a kind together, in order."""
        import polars as pl

        frames = [read_frame(path, columns) for path in self.files(kind)]
        if frames:
            return pl.concat(frames, rechunk=False)
        names = schema(kind.partition("/")[0])
        return pl.DataFrame(schema={name: names[name] for name in columns or names})

    def shards(self, kind: str, columns: Sequence[str] | None = None) -> Iterator[pl.DataFrame]:
        """The shards of a kind one by one, for work in bounded memory."""
        for path in self.files(kind):
            yield read_frame(path, columns)

    def files(self, kind: str) -> list[Path]:
        """The shard files of a kind, in order."""
        return sorted((self.path / kind).glob("[0-9]*.parquet"))

    def predictions(self, name: str, columns: Sequence[str] | None = None) -> pl.DataFrame:
        """The answers of one system."""
        return self.read(f"predictions/{self.system(name)['folder']}", columns)


def _items(value: object) -> list[Mapping[str, object]]:
    return [item for item in value if isinstance(item, Mapping)] if isinstance(value, list) else []


def _unfinished(item: Path) -> bool:
    return item.name.startswith(f".{MANIFEST}.") and item.name.endswith(".partial")
