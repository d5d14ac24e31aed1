"""Tokens by segments are those of the whole text, batches keep their budget, and answers their order."""

from __future__ import annotations

import string
from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from nliprobe.api.plan import distinct_inputs
from nliprobe.api.resolve import Request
from nliprobe.models import _tokens
from nliprobe.models._tokens import TokenisedInput, read_whole
from nliprobe.models._tokens import _read_inputs as read_inputs
from nliprobe.models.batches import Prepared, batches, encode, network_scores
from nliprobe.models.token_rows import TokenRows, Tokens
from nliprobe.represent.controls import Control
from nliprobe.task.case import Input

if TYPE_CHECKING:
    from torch import Tensor
    from transformers import PreTrainedTokenizerBase

torch = pytest.importorskip("torch", reason="the [torch] extra is not installed")
transformers = pytest.importorskip("transformers", reason="the [torch] extra is not installed")
tokenizers = pytest.importorskip("tokenizers", reason="the [torch] extra is not installed")

MARKS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
ROOM = 32


def words() -> PreTrainedTokenizerBase:
    """A BERT tokenizer that knows all ASCII characters, a few endings and a few words."""
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors

    endings = [f"##{character}" for character in string.ascii_lowercase]
    known = [*MARKS, *string.printable.strip(), *endings, "the", "of", "row", "##ing"]
    made = Tokenizer(models.WordPiece({word: place for place, word in enumerate(known)}, unk_token="[UNK]"))
    made.normalizer, made.pre_tokenizer = normalizers.BertNormalizer(), pre_tokenizers.BertPreTokenizer()
    made.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", pair="[CLS] $A [SEP] $B:1 [SEP]:1", special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
    )
    names = {"pad_token": "[PAD]", "cls_token": "[CLS]", "sep_token": "[SEP]", "unk_token": "[UNK]"}
    found: PreTrainedTokenizerBase = transformers.PreTrainedTokenizerFast(
        tokenizer_object=made, mask_token="[MASK]", **names
    )
    return found


def bytes_() -> PreTrainedTokenizerBase:
    """A byte-level tokenizer as RoBERTa's, whose mask swallows the spaces before it."""
    from tokenizers import Tokenizer, models, pre_tokenizers, processors

    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    merges = [("t", "h"), ("th", "e"), ("Ġ", "the"), ("Ġ", "a"), ("Ġ", "Ġ"), ("o", "f"), ("Ġ", "of"), ("a", "b")]
    known = ["<s>", "<pad>", "</s>", *alphabet, *dict.fromkeys(one + other for one, other in merges)]
    made = Tokenizer(models.BPE({word: place for place, word in enumerate(known)}, merges))
    made.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    made.post_processor = processors.RobertaProcessing(("</s>", 2), ("<s>", 0), add_prefix_space=False)
    names = {"pad_token": "<pad>", "cls_token": "<s>", "sep_token": "</s>", "bos_token": "<s>", "eos_token": "</s>"}
    mask = tokenizers.AddedToken("<mask>", lstrip=True, special=True)
    found: PreTrainedTokenizerBase = transformers.PreTrainedTokenizerFast(
        tokenizer_object=made, mask_token=mask, **names
    )
    found.model_input_names = ["input_ids", "attention_mask"]
    return found


def metaspace() -> PreTrainedTokenizerBase:
    """A Unigram tokenizer as SentencePiece makes them, with a token that goes across a space."""
    from tokenizers import Tokenizer, models, pre_tokenizers, processors

    scores = dict.fromkeys(("<s>", "</s>", "<unk>"), 0.0) | dict.fromkeys("▁" + string.ascii_letters, -3.0)
    made = Tokenizer(models.Unigram([*scores.items(), ("▁▁", -1.0), ("w▁of", -1.0)], unk_id=2))
    made.pre_tokenizer = pre_tokenizers.Metaspace(split=False)
    made.post_processor = processors.TemplateProcessing(
        single="<s> $A </s>", pair="<s> $A </s> $B </s>", special_tokens=[("<s>", 0), ("</s>", 1)]
    )
    found: PreTrainedTokenizerBase = transformers.PreTrainedTokenizerFast(
        tokenizer_object=made, cls_token="<s>", sep_token="</s>"
    )
    return found


ALL = {"words": words(), "bytes": bytes_(), "metaspace": metaspace()}
odd = st.sampled_from(["", " ", "  ", "\t", "\n", "\u00a0", "\u200b", "\u0301", "\u1e9e", "\u03a3", "日本", "\x1c"])
usual = st.sampled_from([*MARKS, "<mask>", "<s>", "the", "of", "'s", "ab-a", "1,2."])
pieces = st.one_of(odd, usual, st.text(max_size=6))
sentences = st.lists(pieces, max_size=5).map("".join)
rows = sentences.map(lambda text: " " + text.strip())
long = st.integers(1, 60).map(lambda count: "the row of" + " ab" * count)
premises = st.lists(st.one_of(sentences, rows, rows, rows, long), max_size=6).map(tuple)
# At most 24 bytes, so that every tokenizer finds room for one.
hypotheses = st.one_of(pieces, st.just("the row"))
asked = st.lists(st.tuples(premises, hypotheses), min_size=1, max_size=12)


