"""Everything is opened before anything is trained or asked: a mistake costs no training."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

import nliprobe
from nliprobe.base.errors import NliprobeError, StoreError
from nliprobe.models import MODELS
from nliprobe.models.base import Example, Trainable
from nliprobe.task.case import Input, Prediction
from nliprobe.task.labels import E

TRAIN, DEV = "builtin/sentences-train", "builtin/sentences-dev"


class Learner(Trainable):
    """Notes when it is trained and when it is asked."""

    fitted = 0
    asked = 0

    def fingerprint(self) -> str:
        return "learner"

    def fit(self, examples: Sequence[Example]) -> None:
        Learner.fitted += 1

    def predict(self, inputs: Sequence[Input]) -> list[Prediction]:
        Learner.asked += len(inputs)
        return [Prediction(E)] * len(inputs)

    def save(self, folder: Path) -> None:
        (folder / "learnt.txt").write_text("E", encoding="utf-8")

    def load(self, folder: Path) -> None:
        pass


@pytest.fixture(autouse=True)
def learner(monkeypatch: pytest.MonkeyPatch, own_cache: Path) -> type[Learner]:
    monkeypatch.setitem(MODELS._registered, "learner", Learner)
    Learner.fitted = Learner.asked = 0
    return Learner


@pytest.fixture
def files(tmp_path: Path) -> Path:
    """A folder of inputs with something wrong in each."""
    (tmp_path / "no-columns.csv").write_text("a,b\n1,2\n", encoding="utf-8")
    (tmp_path / "no-label.csv").write_text("premise,hypothesis,label\nP.,H.,perhaps so\n", encoding="utf-8")
    (tmp_path / "empty.jsonl").write_text("", encoding="utf-8")
    (tmp_path / "torn.jsonl").write_text('{"premise": "P."', encoding="utf-8")
    (tmp_path / "no-ids.jsonl").write_text(json.dumps({"pred": "E"}) + "\n", encoding="utf-8")
    (tmp_path / "other-ids.jsonl").write_text(json.dumps({"id": "x", "pred": "E"}) + "\n", encoding="utf-8")
    (tmp_path / "model.py").write_text("def answer(pairs): return ['E'] * len(pairs)\n", encoding="utf-8")
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "thesis.txt").write_text("mine", encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"on": ["builtin/sentences-dve"]}, "Did you mean 'sentences-dev'"),
        ({"on": [DEV, "bultin/sentences-dev"]}, "There is no corpus"),
        ({"on": [DEV, "file:{}/gone.csv"]}, "There is no file"),
        ({"on": [DEV, "file:{}/no-columns.csv"]}, "there is no column"),
        ({"on": [DEV, "file:{}/no-label.csv"]}, "perhaps so"),
        ({"on": [DEV, "file:{}/empty.jsonl"]}, "is empty"),
        ({"on": [DEV, "file:{}/torn.jsonl"]}, "not JSON"),
        ({"on": [DEV, DEV + "?where=genre:none"]}, "genre"),
        ({"probes": ["gold", "swop"]}, "swop"),
        ({"train": [TRAIN, "file:{}/no-columns.csv"]}, "there is no column"),
        ({"train": ["builtin/sentences-trian"]}, "sentences-train"),
        ({"systems": ["learner", "svn"]}, "svm"),
        ({"systems": ["learner", "svm?C=many"]}, "svm"),
        ({"systems": ["learner", "svm?represent=pera"]}, "pera"),
        ({"systems": ["learner", "python:{}/gone.py:answer"]}, "gone.py does not exist"),
        ({"systems": ["learner", "python:{}/gone.py:answer?version=1"]}, "gone.py does not exist"),
        ({"systems": ["learner", "python:{}/model.py:anser"]}, "Did you mean 'answer'"),
        ({"systems": ["learner", "command:no-such-program-anywhere"]}, "cannot be started"),
        ({"systems": ["learner", "trained:{}/gone"]}, "gone"),
        ({"systems": ["learner", "predictions:{}/gone.jsonl"]}, "There is no file"),
        ({"systems": ["learner", "predictions:{}/no-ids.jsonl"]}, "no key"),
        ({"systems": ["learner", "predictions:{}/other-ids.jsonl"]}, "answers only 0 of 141 pairs"),
        ({"out": "{}/full"}, "exists and is not a run"),
        ({"out": "{}/model.py"}, "exists and is not a run"),
        ({"out": "{}/model.py/run"}, "model.py is not a folder"),
    ],
)  # fmt: skip
def test_a_mistake_costs_no_training(files: Path, change: dict[str, object], message: str) -> None:
    request: dict[str, object] = {"systems": ["learner"], "on": [DEV], "train": [TRAIN], "out": "{}/run"} | change
    filled = json.loads(json.dumps(request).replace("{}", str(files)))
    systems, on = filled.pop("systems"), filled.pop("on")
    with pytest.raises(NliprobeError, match=message):
        nliprobe.run(systems, on, **filled)
    assert (Learner.fitted, Learner.asked) == (0, 0)
    assert not (files / "run").exists(), "nothing is left behind"
    nliprobe.run("learner", DEV, train=TRAIN, out=files / "run")
    assert Learner.fitted == 1
    assert Learner.asked > 0


def test_another_suite_or_system_in_the_folder_costs_no_training(tmp_path: Path) -> None:
    nliprobe.run("majority?name=one", DEV, train=TRAIN, out=tmp_path / "run")
    with pytest.raises(StoreError, match="another suite"):
        nliprobe.run("learner", "builtin/tables-dev", train=TRAIN, out=tmp_path / "run")
    with pytest.raises(StoreError, match="another system named 'one'"):
        nliprobe.run(["learner", "majority?name=one&premise=none"], DEV, train=TRAIN, out=tmp_path / "run")
    assert Learner.fitted == 0


def test_parts_of_a_corpus_that_share_a_pair_are_refused(tmp_path: Path, learner: type[Learner]) -> None:
    out, first = tmp_path / "run", f"{DEV}?limit=10"
    with pytest.raises(NliprobeError, match=r"skip=5&limit=10' both hold the pair 'builtin/.*do not overlap"):
        nliprobe.run("learner", on=[first, f"{DEV}?skip=5&limit=10"], train=[TRAIN], out=out)
    assert (learner.fitted, learner.asked) == (0, 0)
    assert not out.exists()
    run = nliprobe.run("learner", on=[first, f"{DEV}?skip=10&limit=10"], train=[TRAIN], out=out)
    assert run.scores().height == 2, "parts that do not overlap are asked about"


def test_doctor_opens_everything_first(files: Path) -> None:
    for on, systems in ((f"file:{files}/gone.csv", ["learner"]), (DEV, ["learner", f"python:{files}/gone.py:answer"])):
        with pytest.raises(NliprobeError):
            nliprobe.doctor(systems, on=on, train=TRAIN)
    assert (Learner.fitted, Learner.asked) == (0, 0)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"train": [TRAIN, "file:{}/gone.csv"]}, "There is no file"),
        ({"dev": ["file:{}/no-columns.csv"]}, "there is no column"),
        ({"out": "{}/model.py/trained"}, "model.py is not a folder"),
    ],
)
def test_train_opens_everything_first(files: Path, change: dict[str, object], message: str) -> None:
    request = {"train": [TRAIN], "dev": [DEV], "out": "{}/trained"} | change
    filled = json.loads(json.dumps(request).replace("{}", str(files)))
    with pytest.raises(NliprobeError, match=message):
        nliprobe.train("learner", filled["train"], filled["out"], dev=filled["dev"])
    assert Learner.fitted == 0
    nliprobe.train("learner", TRAIN, files / "trained", dev=DEV)
    assert Learner.fitted == 1


def test_generate_tries_its_folder_first(files: Path) -> None:
    seen: list[int] = []
    with pytest.raises(StoreError, match=r"model\.py is not a folder"):
        nliprobe.generate(
            "checklist", files / "model.py" / "x.parquet", n=2, progress=lambda done, total: seen.append(done)
        )
    assert set(seen) <= {0}


def test_score_opens_both_sides(files: Path) -> None:
    good = files / "other-ids.jsonl"
    for path, on, message in (
        (files / "gone.jsonl", DEV, "There is no file"),
        (good, f"file:{files}/gone.csv", "There is no file"),
        (good, f"file:{files}/no-columns.csv", "there is no column"),
    ):
        with pytest.raises(NliprobeError, match=message):
            nliprobe.score(path, on)
