"""Inputs that fail, seen from the command line: said, kept as unanswered, asked again by the same command."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.cli.helpers import nliprobe, nliprobe_json

from nliprobe.store.run import RunFolder

MODEL = """
import hashlib, os

def answer(pairs):
    with open(__file__ + ".asked", "a") as log:
        log.write("x" * len(pairs))
    numbers = [hashlib.sha1((p + h).encode()).digest()[0] for p, h in pairs]
    if not os.path.exists(__file__ + ".mended"):
        for number in numbers:
            if number < 12:
                raise ConnectionError("the service is busy")
    return ["ENC"[number % 3] for number in numbers]

async def later(premise, hypothesis):
    return answer([(premise, hypothesis)])[0]

def wrong(pairs):
    return [pair.premise for pair in pairs]

def busy(pairs):
    raise ConnectionError("the service is busy")
"""


def words(tmp_path: Path, name: str, *more: str) -> list[str]:
    (tmp_path / "model.py").write_text(MODEL)
    system = f"python:{tmp_path / 'model.py'}:{name}"
    return ["run", "--system", system, "--on", "builtin/tables-dev", "--probes", "gold", "--out", str(tmp_path / "run")]


@pytest.mark.parametrize("name", ["answer", "answer?version=1", "later?concurrency=4"])
def test_failed_inputs_are_said_kept_and_asked_again(tmp_path: Path, name: str) -> None:
    done = nliprobe(*words(tmp_path, name))
    run = RunFolder.open(tmp_path / "run")
    assert run.complete
    failed = run.predictions(run.systems[0].name).filter(status="failed")
    count = failed["input_id"].n_unique()
    assert count > 1
    assert set(failed["raw"].str.contains("ConnectionError: the service is busy")) == {True}
    assert f"{count} failed (the same command asks them again)" in done.stderr
    assert nliprobe_json("show", str(tmp_path / "run"))["scores"][0]["unanswered"] == failed.height
    log = tmp_path / "model.py.asked"
    before = log.stat().st_size
    (tmp_path / "model.py.mended").touch()
    again = nliprobe(*words(tmp_path, name))
    assert f"{count} inputs failed before; asking them again" in again.stderr
    assert log.stat().st_size - before == count, "only those that failed"
    assert nliprobe_json("show", str(tmp_path / "run"))["scores"][0]["unanswered"] == 0
    assert list(RunFolder.open(tmp_path / "run").faults()) == []
    assert "is complete" in nliprobe(*words(tmp_path, name)).stderr


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("wrong", "failed with AttributeError: 'tuple' object has no attribute 'premise' (model.py, line 18). This is"),
        ("busy", "failed on 20 inputs in a row, 20 in all. The first failure was: The callable"),
    ],
)
def test_a_model_that_is_out_of_order_stops_with_a_sentence(tmp_path: Path, name: str, message: str) -> None:
    done = nliprobe(*words(tmp_path, name), code=1)
    assert message in done.stderr
    assert "Traceback" not in done.stderr
    assert "fix this and repeat the command to continue" in done.stderr
    assert not (tmp_path / "run").exists(), "the doctor asks first"
