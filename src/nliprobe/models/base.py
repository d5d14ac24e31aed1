"""What every model does: answer inputs; and what a trainable one does besides."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import is_dataclass
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, NamedTuple, Self

from nliprobe.base.errors import UsageError
from nliprobe.base.spec import Spec
from nliprobe.task.labels import LabelMap, LabelSet
from nliprobe.task.partitions import THREE_WAY, Partition
from nliprobe.task.prediction import Input, Prediction

if TYPE_CHECKING:
    from nliprobe.models.asynchronous import Answerer


class Example(NamedTuple):
    """What a model learns from."""

    input: Input
    gold: LabelSet


class PairView(NamedTuple):
    """How a trained model was shown its pairs: a representation and a premise control, by their names."""

    represent: str
    premise: str


class Model(ABC):
    """Anything that answers inputs.

    Class attributes:
        version: raised when the same parameters would give other answers.
        keyed: answers are looked up by the pair's or case's id, which is then part of what is read.
        trainable: the model must learn from pairs before it answers; see :class:`Trainable`.
        batch: how many inputs the engine hands over at once.
    """

    version: ClassVar[int] = 1
    keyed: ClassVar[bool] = False
    trainable: ClassVar[bool] = False
    batch: ClassVar[int] = 1024

    @classmethod
    def from_spec(cls, spec: Spec, labels: LabelMap | None) -> Self:
        """Make the model its spec asks for; ``labels`` is the label map, where the user declared one.

        The fields of a model that is a dataclass are the parameters of its spec; another one takes no parameters.
        """
        takes = is_dataclass(cls)
        if spec.argument or (spec.params and not takes):
            what = "parameters after '?'" if takes else "no parameters"
            raise UsageError(f"'{spec.name}' takes {what}, but was asked for as '{spec}'.")
        return spec.build(cls) if takes else cls()

    @property
    def partition(self) -> Partition:
        """How finely the model tells labels apart."""
        return THREE_WAY

    @property
    def asynchronous(self) -> Answerer | None:
        """What asks the model one input at a time, many at once; none for a model that is asked in batches.

        See :class:`nliprobe.models.asynchronous.AsyncModel`.
        """
        return None

    @property
    def learnt_view(self) -> PairView | None:
        """How the model was shown pairs when it learnt, where it knows; a system reads so unless told otherwise."""
        return None

    @abstractmethod
    def fingerprint(self) -> str | None:
        """A hash of everything that decides the answers, or none: then answers are never kept across runs.

        Known without training or loading anything heavy.
        """

    @abstractmethod
    def predict(self, inputs: Sequence[Input]) -> Sequence[Prediction]:
        """Return one answer for each input, in order.

        An input that cannot be answered has an answer with the status *failed* and the reason in ``raw``. Where that
        cannot be told apart, raise :class:`nliprobe.models.failures.InputsFailed` or any ordinary exception: the
        engine then asks in smaller batches until the inputs that fail are alone.
        """

    def close(self) -> None:  # noqa: B027 (most models hold nothing)
        """Let go of processes and files."""

    def notes(self) -> list[str]:
        """What the user should know after the answers: missing ids, duplicates resolved, inputs cut."""
        return []


class Trainable(Model):
    """A model that learns from pairs and can be kept in a folder without pickling."""

    trainable: ClassVar[bool] = True

    @abstractmethod
    def fit(self, examples: Sequence[Example]) -> None:
        """Learn."""

    @abstractmethod
    def save(self, folder: Path) -> None:
        """Write everything learnt as text and safetensors."""

    @abstractmethod
    def load(self, folder: Path) -> None:
        """Read what :meth:`save` wrote."""
