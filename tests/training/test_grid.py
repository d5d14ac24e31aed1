"""A grid of two tiny networks: end to end, interrupted and continued, side by side, and with a training that fails."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from tests.analysis.schemas import validate
from tests.cli.helpers import command, environment, nliprobe
from tests.training.watching import Notes

from nliprobe.api.grid_cell import STOPPED, CellResult, read_result, write_message
from nliprobe.api.grid_jobs import Job, train_all
from nliprobe.api.train import TrainRequest

pytest.importorskip("torch", reason="the [torch] extra is not installed")

TINY = "vectors=none&width=8&hidden=8&batch=16&device=cpu&lr=0.01"
# One thread, so that trainings side by side add up numbers in the same order as alone.
ONE = {"OMP_NUM_THREADS": "1"}


def models(epochs: int = 2) -> list[str]:
    """Two tiny networks."""
    return [f"{name}?{TINY}&epochs={epochs}&name={name}" for name in ("cbow", "infersent")]


def words(out: Path, *more: str, chosen: list[str] | None = None) -> list[str]:
    return [
        "train", *(chosen or models()), "--train", "builtin/sentences-train?limit=120",
        "--dev", "builtin/sentences-dev?limit=30", "--through", "swap", "--through-labels", "N,C",
        "--through-share", "0,1", "--out", str(out), *more,
    ]  # fmt: skip


ASKED = ("--stress", "builtin/sentences-dev", "--probes", "stress.overlap", "--seeds", "0,1")


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A grid that was trained one after the other."""
    out = tmp_path_factory.mktemp("grid") / "whole"
    done = nliprobe(*words(out, *ASKED), env=ONE)
    assert "[8/8] infersent-100%-seed-1: trained in" in done.stderr
    assert "seeds 0." in done.stdout
    return out


def weights(out: Path) -> dict[str, bytes]:
    return {str(path.relative_to(out)): path.read_bytes() for path in sorted(out.rglob("weights.safetensors"))}


def test_end_to_end(whole: Path) -> None:
    document = json.loads((whole / "grid.json").read_text())
    validate("grid", document)
    assert list(weights(whole)) == [
        f"{model}/share-{share}/seed-{seed}/weights.safetensors"
        for model in ("cbow", "infersent")
        for share in (0, 1)
        for seed in (0, 1)
    ]
    assert [item["system"] for item in document["trainings"]][:2] == ["cbow-0%-seed-0", "cbow-0%-seed-1"]
    assert all(item["dev"] is not None and item["error"] is None for item in document["trainings"])
    assert [(row["model"], row["test"]) for row in document["rows"]] == [
        (model, test) for model in ("cbow", "infersent") for test in ("gold", "stress.overlap")
    ]
    for row in document["rows"]:
        assert [score["seeds"] for score in row["scores"]] == [[0, 1], [0, 1]]
    run = next((whole / "runs").iterdir())
    shown = json.loads(nliprobe("show", str(run), "--format", "json").stdout)
    by_system = {item["system"]: item["stressed"] for item in shown["stress"]}
    [row] = [row for row in document["rows"] if (row["model"], row["test"]) == ("cbow", "stress.overlap")]
    assert row["scores"][1]["by_seed"] == [by_system["cbow-100%-seed-0"], by_system["cbow-100%-seed-1"]]


def test_side_by_side_gives_the_same_as_one_after_the_other(whole: Path, tmp_path: Path) -> None:
    done = nliprobe(*words(tmp_path / "out", *ASKED, "--jobs", "2"), env=ONE)
    assert weights(tmp_path / "out") == weights(whole)
    assert json.loads((tmp_path / "out" / "grid.json").read_text()) == json.loads((whole / "grid.json").read_text())
    assert "cbow-0%-seed-0: epoch 1" in done.stderr


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_ctrl_c_loses_nothing_and_the_same_command_continues(jobs: str, tmp_path: Path) -> None:
    out, one = tmp_path / "out", [f"{models(80)[0]}&patience=80"]
    process = subprocess.Popen(
        command(*words(out, "--jobs", jobs, chosen=one)), stderr=subprocess.PIPE, text=True, env=environment(ONE)
    )
    assert process.stderr is not None
    told: list[str] = []
    for line in process.stderr:
        told.append(line)
        if sum("epoch 2:" in line for line in told) == int(jobs):
            process.send_signal(signal.SIGINT)
            break
    told += process.stderr.read().splitlines()
    assert process.wait(timeout=120) == 130
    process.stderr.close()
    assert any("Continue with: nliprobe train" in line for line in told)
    begun = {line.split(":")[0] for line in told if ": epoch " in line}
    # On a busy machine one of two may come to its end before the other has begun.
    ended = {line.split("] ")[-1].split(":")[0] for line in told if ": trained in" in line}
    states = list(out.rglob("checkpoint.safetensors"))
    assert len(states) == len(begun - ended) >= 1, "each training that was under way has kept its state"
    done = nliprobe(*words(out, "--jobs", jobs, chosen=one), env=ONE)
    assert "continuing after" in done.stderr
    nliprobe(*words(tmp_path / "whole", chosen=one), env=ONE)
    assert weights(out) == weights(tmp_path / "whole")


