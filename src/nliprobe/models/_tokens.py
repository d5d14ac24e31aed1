"""Turn inputs into token ids, tokenising each distinct segment and hypothesis once.

Edited tables share nearly all their rows: the 163,485 segments of every row deletion of InfoTabS dev are 1,935
different texts. If joined segments may not give the tokens of the whole premise, the whole is tokenised.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from nliprobe.models.token_rows import TokenRows
from nliprobe.task.case import Input

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerBase

# How many inputs are tokenised at once: the fast tokenisers work in parallel over a list.
_AT_ONCE = 4096
# How many inputs per call are read both ways; if one differs, all are tokenised whole.
_COMPARED = 64
_NORMALIZERS = ("NoneType", "BertNormalizer", "NFC")
_SPLITTERS = (("BertPreTokenizer", "WordPiece"), ("ByteLevel", "BPE"))


class Tokens(NamedTuple):
    """One input as a network reads it; ``types`` is empty if the tokenizer does not mark the two sides."""

    ids: list[int]
    types: list[int]


class TokenisedInput(NamedTuple):
    """An input's tokens, and whether its premise had to be cut."""

    tokens: Tokens
    cut: bool


class _Piece(NamedTuple):
    """A text's tokens, whether they stay the same after another text, and whether it is free of marks."""

    ids: list[int]
    opens: bool
    plain: bool


class _Frame(NamedTuple):
    """The tokens that a tokenizer puts around two texts, with the types of all tokens."""

    before: Tokens
    between: Tokens
    after: Tokens
    types: tuple[int, int] | None

    def around(self, premise: list[int], hypothesis: list[int], room: int) -> TokenisedInput | None:
        """Put both texts into the frame; return None if the hypothesis leaves no room for the premise."""
        left = room - len(hypothesis) - len(self.before.ids) - len(self.between.ids) - len(self.after.ids)
        if left < 1 or not premise or not hypothesis:
            return None
        shown = premise[:left]
        ids = self.before.ids + shown + self.between.ids + hypothesis + self.after.ids
        if self.types is None:
            return TokenisedInput(Tokens(ids, []), len(shown) < len(premise))
        one, two = [self.types[0]] * len(shown), [self.types[1]] * len(hypothesis)
        types = self.before.types + one + self.between.types + two + self.after.types
        return TokenisedInput(Tokens(ids, types), len(shown) < len(premise))


class Tokenised(NamedTuple):
    """The tokens of inputs, and how many premises had to be cut."""

    rows: TokenRows
    cut: int


def read_inputs(tokenizer: PreTrainedTokenizerBase, inputs: Sequence[Input], room: int) -> Tokenised:
    """Return the tokens that the tokenizer gives, made from segments if that gives the same."""
    readings = _read_inputs(tokenizer, inputs, room)
    ids, types = [one.tokens.ids for one in readings], [one.tokens.types for one in readings]
    return Tokenised(TokenRows.from_lists(ids, types if any(types) else None), sum(one.cut for one in readings))


def _read_inputs(tokenizer: PreTrainedTokenizerBase, inputs: Sequence[Input], room: int) -> list[TokenisedInput]:
    """Return the tokens that the tokenizer gives, made from segments if that gives the same."""
    marks = _marks(tokenizer)
    places = [place for place, item in enumerate(inputs) if item.segments and item.hypothesis][:_COMPARED]
    if marks is None or not places or len(inputs) <= _COMPARED:
        return read_whole(tokenizer, inputs, room)
    compared = [inputs[place] for place in places]
    frame = _find_frame(tokenizer, compared[0], room)
    if frame is None:
        return read_whole(tokenizer, inputs, room)
    pieces = _make_pieces(tokenizer, inputs, marks)
    joined = [_put_together(item, pieces, frame, room) for item in inputs]
    for place, whole in zip(places, read_whole(tokenizer, compared, room), strict=True):
        if joined[place] not in (None, whole):
            return read_whole(tokenizer, inputs, room)
    missing = [item for item, reading in zip(inputs, joined, strict=True) if reading is None]
    others = iter(read_whole(tokenizer, missing, room))
    return [next(others) if reading is None else reading for reading in joined]


