"""The base class of networks that read words: vocabulary, word vectors, batches."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from nliprobe.base.errors import DataError, UsageError
from nliprobe.language.vectors import Vectors, find_vectors
from nliprobe.models.batches import Prepared, answering, batches, require_torch
from nliprobe.models.network import Network, TrainingPlan
from nliprobe.models.origin import Origin
from nliprobe.models.vocabulary import WORDS, Vocabulary
from nliprobe.task.case import Input
from nliprobe.task.labels import LabelSet

if TYPE_CHECKING:
    import numpy as np
    import torch
    from numpy.typing import NDArray

WEIGHTS = "weights.safetensors"
# English corpora have 7 to 15 % with the smallest of GloVe's files, marks and digits included.
_MANY = 0.5
# Words per batch when texts are embedded.
_BUDGET = 16_384


@dataclass(frozen=True, kw_only=True)
class WordPlan(TrainingPlan):
    """The training parameters of networks over words.

    Attributes:
        vectors: a file or folder of word vectors; by default those of NLIPROBE_VECTORS or ``glove`` below the data
            folders. ``none`` begins with random ones.
        width: of random word vectors.
        words: the most words it knows: those of the training pairs, then the first of the vectors.
        train_words: whether word vectors are learnt, too.
        longest: texts are cut after so many tokens.
        hidden: the width of the hidden layers.
        dropout: the share of values that are set to zero in training.
    """

    epochs: int = 10
    lr: float = 1e-3
    batch: int = 128
    warmup: float = 0.05
    patience: int = 3
    decay: float = 0.0
    precision: str = "float32"
    vectors: str = ""
    width: int = 100
    words: int = 40_000
    train_words: bool = True
    longest: int = 100
    hidden: int = 300
    dropout: float = 0.2

    def __post_init__(self) -> None:
        """Refuse what cannot be built."""
        super().__post_init__()
        for name in ("width", "words", "longest", "hidden"):
            if getattr(self, name) < 1:
                raise UsageError(f"'{name}' should be at least 1, not {getattr(self, name)}.")
        if not 0 <= self.dropout < 1:
            raise UsageError(f"'dropout' should be a share from 0 to 1, not {self.dropout}.")


class WordPair(NamedTuple):
    """A premise and a hypothesis as numbers of words."""

    premise: NDArray[np.int32]
    hypothesis: NDArray[np.int32]


class WordNetwork(Network):
    """A network that reads the words of premise and hypothesis.

    Class attributes:
        encodes: whether its module has a method ``encode``, which makes one vector of each text alone.
    """

    plan: WordPlan
    starts_from: ClassVar[str] = "word vectors"
    exact: ClassVar[bool] = True
    cpu_budget: ClassVar[int] = 8192
    encodes: ClassVar[bool] = False

    @cached_property
    def origin(self) -> Origin:
        """The files of the word vectors from which training starts, and what else it is made with."""
        vectors = self._given
        if vectors is None:
            return Origin(values=self.made_with())
        files = [vectors.path, *([vectors.path.with_name(WORDS)] if vectors.path.suffix == ".npy" else [])]
        return Origin(lambda: {path.name: path for path in files}, self.made_with())

    def made_with(self) -> Mapping[str, str]:
        """Return the versions of what decides the network and is in no file, by their names."""
        return {}

    def require_start(self) -> None:
        """Raise an error if there are no word vectors, or if they cannot be read."""
        if self._given is not None:
            len(self._given)

    def study(self, inputs: Sequence[Input], classes: Sequence[LabelSet]) -> None:
        """Learn the words of the training pairs."""
        texts = (text for item in inputs for text in (item.premise, item.hypothesis))
        self.vocabulary = Vocabulary.learn(texts, self._given, self.plan.words)

    def remarks(self) -> list[str]:
        """Say how many words have no vector: with the vectors of another language it is nearly all of them."""
        share = self.vocabulary.without_vector
        if share is None:
            return []
        warning = "; are these vectors of the same language?" if share > _MANY else ""
        return [f"{100 * share:.1f} % of the words in the training pairs have no word vector{warning}"]

    def fresh(self, classes: int) -> torch.nn.Module:
        """Return the network with given word vectors and fresh weights."""
        import torch

        width = self.plan.width if self._given is None else self._given.dimensions
        table = torch.from_numpy(self.vocabulary.vectors(self._given, width, self.plan.seed))
        words = torch.nn.Embedding.from_pretrained(table, freeze=not self.plan.train_words, padding_idx=0)
        return self.module(words, classes)

    def shape(self, folder: Path, classes: int) -> torch.nn.Module:
        """Return the same network without its weights; it must know as many words as they do."""
        require_torch()
        import torch

        self.vocabulary = Vocabulary.read(folder)
        rows, width = _table_shape(folder / WEIGHTS)
        if rows != len(self.vocabulary):
            raise DataError(
                f"{folder / WEIGHTS} was trained with another vocabulary: it has vectors for {rows:,} words, "
                f"{folder / WORDS} makes {len(self.vocabulary):,}. Take both from one training."
            )
        words = torch.nn.Embedding(rows, width, padding_idx=0)
        words.weight.requires_grad_(self.plan.train_words)
        return self.module(words, classes)

    @abstractmethod
    def module(self, words: torch.nn.Embedding, classes: int) -> torch.nn.Module:
        """Return the network over a first layer of word vectors, with fresh weights.

        Its ``forward`` takes what :meth:`batch` returns for the premises and for the hypotheses, then what
        :meth:`extra` returns; it keeps the first layer as its attribute ``words``.
        """

    def read(self, text: str) -> tuple[NDArray[np.int32], bool]:
        """Return the numbers of a text's words, and whether its end was cut."""
        import numpy as np

        numbers, cut = self.vocabulary.read_text(text, self.plan.longest)
        return np.array(numbers, dtype=np.int32), cut

    def batch(self, rows: Sequence[NDArray[np.int32]], device: torch.device) -> tuple[Any, ...]:
        """Return some texts, as :meth:`read` gave them, as the module takes them."""
        from nliprobe.models.zoo._texts import texts_batch

        return texts_batch(rows, device)

    def prepare(self, module: torch.nn.Module, inputs: Sequence[Input]) -> Prepared[WordPair]:
        """Return the numbers of the words; each distinct text is read once."""
        rows: dict[str, tuple[NDArray[np.int32], bool]] = {}
        for item in inputs:
            for text in (item.premise, item.hypothesis):
                if text not in rows:
                    rows[text] = self.read(text)
        both = [(rows[item.premise], rows[item.hypothesis]) for item in inputs]
        items = [WordPair(premise[0], hypothesis[0]) for premise, hypothesis in both]
        # Both texts are read at once, as wide as the longer one.
        sizes = [2 * max(len(item.premise), len(item.hypothesis)) for item in items]
        return Prepared(items, sizes, sum(premise[1] or hypothesis[1] for premise, hypothesis in both))

    def forward(self, module: torch.nn.Module, items: Sequence[WordPair], device: torch.device) -> torch.Tensor:
        """Return the scores of the classes."""
        scores: torch.Tensor = module(*self._given_to_module(items, device))
        return scores

    def states(self, module: torch.nn.Module, items: Sequence[WordPair], device: torch.device) -> torch.Tensor:
        """Return the last layer before the scores."""
        states: torch.Tensor = module.states(*self._given_to_module(items, device))  # type: ignore[operator,unused-ignore]
        return states

    def _given_to_module(self, items: Sequence[WordPair], device: torch.device) -> tuple[Any, ...]:
        premises = self.batch([item.premise for item in items], device)
        hypotheses = self.batch([item.hypothesis for item in items], device)
        return premises, hypotheses, *self.extra(items, device)

    def extra(self, items: Sequence[WordPair], device: torch.device) -> tuple[Any, ...]:
        """Return what the module reads besides the words of both texts."""
        return ()

    def embed(self, module: torch.nn.Module, texts: Sequence[str], device: torch.device) -> NDArray[np.float32]:
        """Return one vector per text, if the network encodes each text alone."""
        if not self.encodes:
            return super().embed(module, texts, device)
        import numpy as np

        if not texts:  # as wide as the vector of any text
            return self.embed(module, [""], device)[:0]
        rows = [self.read(text)[0] for text in texts]
        vectors: list[NDArray[np.float32]] = [np.empty(0, dtype=np.float32)] * len(rows)
        with answering(device, exact=self.exact):
            for chosen in batches([len(row) for row in rows], self.cpu_budget if device.type == "cpu" else _BUDGET):
                found = module.encode(self.batch([rows[place] for place in chosen], device))  # type: ignore[operator,unused-ignore]
                for place, vector in zip(chosen, found.float().cpu().numpy(), strict=True):
                    vectors[place] = vector
        return np.stack(vectors)

    def keep(self, module: torch.nn.Module, folder: Path) -> None:
        """Write the vocabulary."""
        self.vocabulary.keep(folder)

    @cached_property
    def _given(self) -> Vectors | None:
        return None if self.plan.vectors == "none" else find_vectors(self.plan.vectors)


def _table_shape(path: Path) -> tuple[int, int]:
    from safetensors import SafetensorError, safe_open

    try:
        with safe_open(path, framework="pt") as stream:
            rows, width = stream.get_slice("words.weight").get_shape()
    except (SafetensorError, OSError, ValueError) as error:
        raise DataError(
            f"{path} does not hold the weights of a network over words: {error}. Train it again."
        ) from error
    return int(rows), int(width)
