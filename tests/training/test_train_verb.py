"""``nliprobe train`` and the premise controls of models that need no torch."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from tests.cli.helpers import nliprobe
from tests.training.watching import Notes

from nliprobe.api.resolve import Request
from nliprobe.api.run import describe_system, run
from nliprobe.api.train import TrainRequest, train
from nliprobe.base.errors import StoreError, UsageError
from nliprobe.models.system import System, SystemSpec


@pytest.mark.parametrize("model", ["svm", "majority", "svm?C=0.1"])
def test_simple_models_are_kept_in_the_folder_itself(model: str, tmp_path: Path) -> None:
    request = TrainRequest(model, ["builtin/tables-train"], represent="struct")
    train(request, tmp_path / "kept", Notes())
    kept = System.build(SystemSpec.parse(f"trained:{tmp_path / 'kept'}"))
    assert kept.spec.represent == "struct"
    learnt = Request(["builtin/tables-dev"], [f"{model}{'&' if '?' in model else '?'}represent=struct"],
                     train=["builtin/tables-train"])  # fmt: skip
    asked = Request(["builtin/tables-dev"], [f"trained:{tmp_path / 'kept'}"])
    ours, theirs = (run(one, tmp_path / name).run for one, name in ((asked, "a"), (learnt, "b")))
    labels = [list(found.read(found.systems[0].predictions)["label"]) for found in (ours, theirs)]
    assert labels[0] == labels[1], "the same model, whether kept by train or learnt by run"
    train(request, tmp_path / "kept", Notes())
    with pytest.raises(StoreError, match="holds another trained model"):
        train(TrainRequest(model, ["builtin/tables-train"], represent="para"), tmp_path / "kept", Notes())
    with pytest.raises(UsageError, match="is trained once"):
        train(TrainRequest(model, ["builtin/tables-train"], seeds=[0, 1]), tmp_path / "other", Notes())


def test_premise_controls_of_training_and_asking_are_apart(tmp_path: Path) -> None:
    systems = [
        "svm",
        "svm?premise=none",
        "svm?train_premise=none&premise=full",
        "svm?premise=swapped&train_premise=full",
        "svm?premise=swapped",
        "svm?premise=dummy",
    ]
    built = Request(["builtin/tables-dev"], systems, train=["builtin/tables-train"])
    found = built.build_systems(built.training())
    prints = [system.fingerprint() for system in found]
    assert prints[0] == prints[3], "learnt from the same"
    assert prints[1] == prints[2]
    assert len(set(prints)) == 4
    assert len({system.identity() for system in found}) == 6
    assert [describe_system(system).train_premise for system in found] == [
        "full", "none", "none", "full", "swapped", "dummy",
    ]  # fmt: skip
    result = run(built, tmp_path / "run").run
    answers = [tuple(result.read(item.predictions)["label"]) for item in result.systems]
    assert len(set(answers)) == 6, "each control is another system"


def test_the_defaults_of_a_request_stand_where_systems_say_nothing() -> None:
    request = Request(
        ["builtin/tables-dev"],
        ["svm", "svm?premise=full&represent=json&name=own"],
        train=["builtin/tables-train"],
        premise="none",
        represent="struct",
        train_premise="swapped",
    )
    first, second = request.build_systems(request.training())
    assert (first.spec.represent, first.reader.control, first.learning_reader.control) == ("struct", "none", "swapped")
    assert (second.spec.represent, second.reader.control) == ("json", "full")
    other = Request(["builtin/tables-dev"], ["svm?premise=swapped"], train=["builtin/tables-train"], seed=1)
    [one] = other.build_systems(other.training())
    [two] = Request(other.on, other.systems, train=other.train, seed=2).build_systems(other.training())
    assert one.fingerprint() != two.fingerprint(), "another seed swaps other premises"


def test_models_that_do_not_learn_take_no_training_premise() -> None:
    request = Request(["builtin/tables-dev"], ["python:x.py:f?train_premise=none"])
    with pytest.raises(UsageError, match="does not learn"):
        request.build_systems([])


def test_train_verb(tmp_path: Path) -> None:
    words = ["train", "svm", "--train", "builtin/tables-train", "--premise", "none", "--out", str(tmp_path / "m")]
    done = nliprobe(*words)
    assert str(tmp_path / "m") in done.stdout
    assert "trained:" in done.stderr
    config = json.loads((tmp_path / "m/trained.json").read_text())
    assert (config["premise"], config["represent"], config["classes"]) == ("none", "para", ["E", "N", "C"])
    out = str(tmp_path / "run")
    nliprobe("run", "--system", f"trained:{tmp_path / 'm'}", "--on", "builtin/tables-dev", "--out", out, "--quiet")
    shown = json.loads(nliprobe("show", out, "--format", "json").stdout)
    assert shown["run"]["systems"][0]["premise"] == "none"
    assert "1,-2" in nliprobe("train", "svm", "--seeds", "1,-2,x", "--out", out, code=2).stderr
    assert "not negative" in nliprobe("train", "svm", "--seeds=-2", "--out", out, code=2).stderr
    assert "name it with --train" in nliprobe("train", "svm", "--out", out, code=2).stderr


_KILLED = """
import nliprobe.training.trainer as trainer
trainer.SECONDS_BETWEEN_STATES = -1.0
from nliprobe.cli.main import main
main()
"""


def test_training_survives_kill_minus_nine(encoder: Path, tmp_path: Path) -> None:
    def words(out: str) -> list[str]:
        spec = f"classifier?encoder={encoder}&epochs=3&batch=2&device=cpu&max_length=64"
        return ["train", spec, "--train", "builtin/tables-train?limit=60", "--dev", "builtin/tables-dev?limit=18",
                "--seeds", "0,1", "--out", str(tmp_path / out)]  # fmt: skip

    nliprobe(*words("whole"))
    kills = 0
    for _ in range(20):
        process = subprocess.Popen([sys.executable, "-c", _KILLED, *words("killed")], stderr=subprocess.DEVNULL)
        state = tmp_path / "killed" / f"seed-{0 if kills < 2 else 1}" / "checkpoint.safetensors"
        until = time.monotonic() + 60
        while process.poll() is None and time.monotonic() < until and not state.is_file():
            time.sleep(0.02)
        if process.poll() is None and kills < 3:
            time.sleep(0.3)
            process.send_signal(signal.SIGKILL)
            kills += 1
        if process.wait(timeout=120) == 0:
            break
    assert kills >= 2
    for seed in ("seed-0", "seed-1"):
        whole, killed = (tmp_path / name / seed / "weights.safetensors" for name in ("whole", "killed"))
        assert whole.read_bytes() == killed.read_bytes()


def test_ctrl_c_keeps_what_was_learnt(encoder: Path, tmp_path: Path) -> None:
    spec = f"classifier?encoder={encoder}&epochs=50&patience=50&batch=2&device=cpu&max_length=64"
    words = ["train", spec, "--train", "builtin/tables-train?limit=60", "--dev", "builtin/tables-dev?limit=18",
             "--out", str(tmp_path / "m")]  # fmt: skip
    command = [sys.executable, "-m", "nliprobe", *words]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=dict(os.environ)) as process:
        assert process.stderr is not None
        for line in process.stderr:
            if line.startswith("epoch 1"):
                process.send_signal(signal.SIGINT)
                break
        rest = process.stderr.read()
        assert process.wait(timeout=60) == 130
    assert "Continue with: nliprobe train" in rest
    assert (tmp_path / "m/seed-0/checkpoint.safetensors").is_file()