@pytest.mark.parametrize("kind", sorted(ALL))
@settings(max_examples=150)
@given(asked=asked)
@example(asked=[(("the ", "  row"), "of")])
@example(asked=[(("the ", " <mask>", " row"), "of")])
@example(asked=[(("the\u0301", " \u0301row", "", " of"), "of")])
@example(asked=[((" ", "\u200b"), "of"), ((), "of"), (("the",), "")])
def test_tokens_by_segments_are_those_of_the_whole(kind: str, asked: list[tuple[tuple[str, ...], str]]) -> None:
    inputs = [Input("first", ("the", " row"), "of"), *(Input(str(place), *item) for place, item in enumerate(asked))]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_tokens, "_COMPARED", 1)
        found = read_inputs(ALL[kind], inputs, ROOM)
    assert found == read_whole(ALL[kind], inputs, ROOM)


@pytest.mark.parametrize("kind", sorted(ALL))
def test_hypotheses_that_fill_the_window_are_refused_either_way(kind: str) -> None:
    full = ROOM - ALL[kind].num_special_tokens_to_add(pair=True)
    inputs = [Input(str(n), ("the row", " of a"), " ".join(["of"] * (full if n == 70 else 2))) for n in range(80)]
    for way in (read_whole, read_inputs):
        with pytest.raises(Exception, match=r"[Tt]runcat"):
            way(ALL[kind], inputs, ROOM)


@pytest.mark.parametrize(("kind", "whole"), [("words", 1), ("bytes", 1), ("metaspace", 101)])
def test_only_what_is_compared_is_tokenised_whole(kind: str, whole: int, monkeypatch: pytest.MonkeyPatch) -> None:
    inputs = [Input(str(n), ("the row", " of a", " ab" * (n % 40 + 1)), f"of {n % 7} the") for n in range(101)]
    inputs[50] = inputs[50]._replace(segments=("the row", "of a"))
    texts: list[int] = []
    plain = _tokens.read_whole

    def counted(tokenizer: PreTrainedTokenizerBase, some: Sequence[Input], room: int) -> list[TokenisedInput]:
        texts.append(len(some))
        return plain(tokenizer, some, room)

    monkeypatch.setattr(_tokens, "read_whole", counted)
    found = read_inputs(ALL[kind], inputs, ROOM)
    assert found == plain(ALL[kind], inputs, ROOM)
    assert texts == ([64, whole] if whole == 1 else [whole])
    assert {reading.cut for reading in found} == {True, False}
    assert all(len(reading.tokens.ids) <= ROOM for reading in found)


def test_a_difference_in_the_sample_tokenises_everything_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    inputs = [Input(str(n), ("the row", " of a"), f"of {n}") for n in range(80)]
    monkeypatch.setattr(_tokens, "_marks", lambda _: [])
    unsure = ALL["metaspace"]
    assert read_inputs(unsure, inputs, ROOM) == read_whole(unsure, inputs, ROOM)
    pieces = _tokens._make_pieces(unsure, inputs, [])
    frame = _tokens._find_frame(unsure, inputs[0], ROOM)
    assert frame is not None
    assert _tokens._put_together(inputs[0], pieces, frame, ROOM) != read_whole(unsure, inputs[:1], ROOM)[0]


def test_tokens_of_real_row_deletions(data: Path) -> None:
    request = Request(on=["infotabs/dev"], probes=["gold", "rows.delete"], root=data)
    inputs = list(islice(distinct_inputs(request, "para", Control.FULL), 600))
    for kind in ("words", "bytes"):
        encoded = encode(ALL[kind], inputs, 512)
        expected = read_whole(ALL[kind], inputs, 512)
        assert [item.ids.tolist() for item in encoded.items] == [reading.tokens.ids for reading in expected]
        assert encoded.cut == sum(reading.cut for reading in expected)


@given(sizes=st.lists(st.integers(1, 600), max_size=60), budget=st.integers(1, 2000))
def test_batches_hold_every_input_once_within_the_budget(sizes: list[int], budget: int) -> None:
    found = list(batches(sizes, budget))
    assert sorted(index for batch in found for index in batch) == list(range(len(sizes)))
    for batch in found:
        assert len(batch) == 1 or len(batch) * max(sizes[index] for index in batch) <= budget


@given(sizes=st.lists(st.integers(1, 600), max_size=40), budget=st.sampled_from([64, 1024, 16_384]))
def test_scores_come_back_in_order_in_batches_that_suit_the_cpu(sizes: list[int], budget: int) -> None:
    items = TokenRows.from_lists([[place] * size for place, size in enumerate(sizes)], None)
    shapes: list[tuple[int, int]] = []

    def forward(batch: Sequence[Tokens]) -> Tensor:
        shapes.append((len(batch), max(len(item.ids) for item in batch)))
        scores: Tensor = torch.tensor([[float(item.ids[0]), float(len(item.ids))] for item in batch])
        return scores

    found = network_scores(forward, Prepared(items, sizes), torch.device("cpu"), budget)
    assert found == [[float(place), float(size)] for place, size in enumerate(sizes)]
    assert all(count == 1 or count * longest <= min(budget, 1024) for count, longest in shapes)
