"""Training that goes wrong: losses that are no numbers, exchanged and torn files, a kill in the middle of a write."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from tests.training.watching import Breaks, Notes
from tests.training.word_networks import corpus, request, write_vectors

from nliprobe.api.train import train
from nliprobe.base.errors import DataError, ModelError, NotFoundError, StoreError, UsageError
from nliprobe.base.registry import Spec
from nliprobe.models.network import Network
from nliprobe.models.system import System, SystemSpec
from nliprobe.models.trained import WEIGHTS, network_of
from nliprobe.models.trained_record import TrainedRecord
from nliprobe.models.zoo.cbow import Cbow
from nliprobe.task.case import Input
from nliprobe.training.state import CHECKPOINT

if TYPE_CHECKING:
    from torch import Tensor

torch = pytest.importorskip("torch", reason="the [torch] extra is not installed")
ASKED = [Input("0" * 24, ("a dog runs",), "the dog runs")]


@pytest.fixture
def vectors(tmp_path: Path) -> Path:
    return write_vectors(tmp_path / "vectors")


def no_number(tensor: Tensor) -> Tensor:
    return tensor * float("nan")


def no_gradient(tensor: Tensor) -> Tensor:
    return tensor + (tensor * 0).sqrt()  # 0 itself, with an infinite slope


@pytest.mark.parametrize(("spoil", "what"), [(no_number, "The loss"), (no_gradient, "The gradient of the loss")])
@pytest.mark.parametrize("between", [-1.0, 60.0])
def test_training_stops_when_the_loss_is_no_number(
    spoil: Callable[[Tensor], Tensor],
    what: str,
    between: float,
    vectors: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asking = request("cbow", vectors, corpus(tmp_path), epochs=3)
    [sound] = train(asking, tmp_path / "sound", Notes())
    monkeypatch.setattr("nliprobe.training.trainer.SECONDS_BETWEEN_STATES", between)
    calls = 0

    def loss(self: Cbow, *given: Any) -> Tensor:
        nonlocal calls
        calls += 1
        whole = Network.loss(self, *given)
        return spoil(whole) if calls == 7 else whole  # four steps per epoch

    with monkeypatch.context() as patched:
        patched.setattr(Cbow, "loss", loss)
        with pytest.raises(ModelError, match=rf"{what} is no longer a number at step 7 \(epoch 2\)") as caught:
            train(asking, tmp_path / "spoilt", Notes())
    assert "the weights of epoch 1, the best before (dev accuracy" in str(caught.value)
    assert "Try a smaller learning rate (lr=0.002)" in str(caught.value)
    folder = tmp_path / "spoilt" / "seed-0"
    assert (folder / WEIGHTS).is_file()
    assert not (folder / "trained.json").exists(), "a training that failed is not finished"
    notes = Notes()
    [repeated] = train(asking, tmp_path / "spoilt", notes)
    assert notes.before == (6 if between < 0 else 4), "the state is that of the last sound step that was saved"
    assert (repeated.folder / WEIGHTS).read_bytes() == (sound.folder / WEIGHTS).read_bytes()


def test_a_first_step_without_a_number_says_so(vectors: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Cbow, "loss", lambda *given: no_number(Network.loss(*given)))
    with pytest.raises(ModelError, match=r"step 1 \(epoch 1\), so training stopped; no epoch was complete"):
        train(request("cbow", vectors, corpus(tmp_path)), tmp_path / "out", Notes())


def test_an_exchanged_vocabulary_is_noticed(vectors: Path, tmp_path: Path) -> None:
    [trained] = train(request("cbow", vectors, corpus(tmp_path)), tmp_path / "out", Notes())
    words = trained.folder / "words.txt"
    before = words.read_bytes()
    words.write_bytes(b"\n".join(reversed(before.splitlines())) + b"\n")
    with pytest.raises(DataError, match=r"words.txt is not as the training left it. Train the model again."):
        System.build(SystemSpec.parse(f"trained:{trained.folder}?device=cpu")).model.predict(ASKED)
    record = json.loads((trained.folder / "trained.json").read_text())
    record["files"]["words.txt"] = "0" * 32
    (trained.folder / "trained.json").write_text(json.dumps(record))
    with pytest.raises(StoreError, match=r"trained.json"):
        TrainedRecord.read(trained.folder)
    words.write_bytes(before + b"another\n")
    network = network_of(Spec.parse(f"cbow?hidden=8&vectors={vectors}"))
    with pytest.raises(DataError, match="was trained with another vocabulary: it has vectors for"):
        network.shape(trained.folder, 3)
    (trained.folder / WEIGHTS).write_bytes((trained.folder / WEIGHTS).read_bytes()[:100])
    with pytest.raises(DataError, match="does not hold the weights of a network over words"):
        network.shape(trained.folder, 3)
    words.write_bytes(b"\xff\xfe\n")
    with pytest.raises(DataError, match="does not hold the words of this network"):
        network.shape(trained.folder, 3)


def test_vectors_of_another_width_are_another_training(
    vectors: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asking = request("cbow", vectors, corpus(tmp_path))
    train(asking, tmp_path / "done", Notes())
    monkeypatch.setattr("nliprobe.training.trainer.SECONDS_BETWEEN_STATES", -1.0)
    with pytest.raises(RuntimeError, match="crash"):
        train(asking, tmp_path / "broken", Breaks(3))
    write_vectors(vectors.parent, width=5)
    with pytest.raises(StoreError, match=r"what it started from changed since \(tiny.txt\). Choose another"):
        train(asking, tmp_path / "done", Notes())
    with pytest.raises(StoreError, match="not finished: its network, word vectors, data or choices differ"):
        train(asking, tmp_path / "broken", Notes())
    [other] = train(asking, tmp_path / "new", Notes())
    assert System.build(SystemSpec.parse(f"trained:{other.folder}?device=cpu")).model.predict(ASKED)[0].label


def test_torn_vectors_are_a_sentence(vectors: Path, tmp_path: Path) -> None:
    import numpy as np

    whole = vectors.read_bytes()
    asking = request("cbow", vectors, corpus(tmp_path))
    vectors.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(DataError, match=r"tiny.txt, line \d+: .* has \d numbers where most lines have 8"):
        train(asking, tmp_path / "out", Notes())
    array = tmp_path / "array" / "vectors.npy"
    array.parent.mkdir()
    np.save(array, np.zeros((3, 8), dtype=np.float32))
    (array.parent / "words.txt").write_text("a\nb\n")
    with pytest.raises(DataError, match=r"has 3 vectors, but .* has 2 words"):
        train(request("cbow", array, corpus(tmp_path)), tmp_path / "out", Notes())
    array.write_bytes(array.read_bytes()[:150])
    with pytest.raises(DataError, match="It may be cut short"):
        train(request("cbow", array, corpus(tmp_path)), tmp_path / "out", Notes())
    np.save(array, np.full((2, 8), np.nan, dtype=np.float32))
    with pytest.raises(DataError, match="holds something that is not a number"):
        train(request("cbow", array, corpus(tmp_path)), tmp_path / "out", Notes())


_KILLED_WHILE_WRITING = """
import os, signal, sys
from nliprobe.base.files import writing
from nliprobe.training import state, trainer
from nliprobe.cli.main import main

