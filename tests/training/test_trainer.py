"""Training a tiny classifier on the CPU; skipped where the [torch] extra is not installed."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from nliprobe.api.bare import run_bare
from nliprobe.base.errors import DataError, NotFoundError, UsageError
from nliprobe.models.system import System, SystemSpec
from nliprobe.task.pair import Pair
from nliprobe.task.prediction import Input
from nliprobe.training.trainer import TrainingPlan

torch = pytest.importorskip("torch", reason="the [torch] extra is not installed")
transformers = pytest.importorskip("transformers", reason="the [torch] extra is not installed")

WORDS = [
    *["the", "of", "is", "are", "was", "a", "in", "has", "not", "table", "title", "row", "key", "value"],
    *",.'-1234567890",
]


@pytest.fixture(scope="module")
def encoder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A BERT of two tiny layers with random weights."""
    folder = tmp_path_factory.mktemp("encoder")
    letters = [chr(code) for code in range(ord("a"), ord("z") + 1)]
    pieces = [f"##{letter}" for letter in letters]
    vocabulary = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *WORDS, *letters, *pieces]
    (folder / "vocab.txt").write_text("\n".join(dict.fromkeys(vocabulary)) + "\n")
    tokenizer = transformers.BertTokenizerFast(vocab_file=str(folder / "vocab.txt"))
    tokenizer.model_max_length = 64
    tokenizer.save_pretrained(folder)
    config = transformers.BertConfig(
        vocab_size=len(tokenizer), hidden_size=16, num_hidden_layers=2, num_attention_heads=2, intermediate_size=32,
        max_position_embeddings=64,
    )  # fmt: skip
    torch.manual_seed(0)
    transformers.BertModel(config).save_pretrained(folder)
    return folder


@pytest.fixture(scope="module")
def trained(encoder: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What the bare entry point leaves behind."""
    folder = tmp_path_factory.mktemp("trained")
    training: dict[str, object] = {"encoder": str(encoder), "epochs": 2, "lr": 1e-3, "device": "cpu", "max_length": 64}
    run_bare(
        {
            "root": str(folder),
            "train": ["builtin/tables-train?limit=36"],
            "dev": ["builtin/tables-dev?limit=18"],
            "on": ["builtin/tables-dev?limit=18"],
            "probes": ["gold", "rows.delete"],
            "systems": [
                {"name": "para", "represent": "para", "premise": "full", "training": training, "seeds": [0, 1]},
                {"name": "hypothesis", "represent": "para", "premise": "none", "training": training, "seeds": [0]},
            ],
        },
        folder,
        folder / "work",
    )
    return folder


def answers(path: Path) -> list[dict[str, Any]]:
    with gzip.open(path, "rt", encoding="utf-8") as stream:
        return [json.loads(line) for line in stream]


def test_bare_writes_answers_for_every_input(trained: Path) -> None:
    results = json.loads((trained / "results.json").read_text())["results"]
    assert [(item["system"], item["seed"]) for item in results] == [("para", 0), ("para", 1), ("hypothesis", 0)]
    lines = answers(trained / "para-0.jsonl.gz")
    assert len({line["input_id"] for line in lines}) == len(lines) == results[0]["inputs"]
    assert all(sum(line["probabilities"]) == pytest.approx(1, abs=1e-4) for line in lines)
    assert "premises were cut to fit the window" in results[0]["notes"][0]
    other = answers(trained / "para-1.jsonl.gz")
    assert lines != other, "another seed is another model"


def test_classifier_answers_like_the_trainer_left_it(trained: Path) -> None:
    spec = SystemSpec.parse(f"classifier:{trained / 'work' / 'para-0'}?device=cpu")
    system = System.build(spec)
    kept = {line["input_id"]: line["probabilities"] for line in answers(trained / "para-0.jsonl.gz")}
    from nliprobe.corpora.open import open_corpus

    inputs = [system.reader.read_pair(pair) for pair in open_corpus("builtin/tables-dev?limit=18").pairs()]
    for item, answer in zip(inputs, system.model.predict(inputs), strict=True):
        assert answer.probabilities == pytest.approx(kept[item.id], abs=1e-4)
        assert answer.label is not None
    assert system.model.predict([]) == []
    again = System.build(spec)
    assert again.fingerprint() == system.fingerprint()
    suffixes = {path.suffix for path in (trained / "work" / "para-0").iterdir()}
    assert not suffixes & {".pt", ".bin", ".pkl"}


def test_hypothesis_is_kept_whole(trained: Path) -> None:
    system = System.build(SystemSpec.parse(f"classifier:{trained / 'work' / 'para-0'}?device=cpu"))
    long = "the table " * 100
    first = system.reader.read_pair(Pair("a/b/1", long, "the key is not a value ."))
    second = system.reader.read_pair(Pair("a/b/2", long, "the key is a value ."))
    one, two = system.model.predict([first, second])
    assert one.probabilities != two.probabilities
    assert system.model.notes() == ["2 of 2 premises were cut to fit the window."]


def test_bad_folders_and_plans_are_sentences(trained: Path, encoder: Path, tmp_path: Path) -> None:
    with pytest.raises(NotFoundError, match="does not hold a trained classifier"):
        System.build(SystemSpec.parse(f"classifier:{encoder}"))
    with pytest.raises(UsageError, match="needs the folder"):
        System.build(SystemSpec.parse("classifier"))
    with pytest.raises(UsageError, match="adamw or adagrad"):
        TrainingPlan("x", optimizer="sgd")
    with pytest.raises(UsageError, match="cls or mean"):
        TrainingPlan("x", pool="max")
    import shutil

    other = tmp_path / "other"
    shutil.copytree(trained / "work" / "para-0", other)
    config = json.loads((other / "config.json").read_text())
    (other / "config.json").write_text(json.dumps({**config, "hidden_size": 32}))
    system = System.build(SystemSpec.parse(f"classifier:{other}?device=cpu"))
    with pytest.raises(DataError, match="is not of the architecture beside it"):
        system.model.predict([Input("0" * 24, ("p",), "h")])


def test_adagrad_trains_too(encoder: Path, tmp_path: Path) -> None:
    from nliprobe.corpora.open import open_corpus
    from nliprobe.models._base import Example
    from nliprobe.represent.build import build_representation
    from nliprobe.represent.controls import Control
    from nliprobe.represent.reader import Reader
    from nliprobe.training.trainer import train_classifier

    reader = Reader(build_representation("para"), Control.FULL, seed=0, keyed=False)
    examples = [
        Example(reader.read_pair(pair), pair.gold)
        for pair in open_corpus("builtin/sentences-dev?limit=12").pairs()
        if pair.gold is not None
    ]
    plan = TrainingPlan(str(encoder), epochs=3, lr=1e-2, optimizer="adagrad", pool="mean", device="cpu", patience=1)
    lines: list[str] = []
    result = train_classifier(plan, examples, examples, tmp_path / "kept", lines.append)
    assert 1 <= len(result.dev) == len(lines) <= 3
    assert result.best == max(result.dev)
    with pytest.raises(DataError, match="labelled pairs"):
        train_classifier(plan, [], examples, tmp_path / "none")
