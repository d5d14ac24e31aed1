from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from nliprobe.base.errors import DataError, ModelError, NotFoundError, StoreError, UsageError
from nliprobe.base.files import read_json, write_json
from nliprobe.base.registry import Spec
from nliprobe.models import MODELS
from nliprobe.models.base import Example
from nliprobe.models.glove import Glove, GloveParams
from nliprobe.task.case import Input
from nliprobe.task.labels import LabelSet, Partition

WORDS = {
    "dog": [1.0, 0.0, 0.0],
    "cat": [0.0, 2.0, 0.0],
    "x-ray": [0.0, 0.0, 4.0],
    "red": [3.0, 3.0, 0.0],
    "n't": [0.5, 0.0, 1.0],
}


def write_vectors(folder: Path, words: dict[str, list[float]] = WORDS) -> Path:
    folder.mkdir(exist_ok=True)
    (folder / "words.txt").write_text("\n".join(words) + "\n")
    np.save(folder / "vectors.npy", np.array(list(words.values()), dtype=np.float16))
    return folder


@pytest.fixture
def glove(tmp_path: Path) -> Glove:
    return Glove(GloveParams(vectors=str(write_vectors(tmp_path / "vectors"))))


def examples(labels: str = "ENC") -> list[Example]:
    texts = {"E": ("dog dog", "dog"), "N": ("dog", "x-ray cat"), "C": ("cat red", "dog red")}
    return [Example(Input("", (texts[y][0],), texts[y][1]), LabelSet.of(y)) for y in labels for _ in range(8)]


def test_a_text_is_the_mean_of_its_words(glove: Glove) -> None:
    vectors = glove.embed(["A dog, a CAT.", "dog dog cat", "red-dog", "x-ray", "don't", "", "👩‍🔬 مرحبا", "zebra-zebu"])
    assert vectors.dtype == np.float32
    assert vectors.tolist() == [
        [0.5, 1.0, 0.0],
        [np.float32(2 / 3), np.float32(2 / 3), 0.0],
        [2.0, 1.5, 0.0],  # a compound without a vector is its parts
        [0.0, 0.0, 4.0],
        [0.5, 0.0, 1.0],
        [0.0] * 3,
        [0.0] * 3,
        [0.0] * 3,
    ]
    [note] = glove.notes()
    assert note.endswith("words have no vector in vectors.npy; they do not count.")
    assert glove.embed([]).shape == (0, 3)


def test_long_and_many_texts_are_averaged_in_pieces(glove: Glove, monkeypatch: pytest.MonkeyPatch) -> None:
    texts = ["dog cat " * number for number in range(30)] + ["red " * 3000]
    together = glove.embed(texts)
    monkeypatch.setattr("nliprobe.models.glove._PIECE", 7)
    assert (glove.embed(texts) == together).all()
    assert together[-1].tolist() == [3.0, 3.0, 0.0]


def test_pairs_are_learnt_saved_and_loaded(glove: Glove, tmp_path: Path) -> None:
    glove.fit(examples())
    asked = [example.input for example in examples()]
    answers = glove.predict(asked)
    assert [str(answer.label) for answer in answers] == ["E"] * 8 + ["N"] * 8 + ["C"] * 8
    assert all(answer.probabilities is not None for answer in answers)
    glove.save(tmp_path / "kept")
    assert sorted(path.name for path in (tmp_path / "kept").iterdir()) == ["config.json", "weights.safetensors"]
    again = Glove(glove.params)
    again.load(tmp_path / "kept")
    assert again.predict(asked) == answers
    assert again.partition == Partition.parse("E|N|C")


def test_two_labels_and_blocks_of_labels(glove: Glove) -> None:
    pairs = [*examples("E"), *(example._replace(gold=LabelSet.of("NC")) for example in examples("C"))]
    glove.fit(pairs)
    assert glove.partition == Partition.parse("E|NC")
    assert [str(answer.label) for answer in glove.predict([pair.input for pair in pairs])] == ["E"] * 8 + ["NC"] * 8
    with pytest.raises(DataError, match="at least two labels"):
        glove.fit(examples("E"))


def test_other_vectors_are_refused(glove: Glove, tmp_path: Path) -> None:
    glove.fit(examples())
    glove.save(tmp_path / "kept")
    wide = write_vectors(tmp_path / "wide", {word: [*vector, 1.0] for word, vector in WORDS.items()})
    other = Glove(GloveParams(vectors=str(wide)))
    with pytest.raises(DataError, match=r"trained with other word vectors \(3 dimensions\) than .* \(4 dimensions\)"):
        other.load(tmp_path / "kept")
    assert other.fingerprint() != glove.fingerprint()


def test_damaged_folders_are_refused(glove: Glove, tmp_path: Path) -> None:
    folder = tmp_path / "kept"
    glove.fit(examples())
    glove.save(folder)
    config = read_json(folder / "config.json")
    for change, said in (
        ({"model": "svm"}, "expected 'glove' in format 1"),
        ({"classes": ["E", "E"]}, "names the classes"),
        ({"classes": ["E", "N"]}, "does not hold 'weights' in the shape"),
        ({"vectors": None}, "should hold 'classes' and 'vectors'"),
    ):
        write_json(folder / "config.json", {**config, **change})
        with pytest.raises(DataError, match=said):
            Glove(glove.params).load(folder)
    write_json(folder / "config.json", config)
    whole = (folder / "weights.safetensors").read_bytes()
    (folder / "weights.safetensors").write_bytes(whole[:50])
    with pytest.raises(StoreError, match="Cannot read"):
        Glove(glove.params).load(folder)


def test_specs_and_what_is_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NLIPROBE_DATA", raising=False)
    monkeypatch.delenv("NLIPROBE_VECTORS", raising=False)
    kind = MODELS.get("glove")
    with pytest.raises(NotFoundError, match="There are no word vectors"):
        kind.from_spec(Spec.parse("glove"), None).check()
    with pytest.raises(UsageError, match="takes parameters after"):
        kind.from_spec(Spec.parse("glove:x"), None)
    with pytest.raises(UsageError, match="positive"):
        kind.from_spec(Spec.parse("glove?C=0"), None)
    untrained = kind.from_spec(Spec.parse(f"glove?vectors={write_vectors(tmp_path / 'v')}"), None)
    with pytest.raises(ModelError, match="has not been trained"):
        untrained.predict([])
    assert len(untrained.embed(["dog"])) == 1