def test_trainings_end_with_the_command_that_started_them(tmp_path: Path) -> None:
    out, endless = tmp_path / "out", [f"{models(4000)[0]}&patience=4000"]
    process = subprocess.Popen(
        command(*words(out, "--jobs", "2", chosen=endless)), stderr=subprocess.PIPE, text=True, env=environment(ONE)
    )
    assert process.stderr is not None
    for line in process.stderr:
        if "epoch 1:" in line:
            break
    process.kill()
    process.wait(timeout=60)
    process.stderr.close()
    # A training that nobody waits for saves its state once more and is gone: then its file stays as it is.
    until = time.monotonic() + 60
    while time.monotonic() < until:
        before = [path.stat().st_mtime_ns for path in out.rglob("checkpoint.safetensors")]
        time.sleep(1.5)
        after = [path.stat().st_mtime_ns for path in out.rglob("checkpoint.safetensors")]
        if before and before == after:
            return
    pytest.fail("the trainings go on")


def test_a_training_nobody_listens_to_keeps_what_was_learnt(tmp_path: Path) -> None:
    request = TrainRequest(
        f"cbow?{TINY}&epochs=4000&patience=4000", ["builtin/sentences-train?limit=120"], ["builtin/sentences-dev"]
    )
    errors = tmp_path / "errors"
    with errors.open("w") as stream:
        process = subprocess.Popen(
            [sys.executable, "-m", "nliprobe.api.grid_cell"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=stream, text=True, env=environment(ONE),
        )  # fmt: skip
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(write_message(request, tmp_path / "out"))
    process.stdin.flush()
    assert any("epoch 1:" in line for line in process.stdout)
    process.stdout.close()
    [state] = (tmp_path / "out").rglob("checkpoint.safetensors")
    # It goes on without a listener, epoch after epoch, until it is stopped.
    for _ in range(3):
        seen, until = state.stat().st_mtime_ns, time.monotonic() + 60
        while state.stat().st_mtime_ns == seen:
            assert time.monotonic() < until, errors.read_text()
            time.sleep(0.05)
    process.stdin.close()
    assert process.wait(timeout=60) == STOPPED, errors.read_text()
    assert state.exists()
    assert "Traceback" not in errors.read_text()


BROKEN = """
from nliprobe.models.zoo import NETWORKS
from nliprobe.models.zoo.cbow import Cbow


@NETWORKS.register("broken")
class Broken(Cbow):
    def loss(self, *given):
        return super().loss(*given) * float("nan")
"""


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_training_that_fails_is_reported_and_the_others_go_on(jobs: str, tmp_path: Path) -> None:
    out, plugin = tmp_path / "out", tmp_path / "broken.py"
    plugin.write_text(BROKEN)
    chosen = [f"broken?{TINY}&epochs=2&name=broken", models()[0]]
    asked = ("--stress", "builtin/sentences-dev", "--probes", "stress.overlap")
    done = nliprobe(*words(out, *asked, "--jobs", jobs, "--plugin", str(plugin), chosen=chosen), env=ONE, code=1)
    assert "broken-100%-seed-0 failed: The loss is no longer a number" in done.stderr
    document = json.loads((out / "grid.json").read_text())
    validate("grid", document)
    assert {row["model"] for row in document["rows"]} == {"cbow"}
    failed = [item for item in document["trainings"] if item["error"]]
    assert [item["system"] for item in failed] == ["broken-0%-seed-0", "broken-100%-seed-0"]


def test_a_process_that_dies_is_a_training_that_failed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", str(tmp_path / "python"))
    (tmp_path / "python").write_text("#!/bin/sh\necho 'not for us'\necho 'no memory left' >&2\nexit 9\n")
    (tmp_path / "python").chmod(0o755)
    request = TrainRequest("svm", ["builtin/sentences-train"])
    ended: dict[str, CellResult] = {}
    jobs = [Job(name, request, tmp_path / name) for name in ("a", "b", "c")]
    assert train_all(jobs, 2, Notes(), lambda job, result: ended.update({job.name: result}))
    assert {name: result.error for name, result in ended.items()} == dict.fromkeys(
        "abc", "The process of the training ended with exit code 9. no memory left"
    )


def test_a_device_that_is_not_there_stops_the_grid_before_it_begins(tmp_path: Path) -> None:
    import torch

    if torch.cuda.is_available():
        pytest.skip("there is a GPU")
    cuda = [model.replace("device=cpu", "device=cuda") for model in models()]
    done = nliprobe(*words(tmp_path / "out", chosen=cuda), code=2)
    assert "The device 'cuda' was asked for, but torch sees no GPU here." in done.stderr
    assert not (tmp_path / "out").exists()


def test_messages_between_processes_are_read_as_they_were_written(tmp_path: Path) -> None:
    request = TrainRequest("cbow", ["builtin/sentences-train"], root=tmp_path)
    assert json.loads(write_message(request, tmp_path / "x"))["root"] == str(tmp_path)
    assert read_result("a library prints what it likes\n") is None
    assert read_result('{"say": "epoch 1"}') == "epoch 1"
    told = '{"folder": "x", "dev": [0.5], "seconds": 2.0, "error": "", "stopped": false}'
    assert read_result(told) == CellResult(Path("x"), (0.5,), 2.0)
