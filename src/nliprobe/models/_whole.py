"""Turn whole texts into token ids, as a tokenizer gives them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from nliprobe.models.token_rows import Tokenised, TokenRows, concatenate
from nliprobe.task.case import Input

if TYPE_CHECKING:
    from tokenizers import Encoding, Tokenizer
    from transformers import PreTrainedTokenizerBase

# How many texts are tokenised at once: fast tokenizers work in parallel over a list, but what they return is large.
_AT_ONCE = 4096
# Where ``transformers`` defines what stands between a caller and the fast tokenizer, in its versions 4 and 5, and where
# nliprobe does without it.
_CALLS = ("__call__", "_encode_plus", "_batch_encode_plus")
_HOMES = ("transformers.tokenization_utils", "nliprobe.models.tokenizer_file")


def read_whole(tokenizer: PreTrainedTokenizerBase, inputs: Sequence[Input], room: int) -> Tokenised:
    """Return the tokens of whole texts; the hypothesis stays whole, and the end of a long premise is cut."""
    import numpy as np

    parts, order = [], []
    for with_premise in (True, False):
        places = [place for place, item in enumerate(inputs) if bool(item.segments) is with_premise]
        for start in range(0, len(places), _AT_ONCE):
            chosen = places[start : start + _AT_ONCE]
            premises = [inputs[place].premise for place in chosen] if with_premise else None
            parts.append(_read_texts(tokenizer, premises, [inputs[place].hypothesis for place in chosen], room))
        order += places
    if not parts:
        return Tokenised(TokenRows.from_lists([], None), 0)
    rows = concatenate([part.rows for part in parts])
    if order != sorted(order):
        rows = rows.take(np.argsort(order))
    return Tokenised(rows, sum(part.cut for part in parts))


def read_segments(tokenizer: PreTrainedTokenizerBase, texts: Sequence[str]) -> TokenRows:
    """Return the tokens of each text alone, with nothing around it."""
    parts = []
    for start in range(0, len(texts), _AT_ONCE):
        some = list(texts[start : start + _AT_ONCE])
        backend = _plain_backend(tokenizer)
        if backend is None:
            read = tokenizer(some, add_special_tokens=False, padding=False, truncation=False, verbose=False)
            parts.append(TokenRows.from_lists(read["input_ids"], None))
        else:
            backend.no_truncation()
            encodings = _encode(backend, some, around=False)
            parts.append(TokenRows.from_lists([encoding.ids for encoding in encodings], None))
    return concatenate(parts)


def _read_texts(
    tokenizer: PreTrainedTokenizerBase, premises: list[str] | None, hypotheses: list[str], room: int
) -> Tokenised:
    backend = _plain_backend(tokenizer)
    if backend is None:
        return read_by_call(tokenizer, premises, hypotheses, room)
    backend.enable_truncation(room, stride=0, strategy="only_first", direction=tokenizer.truncation_side)
    texts = hypotheses if premises is None else list(zip(premises, hypotheses, strict=True))
    encodings = _encode(backend, texts, around=True)
    marked = "token_type_ids" in tokenizer.model_input_names
    types = [encoding.type_ids for encoding in encodings] if marked else None
    rows = TokenRows.from_lists([encoding.ids for encoding in encodings], types)
    # Asking for what was cut off copies it, so only those are asked that fill the window.
    cut = sum(len(encoding) >= room and bool(encoding.overflowing) for encoding in encodings)
    return Tokenised(rows, cut)


def read_by_call(
    tokenizer: PreTrainedTokenizerBase, premises: list[str] | None, hypotheses: list[str], room: int
) -> Tokenised:
    """Return the tokens that a call of the tokenizer gives: the reference for all other ways."""
    texts = [hypotheses] if premises is None else [premises, hypotheses]
    batch = tokenizer(*texts, truncation="only_first", max_length=room, padding=False)
    rows = TokenRows.from_lists(batch["input_ids"], batch.get("token_type_ids") or None)
    # Tokenizers written in Python do not say what they cut.
    return Tokenised(rows, sum(bool(encoding.overflowing) for encoding in batch.encodings or []))


def _plain_backend(tokenizer: PreTrainedTokenizerBase) -> Tokenizer | None:
    """Return the fast tokenizer, if a call of its wrapper does nothing beside asking it."""
    backend: Tokenizer | None = getattr(tokenizer, "backend_tokenizer", None)
    calls = (getattr(type(tokenizer), name, None) for name in _CALLS)
    if backend is None or not all(call is None or call.__module__.startswith(_HOMES) for call in calls):
        return None
    # As the wrapper does on every call.
    backend.no_padding()
    backend.encode_special_tokens = bool(getattr(tokenizer, "split_special_tokens", False))
    return backend


def _encode(backend: Tokenizer, texts: list[str] | list[tuple[str, str]], *, around: bool) -> list[Encoding]:
    """Tokenise texts without the places of their tokens, which takes a fifth less time where the library can."""
    encode = getattr(backend, "encode_batch_fast", backend.encode_batch)
    encodings: list[Encoding] = encode(texts, add_special_tokens=around)
    return encodings
