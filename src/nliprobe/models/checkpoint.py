"""``transformers:NAME_OR_PATH``: any sequence-classification checkpoint, without padding where that is possible."""

from __future__ import annotations

import math
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from pickle import UnpicklingError
from typing import TYPE_CHECKING, ClassVar, NamedTuple, Self

from nliprobe.base.errors import NotFoundError, UsageError
from nliprobe.base.hashing import digest
from nliprobe.base.registry import Spec
from nliprobe.models import MODELS
from nliprobe.models._tokens import read_inputs
from nliprobe.models.answers import AnswerReader, Scores, partition_of
from nliprobe.models.base import Model, Take
from nliprobe.models.batches import (
    CPU_BUDGET,
    choose_device,
    cut_note,
    first_line,
    refused_weights,
    require_transformers,
    weights_from,
)
from nliprobe.models.checkpoint_files import checkpoint_origin
from nliprobe.models.dtypes import DTYPES, HALF, settle_dtype, torch_dtype
from nliprobe.models.forward import Forward, MeanStates, is_packable, pick_forward
from nliprobe.models.head_labels import head_labels
from nliprobe.models.origin import Origin
from nliprobe.models.stream import Answered, Budget, Compute, stream
from nliprobe.models.token_rows import Tokenised
from nliprobe.task.case import Input, Prediction
from nliprobe.task.labels import LabelMap, Partition

if TYPE_CHECKING:
    import numpy as np
    import torch
    from numpy.typing import NDArray
    from transformers import PreTrainedModel, PreTrainedTokenizerBase
    from transformers.models.auto.auto_factory import _BaseAutoModelClass


@dataclass(frozen=True)
class CheckpointParams:
    """The parameters of ``transformers``.

    Attributes:
        device: ``auto``, ``cpu``, ``cuda`` or ``cuda:N``.
        dtype: the type of the weights, in which it also computes: ``float32``, ``bfloat16`` or ``float16``. ``auto``
            is float32 on a CPU; on a GPU it is float16 for encoders of BERT's kind, whose answers are then nearer to
            those of float32, and bfloat16 for all others and for inputs on which float16 overflows.
        tokens: how many tokens a batch may have; 0 is as many as suit the free memory of the GPU. On a CPU never more
            than 1,024.
        max_length: the window in tokens; the checkpoint's own if it is smaller.
        version: for the name of a model on a hub, a text that changes with the model, so that answers can be cached.
        allow_bin: whether weights in ``.bin`` files are read where there are no safetensors; ``.bin`` is a pickle, and
            unpickling a file can run code that its author put there.
    """

    device: str = "auto"
    dtype: str = "auto"
    tokens: int = 0
    max_length: int = 512
    version: str = ""
    allow_bin: bool = False

    def __post_init__(self) -> None:
        """Refuse what cannot be meant."""
        if self.dtype not in DTYPES:
            raise UsageError(f"There is no dtype '{self.dtype}': expected {', '.join(DTYPES)}.")
        if self.tokens < 0 or self.max_length < 1:
            raise UsageError("'tokens' and 'max_length' count tokens, so they cannot be negative.")


class _Loaded(NamedTuple):
    """A network that is ready to be asked; if it ``widens``, inputs on which it overflows are asked in bfloat16."""

    forward: Forward
    widens: bool
    tokenizer: PreTrainedTokenizerBase
    window: int
    device: torch.device
    budget: Budget
    notes: list[str]


