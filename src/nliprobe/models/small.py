"""``small``: a real network in the package, decomposable attention answered with numpy alone."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from nliprobe.base.hashing import digest
from nliprobe.models import MODELS
from nliprobe.models._small_files import FOLDER, at_home, known_digests, read
from nliprobe.models._small_network import SmallNetwork
from nliprobe.models.base import Model
from nliprobe.models.batches import cut_note
from nliprobe.models.vocabulary import EMPTY, Vocabulary
from nliprobe.task.case import Input, Prediction
from nliprobe.task.labels import C, E, N

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

# Texts are cut after so many tokens; hardly a sentence is longer, but a table may be.
LONGEST = 256
CLASSES = (E, N, C)


class _Numbers(NamedTuple):
    """Inputs as numbers of words, and how many of them were cut."""

    premises: list[list[int]]
    hypotheses: list[list[int]]
    cut: int

    def some(self, places: Sequence[int]) -> tuple[list[list[int]], list[list[int]]]:
        """Return premises and hypotheses at some places."""
        return [self.premises[place] for place in places], [self.hypotheses[place] for place in places]


@MODELS.register("small")
class Small(Model):
    """A network of 4 MB that comes with nliprobe and needs neither torch nor a download.

    It is decomposable attention (Parikh et al. 2016), trained on sentence pairs of SNLI and MultiNLI. An input without
    premise is answered by a twin over the same word vectors that learnt from hypotheses alone: ``small?premise=none``
    is therefore an honest control, and not a network that is asked something it has never seen.
    ``scripts/build_small.py`` makes both.
    """

    batch: ClassVar[int] = 8192
    counted: ClassVar[tuple[str, ...]] = ("_asked", "_cut")

    def __init__(self) -> None:
        self._asked = self._cut = 0

    def fingerprint(self) -> str:
        """Return a hash of words and weights."""
        return digest("small", str(LONGEST), *(part for item in known_digests(FOLDER).items() for part in item))

    def check(self) -> None:
        """Raise an error if a file of the package is missing or damaged."""
        read(FOLDER)

    def predict(self, inputs: Sequence[Input]) -> list[Prediction]:
        """Return the most probable label of each input, with the probabilities of all three."""
        read = self._read(inputs)
        self._asked += len(inputs)
        self._cut += read.cut
        shares: list[list[float]] = [[]] * len(inputs)
        for network, asked in self._askers(read):
            rows = network.probabilities(*read.some(asked))
            for place, row in zip(asked, rows, strict=True):
                shares[place] = row
        return [Prediction(CLASSES[row.index(max(row))], (row[0], row[1], row[2])) for row in shares]

    def embed_pairs(self, inputs: Sequence[Input]) -> NDArray[np.float32]:
        """Return the last layer before the scores for each input.

        The network and its twin without premise have places of their own, since their layers have nothing in common:
        two inputs of which only one has a premise are never near each other.
        """
        import numpy as np

        read = self._read(inputs)
        askers = self._askers(read)
        vectors = np.zeros((len(inputs), sum(network.width for network, _ in askers)), dtype=np.float32)
        start = 0
        for network, asked in askers:
            if asked:
                vectors[asked, start : start + network.width] = network.states(*read.some(asked))
            start += network.width
        return vectors

    def _read(self, inputs: Sequence[Input]) -> _Numbers:
        vocabulary = self._loaded[0]
        texts: dict[str, tuple[list[int], bool]] = {}
        for item in inputs:
            for text in (item.premise, item.hypothesis):
                if text not in texts:
                    texts[text] = vocabulary.read_text(text, LONGEST)
        both = [(texts[item.premise], texts[item.hypothesis]) for item in inputs]
        return _Numbers([one[0] for one, _ in both], [two[0] for _, two in both], sum(a[1] or b[1] for a, b in both))

    def _askers(self, read: _Numbers) -> list[tuple[SmallNetwork, list[int]]]:
        """Return both networks with the places of the inputs that each reads."""
        _, full, without_premise = self._loaded
        blind = [premise == [EMPTY] for premise in read.premises]
        return [
            (full, [place for place, nothing in enumerate(blind) if not nothing]),
            (without_premise, [place for place, nothing in enumerate(blind) if nothing]),
        ]

    def notes(self) -> list[str]:
        """Return how good it is on its own test set, to be read beside its other results, and how much was cut."""
        home = at_home(FOLDER)
        return [
            f"It learnt from SNLI and MultiNLI. On SNLI's test set it gets {home.full} of the pairs right, without the "
            f"premise {home.without_premise}, where a constant answer gets {home.constant}.",
            *cut_note(self._cut, self._asked),
        ]

    @cached_property
    def _loaded(self) -> tuple[Vocabulary, SmallNetwork, SmallNetwork]:
        files = read(FOLDER)
        return files.vocabulary, SmallNetwork(files.full), SmallNetwork(files.without_premise)