def read_whole(tokenizer: PreTrainedTokenizerBase, inputs: Sequence[Input], room: int) -> list[TokenisedInput]:
    """Return the tokens of whole texts."""
    tokenised: list[TokenisedInput] = [TokenisedInput(Tokens([], []), cut=False)] * len(inputs)
    for with_premise in (True, False):
        places = [place for place, item in enumerate(inputs) if bool(item.segments) is with_premise]
        for start in range(0, len(places), _AT_ONCE):
            part = places[start : start + _AT_ONCE]
            texts = [[inputs[place].hypothesis for place in part]]
            if with_premise:
                texts.insert(0, [inputs[place].premise for place in part])
            batch = tokenizer(*texts, truncation="only_first", max_length=room, padding=False)
            all_ids = batch["input_ids"]
            all_types = batch.get("token_type_ids") or [[] for _ in all_ids]
            # Tokenizers written in Python do not say what they cut.
            cuts = [bool(item.overflowing) for item in batch.encodings or []] or [False] * len(part)
            for place, ids, types, cut in zip(part, all_ids, all_types, cuts, strict=True):
                tokenised[place] = TokenisedInput(Tokens(list(ids), list(types)), cut)
    return tokenised


def _marks(tokenizer: PreTrainedTokenizerBase) -> list[str] | None:
    """Return the marks that a tokenizer looks for first, or None if a space may not keep its neighbours apart.

    BERT's words end at spaces; in byte-level BPE a word starts with the space before it. Their normalizers change
    nothing across a space. SentencePiece and others may join what a space separates.
    """
    backend = getattr(tokenizer, "backend_tokenizer", None)
    if backend is None or tokenizer.truncation_side != "right":
        return None
    kinds = [type(part).__name__ for part in (backend.normalizer, backend.pre_tokenizer, backend.model)]
    if kinds[0] not in _NORMALIZERS or tuple(kinds[1:]) not in _SPLITTERS:
        return None
    if not getattr(backend.pre_tokenizer, "use_regex", True) or getattr(backend.model, "dropout", None):
        return None
    added = list(backend.get_added_tokens_decoder().values())
    # A mark that is looked for in the normalised text may appear although the original text has none.
    if backend.normalizer is not None and any(mark.normalized for mark in added):
        return None
    names = [str(mark.content) for mark in added]
    return None if any(character.isspace() for name in names for character in name) else names


def _find_frame(tokenizer: PreTrainedTokenizerBase, example: Input, room: int) -> _Frame | None:
    batch = tokenizer([example.premise], [example.hypothesis], truncation="only_first", max_length=room, padding=False)
    sides = batch.sequence_ids(0)
    if 0 not in sides or 1 not in sides:
        return None
    ids = list(batch["input_ids"][0])
    types = list((batch.get("token_type_ids") or [[]])[0])
    first, second = (sides.index(0), sides.count(0)), (sides.index(1), sides.count(1))
    ends = (first[0] + first[1], second[0] + second[1])
    if not first[0] < ends[0] <= second[0] < ends[1]:
        return None
    before, between, after = (
        Tokens(ids[part], types[part]) for part in (slice(first[0]), slice(ends[0], second[0]), slice(ends[1], None))
    )
    return _Frame(before, between, after, (types[first[0]], types[second[0]]) if types else None)


def _make_pieces(
    tokenizer: PreTrainedTokenizerBase, inputs: Sequence[Input], marks: Sequence[str]
) -> dict[str, _Piece]:
    """Tokenise each distinct text."""
    texts = list(dict.fromkeys(chain.from_iterable((*item.segments, item.hypothesis) for item in inputs)))
    all_ids = tokenizer(texts, add_special_tokens=False, padding=False, truncation=False, verbose=False)["input_ids"]
    return {
        text: _Piece(
            list(ids),
            # Byte-level BPE reads a run of spaces as one, except the last, which belongs to the word after it.
            opens=len(text) > 1 and text[0] == " " and not text[1].isspace(),
            # A mark may swallow the spaces next to it.
            plain=not any(mark in text for mark in marks),
        )
        for text, ids in zip(texts, all_ids, strict=True)
    }


def _put_together(item: Input, pieces: dict[str, _Piece], frame: _Frame, room: int) -> TokenisedInput | None:
    """Join the tokens of an input's parts; return None if only the whole text is certain."""
    parts = [pieces[segment] for segment in item.segments if segment]
    hypothesis = pieces[item.hypothesis]
    if not all(part.opens for part in parts[1:]):
        return None
    if not hypothesis.plain or not all(part.plain for part in parts):
        return None
    return frame.around([token for part in parts for token in part.ids], hypothesis.ids, room)
