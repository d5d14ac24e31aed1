"""The artifacts of a corpus: which words, lengths and overlaps give the label away, before any model is asked."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple
from zlib import crc32

from nliprobe.analysis.artifacts.documents import (
    CORPUS_SCHEMA,
    FEATURES,
    BinnedPrediction,
    CorpusArtifacts,
    CorpusArtifactsDocument,
    FeatureBin,
    FeatureEntry,
    Quartiles,
)
from nliprobe.analysis.artifacts.texts import Texts, read_texts
from nliprobe.analysis.artifacts.words import LabelledTexts, WordChoice, label_words
from nliprobe.analysis.constant import best_constant
from nliprobe.analysis.scores import block_numbers, difference_ends, ends, share_interval
from nliprobe.task.pair import Pair
from nliprobe.task.source import PairSource

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

FOLDS = 5
# Enough to see a trend, and enough pairs per bin to believe it.
MOST_BINS = 6
# A label with fewer pairs has no word with an interval worth reading, and a handful of pairs per bin and fold.
FEW_PAIRS = 100


class _Read(NamedTuple):
    """The pairs of a corpus that have one gold label, and how many there are of the others."""

    kept: LabelledTexts
    masks: NDArray[np.uint8]
    folds: NDArray[np.int64]
    pairs: int
    unlabelled: int
    ambiguous: int


def artifacts_document(corpora: Sequence[PairSource], choice: WordChoice) -> CorpusArtifactsDocument:
    """Describe the artifacts of corpora.

    Args:
        corpora: the corpora.
        choice: how words are chosen.
    """
    return CorpusArtifactsDocument(
        schema=CORPUS_SCHEMA,
        top=choice.top,
        min_count=choice.min_count,
        smoothing=choice.smoothing,
        corpora=[corpus_artifacts(corpus, choice) for corpus in corpora],
    )


def corpus_artifacts(corpus: PairSource, choice: WordChoice) -> CorpusArtifacts:
    """Describe the artifacts of one corpus."""
    import numpy as np

    read = _read(corpus)
    kept, partition = read.kept, corpus.partition
    found = label_words(kept, choice)
    support = np.bincount(kept.labels, minlength=len(kept.names))
    present = int(np.count_nonzero(support))
    return CorpusArtifacts(
        name=corpus.name,
        partition=str(partition),
        pairs=read.pairs,
        unlabelled=read.unlabelled,
        ambiguous=read.ambiguous,
        n=len(kept.labels),
        groups=int(kept.clusters.max()) + 1 if len(kept.clusters) else 0,
        wordless=int((kept.texts.hypothesis_length == 0).sum()),
        support={name: int(n) for name, n in zip(kept.names, support, strict=True)},
        constant=best_constant(read.masks, partition),
        chance=1 / present if present else None,
        vocabulary=len(kept.texts.vocabulary),
        candidates=found.candidates,
        words=found.words,
        features={name: _feature(kept.texts.feature(name), kept, read.folds) for name in FEATURES if len(kept.labels)},
        notes=_notes(kept, support, found.candidates, choice),
    )


def _read(corpus: PairSource) -> _Read:
    import numpy as np

    partition = corpus.partition
    numbers_of = block_numbers(partition).tolist()
    labels: list[int] = []
    masks: list[int] = []
    clusters: list[int] = []
    folds: list[int] = []
    numbers: dict[str, int] = {}
    seen = {"pairs": 0, "unlabelled": 0, "ambiguous": 0}

    def counted(pair: Pair) -> bool:
        seen["pairs"] += 1
        if pair.gold is None or not pair.gold:
            seen["unlabelled"] += 1
            return False
        label = numbers_of[pair.gold.mask]
        if label == len(partition.blocks):
            seen["ambiguous"] += 1
            return False
        # A pair without a group is a group of its own.
        group = pair.group or f"pair {pair.id}"
        labels.append(label)
        masks.append(pair.gold.mask)
        clusters.append(numbers.setdefault(group, len(numbers)))
        # By name, so that the order of the pairs does not matter.
        folds.append(crc32(group.encode("utf-8", "surrogatepass")) % FOLDS)
        return True

    texts: Texts = read_texts((pair.premise, pair.hypothesis) for pair in corpus.pairs() if counted(pair))
    kept = LabelledTexts(
        texts,
        np.array(labels, dtype=np.int64),
        np.array(clusters, dtype=np.int64),
        tuple(str(block) for block in partition.blocks),
    )
    return _Read(kept, np.array(masks, dtype=np.uint8), np.array(folds, dtype=np.int64), **seen)


def _feature(values: NDArray[np.float64], pairs: LabelledTexts, folds: NDArray[np.int64]) -> FeatureEntry:
    import numpy as np

    from nliprobe.stats.binned import bin_numbers, quantile_edges

    edges = quantile_edges(values, MOST_BINS)
    bins = bin_numbers(values, edges)
    known = bins >= 0
    size = len(pairs.names)
    entries: list[FeatureBin] = []
    for number in range(len(edges)):
        inside = values[bins == number]
        counts = np.bincount(pairs.labels[bins == number], minlength=size)
        entries.append(
            FeatureBin(
                low=float(inside.min()),
                high=float(inside.max()),
                n=len(inside),
                labels={name: int(n) for name, n in zip(pairs.names, counts, strict=True)},
            )
        )
    by_label = {name: values[known & (pairs.labels == label)] for label, name in enumerate(pairs.names)}
    return FeatureEntry(
        labels={name: _quartiles(of_label) for name, of_label in by_label.items() if len(of_label)},
        bins=entries,
        prediction=_prediction(bins[known], pairs.labels[known], pairs.clusters[known], folds[known], size),
    )


def _quartiles(values: NDArray[np.float64]) -> Quartiles:
    import numpy as np

    low, median, high = (float(value) for value in np.quantile(values, [0.25, 0.5, 0.75]))
    return Quartiles(n=len(values), low=low, median=median, high=high)


def _prediction(
    bins: NDArray[np.int64],
    labels: NDArray[np.int64],
    clusters: NDArray[np.int64],
    folds: NDArray[np.int64],
    size: int,
) -> BinnedPrediction | None:
    """Guess the label from the bin, by the labels of the other folds; None with one label or one fold.

    The constant answer is the best one in hindsight: one chosen on the other folds would be wrong more often than
    chance where labels are balanced, and flatter every gain.
    """
    import numpy as np

    from nliprobe.stats.binned import cross_fitted

    if len(np.unique(folds)) < 2 or len(np.unique(labels)) < 2:
        return None
    right = cross_fitted(bins, labels, folds, size) == labels
    constant = labels == np.bincount(labels).argmax()
    n = len(labels)
    return BinnedPrediction(
        n=n,
        groups=len(np.unique(clusters)),
        folds=FOLDS,
        accuracy=int(right.sum()) / n,
        ci95=ends(share_interval(right, clusters)),
        constant=int(constant.sum()) / n,
        gain=(int(right.sum()) - int(constant.sum())) / n,
        gain_ci95=difference_ends(right, constant, clusters),
    )


def _notes(pairs: LabelledTexts, support: NDArray[np.int64], candidates: int, choice: WordChoice) -> list[str]:
    """Say what cannot be concluded, and why."""
    import numpy as np

    from nliprobe.stats.grouped import LEAST_GROUPS

    if not len(pairs.labels):
        return ["No pair has a gold label, so nothing can be associated with one."]
    present = [name for name, n in zip(pairs.names, support, strict=True) if n]
    notes: list[str] = []
    if len(present) == 1:
        notes.append(f"All pairs have the label {present[0]}: nothing can tell it from another one.")
    elif not candidates:
        notes.append(
            f"No word is in {choice.min_count} hypotheses or more: the corpus is too small, or the minimum too high."
        )
    few = [f"{name} ({n:,})" for name, n in zip(pairs.names, support, strict=True) if 0 < n < FEW_PAIRS]
    if few:
        notes.append(f"Too few pairs to conclude much, fewer than {FEW_PAIRS}: {', '.join(few)}.")
    groups = len(np.unique(pairs.clusters))
    if groups < min(len(pairs.labels), LEAST_GROUPS):
        notes.append(
            f"The pairs share {groups} groups (premises or tables), and an interval needs at least {LEAST_GROUPS}: "
            "no word can be shown to give a label away."
        )
    absent = [name for name, n in zip(pairs.names, support, strict=True) if not n]
    if absent and len(present) > 1:
        notes.append(f"No pair has the label {' or '.join(absent)}.")
    return notes
