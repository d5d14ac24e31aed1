"""Classifiers in ONNX files: answers, layouts, shapes that a graph insists on, and files that are wrong."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.models.onnx_graphs import WORDS, expected, write_config, write_graph, write_model, write_tokenizer

from nliprobe.base.errors import DataError, NotFoundError, UsageError
from nliprobe.models._onnx_graph import external_files, rounds_batches
from nliprobe.models._onnx_session import available_threads
from nliprobe.models.system import System, SystemSpec
from nliprobe.task.case import Prediction
from nliprobe.task.labels import Partition
from nliprobe.task.pair import Pair
from nliprobe.testing import check_model

pytest.importorskip("onnxruntime", reason="the [onnx] extra is not installed")
pytest.importorskip("tokenizers", reason="the [onnx] extra is not installed")
pytest.importorskip("onnx", reason="the [export] extra is not installed")

PAIRS = [
    Pair("a/b/1", "a b c d", "a b"),
    Pair("a/b/2", "d " * 40, "c"),
    Pair("a/b/3", "b", "a b c d a b c d"),
    Pair("a/b/4", "e f " * 200, "the row of h"),
    Pair("a/b/5", "x y z", "the"),
]


def system(folder: Path, more: str = "") -> System:
    return System.build(SystemSpec.parse(f"onnx:{folder}?threads=1{more}"))


def ask(folder: Path, more: str = "") -> list[Prediction]:
    asked = system(folder, more)
    return list(asked.model.predict([asked.reader.read_pair(pair) for pair in PAIRS]))


def wanted(**how: int) -> list[object]:
    return [pytest.approx(expected(str(pair.premise), pair.hypothesis, **how), abs=1e-5) for pair in PAIRS]


def test_answers_are_those_worked_out_by_hand_in_batches_of_any_size(tmp_path: Path) -> None:
    folder = write_model(tmp_path / "m")
    for tokens in (1, 40, 1024, 10**6):
        answers = ask(folder, f"&tokens={tokens}")
        assert [answer.probabilities for answer in answers] == wanted()
        for answer in answers:
            shares = dict(zip("ENC", answer.probabilities or (), strict=True))
            assert str(answer.label) == max(shares, key=lambda name: shares[name] or 0)
    asked = system(folder)
    assert asked.model.predict([]) == []
    asked.model.predict([asked.reader.read_pair(pair) for pair in PAIRS])
    assert asked.model.notes() == ["1 of 5 premises were cut to fit the window."]


def test_onnx_keeps_the_contract(tmp_path: Path) -> None:
    check_model("onnx", f"onnx:{write_model(tmp_path / 'm')}")


def test_nothing_but_onnxruntime_and_tokenizers_is_imported(tmp_path: Path) -> None:
    folder = write_model(tmp_path / "m")
    code = f"""
import sys
from nliprobe.models.system import System, SystemSpec
from nliprobe.task.pair import Pair
asked = System.build(SystemSpec.parse("onnx:{folder}"))
assert len(asked.model.predict([asked.reader.read_pair(Pair("a/b/1", "a b", "c"))])) == 1
print(sorted({{"torch", "transformers", "onnx", "sklearn"}} & set(sys.modules)))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize(
    "how",
    [
        {"numbers": "INT32"},
        {"rows": 1},
        {"rows": 4},
        {"columns": 64},
        {"rows": 2, "columns": 64},
        {"output": "scores"},
    ],
    ids=str,
)
def test_graphs_of_all_shapes_give_the_same_answers(tmp_path: Path, how: dict[str, str | int]) -> None:
    folder = write_model(tmp_path / "m", **how)
    assert [answer.probabilities for answer in ask(folder)] == wanted()
    asked = system(folder)
    asked.model.predict([asked.reader.read_pair(PAIRS[0])])
    fixed = {"rows", "columns"} & set(how)
    assert bool(asked.model.notes()) is bool(fixed)
    assert not fixed or "inputs are filled up" in asked.model.notes()[0]


def test_a_graph_without_vectors_says_so(tmp_path: Path) -> None:
    asked = system(write_model(tmp_path / "m"))
    with pytest.raises(UsageError, match=r"gives scores, but no vectors of pairs.*again with nliprobe\.export"):
        asked.model.embed_pairs([asked.reader.read_pair(pair) for pair in PAIRS])


def test_a_fixed_length_is_the_window(tmp_path: Path) -> None:
    assert [answer.probabilities for answer in ask(write_model(tmp_path / "m", columns=32))] == wanted(window=32)


def test_without_a_mask_only_inputs_of_one_length_go_together(tmp_path: Path) -> None:
    folder = write_model(tmp_path / "m", inputs=("input_ids", "token_type_ids"))
    assert [answer.probabilities for answer in ask(folder)] == wanted()
    fixed = write_model(tmp_path / "fixed", inputs=("input_ids",), columns=32)
    with pytest.raises(DataError, match=r"always reads 32 tokens and takes no attention_mask.*dynamic length"):
        ask(fixed)


