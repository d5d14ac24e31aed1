from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from nliprobe.base.errors import ModelError, NotFoundError, UsageError
from nliprobe.base.registry import Spec
from nliprobe.models import MODELS
from nliprobe.models.python import PythonModel
from nliprobe.task.case import Input, Status
from nliprobe.task.labels import LabelMap

INPUTS = [Input("1", ("Two dogs ", "run."), "Animals move."), Input("2", (), "Nobody runs."), Input("3", ("A",), "?")]
SOURCE = """
import json
import neighbour_of_my_model

def words(pairs):
    assert pairs == [("Two dogs run.", "Animals move."), ("", "Nobody runs."), ("A", "?")]
    return ["entailment", "CONTRADICTION", None]

def codes(pairs, shift="0"):
    return [(index + int(shift)) % 3 for index in range(len(pairs))]

def rows(pairs):
    import numpy
    return numpy.array([[0.1, 0.8, 0.1], [4.0, 1.0, 2.0], [0.0, 0.0, 9.0]], dtype="float32")

def array(pairs):
    import numpy
    return numpy.array(["e", "c", "n"])

def records(pairs):
    return ({"label": "E", "probabilities": p} for p in ({"E": 0.6, "N": 0.2, "C": 0.2}, [0.2, 0.6, 0.2], None))

class Model:
    def __call__(self, pairs):
        return [neighbour_of_my_model.LABEL] * len(pairs)
    def answer(self, pairs):
        return ["C"] * len(pairs)

model = Model()
number = 3

async def later(premise, hypothesis, word):
    if hypothesis == "?":
        raise ValueError("a question")
    return "contradiction" if word in hypothesis else "entailment"

class Later:
    async def __call__(self, premise, hypothesis):
        return "neutral"

later_object = Later()

def short(pairs): return ["E"]
def one(pairs): return "entailment"
def nothing(pairs): return None
def wrong(pairs): return ["E", "what is this", "C"]
def scores_without_order(pairs): return [[1.0, 2.0, 3.0]] * 3
def bad(pairs): return [float("nan")] * 3
def fails(pairs): raise KeyError("no such word")
def leaves(pairs): raise SystemExit(3)
def fails_late(pairs):
    yield "E"
    raise ValueError("too late")
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    (tmp_path / "my_nli_model.py").write_text(SOURCE, encoding="utf-8")
    (tmp_path / "neighbour_of_my_model.py").write_text("LABEL = 'neutral'\n", encoding="utf-8")
    (tmp_path / "broken_nli_model.py").write_text("import not_installed_anywhere\n", encoding="utf-8")
    (tmp_path / "failing_nli_model.py").write_text("1 / 0\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    yield tmp_path
    for name in ("my_nli_model", "neighbour_of_my_model"):
        sys.modules.pop(name, None)


def model(argument: str, labels: str = "") -> PythonModel:
    return PythonModel.from_spec(Spec.parse(f"python:{argument}"), LabelMap.parse(labels) if labels else None)


def answers(argument: str, labels: str = "") -> str:
    asked = model(argument, labels)
    try:
        predictions = asked.predict(INPUTS)
    finally:
        asked.close()
    assert all((p.status is Status.OK) == (p.label is not None) for p in predictions)
    return " ".join(str(p.label) if p.label else "?" for p in predictions)


@pytest.mark.parametrize("place", ["my_nli_model", "my_nli_model.py", "./my_nli_model.py"])
@pytest.mark.parametrize(
    ("name", "labels", "expected"),
    [
        ("words", "", "E C ?"),
        ("codes", "contradiction,entailment,neutral", "C E N"),
        ("codes?shift=1", "contradiction,entailment,neutral", "E N C"),
        ("rows", "contradiction,entailment,neutral", "E C N"),
        ("array", "", "E C N"),
        ("records", "contradiction,entailment,neutral", "E E E"),
        ("model", "", "N N N"),
        ("model.answer", "", "C C C"),
    ],
)
@pytest.mark.usefixtures("folder")
def test_python_calls_modules_and_files(place: str, name: str, labels: str, expected: str) -> None:
    assert answers(f"{place}:{name}", labels) == expected


@pytest.mark.usefixtures("folder")
def test_python_keeps_probabilities_in_the_order_e_n_c() -> None:
    first, second, _ = model("my_nli_model:rows", "contradiction,entailment,neutral").predict(INPUTS)
    assert first.probabilities == pytest.approx((0.8, 0.1, 0.1))
    assert second.probabilities == pytest.approx((0.04201, 0.11419, 0.84379), abs=1e-4)


def test_python_has_a_fingerprint_only_with_a_version() -> None:
    assert MODELS.get("python") is PythonModel
    assert model("m:f").fingerprint() is None
    assert model("m:f?key=1").fingerprint() is None
    specs = ("m:f?version=1", "m:f?version=1", "m:f?version=2", "m:g?version=1", "m:f?version=1&key=2")
    assert len({model(spec).fingerprint() for spec in specs}) == 4
    assert str(model("m:f", "entailment,not_entailment").partition) == "E|NC"


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("short", "The callable my_nli_model:short returned 1 answers for 3 pairs"),
        ("one", "should return a list with one answer per pair"),
        ("nothing", "should return a list with one answer per pair"),
        ("fails", "The callable my_nli_model:fails failed with KeyError: 'no such word'"),
        ("fails_late", "failed with ValueError: too late"),
        ("leaves", "failed with SystemExit: 3"),
        ("words?unknown=1", "failed with TypeError: .*unexpected keyword argument 'unknown'"),
    ],
)
@pytest.mark.usefixtures("folder")
def test_python_names_the_callable_that_failed(name: str, message: str) -> None:
    with pytest.raises(ModelError, match=message):
        answers(f"my_nli_model:{name}")


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("wrong", "makes no sense: unknown label 'what is this'"),
        ("scores_without_order", "makes no sense: scores are given, .* declare their order"),
        ("bad", "makes no sense: unknown label nan"),
    ],
)
@pytest.mark.usefixtures("folder")
def test_python_an_answer_that_makes_no_sense_is_a_failure_of_its_input(name: str, message: str) -> None:
    predictions = model(f"my_nli_model:{name}").predict(INPUTS)
    assert predictions[1].status is Status.FAILED
    assert re.search(message, predictions[1].raw or "")
    assert [p.status for p in predictions].count(Status.OK) == (2 if name == "wrong" else 0)


@pytest.mark.usefixtures("folder")
def test_python_asks_an_async_function_pair_by_pair() -> None:
    asked = model("my_nli_model:later?concurrency=2&word=Nobody")
    try:
        assert [str(p.label or p.status) for p in asked.predict(INPUTS)] == ["E", "C", "failed"]
        assert asked.predict(INPUTS)[2].raw == "The callable my_nli_model:later failed with ValueError: a question."
        assert asked.asynchronous is not None
        assert answers("my_nli_model:later_object") == "N N N"
    finally:
        asked.close()
    assert model("my_nli_model:words").asynchronous is None


@pytest.mark.parametrize("number", ["0", "-1", "many", "1.5"])
def test_python_refuses_a_concurrency_that_makes_no_sense(number: str) -> None:
    with pytest.raises(UsageError, match="should be a number from 1 up"):
        model(f"m:f?concurrency={number}")


@pytest.mark.usefixtures("folder")
def test_python_concurrency_needs_an_async_function() -> None:
    with pytest.raises(UsageError, match="which my_nli_model:words is not"):
        answers("my_nli_model:words?concurrency=2")
    assert model("m:f?version=1&concurrency=2").fingerprint() == model("m:f?version=1").fingerprint()


@pytest.mark.parametrize(
    ("argument", "error", "message"),
    [
        ("my_nli_model:word", NotFoundError, "has no 'word'. Did you mean 'words'?"),
        ("my_nli_model:number", UsageError, "cannot be called: it is int"),
        ("no_such_module_here:f", NotFoundError, "There is no module 'no_such_module_here'"),
        ("my_nli_model.inner:f", (NotFoundError, ModelError), "my_nli_model"),
        ("gone.py:f", NotFoundError, "file gone.py does not exist"),
        ("broken_nli_model:f", ModelError, "No module named 'not_installed_anywhere'"),
        ("failing_nli_model:f", ModelError, "failed to import: ZeroDivisionError"),
        ("failing_nli_model.py:f", ModelError, "failed to import: ZeroDivisionError"),
    ],
)
@pytest.mark.usefixtures("folder")
def test_python_says_what_cannot_be_imported(argument: str, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        answers(argument)


@pytest.mark.parametrize("argument", ["", "module", "module:", ":name"])
def test_python_needs_a_module_and_a_callable(argument: str) -> None:
    with pytest.raises(UsageError, match="does not name a callable"):
        model(argument)


def test_embed_of_the_module_or_the_callable(tmp_path: Path) -> None:
    source = """
