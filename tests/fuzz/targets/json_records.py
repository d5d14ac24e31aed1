"""Records in JSON and JSON lines."""

from __future__ import annotations

from pathlib import Path

from tests.fuzz.harness import Target

from nliprobe.base.records.files import record_files

_LINES = (
    '{"id": 1, "premise": "A man sleeps.", "hypothesis": "A person rests.", "label": "entailment", "p": [0.5, 1e-3]}\n'
    '{"id": 2, "premise": "Ein Café \\u00e9\\ud83d\\ude00", "hypothesis": "x", "label": null, "f": {"a": true}}\n'
)
_SEEDS = (
    _LINES,
    '[{"premise": "a", "hypothesis": "b", "label": 0}, {"premise": "c", "hypothesis": "d", "label": 2}]',
    '{"columns": ["premise", "hypothesis"], "data": [["a", "b"], ["c", "d"]]}',
    '{"premise": ["a", "c"], "hypothesis": ["b", "d"], "label": [1, 2]}',
    '{"premise": {"0": "a", "1": "c"}, "label": {"0": -1, "1": 2.5}}',
    '{"version": "1.0", "data": [{"premise": "a", "hypothesis": "b"}]}',
    '[\n  {"premise": "a",\n   "hypothesis": "b"}\n]\n',
)


def _seeds() -> list[bytes]:
    return [seed.encode() for seed in _SEEDS] + [_LINES.encode("utf-16")]


def _run(data: bytes, folder: Path) -> None:
    for name in ("x.jsonl", "x.json"):
        path = folder / name
        path.write_bytes(data)
        refused: ValueError | None = None
        for format in ("", "jsonl", "json"):
            try:
                for file in record_files(path, format=format):
                    for number, _ in file.records():
                        file.where(number)
            except ValueError as error:
                from nliprobe.base.errors import NliprobeError

                if not isinstance(error, NliprobeError):
                    raise
                refused = error
        if refused:
            raise refused


TARGET = Target("json_records", _seeds, _run)