def test_probabilities_are_not_taken_for_logits(tmp_path: Path) -> None:
    folder = write_model(tmp_path / "m", output="probabilities")
    asked = system(folder)
    with pytest.raises(DataError, match="are not probabilities"):
        asked.model.predict([asked.reader.read_pair(PAIRS[0])])


def test_layouts_of_folders(tmp_path: Path) -> None:
    answers = ask(write_model(tmp_path / "plain"))
    inner = tmp_path / "inner"
    write_graph(inner / "onnx" / "model.onnx")
    write_graph(inner / "onnx" / "model_quantized.onnx", classes=2)
    write_tokenizer(inner)
    write_config(inner)
    single = write_model(tmp_path / "single")
    (single / "model.onnx").rename(single / "model_int8.onnx")
    for place in (inner, inner / "onnx" / "model.onnx", single, single / "model_int8.onnx"):
        assert ask(place) == answers
    assert ask(inner, "&file=onnx/model.onnx") == answers
    with pytest.raises(UsageError, match="has 2 classes, but 3 labels are declared"):
        ask(inner, "&file=onnx/model_quantized.onnx")
    write_graph(single / "model_O4.onnx")
    with pytest.raises(UsageError, match=r"several graphs \(model_O4.onnx, model_int8.onnx\): choose one with file="):
        ask(single)
    with pytest.raises(NotFoundError, match=r"no graph absent.onnx. It has: model_O4.onnx, model_int8.onnx"):
        ask(single, "&file=absent.onnx")
    (tmp_path / "empty").mkdir()
    with pytest.raises(NotFoundError, match=r"holds no ONNX model: expected model.onnx or onnx/model.onnx"):
        ask(tmp_path / "empty")
    with pytest.raises(NotFoundError, match="There is no file or folder"):
        ask(tmp_path / "absent")


def test_a_folder_with_an_older_tokenizer_is_read_by_transformers(tmp_path: Path) -> None:
    pytest.importorskip("torch", reason="the [torch] extra is not installed")
    pytest.importorskip("transformers", reason="the [torch] extra is not installed")
    folder = write_model(tmp_path / "m")
    for name in ("tokenizer.json", "tokenizer_config.json"):
        (folder / name).unlink()
    (folder / "vocab.txt").write_text("\n".join(WORDS) + "\n", encoding="utf-8")
    write_config(folder, model_type="bert")
    assert [answer.probabilities for answer in ask(folder, "&max_length=64")] == wanted()
    before = system(folder).fingerprint()
    (folder / "vocab.txt").write_text("\n".join([*WORDS, "more"]) + "\n", encoding="utf-8")
    assert system(folder).fingerprint() != before


def test_labels_are_read_or_asked_for_and_never_guessed(tmp_path: Path) -> None:
    folder = write_model(tmp_path / "m")
    write_config(folder, ["contradiction", "NEUTRAL", "Entailment"])
    for answer, order in zip(ask(folder), wanted(), strict=True):
        assert list(answer.probabilities or ())[::-1] == order
    write_config(folder, ["LABEL_0", "LABEL_1", "LABEL_2"])
    with pytest.raises(UsageError, match="LABEL_0, LABEL_1, LABEL_2, which are not labels: declare them"):
        system(folder).model.check()
    assert [answer.probabilities for answer in ask(folder, "&labels=entailment,neutral,contradiction")] == wanted()
    write_config(folder, ["entailment", "neutral", "entailment"])
    with pytest.raises(UsageError, match="which are not labels"):
        system(folder).model.check()
    write_config(folder, ["entailment", "neutral", "contradiction", "entailment"])
    with pytest.raises(UsageError, match=r"has 4 classes .*has two or three"):
        system(folder).model.check()
    (folder / "config.json").unlink()
    with pytest.raises(UsageError, match=r"has no config.json that names its classes"):
        system(folder).model.check()
    two = write_model(tmp_path / "two", classes=2)
    write_config(two, ["entailment", "not_entailment"])
    assert system(two).model.partition == Partition.parse("E|NC")
    assert {str(answer.label) for answer in ask(two)} <= {"E", "NC"}
    five = write_model(tmp_path / "five", classes=5)
    with pytest.raises(UsageError, match="has 5 classes, but 3 labels are declared"):
        ask(five, "&labels=entailment,neutral,contradiction")


def test_what_is_no_classifier_of_texts_is_refused(tmp_path: Path) -> None:
    encoder = write_model(tmp_path / "encoder", pooled=False, output="last_hidden_state")
    with pytest.raises(DataError, match=r"'last_hidden_state' has 3 dimensions.*exported without its head\?"):
        ask(encoder)
    image = write_model(tmp_path / "image", inputs=("pixel_values",))
    with pytest.raises(DataError, match="not a classifier of texts: it reads pixel_values"):
        ask(image)
    with pytest.raises(UsageError, match="needs a folder or a file"):
        System.build(SystemSpec.parse("onnx"))
    with pytest.raises(UsageError, match="'tokens' should be at least 1, not 0"):
        ask(encoder, "&tokens=0")


