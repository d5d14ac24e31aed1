"""The words of hypotheses that go with a label, and how sure that is."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from nliprobe.analysis.artifacts.documents import WordEntry
from nliprobe.analysis.artifacts.texts import Texts
from nliprobe.analysis.scores import ends

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

# Gururangan et al. (2018) list five words per label; twenty show the pattern and still fit on a screen.
TOP = 20
# A word in fewer hypotheses is an anecdote: the interval of 15 of 20 still begins at 53 %.
MIN_COUNT = 20
# The add-100 of Gururangan et al. (2018), which lets frequent words win over rare ones.
SMOOTHING = 100.0
# Words that are counted together.
_AT_ONCE = 1_000_000


class WordChoice(NamedTuple):
    """How words are chosen.

    Attributes:
        top: words per label, at most.
        min_count: in how many hypotheses a word must be.
        smoothing: how many pairs are added per word and label.
    """

    top: int = TOP
    min_count: int = MIN_COUNT
    smoothing: float = SMOOTHING


class LabelledTexts(NamedTuple):
    """Pairs with one gold label each.

    Attributes:
        texts: their texts.
        labels: the number of each pair's label.
        clusters: the number of each pair's group, from 0.
        names: what the numbers of labels stand for.
    """

    texts: Texts
    labels: NDArray[np.int64]
    clusters: NDArray[np.int64]
    names: tuple[str, ...]


class LabelWords(NamedTuple):
    """The words most associated with each label, and how many words were looked at."""

    words: dict[str, list[WordEntry]]
    candidates: int


def label_words(pairs: LabelledTexts, choice: WordChoice) -> LabelWords:
    """List the words of hypotheses that are most associated with each label; a word counts once per hypothesis.

    Args:
        pairs: the pairs; labels without a pair get no words.
        choice: how words are chosen.
    """
    import numpy as np

    from nliprobe.stats.association import pointwise_mutual_information

    size, vocabulary = len(pairs.names), pairs.texts.vocabulary
    totals = np.bincount(pairs.labels, minlength=size)
    if np.count_nonzero(totals) < 2 or not vocabulary:
        # With a single label there is nothing that a word could be associated with.
        return LabelWords({name: [] for name in pairs.names}, 0)
    counts = _count(pairs)
    candidates = np.flatnonzero(counts.sum(axis=1) >= choice.min_count)
    information = pointwise_mutual_information(counts[candidates], totals, choice.smoothing)
    family = max(1, len(candidates) * int(np.count_nonzero(totals)))
    top: list[list[int]] = []
    for label in range(size):
        places = [place for place in range(len(candidates)) if information[place, label] > 0]
        places.sort(key=lambda place: (-information[place, label], vocabulary[candidates[place]]))
        top.append(places[: choice.top])
    having = _Having(pairs.texts, candidates[sorted({place for places in top for place in places})])
    words = {
        name: [
            _entry(
                pairs, having, counts, totals, int(candidates[place]), label, float(information[place, label]), family
            )
            for place in top[label]
        ]
        for label, name in enumerate(pairs.names)
    }
    return LabelWords(words, len(candidates))


def _count(pairs: LabelledTexts) -> NDArray[np.int64]:
    """Count the hypotheses with each word, by label; not all at once, for a million of them have ten million words."""
    import numpy as np

    size, texts = len(pairs.names), pairs.texts
    counts = np.zeros(len(texts.vocabulary) * size, dtype=np.int64)
    for start in range(0, len(texts.words), _AT_ONCE):
        some = slice(start, start + _AT_ONCE)
        numbers = texts.words[some].astype(np.int64) * size + pairs.labels[texts.owners[some]]
        counts += np.bincount(numbers, minlength=len(counts))
    return counts.reshape(-1, size)


class _Having:
    """Finds the pairs whose hypothesis has one of the chosen words."""

    def __init__(self, texts: Texts, chosen: NDArray[np.int64]) -> None:
        import numpy as np

        wanted = np.zeros(len(texts.vocabulary), dtype=bool)
        wanted[chosen] = True
        kept = wanted[texts.words]
        self._words, self._owners = texts.words[kept], texts.owners[kept]

    def pairs(self, word: int) -> NDArray[np.int32]:
        owners: NDArray[np.int32] = self._owners[self._words == word]
        return owners


def _entry(
    pairs: LabelledTexts,
    having: _Having,
    counts: NDArray[np.int64],
    totals: NDArray[np.int64],
    word: int,
    label: int,
    information: float,
    family: int,
) -> WordEntry:
    import numpy as np

    from nliprobe.stats.grouped import group_sums, share_interval, simultaneous

    rows = having.pairs(word)
    _, clusters = np.unique(pairs.clusters[rows], return_inverse=True)
    count, with_label = len(rows), int(counts[word, label])
    interval = share_interval(*group_sums(pairs.labels[rows] == label, clusters))
    probability, expected = with_label / count, float(totals[label] / totals.sum())
    points = False
    if interval is not None:
        together = simultaneous(probability, interval, int(clusters.max()) + 1, family)
        points = together.low > expected
    return WordEntry(
        word=pairs.texts.vocabulary[word],
        pmi=information,
        count=count,
        with_label=with_label,
        share=with_label / int(totals[label]),
        probability=probability,
        ci95=ends(interval),
        points=points,
    )