trainer.SECONDS_BETWEEN_STATES = -1.0
calls = 0

def write(path, content):
    global calls
    calls += 1
    with writing(path) as stream:
        if calls == 6:
            stream.write(content[: len(content) // 2])
            stream.flush()
            os.kill(os.getpid(), signal.SIGKILL)
        stream.write(content)

state.write_atomic = write
main()
"""


def test_a_kill_while_a_state_is_written_leaves_the_one_before(vectors: Path, tmp_path: Path) -> None:
    asking = request("cbow", vectors, corpus(tmp_path))
    [whole] = train(asking, tmp_path / "whole", Notes())
    [pairs] = asking.train
    words = ["train", asking.spec, "--train", str(pairs), "--dev", str(pairs), "--out", str(tmp_path / "killed")]
    done = subprocess.run([sys.executable, "-c", _KILLED_WHILE_WRITING, *words], capture_output=True, check=False)
    assert done.returncode == -signal.SIGKILL, done.stderr.decode()
    folder = tmp_path / "killed" / "seed-0"
    [partial] = folder.glob(".*.partial")
    os.utime(partial, (1, 1))  # as if it had lain there for long
    notes = Notes()
    [killed] = train(asking, tmp_path / "killed", notes)
    assert notes.before == 4, "the sixth state was that of step 5: four steps, the epoch, one more"
    assert (killed.folder / WEIGHTS).read_bytes() == (whole.folder / WEIGHTS).read_bytes()
    assert not partial.exists(), "what the kill left is swept away"


def test_a_state_with_other_tensors_is_set_aside(
    vectors: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from safetensors import safe_open
    from safetensors.torch import save_file

    asking = request("cbow", vectors, corpus(tmp_path))
    monkeypatch.setattr("nliprobe.training.trainer.SECONDS_BETWEEN_STATES", -1.0)
    with pytest.raises(RuntimeError, match="crash"):
        train(asking, tmp_path / "out", Breaks(3))
    state = tmp_path / "out" / "seed-0" / CHECKPOINT
    with safe_open(state, framework="pt") as stream:
        about = stream.metadata()
        tensors = {name: stream.get_tensor(name) for name in stream.keys()}  # noqa: SIM118 (it is no mapping)
    tensors.pop(next(name for name in tensors if name.startswith("weight.")))
    save_file(tensors, state, about)
    notes = Notes()
    train(asking, tmp_path / "out", notes)
    assert notes.before == 0
    assert state.with_name(CHECKPOINT + ".damaged").is_file()


@pytest.mark.skipif(torch.cuda.is_available(), reason="there is a GPU here")
def test_a_gpu_or_vectors_that_are_not_there_are_said_before_anything_is_read(
    vectors: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("nliprobe.api.train.read_examples", lambda *given: pytest.fail("pairs were read"))
    asking = request("cbow", vectors, corpus(tmp_path), device="cuda")
    with pytest.raises(UsageError, match="'cuda' was asked for, but torch sees no GPU here"):
        train(asking, tmp_path / "out", Notes())
    with pytest.raises(UsageError, match="There is no device 'gpu'"):
        train(request("cbow", vectors, corpus(tmp_path), device="gpu"), tmp_path / "out", Notes())
    with pytest.raises(NotFoundError, match=r"The word vectors .*nowhere do not exist"):
        train(request("cbow", tmp_path / "nowhere", corpus(tmp_path)), tmp_path / "out", Notes())
    assert not (tmp_path / "out").exists()


def test_networks_over_words_do_without_transformers(vectors: Path, tmp_path: Path) -> None:
    """Where only numpy, torch and safetensors can be had, they train and answer."""
    asking = request("cbow", vectors, corpus(tmp_path))
    code = f"""
import sys
sys.modules["transformers"] = None
from pathlib import Path
from nliprobe.api.train import TrainRequest, train
from nliprobe.models.system import System, SystemSpec
from nliprobe.task.case import Input
from tests.training.watching import Notes
request = TrainRequest({asking.spec!r}, {list(asking.train)!r}, {list(asking.dev)!r})
[done] = train(request, Path({str(tmp_path)!r}), Notes())
model = System.build(SystemSpec.parse(f"trained:{{done.folder}}?device=cpu")).model
print(len(model.predict([Input("0" * 24, ("a dog",), "no dog")])))
"""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([*sys.path, str(Path(__file__).parents[2])])}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, env=environment)
    assert done.stdout == "1\n", done.stderr


def test_a_folder_that_was_copied_answers_the_same(vectors: Path, tmp_path: Path) -> None:
    [trained] = train(request("decatt", vectors, corpus(tmp_path)), tmp_path / "out", Notes())
    shutil.copytree(trained.folder, tmp_path / "copy")
    systems = [System.build(SystemSpec.parse(f"trained:{folder}?device=cpu")) for folder in
               (trained.folder, tmp_path / "copy")]  # fmt: skip
    assert systems[0].fingerprint() == systems[1].fingerprint()
    one, two = (system.model.predict(ASKED)[0].probabilities for system in systems)
    assert one == two
