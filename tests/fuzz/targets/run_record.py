"""The records of a run: ``run.json`` of both formats, the record of a system, and that of a shard."""

from __future__ import annotations

import json
import shutil
import tempfile
from contextlib import suppress
from functools import cache
from pathlib import Path

from tests.analysis.runs import Asked, derived, pair, write_run
from tests.fuzz.harness import Target

from nliprobe.analysis.cases import read_run
from nliprobe.analysis.check import check_document
from nliprobe.analysis.summary import summarise
from nliprobe.base.errors import NliprobeError
from nliprobe.base.files import DIGEST, sealed
from nliprobe.store.run import RunFolder
from nliprobe.store.soundness import State

FORMAT1 = Path(__file__).parents[2] / "store" / "data" / "format1"
SYSTEM, SHARD = "systems/folder-0.json", "cases/00000.json"


@cache
def example() -> dict[str, bytes]:
    """The files of a small complete run of one system, by their paths."""
    a, b = pair("a", "E"), pair("b", "N")
    cases = {"x/dev": [a, b, derived("a1", a)]}
    with tempfile.TemporaryDirectory() as name:
        run = write_run(Path(name), cases, [Asked("m", {"a": "E", "b": "N", "a1": "C"})], shard=10)
        return {str(path.relative_to(run.path)): path.read_bytes() for path in run.path.rglob("*") if path.is_file()}


@cache
def format1() -> dict[str, bytes]:
    """The files of a run of format 1, by their paths."""
    return {str(path.relative_to(FORMAT1)): path.read_bytes() for path in FORMAT1.rglob("*") if path.is_file()}


def seeds() -> list[bytes]:
    """Return each kind of record once."""
    files = example()
    return [files["run.json"], files[SYSTEM], files[SHARD], format1()["run.json"]]


def run(data: bytes, folder: Path) -> None:
    """Read a run in which the input stands for the record it is most like, as it is and with a digest that fits it."""
    files, place = _place(data)
    for content in (data, _resealed(data)):
        if content is None:
            continue
        out = folder / "run"
        for name, kept in {**files, place: content}.items():
            (out / name).parent.mkdir(parents=True, exist_ok=True)
            (out / name).write_bytes(kept)
        for partial in (False, True):
            with suppress(NliprobeError):
                opened = RunFolder.open(out, partial=partial)
                summarise(opened) if opened.state is State.COMPLETE else read_run(opened)
        with suppress(NliprobeError):
            check_document(out)
        shutil.rmtree(out)


def _place(data: bytes) -> tuple[dict[str, bytes], str]:
    if b'"suite"' in data:
        return (format1() if b'"format": 1' in data else example()), "run.json"
    return example(), SHARD if b'"rows"' in data else SYSTEM if b'"identity"' in data else "run.json"


def _resealed(data: bytes) -> bytes | None:
    try:
        content = json.loads(data)
    except (ValueError, RecursionError):
        return None
    if not isinstance(content, dict):
        return None
    content.pop(DIGEST, None)
    try:
        return sealed(content)
    except (ValueError, RecursionError):
        return None


TARGET = Target("run_record", seeds, run)
