"""``nliprobe score --transfer`` and ``nliprobe.transfer``: documents, the cache, and models that embed or do not."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from tests.analysis.schemas import validate
from tests.cli.helpers import nliprobe, nliprobe_json
from tests.corpora.files import write
from tests.models.test_glove import write_vectors

import nliprobe as package
from nliprobe.base.errors import ModelError, NotFoundError, UsageError
from nliprobe.models.base import Model
from nliprobe.task.case import Input, Prediction

SICK = "pair_ID\tsentence_A\tsentence_B\trelatedness_score\tentailment_judgment\n"
MRPC = "Quality\t#1 ID\t#2 ID\t#1 String\t#2 String\n"
MODEL = """
def answer(pairs):
    return ["e" for _ in pairs]

def embed(texts):
    return [[text.count("dog"), text.count("cat"), len(text)] for text in texts]
"""


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with three tasks that words decide, with vectors, and with a model."""
    data = tmp_path / "data"
    words = ["dog", "cat"]
    write(data / "MR" / "rt-polarity.neg", "".join(f"a dog {number}\n" for number in range(30)))
    write(data / "MR" / "rt-polarity.pos", "".join(f"a cat {number}\n" for number in range(20)))
    pairs = [(words[n % 2], words[n // 2 % 2]) for n in range(40)]
    same = "".join(f"{int(a == b)}\t1\t2\ta {a} {n}\tthe {b}\n" for n, (a, b) in enumerate(pairs))
    for split in ("train", "test"):
        write(data / "MRPC" / f"msr_paraphrase_{split}.txt", MRPC + same)
    lines = "".join(f"{n}\t{a} {n}\t{b}\t{4.5 if a == b else 1.5}\tNEUTRAL\n" for n, (a, b) in enumerate(pairs))
    for name in ("SICK_train.txt", "SICK_trial.txt", "SICK_test_annotated.txt"):
        write(data / "SICK" / name, SICK + lines)
    write_vectors(data / "glove")
    (tmp_path / "mine.py").write_text(MODEL)
    monkeypatch.setenv("NLIPROBE_DATA", str(data))
    monkeypatch.delenv("NLIPROBE_VECTORS", raising=False)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_the_document_and_the_text(here: Path) -> None:
    words = ["score", "--transfer", "mr,mrpc", "--transfer", "sick-r", "--system", "python:mine.py:answer?version=1"]
    document = nliprobe_json(*words, "--folds", "5", cwd=here)
    validate("transfer", document)
    assert [task["task"] for task in document["tasks"]] == ["mr", "mrpc", "sick-r"]
    mine, glove = document["systems"]
    assert (mine["system"], mine["baseline"]) == ("python:mine.py:answer?version=1", False)
    assert (glove["system"], glove["baseline"]) == ("glove", True)
    film, same, related = mine["results"]
    assert (film["accuracy"]["value"], film["width"], len(film["folds"])) == (1.0, 3, 5)
    assert film["over_glove"]["value"] == 1.0 - glove["results"][0]["accuracy"]["value"]
    assert (same["accuracy"]["value"], same["f1"]["value"]) == (1.0, 1.0)
    assert related["pearson"]["value"] == pytest.approx(1.0, abs=0.01)
    assert glove["results"][0]["over_glove"] is None
    first, second, third = document["tasks"]
    assert first["constant"] == {"answer": "negative", "accuracy": 0.6, "f1": None, "pearson": None}
    assert first["notes"] == ["items: 50 here, 10,662 published"]
    assert second["constant"] == {"answer": "other", "accuracy": 0.5, "f1": 0.0, "pearson": None}
    assert third["chance"] == {"accuracy": None, "f1": None, "pearson": 0.0}
    done = nliprobe(*words, "--folds", "5", cwd=here)
    assert "mr: sentiment of film reviews; 50 tested, 5 folds; always negative 60.0%, chance 50.0%" in done.stdout
    assert "folds ± 0.0; over mean GloVe" in done.stdout
    assert "note: items: 50 here, 10,662 published" in done.stdout
    assert "Pearson" in done.stdout
    assert "python:mine.py:answer?version=1 on mr: 1.0000" in done.stderr


def test_what_was_answered_is_kept(here: Path, own_cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    spec = "python:mine.py:answer?version=1"
    first = package.transfer(spec, ["mr", "sick-r"], folds=4)
    kept = sorted((own_cache / "transfer").glob("*.json"))
    assert len(kept) == 4
    monkeypatch.setattr("nliprobe.models.python.PythonModel.embed", _never)
    monkeypatch.setattr("nliprobe.models.glove.Glove.embed", _never)
    again = package.transfer(spec, ["mr", "sick-r"], folds=4)
    assert again.document["systems"] == first.document["systems"]
    with pytest.raises(AssertionError, match="embeds again"):
        package.transfer(spec, ["mr"], folds=5)
    with pytest.raises(AssertionError, match="embeds again"):
        package.transfer(spec, ["mr"], folds=4, seed=1)
    monkeypatch.undo()


def _never(self: object, texts: object) -> object:
    raise AssertionError("embeds again")


def test_damaged_answers_are_computed_again(here: Path, own_cache: Path) -> None:
    first = package.transfer("glove", "mr", folds=4)
    [path] = (own_cache / "transfer").glob("*.json")
    whole = path.read_bytes()
    for damage in (whole[:100], whole.replace(b'"width": 3', b'"width": 4')):
        path.write_bytes(damage)
        assert package.transfer("glove", "mr", folds=4).document == first.document
        assert path.read_bytes() == whole
    said = nliprobe("cache", "ls", cwd=here).stdout
    assert "transfer" in said
    nliprobe("cache", "clear", "--yes", cwd=here)
    assert not (own_cache / "transfer").exists()


def test_texts_of_both_tasks_of_sick_are_embedded_once(here: Path) -> None:
    seen: list[str] = []

    class Mine(Counting):
        def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
            seen.extend(texts)
            return super().embed(texts)

    lines = (here / "data" / "SICK" / "SICK_train.txt").read_text().replace("1.5\tNEUTRAL", "1.5\tENTAILMENT")
    for name in ("SICK_train.txt", "SICK_trial.txt", "SICK_test_annotated.txt"):
        (here / "data" / "SICK" / name).write_text(lines)
    package.transfer(Mine(), ["sick-e", "sick-r"])
    assert len(seen) == len(set(seen))


class Counting(Model):
    """Embeds texts as counts of two words."""

    def fingerprint(self) -> str | None:
        return None

    def predict(self, inputs: Sequence[Input]) -> list[Prediction]:
        return [Prediction(None) for _ in inputs]

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        return np.array([[text.count("dog"), text.count("cat")] for text in texts], dtype=np.float32)


def test_a_model_object_without_a_fingerprint_is_not_kept(here: Path, own_cache: Path) -> None:
    result = package.transfer({"mine": Counting()}, "mr", folds=3)
    assert result.document["systems"][0]["system"] == "mine"
    assert repr(result) == "<Transfer of mine, glove to mr>"
    named = package.transfer({"glove": Counting()}, "mr", folds=3).document["systems"]
    assert [(system["system"], system["baseline"]) for system in named] == [("glove", False), ("mean GloVe", True)]
    two = package.transfer(["glove", "glove?name=other"], "mr", folds=3).document["systems"]
    assert [system["baseline"] for system in two] == [True, False]
    assert len(list((own_cache / "transfer").glob("*"))) == 1  # mean GloVe's


@pytest.mark.parametrize(
    ("vectors", "said"),
    [
        (np.zeros((1, 2, 3)), "should give 1 texts one vector each"),
        (np.zeros((3, 2)), "should give 1 texts one vector each"),
        (np.zeros((1, 0)), "should give 1 texts one vector each"),
        (np.array([[math.nan, 1.0]]), "something that is not a number for 'A dog runs.'"),
    ],
)
def test_vectors_that_are_none_are_refused(here: Path, vectors: NDArray[np.float64], said: str) -> None:
    class Wrong(Counting):
        def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
            return vectors.astype(np.float32)

    with pytest.raises(ModelError, match=said):
        package.transfer(Wrong(), "mr")


def test_without_word_vectors_there_is_no_baseline(here: Path) -> None:
    (here / "data" / "glove").rename(here / "data" / "elsewhere")
    document = package.transfer("python:mine.py:answer", "mr", folds=3).document
    assert [system["system"] for system in document["systems"]] == ["python:mine.py:answer"]
    assert document["notes"][0].startswith(
        "Mean GloVe, the baseline of all vectors, is not measured. There are no word"
    )
    assert document["systems"][0]["results"][0]["over_glove"] is None
    with pytest.raises(NotFoundError, match="no word vectors"):
        package.transfer("glove", "mr")


def test_requests_that_cannot_be(here: Path) -> None:
    with pytest.raises(UsageError, match="'svm' embeds no single text"):
        package.transfer("svm", "mr")
    with pytest.raises(UsageError, match="Did you mean 'mr'"):
        package.transfer("glove", "mrr")
    with pytest.raises(UsageError, match="at least 2"):
        package.transfer("glove", "mr", folds=1)
    with pytest.raises(UsageError, match="systems="):
        package.transfer([], "mr")
    with pytest.raises(UsageError, match="Two systems are named 'glove'"):
        package.transfer(["glove", "glove"], "mr")
    with pytest.raises(NotFoundError, match="'cr' is not on this machine"):
        package.transfer("glove")
    for words, said in (
        (["--transfer", "mr"], "--system"),
        (["--transfer", "mr", "--on", "snli/dev"], "leave out --on"),
        (["--system", "glove"], "belong to --transfer"),
        (["--transfer", "all", "--system", "glove"], "--from DIR or NLIPROBE_DATA"),
    ):
        assert said in nliprobe("score", *words, cwd=here, code=1 if "all" in words else 2).stderr


def test_mean_glove_on_a_real_task(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NLIPROBE_DATA", str(data))
    try:
        document = package.transfer("glove", "sst2").document
    except NotFoundError as error:
        pytest.skip(str(error))
    [result] = document["systems"][0]["results"]
    accuracy = result["accuracy"]
    assert accuracy is not None
    assert accuracy["value"] is not None
    # 100 dimensions of GloVe 6B; a constant answer gets 49.9 %.
    assert 0.74 < accuracy["value"] < 0.80