def test_damaged_and_missing_files_are_named(tmp_path: Path) -> None:
    folder = write_model(tmp_path / "m")
    whole = (folder / "model.onnx").read_bytes()
    for content in (b"", b"not a graph", whole[: len(whole) // 2]):
        (folder / "model.onnx").write_bytes(content)
        with pytest.raises(DataError, match=r"model.onnx cannot be loaded by onnxruntime \d"):
            ask(folder)
    write_graph(folder / "model.onnx", opset=99)
    with pytest.raises(DataError, match=r"uses version 99 of the operators, .* up to \d+ .*Install a newer"):
        ask(folder)
    (folder / "model.onnx").write_bytes(whole)
    (folder / "tokenizer.json").write_text("{}", encoding="utf-8")
    with pytest.raises(DataError, match=r"tokenizer.json is not a tokenizer that can be read"):
        ask(folder)
    write_tokenizer(folder, added_tokens_decoder={"40": {"content": "<new>"}})
    with pytest.raises(DataError, match=r"does not hold the token '<new>' with the number 40"):
        ask(folder)
    (folder / "tokenizer.json").unlink()
    (folder / "config.json").unlink()
    with pytest.raises(NotFoundError, match=r"has no tokenizer: put the tokenizer.json"):
        ask(folder, "&labels=entailment,neutral,contradiction")
    write_tokenizer(folder)
    (folder / "config.json").write_text("[", encoding="utf-8")
    with pytest.raises(DataError, match=r"Cannot read .*config.json: it does not hold JSON"):
        ask(folder)


def test_tensors_beside_the_graph_count_and_must_be_there(tmp_path: Path) -> None:
    folder = write_model(tmp_path / "m", external="model.onnx.data")
    assert [answer.probabilities for answer in ask(folder)] == wanted()
    assert external_files(folder / "model.onnx") == ["model.onnx.data"]
    before = system(folder).fingerprint()
    assert "model.onnx.data" in system(folder).origin.digests
    with (folder / "model.onnx.data").open("ab") as stream:
        stream.write(b"more")
    assert system(folder).fingerprint() != before
    (folder / "model.onnx.data").unlink()
    with pytest.raises(NotFoundError, match=r"keeps its tensors in model.onnx.data, which is not beside it"):
        system(folder).model.check()


def test_the_fingerprint_covers_what_decides_answers_and_nothing_else(tmp_path: Path) -> None:
    folder = write_model(tmp_path / "m")
    before = system(folder).fingerprint()
    for name in ("README.md", "model.safetensors", "optimizer.pt"):
        (folder / name).write_text("x", encoding="utf-8")
    assert system(folder, "&tokens=77").fingerprint() == before
    assert system(folder, "&max_length=32").fingerprint() != before
    for name in ("config.json", "tokenizer_config.json", "tokenizer.json", "model.onnx"):
        content = (folder / name).read_bytes()
        (folder / name).write_bytes(content + b" ")
        assert system(folder).fingerprint() != before, name
        (folder / name).write_bytes(content)
    assert system(folder).fingerprint() == before


@settings(max_examples=200)
@given(content=st.binary(max_size=200))
def test_any_bytes_are_searched_for_files_without_an_error(
    content: bytes, tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.getbasetemp() / "any.onnx"
    path.write_bytes(b"\x3a" + content)
    assert isinstance(external_files(path), list)
    assert isinstance(rounds_batches(path), bool)


def test_threads_are_those_of_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OMP_NUM_THREADS", "3,2")
    assert available_threads() == 3
    for other in ("", "0", "many"):
        monkeypatch.setenv("OMP_NUM_THREADS", other)
        assert available_threads() >= 1


def test_a_device_that_is_not_there_is_named(tmp_path: Path) -> None:
    import onnxruntime

    folder = write_model(tmp_path / "m")
    with pytest.raises(UsageError, match="There is no device 'tpu' for ONNX: expected cpu, cuda or cuda:N"):
        ask(folder, "&device=tpu")
    if "CUDAExecutionProvider" not in onnxruntime.get_available_providers():
        with pytest.raises(UsageError, match=r"knows no GPU. Install with: pip install onnxruntime-gpu"):
            ask(folder, "&device=cuda")


def test_the_note_of_an_export_gives_window_and_view(tmp_path: Path) -> None:
    folder = write_model(tmp_path / "m")
    note = {"window": 32, "view": {"represent": "struct", "premise": "none"}}
    (folder / "export.json").write_text(json.dumps(note), encoding="utf-8")
    asked = system(folder)
    assert (asked.spec.represent, str(asked.spec.control)) == ("struct", "none")
    assert [answer.probabilities for answer in ask(folder, "&premise=full")] == wanted(window=32)
    (folder / "export.json").write_text('{"window": "wide"}', encoding="utf-8")
    with pytest.raises(DataError, match=r"export.json.*window.*Export the model again"):
        system(folder)
