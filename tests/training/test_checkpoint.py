"""Any sequence-classification checkpoint; skipped where the [torch] extra is not installed."""

from __future__ import annotations

from pathlib import Path

import pytest

from nliprobe.base.errors import NotFoundError, UsageError
from nliprobe.models.checkpoint import Checkpoint
from nliprobe.models.system import System, SystemSpec
from nliprobe.task.labels import Partition
from nliprobe.task.pair import Pair

torch = pytest.importorskip("torch", reason="the [torch] extra is not installed")
transformers = pytest.importorskip("transformers", reason="the [torch] extra is not installed")

PAIRS = [
    Pair("a/b/1", "a b c d", "a b"),
    Pair("a/b/2", "d " * 40, "c"),
    Pair("a/b/3", "b", "a b c d a b c d"),
    Pair("a/b/4", "d " * 300, "a"),
]


def checkpoint(folder: Path, names: list[str]) -> Path:
    """A tiny BERT with a random head whose classes have these names."""
    vocabulary = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "a", "b", "c", "d"]
    folder.mkdir()
    (folder / "vocab.txt").write_text("\n".join(vocabulary) + "\n")
    tokenizer = transformers.BertTokenizerFast(vocab_file=str(folder / "vocab.txt"))
    tokenizer.save_pretrained(folder)
    torch.manual_seed(1)
    config = transformers.BertConfig(
        vocab_size=9, hidden_size=16, num_hidden_layers=2, num_attention_heads=2, intermediate_size=32,
        max_position_embeddings=64, id2label=dict(enumerate(names)), label2id={n: i for i, n in enumerate(names)},
    )  # fmt: skip
    transformers.BertForSequenceClassification(config).save_pretrained(folder)
    return folder


def system(folder: Path, more: str = "") -> System:
    return System.build(SystemSpec.parse(f"transformers:{folder}?device=cpu{more}"))


def test_checkpoint_answers_like_a_plain_loop(tmp_path: Path) -> None:
    folder = checkpoint(tmp_path / "m", ["CONTRADICTION", "neutral", "entailment"])
    asked = system(folder, "&tokens=128")
    inputs = [asked.reader.read_pair(pair) for pair in PAIRS]
    found = asked.model.predict(inputs)
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    model = transformers.AutoModelForSequenceClassification.from_pretrained(folder).eval()
    for item, answer in zip(inputs, found, strict=True):
        batch = tokenizer(item.premise, item.hypothesis, truncation="only_first", max_length=64, return_tensors="pt")
        with torch.inference_mode():
            c, n, e = model(**batch).logits.softmax(-1)[0].tolist()
        assert answer.probabilities == pytest.approx((e, n, c), abs=1e-5)
        assert str(answer.label) == max(zip((e, n, c), "ENC", strict=True))[1]
    assert asked.model.notes() == ["1 of 4 premises were cut to fit the window."]
    assert asked.model.predict([]) == []


def test_two_way_heads_and_declared_orders(tmp_path: Path) -> None:
    two = system(checkpoint(tmp_path / "two", ["entailment", "not_entailment"]))
    assert two.model.partition == Partition.parse("E|NC")
    assert {str(a.label) for a in two.model.predict([two.reader.read_pair(pair) for pair in PAIRS])} <= {"E", "NC"}
    plain = checkpoint(tmp_path / "plain", ["LABEL_0", "LABEL_1", "LABEL_2"])
    with pytest.raises(UsageError, match="LABEL_0, LABEL_1, LABEL_2, which are not labels"):
        _ = system(plain).model.partition
    declared = system(plain, "&labels=neutral,entailment,contradiction")
    assert len(declared.model.predict([declared.reader.read_pair(PAIRS[0])])) == 1
    wrong = system(plain, "&labels=entailment,not_entailment")
    with pytest.raises(UsageError, match="has 3 classes, but 2 labels are declared"):
        wrong.model.predict([wrong.reader.read_pair(PAIRS[0])])


def test_fingerprint_and_absent_checkpoints(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    folder = checkpoint(tmp_path / "m", ["entailment", "neutral", "contradiction"])
    first = system(folder).model.fingerprint()
    assert first == system(folder).model.fingerprint()
    assert first != system(folder, "&max_length=32").model.fingerprint()
    hub = Checkpoint.from_spec(SystemSpec.parse("transformers:some/name").model, None)
    assert hub.fingerprint() is None, "what a hub's name means may change: answers are not kept"
    with pytest.raises(NotFoundError, match="is not a checkpoint that can be loaded"):
        system(tmp_path).model.predict([])