@MODELS.register("transformers")
class Checkpoint(Model):
    """Any sequence-classification checkpoint of ``transformers``; its labels are read from its configuration.

    A head of two classes (entailment and not) is compared as E|NC. If the configuration only says LABEL_0, LABEL_1 …,
    the order must be declared with ``labels=``; the doctor checks it either way.
    """

    # Answers come batch by batch, whatever is asked at once; tokenising is done ahead only within what is asked.
    batch: ClassVar[int] = 32_768
    counted: ClassVar[tuple[str, ...]] = ("_asked", "_cut", "_overflowed")

    def __init__(self, name: str, params: CheckpointParams, labels: LabelMap | None) -> None:
        self.name = name
        self.params = params
        self._declared = labels
        self._asked = self._cut = 0
        self._overflowed = 0
        self._origin = checkpoint_origin(name)

    @classmethod
    def from_spec(cls, spec: Spec, labels: LabelMap | None) -> Self:
        """Name the checkpoint; it is loaded when the first answer is asked for."""
        if not spec.argument:
            raise UsageError("'transformers' needs a checkpoint, as in transformers:path/to/folder.")
        return cls(spec.argument, spec.build(CheckpointParams), labels)

    @property
    def partition(self) -> Partition:
        """The labels of its head."""
        return partition_of(self._labels)

    def fingerprint(self) -> str | None:
        """Return a hash of the folder's files; for the name of a model on a hub, only of its declared version."""
        dtype = settle_dtype(self.params.dtype, self.params.device)
        how = [str(self.params.max_length), dtype if dtype == "float32" else f"{dtype} weights"]
        if Path(self.name).is_dir():
            return digest("transformers", *how, self.params.version, self._origin.digest())
        return digest("transformers", *how, self.name, self.params.version) if self.params.version else None

    def origin(self) -> Origin:
        """Return the files of the folder; the name of a model on a hub has none."""
        return self._origin

    def check(self) -> None:
        """Read the labels of the checkpoint from its configuration; its weights are not loaded."""
        _ = self._labels

    def predict(self, inputs: Sequence[Input]) -> list[Prediction]:
        """Answer with the label of the highest score, and with probabilities of the labels it tells apart."""
        answers: dict[int, Prediction] = {}
        self.predict_each(inputs, answers.__setitem__)
        return [answers[place] for place in range(len(inputs))]

    def predict_each(self, inputs: Sequence[Input], take: Take) -> None:
        """Answer inputs, longest first, and pass on the answers batch by batch."""
        loaded = self._loaded
        reader = AnswerReader(self._labels)
        again: list[int] = []
        for places, rows in self._ask(loaded, loaded.forward.scores, inputs):
            for place, row in zip(places.tolist(), rows.tolist(), strict=True):
                if loaded.widens and not all(map(math.isfinite, row)):
                    again.append(place)
                else:
                    take(place, reader.scores(row, Scores.LOGITS))
        self._asked += len(inputs)
        if again:
            self._overflowed += len(again)
            some = [inputs[place] for place in again]
            for places, rows in self._ask(loaded, self._wider.scores, some, count=False):
                for place, row in zip(places.tolist(), rows.tolist(), strict=True):
                    take(again[place], reader.scores(row, Scores.LOGITS))

    def embed_pairs(self, inputs: Sequence[Input]) -> NDArray[np.float32]:
        """Return the last layer's state of each input's first token, or of its last one if only that has read the pair.

        Those are the tokens that heads read, in encoders and in networks that read from left to right.
        """
        loaded = self._loaded
        return _in_order(self._ask(loaded, loaded.forward.pair_states, inputs, count=False), len(inputs))

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return the mean of the last layer over each text's tokens; the head is not used, and need not be there."""
        encoder = self._encoder
        inputs = [Input("", (), text) for text in texts]
        return _in_order(self._ask(encoder, encoder.forward.scores, inputs, count=False), len(inputs))

    def notes(self) -> list[str]:
        """Say how many premises did not fit the window, and whether memory or a faster way was missing."""
        loaded: _Loaded | None = self.__dict__.get("_loaded")
        more = [] if loaded is None else [*loaded.notes, *loaded.budget.notes()]
        if self._overflowed:
            more.append(f"{self._overflowed:,} inputs were asked again in bfloat16, because float16 overflowed.")
        return [*cut_note(self._cut, self._asked), *more]

    def _ask(
        self, loaded: _Loaded, compute: Compute, inputs: Sequence[Input], *, count: bool = True
    ) -> Iterator[Answered]:
        def tokenise(some: Sequence[Input]) -> Tokenised:
            tokenised = read_inputs(loaded.tokenizer, some, loaded.window)
            self._cut += tokenised.cut if count else 0
            return tokenised

        return stream(compute, tokenise, inputs, loaded.budget, loaded.device, packs=loaded.forward.packs)

    @cached_property
    def _labels(self) -> LabelMap:
        """The declared order of the head's classes, or the one its configuration names."""
        if self._declared is not None:
            return self._declared
        return head_labels(self.name, [str(name) for _, name in sorted(self._config_labels().items())])

    def _config_labels(self) -> dict[int, str]:
        require_transformers()
        from transformers import AutoConfig

        try:
            config = AutoConfig.from_pretrained(self.name, trust_remote_code=False)
        except (OSError, ValueError) as error:
            raise NotFoundError(f"{self.name} is not a checkpoint that can be loaded: {first_line(error)}") from error
        return {int(index): name for index, name in config.id2label.items()}

    @cached_property
    def _loaded(self) -> _Loaded:
        from transformers import AutoModelForSequenceClassification

        classes = len(self._labels.codes)
        model, tokenizer = self._load(AutoModelForSequenceClassification)
        if model.config.num_labels != classes:
            raise UsageError(f"{self.name} has {model.config.num_labels} classes, but {classes} labels are declared.")
        device, dtype = choose_device(self.params.device), settle_dtype(self.params.dtype, self.params.device)
        padding, notes = _padding(model, tokenizer)
        # Where numbers stay small, as in encoders of BERT's kind, float16 has eight times the digits of bfloat16.
        widens = dtype == HALF and is_packable(model)
        dtype = ("float16" if widens else "bfloat16") if dtype == HALF else dtype
        left = tokenizer.padding_side == "left"
        forward, more = pick_forward(model.to(device, torch_dtype(dtype)).eval(), padding, device, dtype, left=left)
        return self._ready(forward, model, tokenizer, device, [*notes, *more], widens=widens)

    @cached_property
    def _wider(self) -> Forward:
        """The checkpoint in bfloat16, for inputs on which float16 overflows."""
        from transformers import AutoModelForSequenceClassification

        model, tokenizer = self._load(AutoModelForSequenceClassification)
        device, padding = self._loaded.device, _padding(model, tokenizer)[0]
        return pick_forward(model.to(device, torch_dtype("bfloat16")).eval(), padding, device, "bfloat16").forward

    @cached_property
    def _encoder(self) -> _Loaded:
        """The checkpoint without its head; of one that also decodes, the half that reads."""
        from transformers import AutoModel

        model, tokenizer = self._load(AutoModel)
        device, dtype = choose_device(self.params.device), settle_dtype(self.params.dtype, self.params.device)
        padding, notes = _padding(model, tokenizer)
        model = model.get_encoder() if model.config.is_encoder_decoder else model
        dtype = "bfloat16" if dtype == HALF else dtype
        forward = MeanStates(model.to(device, torch_dtype(dtype)).eval(), padding, device)
        return self._ready(forward, model, tokenizer, device, notes)

    def _load(self, kind: type[_BaseAutoModelClass]) -> tuple[PreTrainedModel, PreTrainedTokenizerBase]:
        require_transformers()
        import torch
        from transformers import AutoTokenizer

        allow_bin = self.params.allow_bin
        try:
            # Whatever type the file has: the weights are brought to the type that was asked for afterwards.
            model = kind.from_pretrained(self.name, dtype=torch.float32, **weights_from(allow_bin=allow_bin))
            tokenizer = AutoTokenizer.from_pretrained(self.name, trust_remote_code=False)
        except (OSError, ValueError, UnpicklingError) as error:
            raise refused_weights(self.name, error, allow_bin=allow_bin) from error
        self._origin.require_unchanged(self.name)
        return model, tokenizer

    def _ready(
        self,
        forward: Forward,
        model: PreTrainedModel,
        tokenizer: PreTrainedTokenizerBase,
        device: torch.device,
        notes: list[str],
        *,
        widens: bool = False,
    ) -> _Loaded:
        window = min(self.params.max_length, tokenizer.model_max_length, _positions(model))
        budget = Budget.choose(forward, device, self.params.tokens, CPU_BUDGET)
        return _Loaded(forward, widens, tokenizer, window, device, budget, notes)


