"""Exporting to ONNX: the answers stay, and a folder is written whole or not at all; skipped without [export]."""

from __future__ import annotations

import json
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import jsonschema
import numpy as np
import pytest
from tests.cli.helpers import ROOT, environment, nliprobe

import nliprobe as package
from nliprobe.api import export_onnx
from nliprobe.api.sources import open_source
from nliprobe.base.errors import MissingExtraError, ModelError, NotFoundError, StoreError, UsageError
from nliprobe.models.onnx_export import INT8, Exportable, write_int8
from nliprobe.models.onnx_files import GRAPH
from nliprobe.models.system import System, SystemSpec
from nliprobe.task.pair import Pair

torch = pytest.importorskip("torch", reason="the [export] extra is not installed")
transformers = pytest.importorskip("transformers", reason="the [export] extra is not installed")
for name in ("onnx", "onnxruntime", "onnxscript"):
    pytest.importorskip(name, reason="the [export] extra is not installed")

THREE = ("entailment", "neutral", "contradiction")
PAIRS = [
    Pair("a/b/1", "The table has a title.", "a row"),
    Pair("a/b/2", "not " * 300, "the row is not in the table"),
    Pair("a/b/3", "b", "the title of a table was in a row, and the key has a value"),
    Pair("a/b/4", "x y z 1 2 3", "4"),
]
ON = ("builtin/sentences-dev",)


@pytest.fixture(scope="module")
def encoder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tiny BERT that knows all letters."""
    folder = tmp_path_factory.mktemp("encoder")
    letters = [chr(code) for code in range(ord("a"), ord("z") + 1)]
    known = [
        "[PAD]",
        "[UNK]",
        "[CLS]",
        "[SEP]",
        "[MASK]",
        "the",
        "not",
        *letters,
        *(f"##{letter}" for letter in letters),
    ]
    (folder / "vocab.txt").write_text("\n".join(known) + "\n", encoding="utf-8")
    (folder / "config.json").write_text('{"model_type": "bert"}', encoding="utf-8")
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    assert len(tokenizer) == len(known)
    tokenizer.model_max_length = 240
    tokenizer.save_pretrained(folder)
    torch.manual_seed(0)
    config = transformers.BertConfig(
        vocab_size=len(known), hidden_size=16, num_hidden_layers=2, num_attention_heads=2, intermediate_size=32,
        max_position_embeddings=256,
    )  # fmt: skip
    transformers.BertModel(config).save_pretrained(folder)
    return folder


def checkpoint(encoder: Path, folder: Path, names: tuple[str, ...] = THREE) -> Path:
    """A tiny classifier whose answers differ from pair to pair."""
    torch.manual_seed(3)
    known = {"id2label": dict(enumerate(names)), "label2id": {name: place for place, name in enumerate(names)}}
    model = transformers.AutoModelForSequenceClassification.from_pretrained(encoder, num_labels=len(names), **known)
    tokenizer = transformers.AutoTokenizer.from_pretrained(encoder)
    pairs = list(open_source("builtin/sentences-dev").pairs())
    texts = [str(pair.premise) for pair in pairs], [pair.hypothesis for pair in pairs]
    with torch.no_grad():
        for weight in model.parameters():
            weight.mul_(8 if weight.dim() > 1 else 1)
        scores = model.eval()(**tokenizer(*texts, padding=True, return_tensors="pt")).logits
        model.classifier.bias.sub_(scores.mean(0))
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder


@pytest.fixture(scope="module")
def original(encoder: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return checkpoint(encoder, tmp_path_factory.mktemp("checkpoint"))


@pytest.fixture(scope="module")
def exported(original: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("exports") / "onnx"
    made = package.export(f"transformers:{original}", folder, on=ON, pairs=100)
    assert made.document == json.loads((folder / "export.json").read_text(encoding="utf-8"))
    assert repr(made).endswith("agrees on 100 of 100 pairs>")
    return folder


@pytest.fixture
def copied(exported: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Takes the graph that was written before, because writing one takes seconds."""

    def copy(network: Exportable, folder: Path) -> Path:
        for name in (GRAPH, "config.json", "tokenizer.json", "tokenizer_config.json"):
            shutil.copy(exported / name, folder)
        return folder / GRAPH

    monkeypatch.setattr(export_onnx, "write_graph", copy)
    return exported


