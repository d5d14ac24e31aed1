"""``small``: a real network in the package, decomposable attention answered with numpy alone."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import ClassVar

from nliprobe.base.hashing import digest
from nliprobe.models import MODELS
from nliprobe.models._small_files import FOLDER, at_home, digests, read
from nliprobe.models._small_network import SmallNetwork
from nliprobe.models.base import Model
from nliprobe.models.batches import cut_note
from nliprobe.models.vocabulary import EMPTY, Vocabulary
from nliprobe.task.case import Input, Prediction
from nliprobe.task.labels import C, E, N

# Texts are cut after so many tokens; hardly a sentence is longer, but a table may be.
LONGEST = 256
CLASSES = (E, N, C)


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
        return digest("small", str(LONGEST), *(part for item in digests(FOLDER).items() for part in item))

    def check(self) -> None:
        """Raise an error if a file of the package is missing or damaged."""
        read(FOLDER)

    def predict(self, inputs: Sequence[Input]) -> list[Prediction]:
        """Return the most probable label of each input, with the probabilities of all three."""
        vocabulary, full, without_premise = self._loaded
        texts: dict[str, tuple[list[int], bool]] = {}

        def numbers(text: str) -> list[int]:
            if text not in texts:
                texts[text] = vocabulary.read_text(text, LONGEST)
            return texts[text][0]

        both = [(item.premise, item.hypothesis) for item in inputs]
        premises, hypotheses = [numbers(one) for one, _ in both], [numbers(two) for _, two in both]
        self._asked += len(inputs)
        self._cut += sum(texts[one][1] or texts[two][1] for one, two in both)
        shares: list[list[float]] = [[]] * len(inputs)
        for network, blind in ((full, False), (without_premise, True)):
            asked = [place for place, premise in enumerate(premises) if (premise == [EMPTY]) == blind]
            rows = network.probabilities([premises[place] for place in asked], [hypotheses[place] for place in asked])
            for place, row in zip(asked, rows, strict=True):
                shares[place] = row
        return [Prediction(CLASSES[row.index(max(row))], (row[0], row[1], row[2])) for row in shares]

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
