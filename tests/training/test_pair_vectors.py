"""Vectors of pairs: what ``trained:``, ``transformers:`` and ``onnx:`` give, and that answers follow from them."""

from __future__ import annotations

from pathlib import Path

import pytest

import nliprobe as package
from nliprobe.api.sources import open_source
from nliprobe.base.errors import UsageError
from nliprobe.models.system import System, SystemSpec
from nliprobe.models.trained import Trained
from nliprobe.task.case import Input
from nliprobe.task.pair import Pair

torch = pytest.importorskip("torch", reason="the [torch] extra is not installed")
transformers = pytest.importorskip("transformers", reason="the [torch] extra is not installed")

PAIRS = [
    Pair("1", "the table has a title", "a row"),
    Pair("2", "the table has a title", "a key"),
    Pair("3", "a", "the value of the row is not in the table"),
    Pair("4", "the row is 1 , 2 and 3", "the row is 4"),
]


def system(spec: str) -> System:
    return System.build(SystemSpec.parse(spec))


def read(asked: System, pairs: list[Pair]) -> list[Input]:
    return [asked.reader.read_pair(pair) for pair in pairs]


def tokenizer_of(folder: Path) -> object:
    """Write a tokenizer of whole words that puts no mark before a pair."""
    from tokenizers import Tokenizer, models, pre_tokenizers

    words = {word: place for place, word in enumerate(["<|end|>", *sorted(set(" ".join(
        f"{pair.premise} {pair.hypothesis}" for pair in PAIRS).split()))])}  # fmt: skip
    made = Tokenizer(models.WordLevel(words, unk_token="<|end|>"))
    made.pre_tokenizer = pre_tokenizers.Whitespace()
    tokenizer = transformers.PreTrainedTokenizerFast(
        tokenizer_object=made, eos_token="<|end|>", unk_token="<|end|>", pad_token="<|end|>", model_max_length=64
    )
    tokenizer.model_input_names = ["input_ids", "attention_mask"]
    tokenizer.save_pretrained(folder)
    return tokenizer


def left_to_right(folder: Path) -> Path:
    """Write a classifier of the kind of GPT: only its last token has read the whole pair."""
    tokenizer = tokenizer_of(folder)
    torch.manual_seed(3)
    config = transformers.GPT2Config(
        vocab_size=len(tokenizer), n_embd=16, n_layer=2, n_head=2, n_positions=64, bos_token_id=0, eos_token_id=0,  # type: ignore[arg-type]
        pad_token_id=0, id2label={0: "entailment", 1: "neutral", 2: "contradiction"},
    )  # fmt: skip
    transformers.GPT2ForSequenceClassification(config).save_pretrained(folder)
    return folder


def test_a_network_that_reads_onward_gives_its_last_token(tmp_path: Path) -> None:
    folder = left_to_right(tmp_path / "gpt")
    asked = system(f"transformers:{folder}?device=cpu")
    vectors = asked.model.embed_pairs(read(asked, PAIRS))
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    plain = transformers.AutoModel.from_pretrained(folder).eval()
    for item, vector in zip(read(asked, PAIRS), vectors, strict=True):
        batch = tokenizer(item.premise, item.hypothesis, return_tensors="pt")
        with torch.inference_mode():
            expected = plain(input_ids=batch["input_ids"]).last_hidden_state[0, -1]
        assert vector.tolist() == pytest.approx(expected.tolist(), abs=1e-5)
    assert abs(vectors[0] - vectors[1]).max() > 1e-3, "its first token has read nothing of the two hypotheses"


@pytest.mark.parametrize("kind", ["cls", "mean", "transformers"])
def test_a_graph_gives_the_vectors_of_its_original(kind: str, encoder: Path, tmp_path: Path) -> None:
    for name in ("onnx", "onnxruntime", "onnxscript"):
        pytest.importorskip(name, reason="the [export] extra is not installed")
    if kind == "transformers":
        torch.manual_seed(1)
        labels = {0: "entailment", 1: "neutral", 2: "contradiction"}
        model = transformers.AutoModelForSequenceClassification.from_pretrained(encoder, num_labels=3, id2label=labels)
        model.save_pretrained(tmp_path / "model")
        transformers.AutoTokenizer.from_pretrained(encoder).save_pretrained(tmp_path / "model")
        original = f"transformers:{tmp_path / 'model'}"
    else:
        package.train(
            f"classifier?encoder={encoder}&epochs=1&pool={kind}&max_length=64&device=cpu",
            "builtin/tables-train?limit=18", tmp_path / "trained", dev="builtin/tables-dev?limit=9",
        )  # fmt: skip
        original = f"trained:{tmp_path / 'trained'}/seed-0"
    package.export(original, tmp_path / "graph", on="builtin/sentences-dev", pairs=10)
    graph, own = system(f"onnx:{tmp_path / 'graph'}"), system(f"{original}?device=cpu")
    pairs = [*PAIRS, *open_source("builtin/tables-dev?limit=9").pairs()]
    made, expected = graph.model.embed_pairs(read(graph, pairs)), own.model.embed_pairs(read(own, pairs))
    assert made.shape == expected.shape == (len(pairs), 16)
    assert abs(made - expected).max() < 1e-4
    assert expected.std(axis=0).max() > 1e-3, "otherwise nothing is compared"
    assert graph.model.embed_pairs([]).shape[0] == 0


@pytest.mark.parametrize("network", ["classifier", "tabattn"])
def test_answers_of_a_trained_network_follow_from_its_vectors(network: str, encoder: Path, tmp_path: Path) -> None:
    package.train(
        f"{network}?encoder={encoder}&epochs=1&max_length=64&device=cpu", "builtin/tables-train?limit=18",
        tmp_path / "trained", dev="builtin/tables-dev?limit=9",
    )  # fmt: skip
    asked = system(f"trained:{tmp_path / 'trained'}/seed-0?device=cpu")
    assert isinstance(asked.model, Trained)
    pairs = [*PAIRS, *open_source("builtin/tables-dev?limit=9").pairs()]
    vectors = asked.model.embed_pairs(read(asked, pairs))
    module = asked.model._loaded[1]
    head = module.head if network == "classifier" else module.score
    with torch.inference_mode():
        shares = head(torch.from_numpy(vectors)).softmax(-1).tolist()
    for answer, row in zip(asked.model.predict(read(asked, pairs)), shares, strict=True):
        known = dict(zip("ENC", answer.probabilities or (), strict=True))
        assert row == pytest.approx([known[str(label)] for label in asked.model.record.classes], abs=1e-4)
    assert vectors.std(axis=0).max() > 1e-3


def test_a_simpler_model_that_was_trained_has_none(tmp_path: Path) -> None:
    package.train("svm", "builtin/tables-train", tmp_path / "svm")
    asked = system(f"trained:{tmp_path / 'svm'}")
    with pytest.raises(UsageError, match=r"'svm' has no vectors of pairs. Models that have: small, .*trained:… of any"):
        asked.model.embed_pairs(read(asked, PAIRS))
