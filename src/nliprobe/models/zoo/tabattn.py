"""``tabattn``: decomposable attention between a hypothesis and the keys and values of a table (infotabs §6.1, §6.2)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from nliprobe.base.errors import UsageError
from nliprobe.models.batches import Prepared, batches, load_encoder, load_tokenizer
from nliprobe.models.network import Network, TrainingPlan
from nliprobe.models.zoo import NETWORKS
from nliprobe.represent.keyvalue import Marked, unmark
from nliprobe.task.case import Input

if TYPE_CHECKING:
    import torch
    from transformers import PreTrainedTokenizerBase

# How many sentences have their vectors cached: rows come again with every hypothesis and every edit.
_CACHED_SENTENCES = 65_536
# How many tokens the encoder reads at once.
_BUDGET = 16_384
KEY, VALUE, TOKEN = 0, 1, 2


@dataclass(frozen=True, kw_only=True)
class TabAttnPlan(TrainingPlan):
    """The parameters of ``tabattn``.

    Attributes:
        encoder: the contextual encoder, a checkpoint folder (or name) of ``transformers``; it is not trained.
        hidden: the width of the attend and compare layers (512 in the seed).
        dropout: the dropout before every layer.
        max_length: the longest sentence in tokens.
        allow_bin: whether the encoder may be read from ``.bin`` files, which are pickles and can run code.
    """

    epochs: int = 15
    lr: float = 3e-4
    patience: int = 4
    encoder: str = ""
    hidden: int = 512
    dropout: float = 0.2
    max_length: int = 256
    allow_bin: bool = False

    def __post_init__(self) -> None:
        """Refuse what cannot be built."""
        super().__post_init__()
        if not self.encoder:
            raise UsageError("'tabattn' needs a contextual encoder, as in tabattn?encoder=path/to/folder.")
        if self.hidden < 1:
            raise UsageError(f"'hidden' should be at least 1, not {self.hidden}.")
        if not 0 <= self.dropout < 1:
            raise UsageError(f"'dropout' should be a share from 0 to 1, not {self.dropout}.")


class Vectors(NamedTuple):
    """The vectors that attend: one per key and value, or one per token; ``kinds`` says which is which."""

    vectors: torch.Tensor
    kinds: torch.Tensor


class Item(NamedTuple):
    """One input: the vectors of each premise sentence, and those of the hypothesis."""

    premise: tuple[Vectors, ...]
    hypothesis: Vectors


@NETWORKS.register("tabattn")
class TabAttn(Network):
    """Represents keys and values by the means over their tokens in the encoded sentence of their row.

    A premise that is a text, or a table in another representation than ``keyvalue``, attends with its tokens. Without
    a premise there is nothing to attend to, and a single vector of zeros is used instead.
    """

    plan_type: ClassVar[type[TrainingPlan]] = TabAttnPlan
    represent: ClassVar[str] = "keyvalue"
    plan: TabAttnPlan
    _place = ""

    def __init__(self, plan: TabAttnPlan) -> None:
        super().__init__(plan)
        self._cached: dict[str, Vectors] = {}
        self._cut: set[str] = set()

    def fresh(self, classes: int) -> torch.nn.Module:
        """Return attention with fresh weights on an encoder that is not trained."""
        return self._built(load_encoder(self.plan.encoder, allow_bin=self.plan.allow_bin), classes)

    def shape(self, folder: Path, classes: int) -> torch.nn.Module:
        """Return the same network without weights."""
        self._place = str(folder)
        return self._built(load_encoder(str(folder), empty=True), classes)

    def prepare(self, module: torch.nn.Module, inputs: Sequence[Input]) -> Prepared[Item]:
        """Return the vectors of every premise sentence and hypothesis, encoding each distinct text once."""
        wanted = dict.fromkeys(text for item in inputs for text in (*item.segments, item.hypothesis))
        new = [text for text in wanted if text not in self._cached]
        if len(self._cached) + len(new) > _CACHED_SENTENCES:
            self._cached = {text: self._cached[text] for text in wanted if text in self._cached}
        self._cached.update(zip(new, self._encoded(module, new), strict=True))
        items = [
            Item(tuple(self._cached[text] for text in item.segments), self._cached[item.hypothesis]) for item in inputs
        ]
        sizes = [sum(len(part.kinds) for part in item.premise) + len(item.hypothesis.kinds) for item in items]
        cut = sum(any(text in self._cut for text in item.segments) for item in inputs)
        return Prepared(items, sizes, cut)

    def forward(self, module: torch.nn.Module, items: Sequence[Item], device: torch.device) -> torch.Tensor:
        """Return the scores of the classes."""
        scores: torch.Tensor = module(*self._batch(items, device))
        return scores

    def states(self, module: torch.nn.Module, items: Sequence[Item], device: torch.device) -> torch.Tensor:
        """Return the last layer before the scores."""
        states: torch.Tensor = module.states(*self._batch(items, device))  # type: ignore[operator,unused-ignore]
        return states

    def _batch(self, items: Sequence[Item], device: torch.device) -> tuple[torch.Tensor, ...]:
        nothing = Vectors(items[0].hypothesis.vectors.new_zeros((1, items[0].hypothesis.vectors.shape[1])),
                          items[0].hypothesis.kinds.new_full((1,), TOKEN))  # fmt: skip
        premises = [_joined(item.premise) if item.premise else nothing for item in items]
        return *_padded(premises, device), *_padded([item.hypothesis for item in items], device)

    def keep(self, module: torch.nn.Module, folder: Path) -> None:
        """Write the encoder's configuration and its tokenizer."""
        module.encoder.config.save_pretrained(folder)  # type: ignore[union-attr,operator,unused-ignore]
        self._tokenizer.save_pretrained(folder)

    def _built(self, encoder: torch.nn.Module, classes: int) -> torch.nn.Module:
        from nliprobe.models.zoo._table_attention import TableAttention

        return TableAttention(encoder, self.plan.hidden, classes, self.plan.dropout)

    @cached_property
    def _tokenizer(self) -> PreTrainedTokenizerBase:
        return load_tokenizer(self._place or self.plan.encoder)

    def _encoded(self, module: torch.nn.Module, texts: Sequence[str]) -> list[Vectors]:
        """Return the vectors of sentences, on the CPU in half precision: a corpus has hundreds of thousands of them."""
        import torch

        if not texts:
            return []
        marked = [unmark(text) for text in texts]
        window = min(self.plan.max_length, self._tokenizer.model_max_length)
        tokens = self._tokenizer(
            [one.text for one in marked], truncation=True, max_length=window, return_offsets_mapping=True
        )
        encodings = tokens.encodings or []
        self._cut.update(text for text, one in zip(texts, encodings, strict=True) if one.overflowing)
        encoder = module.encoder
        device = next(module.parameters()).device
        vectors: list[Vectors | None] = [None] * len(texts)
        with torch.inference_mode(), torch.autocast(device.type, torch.bfloat16, enabled=device.type == "cuda"):
            for chosen in batches([len(ids) for ids in tokens["input_ids"]], _BUDGET):
                ids = [torch.tensor(tokens["input_ids"][place]) for place in chosen]
                batch = torch.nn.utils.rnn.pad_sequence(ids, batch_first=True).to(device)
                mask = torch.nn.utils.rnn.pad_sequence([torch.ones_like(one) for one in ids], batch_first=True)
                encoded = encoder(input_ids=batch, attention_mask=mask.to(device))  # type: ignore[operator,unused-ignore]
                states = encoded.last_hidden_state.half().cpu()
                for row, place in enumerate(chosen):
                    vectors[place] = _vectors(states[row], tokens["offset_mapping"][place], marked[place])
        return [one for one in vectors if one is not None]


