"""Turn inputs into token ids, tokenising each distinct segment and hypothesis once.

Edited tables share nearly all their rows: the 163,485 segments of every row deletion of InfoTabS dev are 1,935
different texts. If joined segments may not give the tokens of the whole premise, the whole is tokenised.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import chain
from threading import Lock
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from nliprobe.models._frame import find_frame
from nliprobe.models._joiner import Joiner, Parts
from nliprobe.models._joining import Joining, find_joining
from nliprobe.models._regroup import Regrouping
from nliprobe.models._whole import read_by_call, read_segments, read_whole
from nliprobe.models.token_rows import Tokenised, TokenRows, concatenate
from nliprobe.task.case import Input

if TYPE_CHECKING:
    from tokenizers import Tokenizer
    from transformers import PreTrainedTokenizerBase

# How many inputs are put together before the memory of what is kept is looked at.
_AT_ONCE = 4096
# How many inputs are read both ways before a tokenizer's segments are joined; if one differs, none ever are.
_COMPARED = 64
# Of later inputs one in so many is read both ways.
_COMPARED_LATER = 512
# If fewer of the inputs than this may be joined as they are, their borders are moved.
_FITTING = 0.9
# How many bytes of texts and tokens are kept per tokenizer; if they are more, all are forgotten.
_KEPT_BYTES = 64 * 2**20


def read_inputs(tokenizer: PreTrainedTokenizerBase, inputs: Sequence[Input], room: int) -> Tokenised:
    """Return the tokens that the tokenizer gives, made from segments if that gives the same."""
    reader = _reader(tokenizer)
    with reader.lock:
        parts = [
            reader.read(tokenizer, inputs[start : start + _AT_ONCE], room) for start in range(0, len(inputs), _AT_ONCE)
        ]
    if len(parts) == 1:
        return parts[0]
    rows = concatenate([part.rows for part in parts]) if parts else TokenRows.from_lists([], None)
    return Tokenised(rows, sum(part.cut for part in parts))


class _Reader:
    """What is known of a tokenizer from call to call: whether segments may be joined, and the tokens of segments.

    It does not hold the tokenizer, so that both go together.
    """

    def __init__(self, tokenizer: PreTrainedTokenizerBase) -> None:
        self.lock = Lock()
        self.vocabulary = _vocabulary(tokenizer)
        self._joining = find_joining(tokenizer)
        self._joiner: Joiner | None = None
        self._regrouping: Regrouping | None = None
        self.compared = 0

    def read(self, tokenizer: PreTrainedTokenizerBase, inputs: Sequence[Input], room: int) -> Tokenised:
        """Return the tokens of some inputs."""
        import numpy as np

        joining, joiner = self._joining, self._ready_joiner(tokenizer, inputs, room)
        if joining is None or joiner is None:
            return read_whole(tokenizer, inputs, room)
        parts = self._make_parts(joining, joiner, tokenizer, inputs)
        fits = joiner.fitting(parts, room)
        if self._regrouping is None and fits.mean() < _FITTING:
            self._regrouping = Regrouping(joining.borders)
            parts = self._make_parts(joining, joiner, tokenizer, inputs)
            fits = joiner.fitting(parts, room)
        joined = joiner.join(parts.take(fits), room)
        places = fits.nonzero()[0].tolist()
        if not self._compare(tokenizer, [inputs[place] for place in places], joined.rows, room):
            self._joining = self._joiner = None
            return read_whole(tokenizer, inputs, room)
        if fits.all():
            return joined
        others = (~fits).nonzero()[0].tolist()
        whole = read_whole(tokenizer, [inputs[place] for place in others], room)
        rows = concatenate([joined.rows, whole.rows]).take(np.argsort([*places, *others]))
        return Tokenised(rows, joined.cut + whole.cut)

    def _ready_joiner(self, tokenizer: PreTrainedTokenizerBase, inputs: Sequence[Input], room: int) -> Joiner | None:
        """Return what puts inputs together, with room for more pieces; None if whole texts must be read."""
        if self._joining is None or (self.compared == 0 and len(inputs) <= _COMPARED):
            return None
        if self._joiner is None:
            example = next((item for item in inputs if item.segments and item.hypothesis), None)
            frame = None if example is None else find_frame(tokenizer, example, room)
            self._joiner = None if frame is None else Joiner(frame)
        elif self._joiner.pieces.kept_bytes > _KEPT_BYTES:
            self._joiner.forget()
        return self._joiner

    def _make_parts(
        self, joining: Joining, joiner: Joiner, tokenizer: PreTrainedTokenizerBase, inputs: Sequence[Input]
    ) -> Parts:
        """Look up the pieces of inputs; new texts are tokenised."""
        import numpy as np

        segments = [item.segments for item in inputs]
        if any("" in some for some in segments):
            segments = [tuple(filter(None, some)) for some in segments]
        if self._regrouping is not None:
            # The hypotheses of a table are asked with the same premises.
            moved = {some: self._regrouping.regroup(some) for some in dict.fromkeys(segments)}
            segments = [moved[some] for some in segments]
        premises = list(chain.from_iterable(segments))
        texts = [*premises, *(item.hypothesis for item in inputs)]
        numbers = joiner.pieces.number(texts, lambda new: read_segments(tokenizer, new), joining.know)
        return Parts(
            numbers[: len(premises)], np.fromiter(map(len, segments), np.int64, len(segments)), numbers[len(premises) :]
        )

    def _compare(
        self, tokenizer: PreTrainedTokenizerBase, inputs: Sequence[Input], joined: TokenRows, room: int
    ) -> bool:
        """Return whether some of the joined inputs are as a call of the tokenizer gives them."""
        places: Sequence[int] = range(min(_COMPARED - self.compared, len(inputs)))
        if inputs and not places:
            sample = -(-len(inputs) // _COMPARED_LATER)
            places = sorted(random.Random(inputs[0].id).sample(range(len(inputs)), sample))
        if not places:
            return True
        chosen = [inputs[place] for place in places]
        texts = [item.premise for item in chosen], [item.hypothesis for item in chosen]
        self.compared += len(places)
        return joined.take(places).equals(read_by_call(tokenizer, *texts, room).rows)


_READERS: WeakKeyDictionary[PreTrainedTokenizerBase, _Reader] = WeakKeyDictionary()


def _reader(tokenizer: PreTrainedTokenizerBase) -> _Reader:
    """Return what is known of a tokenizer; tokens that are added to it make it another one."""
    reader = _READERS.get(tokenizer)
    if reader is None or reader.vocabulary != _vocabulary(tokenizer):
        reader = _READERS[tokenizer] = _Reader(tokenizer)
    return reader


def _vocabulary(tokenizer: PreTrainedTokenizerBase) -> tuple[int, int]:
    """Return how many tokens a fast tokenizer knows, and how many of them it looks for before it splits a text."""
    backend: Tokenizer | None = getattr(tokenizer, "backend_tokenizer", None)
    return (0, 0) if backend is None else (backend.get_vocab_size(), len(backend.get_added_tokens_decoder()))
