"""Any sequence-classification checkpoint; skipped where the [torch] extra is not installed."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from tests.training.bert_tokenizer import write_tokenizer

from nliprobe.base.errors import NotFoundError, UsageError
from nliprobe.models.checkpoint import Checkpoint
from nliprobe.models.system import System, SystemSpec
from nliprobe.models.token_rows import TokenRows
from nliprobe.models.zoo.classifier import Classifier, ClassifierPlan
from nliprobe.task.labels import Partition
from nliprobe.task.pair import Pair

if TYPE_CHECKING:
    from torch import Tensor

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
    folder.mkdir()
    write_tokenizer(folder, "abcd")
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


def test_vectors_of_pairs_are_the_last_states_of_first_tokens(tmp_path: Path) -> None:
    folder = checkpoint(tmp_path / "m", ["entailment", "neutral", "contradiction"])
    asked = system(folder)
    inputs = [asked.reader.read_pair(pair) for pair in PAIRS]
    vectors = asked.model.embed_pairs(inputs)
    assert vectors.shape == (4, 16)
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    plain = transformers.AutoModel.from_pretrained(folder).eval()
    for item, vector in zip(inputs, vectors, strict=True):
        batch = tokenizer(item.premise, item.hypothesis, truncation="only_first", max_length=64, return_tensors="pt")
        with torch.inference_mode():
            expected = plain(**batch).last_hidden_state[0, 0]
        assert vector.tolist() == pytest.approx(expected.tolist(), abs=1e-5)


def test_types_of_numbers_are_part_of_the_fingerprint(tmp_path: Path) -> None:
    folder = checkpoint(tmp_path / "m", ["entailment", "neutral", "contradiction"])
    plain = system(folder).model.fingerprint()
    assert (
        plain
        == system(folder, "&dtype=float32").model.fingerprint()
        == system(folder, "&dtype=fp32").model.fingerprint()
    )
    assert plain != system(folder, "&dtype=bf16").model.fingerprint()
    assert system(folder, "&dtype=bf16").model.fingerprint() == system(folder, "&dtype=bfloat16").model.fingerprint()
    half = system(folder, "&dtype=bfloat16").model
    full = system(folder).model
    inputs = [system(folder).reader.read_pair(pair) for pair in PAIRS]
    for one, other in zip(half.predict(inputs), full.predict(inputs), strict=True):
        assert one.probabilities == pytest.approx(other.probabilities, abs=0.05)
    with pytest.raises(UsageError, match="no dtype 'int4': expected auto, float32"):
        system(folder, "&dtype=int4")
    with pytest.raises(UsageError, match="cannot be negative"):
        system(folder, "&tokens=-1")


@pytest.mark.parametrize("count", [1, 5])
def test_heads_that_are_not_of_inference_are_named(tmp_path: Path, count: int) -> None:
    folder = checkpoint(tmp_path / "m", [f"{number} stars" for number in range(count)])
    with pytest.raises(UsageError, match=f"has {count} classes .*a model of inference has two or three"):
        _ = system(folder).model.partition


def test_inputs_that_overflow_are_asked_in_wider_numbers(tmp_path: Path) -> None:
    folder = checkpoint(tmp_path / "m", ["entailment", "neutral", "contradiction"])
    asked = system(folder)
    model = asked.model
    assert isinstance(model, Checkpoint)
    inputs = [asked.reader.read_pair(pair) for pair in PAIRS]
    expected = model.predict(inputs)
    loaded = model._loaded

    class Overflowing:
        packs, token_bytes = True, 1

        def scores(self, rows: TokenRows) -> Tensor:
            scores: Tensor = loaded.forward.scores(rows)
            return torch.where(torch.tensor(rows.sizes % 2 == 0)[:, None], scores, torch.nan)

        pair_states = scores

    model.__dict__["_loaded"] = loaded._replace(forward=Overflowing(), widens=True)
    answers = model.predict(inputs)
    for one, other in zip(answers, expected, strict=True):
        assert one.probabilities == pytest.approx(other.probabilities, abs=0.05)
    assert any("asked again in bfloat16, because float16 overflowed" in note for note in model.notes())
    assert sum("premises were cut" in note for note in model.notes()) == 1


def test_a_tokenizer_without_padding_token_is_padded_with_another(tmp_path: Path) -> None:
    from tokenizers import Tokenizer, models, pre_tokenizers

    folder = tmp_path / "gpt"
    words = {"<|end|>": 0, "a": 1, "b": 2, "c": 3, "d": 4}
    made = Tokenizer(models.WordLevel(words, unk_token="<|end|>"))
    made.pre_tokenizer = pre_tokenizers.Whitespace()
    tokenizer = transformers.PreTrainedTokenizerFast(tokenizer_object=made, eos_token="<|end|>", unk_token="<|end|>")
    tokenizer.save_pretrained(folder)
    torch.manual_seed(3)
    config = transformers.GPT2Config(
        vocab_size=5, n_embd=16, n_layer=2, n_head=2, n_positions=64, bos_token_id=0, eos_token_id=0,
        id2label={0: "entailment", 1: "neutral", 2: "contradiction"},
    )  # fmt: skip
    plain = transformers.GPT2ForSequenceClassification(config).eval()
    plain.save_pretrained(folder)
    asked = system(folder)
    inputs = [asked.reader.read_pair(pair) for pair in PAIRS[:3]]
    answers = asked.model.predict(inputs)
    for item, answer in zip(inputs, answers, strict=True):
        batch = tokenizer(item.premise, item.hypothesis, return_tensors="pt")
        with torch.inference_mode():
            expected = plain(input_ids=batch["input_ids"]).logits.softmax(-1)[0].tolist()
        assert answer.probabilities == pytest.approx(expected, abs=1e-5)
    assert any("no padding token; batches are padded with token 0" in note for note in asked.model.notes())


LABELS = {0: "contradiction", 1: "neutral", 2: "entailment"}
NARROW: dict[str, object] = {
    "vocab_size": 9, "hidden_size": 16, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 32,
}  # fmt: skip
OTHERS: dict[str, dict[str, object]] = {
    "Bart": {
        "vocab_size": 9, "d_model": 16, "encoder_layers": 2, "decoder_layers": 2, "encoder_attention_heads": 2,
        "decoder_attention_heads": 2, "encoder_ffn_dim": 32, "decoder_ffn_dim": 32,
    },
    "DebertaV2": {**NARROW, "relative_attention": True, "pos_att_type": ["p2c", "c2p"], "type_vocab_size": 0},
    "DistilBert": {"vocab_size": 9, "dim": 16, "n_layers": 2, "n_heads": 2, "hidden_dim": 32, "pad_token_id": 1},
    "XLNet": {"vocab_size": 9, "d_model": 16, "n_layer": 2, "n_head": 2, "d_inner": 32, "pad_token_id": 1},
}  # fmt: skip


@pytest.mark.parametrize("kind", sorted(OTHERS))
@pytest.mark.filterwarnings("ignore:.torch.jit.script. is deprecated:DeprecationWarning")
def test_other_architectures_answer_as_they_do_one_by_one(tmp_path: Path, kind: str) -> None:
    from tokenizers import Tokenizer, models, pre_tokenizers, processors

    words = ["<s>", "<pad>", "</s>", "<unk>", "a", "b", "c", "d", "e"]
    made = Tokenizer(models.WordLevel({word: place for place, word in enumerate(words)}, unk_token="<unk>"))
    made.pre_tokenizer = pre_tokenizers.Whitespace()
    made.post_processor = processors.TemplateProcessing(
        single="<s> $A </s>", pair="<s> $A </s> </s> $B </s>", special_tokens=[("<s>", 0), ("</s>", 2)]
    )
    names = {"pad_token": "<pad>", "bos_token": "<s>", "eos_token": "</s>", "cls_token": "<s>", "sep_token": "</s>"}
    tokenizer = transformers.PreTrainedTokenizerFast(
        tokenizer_object=made,
        unk_token="<unk>",
        model_max_length=64,
        padding_side="left" if kind == "XLNet" else "right",  # it reads the last token
        **names,
    )
    tokenizer.model_input_names = ["input_ids", "attention_mask"]
    torch.manual_seed(4)
    longest: dict[str, object] = {} if kind == "XLNet" else {"max_position_embeddings": 64}
    config = getattr(transformers, f"{kind}Config")(**OTHERS[kind], **longest, id2label=LABELS)
    plain = getattr(transformers, f"{kind}ForSequenceClassification")(config).eval()
    plain.save_pretrained(tmp_path)
    tokenizer.save_pretrained(tmp_path)
    asked = system(tmp_path)
    inputs = [asked.reader.read_pair(pair) for pair in PAIRS]
    answers = asked.model.predict(inputs)
    assert asked.model.embed_pairs(inputs).shape == (4, 16)
    for item, answer in zip(inputs, answers, strict=True):
        batch = tokenizer(item.premise, item.hypothesis, truncation="only_first", max_length=64, return_tensors="pt")
        with torch.inference_mode():
            c, n, e = plain(**batch).logits.softmax(-1)[0].tolist()
        assert answer.probabilities == pytest.approx((e, n, c), abs=1e-5)
    assert asked.model.notes() == ["1 of 4 premises were cut to fit the window."]
