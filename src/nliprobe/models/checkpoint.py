"""``transformers:NAME_OR_PATH``: any sequence-classification checkpoint, asked in batches of similar lengths."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from pickle import UnpicklingError
from typing import TYPE_CHECKING, ClassVar, NamedTuple, Self

from nliprobe.base.errors import DataError, NotFoundError, UsageError
from nliprobe.base.hashing import digest
from nliprobe.base.registry import Spec
from nliprobe.models import MODELS
from nliprobe.models.answers import AnswerReader, Scores, partition_of
from nliprobe.models.base import Model
from nliprobe.models.batches import (
    CPU_BUDGET,
    Tokens,
    answering,
    batches,
    choose_device,
    cut_note,
    encode,
    first_line,
    network_scores,
    pad,
    precision,
    refused_weights,
    require_transformers,
    weights_from,
)
from nliprobe.models.checkpoint_files import checkpoint_origin
from nliprobe.models.origin import Origin
from nliprobe.task.case import Input, Prediction
from nliprobe.task.labels import LabelMap, Partition

if TYPE_CHECKING:
    import numpy as np
    import torch
    from numpy.typing import NDArray
    from transformers import PreTrainedModel, PreTrainedTokenizerBase


@dataclass(frozen=True)
class CheckpointParams:
    """The parameters of ``transformers``.

    Attributes:
        device: ``auto``, ``cpu``, ``cuda``.
        tokens: how many tokens a batch may have with its padding; on a CPU never more than 1,024.
        max_length: the window in tokens; the checkpoint's own if it is smaller.
        version: for the name of a model on a hub, a text that changes with the model, so that answers can be cached.
        allow_bin: whether weights in ``.bin`` files are read where there are no safetensors; ``.bin`` is a pickle, and
            unpickling a file can run code that its author put there.
    """

    device: str = "auto"
    tokens: int = 16_384
    max_length: int = 512
    version: str = ""
    allow_bin: bool = False


class _Loaded(NamedTuple):
    model: PreTrainedModel
    tokenizer: PreTrainedTokenizerBase
    window: int
    device: torch.device


@MODELS.register("transformers")
class Checkpoint(Model):
    """Any sequence-classification checkpoint of ``transformers``; its labels are read from its configuration.

    A head of two classes (entailment and not) is compared as E|NC. If the configuration only says LABEL_0, LABEL_1 …,
    the order must be declared with ``labels=``; the doctor checks it either way.
    """

    batch: ClassVar[int] = 4096
    counted: ClassVar[tuple[str, ...]] = ("_asked", "_cut")

    def __init__(self, name: str, params: CheckpointParams, labels: LabelMap | None) -> None:
        self.name = name
        self.params = params
        self._declared = labels
        self._asked = self._cut = 0
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
        how = [str(self.params.max_length), precision(self.params.device)]
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
        loaded = self._loaded
        encoded = encode(loaded.tokenizer, inputs, loaded.window)
        self._asked += len(inputs)
        self._cut += encoded.cut

        padding = loaded.tokenizer.pad_token_id or 0

        def forward(items: Sequence[Tokens]) -> torch.Tensor:
            logits: torch.Tensor = loaded.model(**pad(items, padding, loaded.device)).logits
            return logits

        scores = network_scores(forward, encoded, loaded.device, self.params.tokens)
        reader = AnswerReader(self._labels)
        return [reader.scores(row, Scores.LOGITS) for row in scores]

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return the mean of the last layer over each text's tokens; the head is not used, and need not be there."""
        import numpy as np

        encoder = self._encoder
        read = encoder.tokenizer(list(texts), truncation=True, max_length=encoder.window)
        rows = [Tokens(ids, []) for ids in read["input_ids"]]
        padding = encoder.tokenizer.pad_token_id or 0
        vectors: list[NDArray[np.float32]] = [np.empty(0, dtype=np.float32)] * len(rows)
        budget = min(self.params.tokens, CPU_BUDGET) if encoder.device.type == "cpu" else self.params.tokens
        with answering(encoder.device, exact=False):
            for chosen in batches([len(row.ids) for row in rows], budget):
                batch = pad([rows[place] for place in chosen], padding, encoder.device)
                mask = batch["attention_mask"].unsqueeze(-1)
                last = encoder.model(**batch).last_hidden_state
                means = ((last * mask).sum(1) / mask.sum(1).clamp(min=1)).float().cpu().numpy()
                for place, vector in zip(chosen, means, strict=True):
                    vectors[place] = vector
        return np.stack(vectors)

    def notes(self) -> list[str]:
        """Say how many premises did not fit the window."""
        return cut_note(self._cut, self._asked)

    @cached_property
    def _labels(self) -> LabelMap:
        """The declared order of the head's classes, or the one its configuration names."""
        if self._declared is not None:
            return self._declared
        names = [str(name) for _, name in sorted(self._config_labels().items())]
        try:
            read = [LabelMap().read(name) for name in names]
        except DataError:
            read = []
        if len(read) < 2 or None in read:
            raise UsageError(
                f"{self.name} calls its classes {', '.join(names)}, which are not labels: declare them in their order, "
                "for example labels=entailment,neutral,contradiction."
            )
        return LabelMap({str(index): str(label) for index, label in enumerate(read)})

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
        require_transformers()
        from transformers import AutoModelForSequenceClassification, AutoTokenizer

        classes = len(self._labels.codes)
        allow_bin = self.params.allow_bin
        try:
            model = AutoModelForSequenceClassification.from_pretrained(self.name, **weights_from(allow_bin=allow_bin))
            tokenizer = AutoTokenizer.from_pretrained(self.name, trust_remote_code=False)
        except (OSError, ValueError, UnpicklingError) as error:
            raise refused_weights(self.name, error, allow_bin=allow_bin) from error
        self._origin.require_unchanged(self.name)
        if model.config.num_labels != classes:
            raise UsageError(f"{self.name} has {model.config.num_labels} classes, but {classes} labels are declared.")
        return self._ready(model, tokenizer)

    @cached_property
    def _encoder(self) -> _Loaded:
        """The checkpoint without its head; of one that also decodes, the half that reads."""
        require_transformers()
        from transformers import AutoModel, AutoTokenizer

        allow_bin = self.params.allow_bin
        try:
            model = AutoModel.from_pretrained(self.name, **weights_from(allow_bin=allow_bin))
            tokenizer = AutoTokenizer.from_pretrained(self.name, trust_remote_code=False)
        except (OSError, ValueError, UnpicklingError) as error:
            raise refused_weights(self.name, error, allow_bin=allow_bin) from error
        self._origin.require_unchanged(self.name)
        return self._ready(model.get_encoder() if model.config.is_encoder_decoder else model, tokenizer)

    def _ready(self, model: PreTrainedModel, tokenizer: PreTrainedTokenizerBase) -> _Loaded:
        device = choose_device(self.params.device)
        limits = [self.params.max_length, tokenizer.model_max_length]
        limits.append(getattr(model.config, "max_position_embeddings", None) or limits[0])
        return _Loaded(model.to(device).eval(), tokenizer, min(limits), device)
