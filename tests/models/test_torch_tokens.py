"""Tokens by segments are those that a call of the tokenizer gives for the whole text."""

from __future__ import annotations

import string
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from tests.models.kinds_of_tokenizers import CHARACTERS, MARKS, character_map, joinable, refused

from nliprobe.api.plan import distinct_inputs
from nliprobe.api.resolve import Request
from nliprobe.models import _tokens
from nliprobe.models._joining import CLOSES, OPENS, PLAIN, find_joining
from nliprobe.models._regroup import Regrouping
from nliprobe.models._tokens import read_inputs
from nliprobe.models._whole import read_segments, read_whole
from nliprobe.models.token_rows import Tokenised, TokenRows
from nliprobe.represent.controls import Control
from nliprobe.task.case import Input

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerBase

pytest.importorskip("torch", reason="the [torch] extra is not installed")
transformers = pytest.importorskip("transformers", reason="the [torch] extra is not installed")

ROOM = 32
JOINED, REFUSED = joinable(), refused()
ALL = JOINED | REFUSED


@pytest.fixture(autouse=True, scope="module")
def one_thread() -> Iterator[None]:
    """A few texts are tokenised sooner than a second thread awakes."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TOKENIZERS_PARALLELISM", "false")
        yield


class Plain(NamedTuple):
    """What a call of a tokenizer gives for one input."""

    ids: list[int]
    types: list[int] | None
    cut: bool


def called(tokenizer: PreTrainedTokenizerBase, inputs: Sequence[Input], room: int) -> list[Plain]:
    """The reference: one call per input."""
    expected = []
    for item in inputs:
        texts = [[item.premise], [item.hypothesis]] if item.segments else [[item.hypothesis]]
        batch = tokenizer(*texts, truncation="only_first", max_length=room, padding=False)
        types = batch["token_type_ids"][0] if "token_type_ids" in batch else None
        expected.append(Plain(batch["input_ids"][0], types, bool(batch.encodings[0].overflowing)))
    return expected


def agree(made: Tokenised, expected: Sequence[Plain]) -> bool:
    rows = [(row.ids.tolist(), None if row.types is None else row.types.tolist()) for row in made.rows]
    return rows == [(one.ids, one.types) for one in expected] and made.cut == sum(one.cut for one in expected)


odd = ["", " ", "  ", "\t", "\n", "\u00a0", "\u200b", "\u0301", "\u1e9e", "\u03a3", "日本", "\x1c", "\u2581", "\u0600"]
usual = [*MARKS, "<mask>", "<s>", "the", "of", "'s", "ab-a", "1,2.", "row", "``", "[unk]", "\uff3bUNK\uff3d", "."]
pieces = st.one_of(st.sampled_from(odd), st.sampled_from(usual), st.sampled_from([*CHARACTERS]), st.text(max_size=6))
sentences = st.lists(pieces, max_size=5).map("".join)
rows = sentences.map(lambda text: " " + text.strip())
visible = sentences.map(lambda text: f" The {text}.")
lines = st.tuples(st.sampled_from([", ", "\n| ", "<tr>", "]", " \u00c9", "\n", "\t"]), sentences).map("".join)
closed = st.tuples(sentences, st.sampled_from([".", "\u27e9", "\u00e9", "\u2026", "\uff3d", "\u65e5"])).map("".join)
long = st.integers(1, 60).map(lambda count: "the row of" + " ab" * count)
premises = st.lists(st.one_of(sentences, rows, visible, visible, closed, lines, long), max_size=6).map(tuple)
# At most 24 bytes, so that every tokenizer finds room for one.
hypotheses = st.one_of(pieces, st.just("the row"))
asked = st.lists(st.tuples(premises, hypotheses), min_size=1, max_size=12)


@pytest.mark.parametrize("kind", sorted(JOINED))
@settings(max_examples=100)
@given(asked=asked)
@example(asked=[(("the ", "  row"), "of")])
@example(asked=[(("the ", " <mask>", " row"), "of")])
@example(asked=[(("the.", " [MASK] row.", " \uff3bUNK\uff3d."), "of")])
@example(asked=[(("the\u0301", " \u0301row", "", " of"), "of")])
@example(asked=[((" ", "\u200b"), "of"), ((), "of"), (("the",), "")])
def test_tokens_by_segments_are_those_of_a_call(kind: str, asked: list[tuple[tuple[str, ...], str]]) -> None:
    inputs = [Input("first", ("the", " row"), "of"), *(Input(str(place), *item) for place, item in enumerate(asked))]
    _tokens._READERS.clear()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_tokens, "_COMPARED", 1)
        patch.setattr(_tokens, "_AT_ONCE", 5)
        made = read_inputs(JOINED[kind], inputs, ROOM)
        assert _tokens._READERS[JOINED[kind]].compared
    assert agree(made, called(JOINED[kind], inputs, ROOM))


@pytest.mark.parametrize("kind", sorted(JOINED))
@settings(max_examples=300)
@given(one=st.one_of(sentences, rows, visible, closed), two=st.one_of(rows, visible, lines))
@example(one="x \u0600.", two=" y.")
@example(one="x \u00ad.", two=" \u00ad y.")
@example(one="the \uff0e", two=" A\u030a.")
@example(one="", two=" the row")
@example(one="the [CLS", two="] row")
@example(one="the", two="<\u0338row")
@example(one="the ", two="\n| row")
def test_texts_that_may_be_joined_have_the_tokens_of_both(kind: str, one: str, two: str) -> None:
    tokenizer = JOINED[kind]
    joining = find_joining(tokenizer)
    assert joining is not None
    backend = tokenizer.backend_tokenizer
    backend.no_truncation()
    if (
        one
        and joining.know(one) & CLOSES
        and joining.know(two) & OPENS
        and joining.know(one) & joining.know(two) & PLAIN
    ):
        apart = [backend.encode(text, add_special_tokens=False).ids for text in (one, two)]
        assert backend.encode(one + two, add_special_tokens=False).ids == [*apart[0], *apart[1]]


@pytest.mark.parametrize("kind", sorted(REFUSED))
def test_other_tokenizers_read_whole_texts(kind: str) -> None:
    assert find_joining(REFUSED[kind]) is None


def inputs_of(count: int) -> list[Input]:
    return [Input(str(n), ("the row.", " of a.", " ab." * (n % 40 + 1)), f"of {n % 7} the") for n in range(count)]


@pytest.mark.parametrize("kind", sorted(ALL))
def test_hypotheses_that_fill_the_window_are_refused_either_way(kind: str) -> None:
    full = ROOM - ALL[kind].num_special_tokens_to_add(pair=True)
    inputs = inputs_of(80)
    inputs[70] = inputs[70]._replace(hypothesis=" ".join(["of"] * full))
    for way in (read_whole, read_inputs):
        with pytest.raises(Exception, match=r"[Tt]runcat"):
            way(ALL[kind], inputs, ROOM)


@pytest.mark.parametrize("kind", sorted(ALL.keys() - {"dropout"}))
def test_only_what_is_compared_is_tokenised_whole(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    inputs = inputs_of(101)
    inputs[50] = inputs[50]._replace(segments=("the row.", "of a."))
    texts: list[int] = []

    def counted(tokenizer: PreTrainedTokenizerBase, some: Sequence[Input], room: int) -> Tokenised:
        texts.append(len(some))
        return read_whole(tokenizer, some, room)

    _tokens._READERS.clear()
    monkeypatch.setattr(_tokens, "read_whole", counted)
    expected = called(ALL[kind], inputs, ROOM)
    assert agree(read_inputs(ALL[kind], inputs, ROOM), expected)
    assert texts == ([1] if kind in JOINED else [101])
    assert {one.cut for one in expected} == {True, False}


def test_a_difference_in_the_sample_tokenises_everything_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    inputs, unsure = inputs_of(80), ALL["whole texts"]
    monkeypatch.setattr(_tokens, "find_joining", lambda _: find_joining(ALL["llama"]))
    _tokens._READERS.clear()
    for compared in (64, 64):
        assert agree(read_inputs(unsure, inputs, ROOM), called(unsure, inputs, ROOM))
        assert _tokens._READERS[unsure].compared == compared


def test_texts_are_tokenised_once_and_forgotten_when_they_are_many(monkeypatch: pytest.MonkeyPatch) -> None:
    texts: list[list[str]] = []

    def counted(tokenizer: PreTrainedTokenizerBase, some: Sequence[str]) -> TokenRows:
        texts.append(list(some))
        return read_segments(tokenizer, some)

    inputs, expected = inputs_of(101), called(JOINED["words"], inputs_of(101), ROOM)
    monkeypatch.setattr(_tokens, "read_segments", counted)
    _tokens._READERS.clear()
    for _ in range(3):
        assert agree(read_inputs(JOINED["words"], inputs, ROOM), expected)
    assert [len(some) for some in texts] == [2 + 40 + 7]
    monkeypatch.setattr(_tokens, "_KEPT_BYTES", 1000)
    for _ in range(2):
        assert agree(read_inputs(JOINED["words"], inputs, ROOM), expected)
    assert [len(some) for some in texts] == [49, 49, 49]


def test_a_token_that_is_added_counts_from_then_on() -> None:
    tokenizer, inputs = joinable()["words"], inputs_of(101)
    known = read_inputs(tokenizer, inputs, ROOM)
    for added in ("ab.", "r"):  # the second is in the vocabulary, but words were not split at it
        before, known = known, read_inputs(tokenizer, inputs, ROOM) if tokenizer.add_tokens([added]) else known
        assert agree(known, called(tokenizer, inputs, ROOM))
        assert not known.rows.equals(before.rows)


def test_inputs_without_a_premise_and_no_inputs_at_all() -> None:
    for tokenizer in (JOINED["words"], JOINED["bytes"], REFUSED["whole texts"]):
        assert len(read_inputs(tokenizer, [], ROOM).rows) == 0
        inputs = [Input(str(n), (), f"of {n}") for n in range(80)]
        assert agree(read_inputs(tokenizer, inputs, ROOM), called(tokenizer, inputs, ROOM))


def of_transformers() -> dict[str, PreTrainedTokenizerBase]:
    """The tokenizers of four encoders, with the parts that ``transformers`` gives them and a vocabulary of letters."""
    letters = [(letter, -3.0) for letter in "\u2581" + string.printable.strip()]
    characters = {"_spm_precompiled_charsmap": character_map(CHARACTERS)}
    marks = {
        "DebertaV2Tokenizer": MARKS,
        "XLMRobertaTokenizer": ["<s>", "<pad>", "</s>", "<unk>", "<mask>"],
        "AlbertTokenizer": ["<pad>", "<unk>", "[CLS]", "[SEP]", "[MASK]"],
        "T5Tokenizer": ["<pad>", "</s>", "<unk>"],
    }
    return {
        name: getattr(transformers, name)(
            vocab=[*((mark, 0.0) for mark in some), *letters], **({} if name.startswith("Deberta") else characters)
        )
        for name, some in marks.items()
    }


@pytest.mark.skipif(transformers.__version__.startswith("4."), reason="version 4 makes them from files only")
def test_the_tokenizers_of_transformers_are_joined(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(_tokens, "read_whole")
    for tokenizer in of_transformers().values():
        inputs = inputs_of(80)
        assert agree(read_inputs(tokenizer, inputs, ROOM), called(tokenizer, inputs, ROOM))


def test_tokenizers_written_in_python_read_whole_texts() -> None:
    tokenizer = transformers.ByT5Tokenizer()
    inputs = inputs_of(80)
    rows = read_inputs(tokenizer, inputs, ROOM).rows
    expected = [tokenizer(item.premise, item.hypothesis, truncation="only_first", max_length=ROOM) for item in inputs]
    assert [row.ids.tolist() for row in rows] == [one["input_ids"] for one in expected]


@pytest.mark.parametrize("represent", ["para", "struct", "json", "html", "markdown"])
def test_row_deletions_are_joined_in_every_representation(
    data: Path, represent: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    request = Request(on=["infotabs/dev"], probes=["gold", "rows.delete"], root=data)
    inputs = list(islice(distinct_inputs(request, represent, Control.FULL), 80))
    monkeypatch.delattr(_tokens, "read_whole")
    for kind in sorted(JOINED):
        _tokens._READERS.clear()
        assert agree(read_inputs(JOINED[kind], inputs, 512), called(JOINED[kind], inputs, 512))


@given(segments=premises)
def test_moved_borders_leave_the_text_as_it_is(segments: tuple[str, ...]) -> None:
    for kind in ("words", "bytes", "xlm-r"):
        joining = find_joining(JOINED[kind])
        assert joining is not None
        assert "".join(Regrouping(joining.borders).regroup(segments)) == "".join(segments)