def answers(spec: str, pairs: list[Pair]) -> list[tuple[float, ...]]:
    asked = System.build(SystemSpec.parse(spec))
    read = [asked.reader.read_pair(pair) for pair in pairs]
    return [tuple(share or 0.0 for share in answer.probabilities or ()) for answer in asked.model.predict(read)]


def same(one: str, two: str) -> None:
    for first, second in zip(answers(one, PAIRS), answers(two, PAIRS), strict=True):
        assert first == pytest.approx(second, abs=1e-4)


def test_a_checkpoint_gives_the_same_answers_as_a_graph(original: Path, exported: Path) -> None:
    same(f"transformers:{original}?device=cpu", f"onnx:{exported}")
    assert len({max(range(3), key=shares.__getitem__) for shares in answers(f"onnx:{exported}", PAIRS)}) > 1
    assert sorted(path.name for path in exported.iterdir()) == [
        *["config.json", "export.json", "model.onnx", "tokenizer.json", "tokenizer_config.json"],
    ]


def test_padding_does_not_change_answers(exported: Path) -> None:
    together = answers(f"onnx:{exported}?tokens=100000", PAIRS)
    alone = answers(f"onnx:{exported}?tokens=1", PAIRS)
    for one, other in zip(together, alone, strict=True):
        assert one == pytest.approx(other, abs=1e-5)


def test_the_record_says_what_was_measured(exported: Path) -> None:
    document = json.loads((exported / "export.json").read_text(encoding="utf-8"))
    schema = json.loads((ROOT / "docs/reference/schemas/export.schema.json").read_text(encoding="utf-8"))
    jsonschema.validate(document, schema)
    agreement = document["agreement"]
    assert (document["dtype"], document["window"], document["labels"]) == ("float32", 240, ["E", "N", "C"])
    assert (agreement["on"], agreement["n"], agreement["same"], agreement["unanswered"]) == ([*ON], 100, 100, 0)
    assert agreement["constant"] < 0.9
    assert agreement["largest_difference"] < 1e-4
    assert agreement["ci95"][0] > 0.9
    assert set(document["made_from"]) >= {"config.json", "model.safetensors", "tokenizer.json"}


