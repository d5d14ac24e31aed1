"""The record of a trained model: one format, whoever trained it."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.training.watching import Notes

from nliprobe.api.resolve import Request
from nliprobe.api.train import TrainRequest, train
from nliprobe.base.errors import DataError, NliprobeError, NotFoundError
from nliprobe.models.trained_record import NAME, TrainedRecord, is_trained
from nliprobe.task.case import Input
from nliprobe.task.labels import LabelSet
from nliprobe.training.fit import make_ready, model_folder

text = st.text(st.characters(codec="utf-8"), max_size=12)
texts = st.lists(text, max_size=3).map(tuple)
classes = st.lists(st.sampled_from(["E", "N", "C", "NC"]).map(LabelSet.of), min_size=1, max_size=3).map(tuple)
kinds = st.sampled_from(["network", "model"])
records = st.builds(
    TrainedRecord, kinds, text, text, text, classes, texts, texts, text, st.none() | st.integers(0, 2**40), text
)
RECORD = TrainedRecord("model", "majority", "para", "full", (LabelSet.of("E"),), ("x/train",), (), "abc")
INPUT = Input("1", ("Height: 3 m.",), "It is 3 m high.")


@given(records)
def test_a_record_is_read_as_it_was_written(record: TrainedRecord) -> None:
    with tempfile.TemporaryDirectory() as name:
        record.write(Path(name))
        assert is_trained(Path(name))
        assert TrainedRecord.read(Path(name)) == record


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"format": 2}, "has 2 under 'format': expected 1"),
        ({"kind": "pickle"}, "under 'kind': expected network or model"),
        ({"classes": []}, "under 'classes': expected a list of labels"),
        ({"classes": ["X"]}, "under 'classes': expected a list of labels"),
        ({"spec": 3}, "has 3 under 'spec': expected a text"),
        ({"seed": "1"}, "under 'seed': expected a number"),
    ],
)
def test_another_record_is_a_sentence(tmp_path: Path, changes: dict[str, object], sentence: str) -> None:
    RECORD.write(tmp_path)
    content = json.loads((tmp_path / NAME).read_text())
    (tmp_path / NAME).write_text(json.dumps({**content, **changes}))
    with pytest.raises(DataError, match=f"{sentence}.*Train the model again"):
        TrainedRecord.read(tmp_path)


@pytest.mark.parametrize("key", ["format", "kind", "spec", "represent", "premise", "classes", "train", "identity"])
def test_a_missing_key_is_named(tmp_path: Path, key: str) -> None:
    RECORD.write(tmp_path)
    content = json.loads((tmp_path / NAME).read_text())
    del content[key]
    (tmp_path / NAME).write_text(json.dumps(content))
    with pytest.raises(DataError, match=f"lacks the key '{key}'"):
        TrainedRecord.read(tmp_path)


@pytest.mark.parametrize("line", ["represent", "classes", "digest", "files"])
def test_a_record_that_was_altered_is_refused(tmp_path: Path, line: str) -> None:
    RECORD.write(tmp_path)
    text = (tmp_path / NAME).read_text()
    altered = {
        "represent": text.replace('"para"', '"qara"'),
        "classes": text.replace('"E"', '"C"'),
        "digest": text.replace('"digest"', '"digesu"'),
        "files": text.replace('"files"', '"filer"'),
    }[line]
    (tmp_path / NAME).write_text(altered)
    with pytest.raises(NliprobeError, match=r"altered|lacks the key"):
        TrainedRecord.read(tmp_path)


@pytest.mark.parametrize("name", ["config.json", "vocabulary.txt", "weights.safetensors", NAME])
def test_a_flipped_bit_in_a_kept_model_is_noticed(tmp_path: Path, own_cache: Path, name: str) -> None:
    request = Request(["builtin/tables-dev"], ["svm"], train=["builtin/tables-train"])
    training = request.training()
    [system] = request.build_systems(training)
    assert make_ready(system, training)
    folder = model_folder(system)
    whole = (folder / name).read_bytes()
    # The middle of the weights is a number, and a model with another number loads without complaint.
    place = len(whole) // 2
    (folder / name).write_bytes(whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :])

    with pytest.raises(NliprobeError, match=r"altered|not as the training left it|Train the model again|not hold JSON"):
        Request(["builtin/tables-dev"], [f"trained:{folder}"]).build_systems([])[0].model.predict([INPUT])
    [again] = request.build_systems(training)
    assert make_ready(again, training), "it is fitted again"
    assert (folder / name).read_bytes() == whole
    assert folder.with_name(folder.name + ".damaged").is_dir()
    [once_more] = request.build_systems(training)
    assert not make_ready(once_more, training)


def test_an_empty_folder_holds_no_model(tmp_path: Path) -> None:
    assert not is_trained(tmp_path)
    with pytest.raises(NotFoundError, match=r"it has no trained.json"):
        TrainedRecord.read(tmp_path)


def test_a_model_kept_in_the_cache_has_the_record_of_one_that_was_trained(tmp_path: Path, own_cache: Path) -> None:
    request = Request(["builtin/tables-dev"], ["majority"], train=["builtin/tables-train"])
    training = request.training()
    [system] = request.build_systems(training)
    assert make_ready(system, training)
    kept = TrainedRecord.read(model_folder(system))
    train(TrainRequest("majority", ["builtin/tables-train"]), tmp_path / "m", Notes())
    trained = TrainedRecord.read(tmp_path / "m")
    assert (kept.kind, kept.spec, kept.represent, kept.premise, kept.classes, kept.train) == (
        (trained.kind, trained.spec, trained.represent, trained.premise, trained.classes, trained.train)
    )
    [again] = Request(["builtin/tables-dev"], [f"trained:{model_folder(system)}"]).build_systems([])
    assert str(again.model.partition) == "E|N|C"
