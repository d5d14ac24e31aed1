"""The base classes of models: those that answer inputs, and those that also learn."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import is_dataclass
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Literal, NamedTuple, Self

from nliprobe.base.errors import UsageError
from nliprobe.base.registry import Spec
from nliprobe.models.origin import Origin, code_origin
from nliprobe.task.case import Input, Prediction
from nliprobe.task.labels import THREE_WAY, LabelMap, LabelSet, Partition

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from nliprobe.models.asynchronous import Answerer

Take = Callable[[int, Prediction], None]


class Example(NamedTuple):
    """An input with its gold label, from which a model learns."""

    input: Input
    gold: LabelSet


class PairView(NamedTuple):
    """How a trained model was shown its pairs: a representation and a premise control, by their names."""

    represent: str
    premise: str


class Estimate(NamedTuple):
    """About what asking inputs costs: requests, tokens of requests and answers, and money if prices are known."""

    requests: int
    tokens_in: int
    tokens_out: int
    cost: float | None = None

    def plus(self, other: Estimate) -> Estimate:
        """Return the sum of two estimates."""
        cost = None if self.cost is None or other.cost is None else self.cost + other.cost
        return Estimate(
            self.requests + other.requests, self.tokens_in + other.tokens_in, self.tokens_out + other.tokens_out, cost
        )


class Model(ABC):
    """Anything that answers inputs.

    Class attributes:
        version: raised when the same parameters would give other answers.
        keyed: answers are looked up by the id of the pair or case, which is then part of the input.
        trainable: the model must learn from pairs before it answers; see :class:`Trainable`.
        batch: how many inputs the engine asks at once.
        manner: parameters of its spec that only say how it is asked, such as a timeout; no part of its identity.
        frees_interpreter: Python can do other work while the model answers; two threads of plain Python only slow down.
        told_form: the model is told how a premise that is a table was written, which is then part of the input.
        additive: its score is a sum over segments, the same wherever the premise is cut: short ones are asked faster.
        order: how the engine sorts what it asks: the longest inputs first, or all hypotheses of a premise together.
        counted: the attributes in which the model counts what its notes say; an engine adds up those of several copies.
    """

    version: ClassVar[int] = 1
    keyed: ClassVar[bool] = False
    trainable: ClassVar[bool] = False
    batch: ClassVar[int] = 1024
    manner: ClassVar[frozenset[str]] = frozenset()
    frees_interpreter: ClassVar[bool] = True
    told_form: ClassVar[bool] = False
    additive: ClassVar[bool] = False
    order: ClassVar[Literal["length", "premise"]] = "length"
    counted: ClassVar[tuple[str, ...]] = ()

    @classmethod
    def from_spec(cls, spec: Spec, labels: LabelMap | None) -> Self:
        """Make the model that a spec asks for; ``labels`` is the label map, if the user declared one.

        If the model is a dataclass, its fields are the parameters of its spec; otherwise it takes no parameters.
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
        """What asks the model many single inputs at once; none for a model that is asked in batches.

        See :class:`nliprobe.models.asynchronous.AsyncModel`.
        """
        return None

    @property
    def learnt_view(self) -> PairView | None:
        """How the model was shown pairs when it learnt, if known; the default for how a system shows them."""
        return None

    @abstractmethod
    def fingerprint(self) -> str | None:
        """Return a hash of everything that decides the answers; with none, answers are never kept across runs.

        It must be known without training or loading anything heavy.
        """

    def origin(self) -> Origin:
        """Return the files that decide the answers, as far as they are known; a run is continued only if they stay.

        By default that is the source code of a class without a fingerprint: the fingerprint of another says it all.
        """
        return Origin() if self.fingerprint() is not None else code_origin(type(self))

    @abstractmethod
    def predict(self, inputs: Sequence[Input]) -> Sequence[Prediction]:
        """Return one answer for each input, in order.

        An input that cannot be answered has an answer with the status *failed* and the reason in ``raw``. If the model
        cannot tell which input failed, it raises :class:`nliprobe.models.failures.InputsFailed` or any ordinary
        exception: the engine then asks in smaller batches until the inputs that fail are alone.
        """

    def predict_each(self, inputs: Sequence[Input], take: Take) -> Sequence[Prediction] | None:
        """Answer inputs as :meth:`predict` does; a model whose answers come one by one passes each to ``take``.

        Then what came is kept even if the rest fails, or the process is killed.

        Args:
            inputs: what to ask.
            take: is given the place of an input and its answer.

        Returns:
            The answers, or none if all of them were passed to ``take``.
        """
        return self.predict(inputs)

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return one vector per text, in order: what an encoder of sentences makes of each alone.

        Raises:
            UsageError: the model has no vectors of single texts.
        """
        raise UsageError(
            f"'{type(self).__name__.lower()}' embeds no single text. Models that do: glove, networks that encode "
            "premise and hypothesis apart (cbow, infersent), transformers:…, and python:… with a function 'embed'."
        )

    def embed_pairs(self, inputs: Sequence[Input]) -> NDArray[np.float32]:
        """Return one vector per input, in order: the last layer's, of the pair as the model reads it.

        Raises:
            UsageError: the model has no such vectors.
        """
        raise no_pair_vectors(type(self).__name__.lower())

    def margins(self, inputs: Sequence[Input]) -> Sequence[Sequence[float]] | None:
        """Return the score of each block of :attr:`partition` for each input, where the model decides by such scores.

        None for models whose answers have probabilities, or nothing but a label.
        """
        return None

    def check(self) -> None:  # noqa: B027 (most models need nothing)
        """Raise an error if something that the model needs is missing; nothing is trained, loaded or asked."""

    def preview(self, asked: Input) -> str | None:
        """Return what is sent for an input, for people to read; none if the model reads the input as it is."""
        return None

    def estimate(self, inputs: Sequence[Input]) -> Estimate | None:
        """Return about what asking inputs costs, or none if it costs nothing but time."""
        return None

    def keep_account(self, folder: Path) -> None:  # noqa: B027 (most models cost nothing)
        """Keep what is spent in a folder that lives as long as the run; what was spent there before counts."""

    def again(self) -> Self | None:
        """Return a copy that counts its answers anew, or none if the model counts nothing."""
        return None

    def close(self) -> None:  # noqa: B027 (most models hold nothing)
        """Release processes and files."""

    def notes(self) -> list[str]:
        """Return what the user should know after the answers: missing ids, duplicates, inputs that were cut."""
        return []


class Trainable(Model):
    """A model that learns from pairs and can be saved to a folder without pickling."""

    trainable: ClassVar[bool] = True

    @abstractmethod
    def fit(self, examples: Sequence[Example]) -> None:
        """Learn from examples."""

    @abstractmethod
    def save(self, folder: Path) -> None:
        """Write everything that was learnt, as text and safetensors."""

    @abstractmethod
    def load(self, folder: Path) -> None:
        """Read what :meth:`save` wrote."""


def no_pair_vectors(what: str) -> UsageError:
    """Return the error for something that has no vectors of pairs; it says which models have them."""
    return UsageError(
        f"'{what}' has no vectors of pairs. Models that have: small, transformers:…, trained:… of any network, and "
        "onnx:… as nliprobe export writes it."
    )
