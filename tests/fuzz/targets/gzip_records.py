"""Records in gzip files: damaged, cut, with something behind the end, or made of several files."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from tests.fuzz.harness import Target
from tests.fuzz.targets._attempts import PAIRS_CSV, PAIRS_JSONL, attempt, zipped

from nliprobe.base.records.files import content_files, record_files


def _seeds() -> list[bytes]:
    return [zipped(PAIRS_CSV), zipped(PAIRS_JSONL), zipped(PAIRS_JSONL) + zipped(PAIRS_JSONL), zipped('[{"a": 1}]')]


def _run(data: bytes, folder: Path) -> None:
    for name in ("x.csv.gz", "x.jsonl.gz", "x.json.gz"):
        path = folder / name
        path.write_bytes(data)
        attempt(partial(_read, path))


def _read(path: Path) -> None:
    files = record_files(path)
    content_files(files)
    for file in files:
        for _ in file.records():
            pass


TARGET = Target("gzip_records", _seeds, _run)
