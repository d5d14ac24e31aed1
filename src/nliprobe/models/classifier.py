"""``classifier:FOLDER``: an encoder with a two-layer head that the trainer has trained."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Self

from nliprobe.base.errors import DataError, NotFoundError, UsageError
from nliprobe.base.hashing import digest, digest_files
from nliprobe.base.spec import Spec
from nliprobe.models import MODELS
from nliprobe.models._answers import AnswerReader, Scores
from nliprobe.models._base import Model
from nliprobe.models._torch import choose_device, encode, network_scores, require_torch
from nliprobe.task.labels import C, E, LabelMap, N
from nliprobe.task.prediction import Input, Prediction

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerBase

    from nliprobe.models.zoo.pair_classifier import PairClassifier

CLASSES = (E, N, C)
CONFIG, WEIGHTS = "classifier.json", "weights.safetensors"
_ORDER = "entailment,neutral,contradiction"


@dataclass(frozen=True)
class ClassifierParams:
    """What can be chosen: the device, and how many tokens a batch may have with its padding."""

    device: str = "auto"
    tokens: int = 65_536


@MODELS.register("classifier")
class Classifier(Model):
    """An encoder with a two-layer head, trained by the trainer and read from its folder."""

    batch: ClassVar[int] = 8192

    def __init__(self, folder: Path, params: ClassifierParams) -> None:
        self.folder = folder
        self.params = params
        self._reader = AnswerReader(LabelMap.parse(_ORDER))
        self._asked = self._cut = 0

    @classmethod
    def from_spec(cls, spec: Spec, labels: LabelMap | None) -> Self:
        """Name the folder; it is read when the first answer is asked for."""
        if not spec.argument:
            raise UsageError("'classifier' needs the folder of a trained one, as in classifier:models/para-0.")
        folder = Path(spec.argument)
        if not (folder / WEIGHTS).is_file() or not (folder / CONFIG).is_file():
            raise NotFoundError(f"{folder} does not hold a trained classifier: it has no {CONFIG} with {WEIGHTS}.")
        return cls(folder, spec.build(ClassifierParams))

    def fingerprint(self) -> str:
        """A hash of the weights and of what shapes them."""
        return digest("classifier", digest_files([self.folder / CONFIG, self.folder / WEIGHTS]))

    def predict(self, inputs: Sequence[Input]) -> list[Prediction]:
        """The class with the highest score, with probabilities."""
        network, tokenizer, window = self._loaded
        device = choose_device(self.params.device)
        encoded = encode(tokenizer, inputs, window)
        self._asked += len(inputs)
        self._cut += encoded.cut
        scores = network_scores(network, encoded.tokens, tokenizer.pad_token_id or 0, device, self.params.tokens)
        return [self._reader.scores(row, Scores.LOGITS) for row in scores]

    def notes(self) -> list[str]:
        """How many premises did not fit the window."""
        return [f"{self._cut:,} of {self._asked:,} premises were cut to fit the window."] if self._cut else []

    @cached_property
    def _loaded(self) -> tuple[PairClassifier, PreTrainedTokenizerBase, int]:
        require_torch()
        from safetensors import SafetensorError
        from safetensors.torch import load_file
        from transformers import AutoTokenizer

        from nliprobe.models.zoo.pair_classifier import PairClassifier

        config = read_config(self.folder)
        plan = config["plan"]
        if not isinstance(plan, dict):
            raise DataError(f"{self.folder / CONFIG} does not say how the classifier was trained.")
        network = PairClassifier.empty(
            self.folder, len(CLASSES), dropout=float(plan["dropout"]), pool=str(plan["pool"])
        )
        try:
            network.load_state_dict(load_file(self.folder / WEIGHTS))
        except (RuntimeError, SafetensorError) as error:
            reason = str(error).splitlines()[0]
            raise DataError(f"{self.folder / WEIGHTS} is not of the architecture beside it: {reason}") from error
        tokenizer = AutoTokenizer.from_pretrained(self.folder)
        return network.to(choose_device(self.params.device)).eval(), tokenizer, int(str(config["window"]))


def read_config(folder: Path) -> dict[str, object]:
    """What a trained classifier's folder says about itself."""
    try:
        content = json.loads((folder / CONFIG).read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise DataError(f"{folder} is not a trained classifier: {error}.") from error
    if not isinstance(content, dict) or "plan" not in content or "window" not in content:
        raise DataError(f"{folder / CONFIG} should hold the plan and the window of a trained classifier.")
    return content
