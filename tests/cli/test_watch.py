"""``nliprobe watch`` in a process of its own."""

from __future__ import annotations

import json
import signal
import subprocess
from pathlib import Path

import pytest
from tests.analysis.schemas import validate
from tests.cli.helpers import command, environment, nliprobe, nliprobe_json
from tests.store.test_watch import make


def test_once(tmp_path: Path) -> None:
    run = make(tmp_path)
    document = nliprobe_json("watch", str(run.path), "--once")
    validate("watch", document)
    assert document["state"] == "complete"
    assert "complete" in nliprobe("watch", str(run.path)).stdout
    message = nliprobe("watch", str(tmp_path / "none"), code=1).stderr
    assert "wait for it with --wait" in message


def test_it_waits_for_a_run_and_ends_with_it(tmp_path: Path) -> None:
    made = tmp_path / "later"
    words = command("watch", str(made), "--wait", "--every", "0.1", "--format", "json")
    with subprocess.Popen(
        words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment()
    ) as process:
        assert process.stderr is not None
        assert "Waiting for a run" in process.stderr.readline()
        (tmp_path / "elsewhere").mkdir()
        make(tmp_path / "elsewhere").path.rename(made)
        out, errors = process.communicate(timeout=60)
    assert (process.returncode, errors) == (0, "")
    documents = [json.loads(line) for line in out.splitlines()]
    assert documents[-1]["state"] == "complete"


@pytest.mark.parametrize("form", ["text", "json"])
def test_ctrl_c_is_quiet(tmp_path: Path, form: str) -> None:
    run = make(tmp_path, status="running")
    words = command("watch", str(run.path), "--every", "0.1", "--format", form)
    with subprocess.Popen(
        words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment()
    ) as process:
        assert process.stdout is not None
        assert "unfinished" in process.stdout.readline()
        process.send_signal(signal.SIGINT)
        rest, errors = process.communicate(timeout=60)
    assert (process.returncode, errors) == (130, "")
    assert "stopped" not in rest