def test_int8_is_kept_where_it_agrees_and_otherwise_only_if_asked(
    original: Path, copied: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(export_onnx.LEAST, "int8", 0.5)
    made = package.export(f"transformers:{original}", tmp_path / "good", int8=True, on=ON, pairs=60)
    assert (made.document["dtype"], made.document["file"]) == ("int8", "model_int8.onnx")
    assert sorted(path.name for path in (tmp_path / "good").glob("*.onnx")) == ["model_int8.onnx"]
    assert (made.document["agreement"]["largest_difference"] or 0) > 1e-4, "nothing was rounded"
    together = answers(f"onnx:{tmp_path / 'good'}", PAIRS)
    alone = [answers(f"onnx:{tmp_path / 'good'}", [pair])[0] for pair in PAIRS]
    assert together == alone, "rounding by one scale per batch would let neighbours change an answer"
    monkeypatch.setitem(export_onnx.LEAST, "int8", 1.01)
    with pytest.raises(ModelError, match=r"in int8 gives the answer .* expected are 101 % or more, so nothing was"):
        package.export(f"transformers:{original}", tmp_path / "bad", int8=True, on=ON, pairs=20)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["good"]
    kept = package.export(f"transformers:{original}", tmp_path / "kept", int8=True, on=ON, pairs=20, keep_anyway=True)
    assert kept.document["kept_anyway"]
    assert "It is kept although" in export_onnx.warnings_of(kept.document)[0]


def test_products_in_int8_do_not_overflow_on_any_processor(tmp_path: Path) -> None:
    """Large products of one sign: a processor that adds two of them in 16 bits is off by half."""
    import onnx
    import onnxruntime

    width = 64
    weight = np.full((width, width), 1.0, np.float32)
    weight[:, ::2] = -1.0
    weight[0] = 0.5
    product = onnx.helper.make_node("MatMul", ["x", "w"], ["y"], name="product")
    ends = [onnx.helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, [1, width]) for name in "xy"]
    graph = onnx.helper.make_graph([product], "g", ends[:1], ends[1:], [onnx.numpy_helper.from_array(weight, "w")])
    opset = [onnx.helper.make_opsetid("", 20)]
    onnx.save(onnx.helper.make_model(graph, opset_imports=opset, ir_version=10), tmp_path / GRAPH)
    session = onnxruntime.InferenceSession(write_int8(tmp_path / GRAPH), providers=["CPUExecutionProvider"])
    assert "MatMulInteger" in {node.op_type for node in onnx.load(tmp_path / INT8).graph.node}
    given = np.ones((1, width), np.float32)
    [found] = session.run(None, {"x": given})
    assert found == pytest.approx(given @ weight, rel=0.02)


def test_products_that_narrow_are_not_rounded(copied: Path, tmp_path: Path) -> None:
    import onnx

    shutil.copy(copied / GRAPH, tmp_path)
    rounded = onnx.load(write_int8(tmp_path / GRAPH))
    operators = [node.op_type for node in rounded.graph.node]
    assert operators.count("MatMulInteger") > 0
    # Two layers with a block of 16 → 32 → 16 numbers, and a head of 16 → 3: these are left as they were.
    shapes = [tuple(tensor.dims) for tensor in rounded.graph.initializer if tensor.data_type == onnx.TensorProto.FLOAT]
    assert shapes.count((32, 16)) == 2
    assert (16, 32) not in shapes


def test_declared_labels_and_a_smaller_window_go_with_the_graph(encoder: Path, tmp_path: Path) -> None:
    plain = checkpoint(encoder, tmp_path / "plain", ("LABEL_0", "LABEL_1"))
    with pytest.raises(UsageError, match="LABEL_0, LABEL_1, which are not labels"):
        package.export(f"transformers:{plain}", tmp_path / "out", on=ON)
    spec = f"transformers:{plain}?max_length=200&labels=not_entailment,entailment"
    made = package.export(spec, tmp_path / "out", on=ON, pairs=20)
    assert (made.document["window"], made.document["labels"]) == (200, ["NC", "E"])
    config = json.loads((tmp_path / "out" / "config.json").read_text(encoding="utf-8"))
    assert config["id2label"] == {"0": "not_entailment", "1": "entailment"}
    same(f"{spec}&device=cpu", f"onnx:{tmp_path / 'out'}")


def test_a_trained_classifier_is_exported_with_its_view(encoder: Path, tmp_path: Path) -> None:
    [trained] = package.train(
        f"classifier?encoder={encoder}&epochs=1&pool=mean&max_length=220&device=cpu", "builtin/tables-train?limit=30",
        tmp_path / "trained", dev="builtin/tables-dev?limit=20", represent="struct",
    )  # fmt: skip
    made = package.export(f"trained:{tmp_path / 'trained'}", tmp_path / "out", on="builtin/tables-dev", pairs=40)
    assert made.document["view"] == {"represent": "struct", "premise": "full"}
    assert made.document["window"] == 220
    same(f"trained:{trained.folder}?device=cpu", f"onnx:{tmp_path / 'out'}")
    assert System.build(SystemSpec.parse(f"onnx:{tmp_path / 'out'}")).spec.represent == "struct"


