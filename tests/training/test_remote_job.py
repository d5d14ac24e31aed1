"""The entry point for machines where nothing can be installed; skipped where the [torch] extra is not installed."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any, cast

import pytest

from nliprobe.api.remote_job import _answer, main
from nliprobe.api.sources import open_source
from nliprobe.models.system import System, SystemSpec
from nliprobe.models.trained import Trained
from nliprobe.task.case import Input, Prediction
from nliprobe.task.labels import THREE_WAY, LabelSet


@pytest.fixture(scope="module")
def trained(encoder: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What the entry point leaves behind, two trainings side by side."""
    folder = tmp_path_factory.mktemp("trained")
    network = f"classifier?encoder={encoder}&epochs=2&lr=1e-3&device=cpu&max_length=64"
    suite = {"on": ["builtin/tables-dev?limit=18"], "probes": ["gold", "rows.delete"]}

    def system(name: str, seeds: list[int], **more: str) -> dict[str, object]:
        return {
            "name": name, "network": network, "train": ["builtin/tables-train?limit=36"],
            "dev": ["builtin/tables-dev?limit=18"], "represent": "para", "seeds": seeds,
            "ask": [{"name": name, **suite}], **more,
        }  # fmt: skip

    systems = [system("para", [0, 1]), system("hypothesis", [0], premise="none")]
    (folder / "plan.json").write_text(json.dumps({"root": str(folder), "jobs": 2, "systems": systems}))
    assert main([str(folder / "plan.json"), str(folder), str(folder / "work")]) == 0
    return folder


def answers(path: Path) -> list[dict[str, Any]]:
    with gzip.open(path, "rt", encoding="utf-8") as stream:
        return [json.loads(line) for line in stream]


def test_bare_writes_answers_for_every_input(trained: Path) -> None:
    document = json.loads((trained / "results.json").read_text())
    results = document["results"]
    assert document["failed"] == 0
    assert [(item["system"], item["seed"]) for item in results] == [("para", 0), ("para", 1), ("hypothesis", 0)]
    lines = answers(trained / "para-0.jsonl.gz")
    assert len({line["input_id"] for line in lines}) == len(lines) == results[0]["asked"][0]["inputs"]
    assert all(sum(line["probabilities"]) == pytest.approx(1, abs=1e-4) for line in lines)
    assert "premises were cut to fit the window" in results[0]["asked"][0]["notes"][0]
    assert lines != answers(trained / "para-1.jsonl.gz"), "another seed is another model"


def test_bare_counts_violations_where_it_is_asked_to(tmp_path: Path) -> None:
    network = "decatt?vectors=none&width=6&hidden=5&epochs=1&device=cpu"
    dev = "builtin/tables-dev?limit=18"
    plain = {"name": "plain", "network": network, "train": ["builtin/tables-train?limit=36"], "dev": [dev],
             "represent": "para", "seeds": [0], "ask": []}  # fmt: skip
    systems = [plain, {**plain, "name": "counted", "seeds": [0, 1], "violations": True}]
    (tmp_path / "plan.json").write_text(json.dumps({"root": str(tmp_path), "jobs": 2, "systems": systems}))
    assert main([str(tmp_path / "plan.json"), str(tmp_path), str(tmp_path / "work")]) == 0
    results = {
        (one["system"], one["seed"]): one for one in json.loads((tmp_path / "results.json").read_text())["results"]
    }
    assert "violations" not in results["plain", 0]
    one, two = (results["counted", seed]["violations"] for seed in (0, 1))
    for kind in ("real", "generated", "searched"):
        assert [rule["sets"] for rule in one[kind]] == [rule["sets"] for rule in two[kind]]
    assert one["generated"][0]["sets"] == 18 * 7, "18 pairs with 7 changes each"


def test_what_bare_trained_answers_as_it_wrote(trained: Path) -> None:
    system = System.build(SystemSpec.parse(f"trained:{trained / 'work' / 'para' / 'seed-0'}?device=cpu"))
    kept = {line["input_id"]: line["probabilities"] for line in answers(trained / "para-0.jsonl.gz")}
    inputs = [system.reader.read_pair(pair) for pair in open_source("builtin/tables-dev?limit=18").pairs()]
    for item, answer in zip(inputs, system.model.predict(inputs), strict=True):
        assert answer.probabilities == pytest.approx(kept[item.id], abs=1e-4)


def test_a_training_that_fails_is_counted(tmp_path: Path) -> None:
    broken = {"name": "x", "network": "classifier", "train": ["builtin/tables-train"], "dev": ["builtin/tables-dev"],
              "represent": "para", "seeds": [0], "ask": []}  # fmt: skip
    (tmp_path / "plan.json").write_text(json.dumps({"root": str(tmp_path), "systems": [broken]}))
    assert main([str(tmp_path / "plan.json"), str(tmp_path), str(tmp_path / "work")]) == 1
    assert json.loads((tmp_path / "results.json").read_text())["failed"] == 1


class Breaking:
    """A model that answers two inputs at a time, and fails at some batch."""

    batch = 2
    partition = THREE_WAY

    def __init__(self, fails_at: int) -> None:
        self.left = fails_at

    def predict(self, inputs: list[Input]) -> list[Prediction]:
        self.left -= 1
        if self.left < 0:
            raise KeyboardInterrupt
        return [Prediction(LabelSet.of("E"), (0.8, 0.1, 0.1)) for _ in inputs]


def test_a_file_of_answers_has_its_name_only_when_it_is_complete(tmp_path: Path) -> None:
    inputs = [Input(str(number), ("premise",), f"hypothesis {number}") for number in range(5)]
    path = tmp_path / "para-0.jsonl.gz"
    with pytest.raises(KeyboardInterrupt):
        _answer(cast(Trained, Breaking(2)), inputs, path)
    assert not path.exists()
    _answer(cast(Trained, Breaking(3)), inputs, path)
    assert [line["input_id"] for line in answers(path)] == [item.id for item in inputs]
    assert list(tmp_path.iterdir()) == [path]
