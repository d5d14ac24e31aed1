"""Small tokenizers made of the parts that real ones are made of, with vocabularies that would show a wrong border."""

from __future__ import annotations

import string
import struct
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tokenizers import normalizers, pre_tokenizers
    from transformers import PreTrainedTokenizerBase

MARKS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
# As SentencePiece's own maps: spaces of all kinds, wide letters and ligatures, characters that disappear.
CHARACTERS = {
    **dict.fromkeys(["\u00a0", "\u2003", "\u3000", "\u200b", "\ufffd", "\t", "\n"], " "),
    **{chr(0xFEE0 + ord(one)): one for one in "abctheowr[]UNK"},
    "\ufb01": "fi",
    "\u00b4": " \u0301",
    "\u2026": "...",
    "\u212b": "\u00c5",
    "A\u030a": "\u00c5",
    **dict.fromkeys(["\u200e", "\x01", "\x1c", "\u00ad", "\u0600"], ""),
}


def character_map(characters: Mapping[str, str]) -> bytes:
    """Write replacements as SentencePiece does: a trie over bytes as a double array, and the new texts after it."""
    states: dict[bytes, int] = {b"": 0}
    for text in characters:
        for end in range(len(text.encode())):
            states.setdefault(text.encode()[: end + 1], len(states))
    # Every state has a block of its own, so that none gets into another's way; its first unit is its value.
    units = [0x80000000 | 255] * (256 * (len(states) + 1))
    units[0] = 256 << 10
    texts = b""
    values = {}
    for text, new in characters.items():
        values[text.encode()] = len(texts)
        texts += new.encode() + b"\0"
    for prefix, state in states.items():
        if prefix in values:
            units[256 * (state + 1)] = 0x80000000 | values[prefix]
        if prefix:
            place = 256 * (states[prefix[:-1]] + 1) ^ prefix[-1]
            units[place] = prefix[-1] | (prefix in values) << 8 | (place ^ 256 * (state + 1)) << 10
    trie = struct.pack(f"<{len(units)}I", *units)
    return struct.pack("<I", len(trie)) + trie + texts


def words() -> PreTrainedTokenizerBase:
    """A BERT tokenizer that knows all ASCII characters, a few endings and a few words."""
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors
    from transformers import PreTrainedTokenizerFast

    endings = [f"##{character}" for character in string.ascii_lowercase]
    known = [*MARKS, *string.printable.strip(), *endings, "the", "of", "row", "##ing"]
    made = Tokenizer(models.WordPiece({word: place for place, word in enumerate(known)}, unk_token="[UNK]"))
    made.normalizer, made.pre_tokenizer = normalizers.BertNormalizer(), pre_tokenizers.BertPreTokenizer()
    made.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", pair="[CLS] $A [SEP] $B:1 [SEP]:1", special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
    )
    names = {"pad_token": "[PAD]", "cls_token": "[CLS]", "sep_token": "[SEP]", "unk_token": "[UNK]"}
    return PreTrainedTokenizerFast(tokenizer_object=made, mask_token="[MASK]", **names)


def bytes_(*, prefix: bool = False) -> PreTrainedTokenizerBase:
    """A byte-level tokenizer as RoBERTa's, whose mask swallows the spaces before it."""
    from tokenizers import AddedToken, Tokenizer, models, pre_tokenizers, processors
    from transformers import PreTrainedTokenizerFast

    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    merges = [("t", "h"), ("th", "e"), ("Ġ", "the"), ("Ġ", "a"), ("Ġ", "Ġ"), ("o", "f"), ("Ġ", "of"), ("a", "b")]
    known = ["<s>", "<pad>", "</s>", *alphabet, *dict.fromkeys(one + other for one, other in merges)]
    made = Tokenizer(models.BPE({word: place for place, word in enumerate(known)}, merges))
    made.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=prefix)
    made.post_processor = processors.RobertaProcessing(("</s>", 2), ("<s>", 0), add_prefix_space=prefix)
    names = {"pad_token": "<pad>", "cls_token": "<s>", "sep_token": "</s>", "bos_token": "<s>", "eos_token": "</s>"}
    mask = AddedToken("<mask>", lstrip=True, special=True)
    tokenizer = PreTrainedTokenizerFast(tokenizer_object=made, mask_token=mask, **names)
    tokenizer.model_input_names = ["input_ids", "attention_mask"]
    return tokenizer