def _positions(model: PreTrainedModel) -> int:
    """Return how many tokens have a position; RoBERTa's kind counts from behind the number of its padding token."""
    longest = getattr(model.config, "max_position_embeddings", None)
    if not longest or longest < 0:
        return sys.maxsize
    counts_from_padding = model.config.model_type in ("roberta", "xlm-roberta", "camembert", "xlm-roberta-xl", "mpnet")
    return int(longest) - (model.config.pad_token_id + 1 if counts_from_padding else 0)


def _padding(model: PreTrainedModel, tokenizer: PreTrainedTokenizerBase) -> tuple[int, list[str]]:
    """Return the number of the padding token; a tokenizer without one pads with another token, which nothing reads.

    Heads that read the last token find it by what is not padding, so they are told.
    """
    if tokenizer.pad_token_id is not None:
        padding = int(tokenizer.pad_token_id)
        notes = []
    else:
        known = [tokenizer.eos_token_id, tokenizer.unk_token_id, 0]
        padding = int(next(number for number in known if number is not None))
        notes = [f"The tokenizer has no padding token; batches are padded with token {padding}."]
    if model.config.pad_token_id is None:
        model.config.pad_token_id = padding
    return padding, notes


def _in_order(answered: Iterator[Answered], count: int) -> NDArray[np.float32]:
    """Return the results of all inputs in the order of the inputs."""
    import numpy as np

    results: NDArray[np.float32] | None = None
    for places, rows in answered:
        if results is None:
            results = np.empty((count, rows.shape[1]), np.float32)
        results[places] = rows
    return np.empty((0, 0), np.float32) if results is None else results