def _vectors(states: torch.Tensor, offsets: Sequence[tuple[int, int]], sentence: Marked) -> Vectors:
    """Return the means over the tokens of each key and value; for a sentence without marks, its tokens."""
    import torch

    # Special tokens have empty offsets.
    real = [place for place, (start, end) in enumerate(offsets) if end > start]
    if not sentence.spans:
        return Vectors(states[real].clone() if real else states[:1].clone(), torch.full((max(1, len(real)),), TOKEN))
    vectors, kinds = [], []
    for number, (start, end) in enumerate(sentence.spans):
        inside = [place for place in real if offsets[place][0] < end and offsets[place][1] > start]
        if inside:  # nothing is inside an empty value, or where the sentence was cut
            vectors.append(states[inside].float().mean(0).half())
            kinds.append(KEY if number % 2 == 0 else VALUE)
    if not vectors:
        vectors, kinds = [states.float().mean(0).half()], [TOKEN]
    return Vectors(torch.stack(vectors), torch.tensor(kinds))


def _joined(parts: Sequence[Vectors]) -> Vectors:
    import torch

    return Vectors(torch.cat([part.vectors for part in parts]), torch.cat([part.kinds for part in parts]))


def _padded(items: Sequence[Vectors], device: torch.device) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Return vectors, kinds and mask of a batch."""
    import torch

    pad = torch.nn.utils.rnn.pad_sequence
    vectors = pad([item.vectors for item in items], batch_first=True).to(device).float()
    kinds = pad([item.kinds for item in items], batch_first=True, padding_value=-1).to(device)
    return vectors, kinds.clamp(min=0), kinds >= 0
