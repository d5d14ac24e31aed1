"""What a model is made from: every file that can decide an answer, and no file that cannot."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from nliprobe.base.errors import ModelError, UsageError
from nliprobe.base.registry import Spec
from nliprobe.models import checkpoint_files as listing
from nliprobe.models._command_files import command_files
from nliprobe.models.checkpoint import Checkpoint
from nliprobe.models.checkpoint_files import checkpoint_files
from nliprobe.models.origin import Origin, module_files, script_files

DECIDES = [
    *["config.json", "model.safetensors", "pytorch_model.bin", "pytorch_model-00001-of-00002.bin"],
    *["model.safetensors.index.json", "model-00002-of-00002.safetensors", "modeling_mine.py", "tokenizer.json"],
    *["vocab.txt", "vocab.bpe", "merges.txt", "spiece.model", "source.spm", "bpe.codes", "chat_template.jinja"],
    *["tokenizer_config.json", "special_tokens_map.json", "added_tokens.json", "adapter_model.safetensors"],
    *[
        "modules.json",
        "1_Pooling/config.json",
        "2_Dense/model.safetensors",
        "weights.pt",
        "of-a-kind-unknown-today.xyz",
    ],
]
CANNOT = [
    *["README.md", "LICENSE", ".gitattributes", ".git/HEAD", "training_args.bin", "optimizer.pt", "scheduler.pt"],
    *["rng_state_0.pth", "trainer_state.json", "onnx/model.onnx", "model.onnx", "tf_model.h5", "flax_model.msgpack"],
    *["picture.png", "runs/events.out.tfevents.1", "checkpoint-500/model.safetensors", ".cache/huggingface/x.metadata"],
]


def write(path: Path, content: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content, encoding="utf-8")
    return path


def rewrite(path: Path, content: str) -> None:
    """Write other content of the same size into the same file, and set its time back."""
    state = path.stat()
    assert len(content.encode()) == state.st_size
    with path.open("r+") as stream:
        stream.write(content)
    os.utime(path, ns=(state.st_atime_ns, state.st_mtime_ns))
    assert (path.stat().st_size, path.stat().st_mtime_ns) == (state.st_size, state.st_mtime_ns)


def fingerprint(folder: Path, params: str = "") -> str | None:
    return Checkpoint.from_spec(Spec.parse(f"transformers:{folder}?device=cpu{params}"), None).fingerprint()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in (*DECIDES, *CANNOT):
        write(tmp_path / "m" / name, f"old {name}")
    return tmp_path / "m"


@pytest.mark.parametrize("name", DECIDES)
def test_a_checkpoint_is_another_when_any_file_that_can_decide_is(folder: Path, name: str) -> None:
    before = fingerprint(folder)
    rewrite(folder / name, f"new {name}")
    assert fingerprint(folder) != before
    rewrite(folder / name, f"old {name}")
    assert fingerprint(folder) == before
    (folder / name).unlink()
    assert fingerprint(folder) != before


@pytest.mark.parametrize("name", CANNOT)
def test_a_checkpoint_stays_the_same_when_other_files_change(folder: Path, name: str) -> None:
    before = fingerprint(folder)
    (folder / name).write_text("something else")
    assert fingerprint(folder) == before
    (folder / name).unlink()
    assert fingerprint(folder) == before


def test_a_file_that_moves_or_gets_another_name_is_another_model(folder: Path) -> None:
    before = fingerprint(folder)
    (folder / "1_Pooling/config.json").rename(folder / "2_Dense/config.json")
    assert fingerprint(folder) != before


def test_links_are_followed_as_in_the_cache_of_a_hub(tmp_path: Path) -> None:
    blobs, snapshot = tmp_path / "blobs", tmp_path / "snapshots" / "abc"
    plain = tmp_path / "plain"
    for name in DECIDES:
        blob = write(blobs / name.replace("/", "-"), f"old {name}")
        write(plain / name, f"old {name}")
        (snapshot / name).parent.mkdir(parents=True, exist_ok=True)
        (snapshot / name).symlink_to(blob)
    before = fingerprint(snapshot)
    assert before == fingerprint(plain), "where the bytes are is of no matter"
    rewrite(blobs / "pytorch_model.bin", "new pytorch_model.bin")
    assert fingerprint(snapshot) != before
    rewrite(blobs / "pytorch_model.bin", "old pytorch_model.bin")
    (snapshot / "3_More").symlink_to(blobs, target_is_directory=True)
    linked = fingerprint(snapshot)
    assert linked != before, "a folder may be a link, too"
    rewrite(blobs / "vocab.txt", "new vocab.txt")
    assert fingerprint(snapshot) != linked


def test_links_in_a_circle_and_to_nowhere_are_no_trouble(folder: Path) -> None:
    before = fingerprint(folder)
    (folder / "again").symlink_to(folder, target_is_directory=True)
    assert fingerprint(folder) == before
    (folder / "weights.safetensors").symlink_to(folder / "not yet here")
    assert fingerprint(folder) != before
    before = fingerprint(folder)
    write(folder / "not yet here", "weights")
    assert fingerprint(folder) != before


def test_a_run_or_a_model_inside_the_folder_is_another_thing(folder: Path) -> None:
    before = fingerprint(folder)
    write(folder / "probed/run.json", "{}")
    write(folder / "probed/predictions/a/00000.parquet", "x")
    write(folder / "better/trained.json", "{}")
    write(folder / "better/weights.safetensors", "x")
    assert fingerprint(folder) == before


def test_an_adapter_is_another_when_the_model_it_adapts_is(tmp_path: Path) -> None:
    base = write(tmp_path / "base/model.safetensors", "old").parent
    write(tmp_path / "adapter/adapter_config.json", f'{{"base_model_name_or_path": "{base}"}}')
    before = fingerprint(tmp_path / "adapter")
    rewrite(base / "model.safetensors", "new")
    assert fingerprint(tmp_path / "adapter") != before


def test_a_folder_of_everything_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(listing, "MOST_FILES", 3)
    for number in range(4):
        write(tmp_path / f"{number}.txt", "x")
    with pytest.raises(UsageError, match="holds more than 3 files, so it is not the folder of one model"):
        checkpoint_files(tmp_path)


def test_a_file_that_changes_while_its_model_is_loaded_is_noticed(tmp_path: Path) -> None:
    file = write(tmp_path / "weights.safetensors", "old")
    origin = Origin(lambda: checkpoint_files(tmp_path))
    origin.require_unchanged("mine")
    before = origin.digest()
    rewrite(file, "new")
    assert origin.digest() == before, "it says what the model was when it was named"
    with pytest.raises(ModelError, match=r"weights.safetensors changed after mine was named.*of two models"):
        origin.require_unchanged("mine")


def test_a_python_file_comes_with_what_it_imports_from_its_folder(tmp_path: Path) -> None:
    write(tmp_path / "model.py", "import json\nimport helper\nfrom parts import one\ndef f(pairs):\n    import late\n")
    for name in ("helper.py", "late.py", "unused.py", "parts/__init__.py", "parts/one.py", "parts/two.py"):
        write(tmp_path / name, "")
    write(tmp_path / "parts/one.py", "from . import two\nfrom .deep.er import x\n")
    write(tmp_path / "parts/deep/er.py", "import helper")
    parts = {"parts/__init__.py", "parts/one.py", "parts/two.py", "parts/deep/er.py"}
    assert set(script_files(tmp_path / "model.py")) == {"model.py", "helper.py", "late.py", *parts}


@pytest.mark.parametrize("text", ["def broken(:", "\x00", "# coding: no-such-coding\n"])
def test_a_python_file_that_cannot_be_parsed_still_counts(tmp_path: Path, text: str) -> None:
    assert set(script_files(write(tmp_path / "model.py", text))) == {"model.py"}


def test_a_module_is_found_without_importing_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write(tmp_path / "mine/__init__.py", "raise RuntimeError('imported')")
    write(tmp_path / "mine/model.py", "from mine.tools import x\nimport beside\n")
    write(tmp_path / "mine/tools.py", "")
    write(tmp_path / "beside.py", "")
    assert set(module_files("mine.model")) == {"mine/__init__.py", "mine/model.py", "mine/tools.py", "beside.py"}
    assert module_files("mine.absent") == module_files("sys") == module_files("there.is.none") == {}
    assert set(module_files("yaml")) == {"__init__.py"}, "an installed module counts alone"


def test_a_command_comes_with_its_program_and_the_files_it_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    write(tmp_path / "answer.py", "import helper")
    for name in ("helper.py", "weights.txt", "done.log", "package/__init__.py", "package/run.py", "model/config.json"):
        write(tmp_path / name, "")
    write(tmp_path / "data/many.csv", "")
    assert set(command_files(["sh", "answer.py", "--weights=weights.txt", "--log", "done.log", "-n", "3", "data"])) == {
        *["sh", "answer.py", "answer.py: helper.py", "weights.txt"]
    }
    assert set(command_files(["python", "-m", "package.run", "model"])) >= {
        *["-m package.run: package/__init__.py", "-m package.run: package/run.py", "model: config.json"]
    }
    assert set(command_files(["sh", "-c", "cat weights.txt | python answer.py"])) >= {"weights.txt", "answer.py"}
    assert command_files(["there-is-no-such-program", "x" * 5000, "a\0b"]) == {}
