"""A tiny encoder for tests of networks."""

from __future__ import annotations

from pathlib import Path

import pytest

WORDS = [
    *["the", "of", "is", "are", "was", "a", "in", "has", "not", "table", "title", "row", "key", "value"],
    *",.'-1234567890",
]


@pytest.fixture(scope="module")
def encoder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A BERT of two tiny layers with random weights."""
    torch = pytest.importorskip("torch", reason="the [torch] extra is not installed")
    transformers = pytest.importorskip("transformers", reason="the [torch] extra is not installed")
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
