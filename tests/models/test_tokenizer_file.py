"""A tokenizer read from its file alone gives the tokens that ``transformers`` gives for the same folder."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.models.kinds_of_tokenizers import joinable, refused

from nliprobe.models._tokens import read_inputs
from nliprobe.models._whole import read_by_call
from nliprobe.models.token_rows import Tokenised
from nliprobe.models.tokenizer_file import SETTINGS, FileTokenizer, read_settings
from nliprobe.task.case import Input

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerBase

transformers = pytest.importorskip("transformers", reason="the [torch] extra is not installed")

ROOM = 32
# One that drops merges at random gives no tokens twice.
ALL = {kind: tokenizer for kind, tokenizer in (joinable() | refused()).items() if kind != "dropout"}
pieces = st.one_of(
    st.text(max_size=8),
    st.sampled_from(["the row", " of", "  ", "[MASK]", "<mask>", "</s>", "e\u0301", "日本", "ab " * 40]),
)
texts = st.lists(pieces, max_size=4).map(tuple)
asked = st.lists(
    st.tuples(texts, st.sampled_from(["the row", "of", "", "\u200b a", "row of the"])), min_size=1, max_size=6
)


def both(kind: str, folder: Path) -> tuple[PreTrainedTokenizerBase, PreTrainedTokenizerBase]:
    """The tokenizer of a folder as ``transformers`` loads it, and as it is read without."""
    ALL[kind].save_pretrained(folder)
    whole: PreTrainedTokenizerBase = transformers.AutoTokenizer.from_pretrained(folder)
    settings = read_settings([folder / name for name in SETTINGS if (folder / name).is_file()])
    plain = FileTokenizer.read(folder / "tokenizer.json", settings)
    return whole, cast("PreTrainedTokenizerBase", plain)


def same(made: Tokenised, expected: Tokenised) -> bool:
    """Whether tokens are the same, and their sides where ``transformers`` gives them.

    It gives them or not by the class of a tokenizer, without it the graph decides.
    """
    rows, others = made.rows, expected.rows
    sides = others.types is None or (rows.types is not None and rows.types.tolist() == others.types.tolist())
    return sides and (rows.ids.tolist(), rows.starts.tolist(), made.cut) == (
        others.ids.tolist(),
        others.starts.tolist(),
        expected.cut,
    )


@pytest.fixture(scope="module")
def loaded(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[PreTrainedTokenizerBase, ...]]:
    return {kind: both(kind, tmp_path_factory.mktemp("tokenizer")) for kind in ALL}


@settings(max_examples=60)
@given(asked=asked)
def test_tokens_are_those_of_transformers(
    loaded: dict[str, tuple[PreTrainedTokenizerBase, ...]], asked: list[tuple[tuple[str, ...], str]]
) -> None:
    inputs = [Input(str(place), *item) for place, item in enumerate(asked)]
    assert len(loaded) > 3
    for kind, (whole, plain) in loaded.items():
        assert same(read_inputs(plain, inputs, ROOM), read_inputs(whole, inputs, ROOM)), kind
        texts = [item.premise for item in inputs], [item.hypothesis for item in inputs]
        assert same(read_by_call(plain, *texts, ROOM), read_by_call(whole, *texts, ROOM)), kind


def test_window_padding_and_sides_are_those_of_transformers(
    loaded: dict[str, tuple[PreTrainedTokenizerBase, ...]],
) -> None:
    for kind, (whole, plain) in loaded.items():
        assert plain.pad_token_id == whole.pad_token_id, kind
        assert plain.truncation_side == whole.truncation_side, kind
        assert min(plain.model_max_length, 10**9) == min(whole.model_max_length, 10**9), kind
        assert set(whole.model_input_names) <= set(plain.model_input_names), kind
        assert len(plain) == len(whole), kind


def test_settings_of_two_files_and_tokens_as_records(tmp_path: Path) -> None:
    (tmp_path / "one.json").write_text(json.dumps({"pad_token": {"content": "[PAD]"}, "model_max_length": 1e30}))
    (tmp_path / "two.json").write_text(json.dumps({"pad_token": "other", "truncation_side": "left"}))
    settings = read_settings([tmp_path / "one.json", tmp_path / "two.json"])
    assert settings["pad_token"] == {"content": "[PAD]"}
    words = next(tokenizer for tokenizer in ALL.values() if tokenizer.pad_token == "[PAD]")
    plain = FileTokenizer(words.backend_tokenizer, settings, "here")
    assert (plain.pad_token_id, plain.truncation_side, plain.model_max_length) == (words.pad_token_id, "left", 10**9)
