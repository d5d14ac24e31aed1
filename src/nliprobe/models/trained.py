"""``trained:FOLDER``: a network or a simpler model that ``nliprobe train`` has written."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Self, TypeAlias

from nliprobe.base.errors import DataError, UsageError
from nliprobe.base.hashing import digest
from nliprobe.base.registry import Spec
from nliprobe.models import MODELS
from nliprobe.models.answers import AnswerReader, Scores
from nliprobe.models.base import Model, PairView, Trainable
from nliprobe.models.batches import Prepared, choose_device, cut_note, first_line, is_gpu, network_scores, require_torch
from nliprobe.models.learnable import partition_of_classes
from nliprobe.models.network import Network
from nliprobe.models.origin import Origin
from nliprobe.models.trained_record import TrainedRecord, trained_origin
from nliprobe.models.zoo import NETWORKS
from nliprobe.task.case import Input, Prediction
from nliprobe.task.labels import LabelMap, Partition

if TYPE_CHECKING:
    import numpy as np
    import torch
    from numpy.typing import NDArray

    _Compute: TypeAlias = Callable[[torch.nn.Module, Sequence[Any], torch.device], torch.Tensor]

WEIGHTS = "weights.safetensors"


@dataclass(frozen=True)
class TrainedParams:
    """The options of networks: the device, and the number of tokens per batch on a GPU, including padding."""

    device: str = "auto"
    tokens: int = 16_384


@MODELS.register("trained")
class Trained(Model):
    """Asks a model that nliprobe train has written to a folder: trained:FOLDER.

    The folder says what the model is and how it reads pairs.
    """

    batch: ClassVar[int] = 8192
    counted: ClassVar[tuple[str, ...]] = ("_asked", "_cut")

    def __init__(self, folder: Path, params: TrainedParams) -> None:
        self.folder = folder
        self.params = params
        self._asked = self._cut = 0
        self.record = TrainedRecord.read(folder)
        self._origin = trained_origin(folder)

    @classmethod
    def from_spec(cls, spec: Spec, labels: LabelMap | None) -> Self:
        """Name the folder; its large files are read when the first answer is asked for."""
        if not spec.argument:
            raise UsageError("'trained' needs the folder of a trained model, as in trained:models/para/seed-0.")
        return cls(Path(spec.argument), spec.build(TrainedParams))

    @property
    def learnt_view(self) -> PairView:
        """The representation and premise control it was trained with."""
        return PairView(self.record.represent, self.record.premise)

    @property
    def partition(self) -> Partition:
        """The classes it has learnt."""
        return partition_of_classes(self.record.classes) if self._simple is None else self._simple.partition

    def fingerprint(self) -> str:
        """Return a hash of everything in the folder that decides answers."""
        how = [] if self.record.kind == "model" else [self._precision]
        return digest("trained", self._origin.digest(), *how)

    def origin(self) -> Origin:
        """Return the files of the folder, except the log of its training."""
        return self._origin

    def predict(self, inputs: Sequence[Input]) -> Sequence[Prediction]:
        """Return the class with the highest score for each input, with probabilities of single labels."""
        if self._simple is not None:
            return self._simple.predict(inputs)
        network, module, _ = self._loaded
        prepared = network.prepare(module, inputs)
        self._asked += len(inputs)
        self._cut += prepared.cut
        reader = AnswerReader(LabelMap({str(number): str(name) for number, name in enumerate(self.record.classes)}))
        return [reader.scores(row, Scores.LOGITS) for row in self._rows(network.forward, prepared)]

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return one vector per text, if its network encodes single texts."""
        if self._simple is not None:
            return self._simple.embed(texts)
        network, module, device = self._loaded
        return network.embed(module, texts, device)

    def embed_pairs(self, inputs: Sequence[Input]) -> NDArray[np.float32]:
        """Return the last layer of its network for each input; a simpler model has none."""
        if self._simple is not None:
            return self._simple.embed_pairs(inputs)
        import numpy as np

        network, module, _ = self._loaded
        return np.array(self._rows(network.states, network.prepare(module, inputs)), dtype=np.float32)

    def _rows(self, compute: _Compute, prepared: Prepared[Any]) -> list[list[float]]:
        network, module, device = self._loaded
        return network_scores(
            lambda items: compute(module, items, device), prepared, device, self.params.tokens,
            exact=network.exact, cpu_budget=network.cpu_budget,
        )  # fmt: skip

    def notes(self) -> list[str]:
        """Return how many premises did not fit the window, or the notes of a simpler model."""
        return cut_note(self._cut, self._asked) if self._simple is None else self._simple.notes()

    @property
    def _precision(self) -> str:
        exact = NETWORKS.get(Spec.parse(self.record.spec).name).exact
        return "bfloat16" if not exact and is_gpu(self.params.device) else "float32"

    @cached_property
    def _simple(self) -> Trainable | None:
        """The model itself, if it is not a network."""
        if self.record.kind != "model":
            return None
        spec = Spec.parse(self.record.spec)
        model = MODELS.get(spec.name).from_spec(spec, None)
        if not isinstance(model, Trainable):
            raise DataError(f"{self.folder} names '{spec.name}', which is not a model that learns.")
        self.record.require_sound(self.folder, self._origin)
        model.load(self.folder)
        self._origin.require_unchanged(str(self.folder))
        return model

    @cached_property
    def _loaded(self) -> tuple[Network, torch.nn.Module, torch.device]:
        require_torch()
        device = choose_device(self.params.device)
        self.record.require_sound(self.folder, self._origin)
        network = network_of(Spec.parse(self.record.spec))
        module = network.shape(self.folder, len(self.record.classes))
        load_weights(module, self.folder / WEIGHTS)
        self._origin.require_unchanged(str(self.folder))
        return network, module.to(device).eval(), device


def network_of(spec: Spec, **fixed: object) -> Network:
    """Make the network that a spec asks for, with some options set by the caller."""
    kind = NETWORKS.get(spec.name)
    if spec.argument:
        raise UsageError(f"'{spec.name}' takes parameters after '?', but was asked for as '{spec}'.")
    return kind(spec.build(kind.plan_type, **fixed))


def load_weights(module: torch.nn.Module, path: Path) -> None:
    """Load weights into a network; they must have its shape."""
    from safetensors import SafetensorError
    from safetensors.torch import load_file

    try:
        module.load_state_dict(load_file(path))
    except (RuntimeError, SafetensorError, OSError) as error:
        raise DataError(f"{path} does not fit the architecture in its folder: {first_line(error)}") from error