def test_what_cannot_be_exported_is_refused_before_anything_is_written(
    original: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "out"
    with pytest.raises(UsageError, match=r"'small' cannot be exported to ONNX. Those that can: transformers:"):
        package.export("small", out)
    with pytest.raises(UsageError, match=r"no format 'onx' to export to. Did you mean 'onnx'\?"):
        package.export("small", out, to="onx")
    with pytest.raises(UsageError, match="'pairs' should be at least 1"):
        package.export("small", out, pairs=0)
    with pytest.raises(NotFoundError, match="is not a checkpoint that can be loaded"):
        package.export(f"transformers:{tmp_path}", out)
    with pytest.raises(NotFoundError, match="corpus"):
        package.export(f"transformers:{original}", out, on="absent/dev")
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "mine").touch()
    with pytest.raises(StoreError, match="full is not empty"):
        package.export(f"transformers:{original}", tmp_path / "full")
    monkeypatch.setitem(sys.modules, "onnxscript", None)
    with pytest.raises(MissingExtraError, match=r"package onnxscript. Install with: pip install 'nliprobe\[export"):
        package.export(f"transformers:{original}", out, on=ON)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["full"]


def test_networks_that_torch_cannot_trace_are_named(
    original: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*args: object, **options: object) -> None:
        raise RuntimeError("no such operator.\nand more")

    monkeypatch.setattr(torch.onnx, "export", fail)
    with pytest.raises(ModelError, match=r"cannot write a network of the kind bert as a graph: no such operator\.$"):
        package.export(f"transformers:{original}", tmp_path / "out", on=ON)
    assert list(tmp_path.iterdir()) == []


def test_a_killed_export_leaves_no_folder_and_the_next_one_cleans_up(
    original: Path, copied: Path, tmp_path: Path
) -> None:
    code = """
import os, signal, sys
from pathlib import Path
import nliprobe
from nliprobe.api import export_onnx
from nliprobe.api.sources import open_source
def killed(network, folder):
    (folder / "model.onnx").write_text("half")
    os.kill(os.getpid(), signal.SIGKILL)
export_onnx.write_graph = killed
nliprobe.export(sys.argv[1], sys.argv[2])
"""
    words = [sys.executable, "-c", code, f"transformers:{original}", str(tmp_path / "out")]
    assert subprocess.run(words, env=environment(), check=False).returncode == -signal.SIGKILL
    assert [path.name.startswith(".out.") for path in tmp_path.iterdir()] == [True]
    package.export(f"transformers:{original}", tmp_path / "out", on=ON, pairs=10)
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


def test_the_verb_prints_what_was_measured(original: Path, tmp_path: Path) -> None:
    assert "Write a run, a suite or a model for other programs" in nliprobe("export", "--help").stdout
    words = ("export", f"transformers:{original}", "--to", "onnx", "-o", str(tmp_path / "out"))
    done = nliprobe(*words, "--on", ON[0], "--pairs", "30", "--format", "json")
    assert json.loads(done.stdout)["agreement"]["n"] == 30
    assert "is not empty" in nliprobe(*words, code=1).stderr
    assert "cannot be exported" in nliprobe("export", "svm", "--to", "onnx", "-o", "x", cwd=tmp_path, code=2).stderr


def test_lines_for_people(exported: Path) -> None:
    from nliprobe.api.export import Exported
    from nliprobe.cli.export import _model_lines as _lines

    document = json.loads((exported / "export.json").read_text(encoding="utf-8"))
    lines = list(_lines(Exported(exported, document)))
    assert "the same answer to 100 of 100 pairs of builtin/sentences-dev: 100.0 % [9" in lines[1]
    assert "pairs/s, the original" in lines[3]
    document["agreement"] |= {"constant": 0.97, "unanswered": 2}
    assert [line.startswith("warning: ") for line in _lines(Exported(exported, document))][4:] == [True, True]
