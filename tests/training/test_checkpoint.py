"""Any sequence-classification checkpoint; skipped where the [torch] extra is not installed."""

from __future__ import annotations

from pathlib import Path

import pytest

from nliprobe.base.errors import NotFoundError, UsageError
from nliprobe.models.checkpoint import Checkpoint
from nliprobe.models.system import System, SystemSpec
from nliprobe.models.zoo.classifier import Classifier, ClassifierPlan
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


class _Harm:
    """What a pickle may hold: reading it calls a function."""

    def __init__(self, trace: Path) -> None:
        self.trace = trace

    def __reduce__(self) -> tuple[object, tuple[object, ...]]:
        return Path.touch, (self.trace,)


def as_bin(folder: Path) -> Path:
    """Keep the weights of a checkpoint in a .bin file only, as older ones do."""
    weights = transformers.AutoModelForSequenceClassification.from_pretrained(folder).state_dict()
    torch.save(weights, folder / "pytorch_model.bin")
    (folder / "model.safetensors").unlink()
    return folder


def test_a_pickle_of_weights_is_not_opened_unless_allowed(tmp_path: Path) -> None:
    folder = as_bin(checkpoint(tmp_path / "m", ["entailment", "neutral", "contradiction"]))
    honest = system(folder, "&allow_bin=1")
    asked = [honest.reader.read_pair(pair) for pair in PAIRS[:2]]
    assert len(honest.model.predict(asked)) == 2
    trace = tmp_path / "ran"
    torch.save(_Harm(trace), folder / "pytorch_model.bin")
    with pytest.raises(NotFoundError, match=r"only in pytorch_model\.bin.*is a pickle.*allow_bin=1 if you trust"):
        system(folder).model.predict(asked)
    with pytest.raises(NotFoundError, match="is not a checkpoint that can be loaded"):
        system(folder, "&allow_bin=1").model.predict(asked)
    assert not trace.exists()


def test_an_encoder_to_train_is_read_from_safetensors_only(tmp_path: Path) -> None:
    folder = as_bin(checkpoint(tmp_path / "m", ["entailment", "neutral", "contradiction"]))
    with pytest.raises(NotFoundError, match=r"only in pytorch_model\.bin.*allow_bin=1"):
        Classifier(ClassifierPlan(encoder=str(folder))).fresh(3)
    assert Classifier(ClassifierPlan(encoder=str(folder), allow_bin=True)).fresh(3) is not None


def test_the_fingerprint_covers_allowed_pickles(tmp_path: Path) -> None:
    folder = as_bin(checkpoint(tmp_path / "m", ["entailment", "neutral", "contradiction"]))
    before = system(folder, "&allow_bin=1").model.fingerprint()
    with (folder / "pytorch_model.bin").open("ab") as stream:
        stream.write(b"more")
    assert system(folder, "&allow_bin=1").model.fingerprint() != before


def test_checkpoint_embeds_by_the_mean_of_its_last_layer(tmp_path: Path) -> None:
    folder = checkpoint(tmp_path / "m", ["LABEL_0", "LABEL_1", "LABEL_2"])
    texts = ["a b c d", "", "d " * 300, "b"]
    model = system(folder, "&tokens=128").model
    vectors = model.embed(texts)
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    plain = transformers.AutoModel.from_pretrained(folder).eval()
    for text, vector in zip(texts, vectors, strict=True):
        batch = tokenizer(text, truncation=True, max_length=64, return_tensors="pt")
        with torch.inference_mode():
            expected = plain(**batch).last_hidden_state[0].mean(0)
        assert vector.tolist() == pytest.approx(expected.tolist(), abs=1e-5)