loaded = []
loaded.append(1)

def answer(pairs, **params):
    return ["e" for _ in pairs]

def embed(texts, scale="1"):
    assert loaded == [1]
    return [[len(text) * float(scale), 1.0] for text in texts]

class Both:
    def __call__(self, pairs):
        return ["e" for _ in pairs]

    def embed(self, texts):
        return [[7] for _ in texts]

both = Both()
"""
    (tmp_path / "m.py").write_text(source)
    (tmp_path / "plain.py").write_text("def answer(pairs):\n    return ['e' for _ in pairs]\n")
    (tmp_path / "bad.py").write_text(
        "def answer(pairs):\n    return []\ndef embed(texts):\n    return [[1], [1, 2]]\n"
        "def fails(pairs):\n    return []\nfails.embed = lambda texts: 1 / 0\n"
    )

    def made(name: str) -> PythonModel:
        return PythonModel.from_spec(Spec.parse(f"python:{tmp_path}/{name}"), None)

    model = made("m.py:answer?scale=2")
    assert model.embed(["ab", ""]).tolist() == [[4.0, 1.0], [0.0, 1.0]]
    assert len(model.predict(INPUTS)) == 3
    assert made("m.py:both").embed(["ab"]).tolist() == [[7.0]]
    with pytest.raises(UsageError, match="embeds no single text"):
        made("plain.py:answer").embed(["ab"])
    with pytest.raises(ModelError, match="one list of numbers per text, all of one length"):
        made("bad.py:answer").embed(["a", "b"])
    with pytest.raises(ModelError, match="failed with ZeroDivisionError"):
        made("bad.py:fails").embed(["a"])
