"""Records in JSON and JSON lines."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from tests.fuzz.harness import Target
from tests.fuzz.targets._attempts import PAIRS_JSONL, attempt

from nliprobe.base.records.files import record_files

_SEEDS = (
    PAIRS_JSONL,
    '{"id": 1, "p": [0.5, 1e-3], "f": {"a": true}}\n\n{"id": 2, "p": [], "f": null}\n',
    '[{"premise": "a", "hypothesis": "b", "label": 0}, {"premise": "c", "hypothesis": "d", "label": 2}]',
    '{"columns": ["premise", "hypothesis"], "data": [["a", "b"], ["c", "d"]]}',
    '{"premise": ["a", "c"], "hypothesis": ["b", "d"], "label": [1, 2]}',
    '{"premise": {"0": "a", "1": "c"}, "label": {"0": -1, "1": 2.5}}',
    '{"version": "1.0", "data": [{"premise": "a", "hypothesis": "b"}]}',
    '[\n  {"premise": "a",\n   "hypothesis": "b"}\n]\n',
)


def _seeds() -> list[bytes]:
    return [seed.encode() for seed in _SEEDS] + [PAIRS_JSONL.encode("utf-16")]


def _run(data: bytes, folder: Path) -> None:
    for name in ("x.jsonl", "x.json"):
        path = folder / name
        path.write_bytes(data)
        attempt(*(partial(_read, path, format) for format in ("", "jsonl", "json")))


def _read(path: Path, format: str) -> None:
    for file in record_files(path, format=format):
        for number, record in file.records():
            file.where(number)
            repr(sorted(record)).encode()
            for value in record.values():
                str(value).encode()


TARGET = Target("json_records", _seeds, _run)