def sentencepiece(
    normalizer: Sequence[normalizers.Normalizer],
    splitter: Sequence[pre_tokenizers.PreTokenizer],
    *,
    model: str = "Unigram",
    normalized: bool = False,
) -> PreTrainedTokenizerBase:
    """A tokenizer with tokens that go across spaces, as soon as a part lets them."""
    from tokenizers import AddedToken, Tokenizer, models, pre_tokenizers, processors
    from tokenizers import normalizers as all_normalizers
    from transformers import PreTrainedTokenizerFast

    scores = dict.fromkeys(MARKS, 0.0) | dict.fromkeys("\u2581" + string.printable.strip() + "\u00c5", -3.0)
    across = ["\u2581\u2581", "w\u2581of", "e\u2581", ".\u2581", "\u2581\u2581the", "e r", ". ", " ", "  ", "..", '"']
    scores |= dict.fromkeys(across, -1.0) | dict.fromkeys(["\u2581the", "\u2581row", "of", "\u2581of", "\u2581a"], -2.0)
    if model == "Unigram":
        made = Tokenizer(models.Unigram(list(scores.items()), unk_id=1))
    else:
        merges = [("t", "h"), ("th", "e"), ("\u2581", "the"), ("e", "\u2581"), ("\u2581", "\u2581"), (".", "\u2581")]
        known = dict.fromkeys([*scores, *(one + other for one, other in merges)])
        numbers = {word: place for place, word in enumerate(known)}
        made = Tokenizer(models.BPE(numbers, merges, unk_token="[UNK]", fuse_unk=True))
    made.normalizer = all_normalizers.Sequence(list(normalizer)) if normalizer else None
    made.pre_tokenizer = pre_tokenizers.Sequence(list(splitter))
    made.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", pair="[CLS] $A [SEP] $B:1 [SEP]:1", special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
    )
    return PreTrainedTokenizerFast(
        tokenizer_object=made,
        pad_token="[PAD]",
        cls_token="[CLS]",
        sep_token="[SEP]",
        unk_token=AddedToken("[UNK]", special=True, normalized=normalized),
        mask_token=AddedToken("[MASK]", special=True, lstrip=True, normalized=False),
    )


def _sentencepieces() -> dict[str, Callable[[], PreTrainedTokenizerBase]]:
    """What ``transformers`` makes of the SentencePiece models of several encoders, and a few that it could make."""
    from tokenizers import Regex, normalizers, pre_tokenizers

    characters = normalizers.Precompiled(character_map(CHARACTERS))
    one_space = normalizers.Replace(Regex(" {2,}"), " ")
    quotes = [normalizers.Replace("``", '"'), normalizers.Replace("''", '"')]
    plain = [normalizers.NFKD(), normalizers.StripAccents(), normalizers.Lowercase()]
    always, split = pre_tokenizers.Metaspace(prepend_scheme="always"), pre_tokenizers.WhitespaceSplit()
    newer = [normalizers.Replace(Regex(r"\s{2,}|[\n\r\t]"), " "), normalizers.NFC()]
    right = normalizers.Strip(left=False, right=True)
    first, never = pre_tokenizers.Metaspace(prepend_scheme="first"), pre_tokenizers.Metaspace(prepend_scheme="never")
    return {
        "xlm-r": lambda: sentencepiece([characters], [split, always]),
        "xlm-r without a map": lambda: sentencepiece([], [split, always]),
        "xlm-r without a prefix": lambda: sentencepiece([characters], [split, never]),
        "deberta-v3": lambda: sentencepiece([normalizers.Strip(), characters, one_space], [always], normalized=True),
        "deberta-v3, newer": lambda: sentencepiece([*newer, right], [always], normalized=True),
        "deberta-v3, newer, first": lambda: sentencepiece([*newer, right], [first]),
        "albert": lambda: sentencepiece([*quotes, *plain, characters], [split, always]),
        "albert, older": lambda: sentencepiece([*quotes, *plain, characters, one_space], [always]),
        "llama": lambda: sentencepiece([], [always], model="BPE"),
        "others": lambda: sentencepiece(
            [characters, right, normalizers.Replace(Regex(" {2,}"), "\u2581")], [never], normalized=True
        ),
    }


def joinable() -> dict[str, PreTrainedTokenizerBase]:
    """Tokenizers whose texts may be joined."""
    kinds = {"words": words, "bytes": bytes_, "bytes with a prefix": lambda: bytes_(prefix=True), **_sentencepieces()}
    return {name: make() for name, make in kinds.items()}


def refused() -> dict[str, PreTrainedTokenizerBase]:
    """Tokenizers with a part that may act across a border, or of which that is not known."""
    from tokenizers import AddedToken, Regex, normalizers, pre_tokenizers

    always = pre_tokenizers.Metaspace(prepend_scheme="always")
    first = pre_tokenizers.Metaspace(prepend_scheme="first")
    odd = {
        "whole texts": sentencepiece([], [pre_tokenizers.Metaspace(split=False)]),
        "another sign": sentencepiece([], [pre_tokenizers.Metaspace(replacement="_")]),
        "stripped, not written again": sentencepiece([normalizers.Strip()], [first]),
        "a pattern with a space": sentencepiece([normalizers.Replace(". t", "_")], [always]),
        "an unknown pattern": sentencepiece([normalizers.Replace(Regex("e t"), "_")], [always]),
        "a dot as a space": sentencepiece([normalizers.Replace(".", " ")], [always]),
        "a dot less": sentencepiece([normalizers.Precompiled(character_map({".": ""}))], [always]),
        "spaces less": sentencepiece([normalizers.Precompiled(character_map({" ": ""}))], [always]),
        "a prefix": sentencepiece([normalizers.Prepend("a")], [always]),
        "punctuation": sentencepiece([], [pre_tokenizers.Punctuation(), always]),
    }
    spaced = words()
    spaced.add_tokens([AddedToken("the row", normalized=False)])
    left = words()
    left.truncation_side = "left"
    drawn = bytes_()
    drawn.backend_tokenizer.model.dropout = 0.5
    return {**odd, "a mark with a space": spaced, "cut on the left": left, "dropout": drawn}
