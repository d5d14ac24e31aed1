"""What is counted of the texts of pairs, as columns of numbers: words of hypotheses, lengths, overlap."""

from __future__ import annotations

from array import array
from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

from nliprobe.analysis.artifacts.documents import Feature
from nliprobe.language.script_words import script_words
from nliprobe.task.pair import Premise
from nliprobe.task.table import Table

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class Texts(NamedTuple):
    """The texts of pairs as numbers, in the order of the pairs.

    Attributes:
        vocabulary: the distinct words of all hypotheses; the place of a word is its number.
        words: the numbers of the distinct words of each hypothesis, one hypothesis after another.
        owners: the number of the pair that each of these belongs to.
        hypothesis_length: words per hypothesis, repeated ones counted.
        premise_length: words per premise; of a table those of its title, header, keys and values.
        overlap: the share of the distinct words of the hypothesis that the premise has, NaN without a word.
    """

    vocabulary: tuple[str, ...]
    words: NDArray[np.int32]
    owners: NDArray[np.int32]
    hypothesis_length: NDArray[np.float64]
    premise_length: NDArray[np.float64]
    overlap: NDArray[np.float64]

    @property
    def n(self) -> int:
        """How many pairs there are."""
        return len(self.overlap)

    def where(self, chosen: NDArray[np.bool_]) -> Texts:
        """Return the texts of some pairs only, given a mark per pair; the vocabulary stays."""
        import numpy as np

        if chosen.all():
            return self
        kept = chosen[self.owners]
        return Texts(
            self.vocabulary,
            self.words[kept],
            (np.cumsum(chosen, dtype=np.int32) - 1)[self.owners[kept]],
            self.hypothesis_length[chosen],
            self.premise_length[chosen],
            self.overlap[chosen],
        )

    def feature(self, name: Feature) -> NDArray[np.float64]:
        """Return one of the numbers of each pair."""
        if name == "overlap":
            return self.overlap
        return self.hypothesis_length if name == "hypothesis_length" else self.premise_length


class _PremiseWords(NamedTuple):
    length: int
    distinct: frozenset[str]


def read_texts(pairs: Iterable[tuple[Premise, str]]) -> Texts:
    """Count the words of premises and hypotheses."""
    import numpy as np

    numbers: dict[str, int] = {}
    # A million hypotheses have some ten million words, which take 8 times as much memory in lists.
    words, sizes = array("i"), array("i")
    lengths, premise_lengths, overlaps = array("d"), array("d"), array("d")
    last: Premise | None = None
    known = _PremiseWords(0, frozenset())
    for premise, hypothesis in pairs:
        # Pairs of one premise are mostly consecutive, so only the last premise is worth keeping.
        if last is None or (premise is not last and premise != last):
            last, known = premise, _premise_words(premise)
        written = script_words(hypothesis)
        distinct = dict.fromkeys(written)
        words.extend([numbers.setdefault(word, len(numbers)) for word in distinct])
        sizes.append(len(distinct))
        lengths.append(len(written))
        premise_lengths.append(known.length)
        shared = sum(word in known.distinct for word in distinct)
        overlaps.append(shared / len(distinct) if distinct else float("nan"))
    return Texts(
        tuple(numbers),
        np.frombuffer(words, dtype=np.int32),
        np.repeat(np.arange(len(sizes), dtype=np.int32), np.frombuffer(sizes, dtype=np.int32)),
        np.frombuffer(lengths),
        np.frombuffer(premise_lengths),
        np.frombuffer(overlaps),
    )


def _premise_words(premise: Premise) -> _PremiseWords:
    written = script_words(" ".join(premise.texts) if isinstance(premise, Table) else premise)
    return _PremiseWords(len(written), frozenset(written))
