"""How far the label of each pair can be guessed from its hypothesis alone, by an ensemble that never saw the pair.

Every pair is guessed by classifiers that learnt from other pairs: from those of the other folds, where pairs that share
a premise, a table or a caption are in one fold, or from other corpora. Scores depend on the pairs and the seed alone,
not on the order of the pairs.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from nliprobe.base.errors import DataError
from nliprobe.base.hashing import digest
from nliprobe.task.labels import LETTERS, LabelSet, Partition
from nliprobe.task.pair import Pair
from nliprobe.task.same_texts import same_texts
from nliprobe.task.source import PairSource
from nliprobe.training.folds import deal_folds, fold_groups
from nliprobe.training.guessers import MEMBERS, Features, features, guess

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Codes = NDArray[np.int64]
    Shares = NDArray[np.float64]

FOLDS = 5
# With fewer pairs of a label than this the guesses say more about the few pairs than about hypotheses.
LEAST_PAIRS = 20
UNLABELLED, OPEN, EMPTY = "no gold label", "a gold label that leaves several open", "an empty hypothesis"

Progress = Callable[[int, int], None]


class Guess(NamedTuple):
    """How the label of one pair is guessed.

    Attributes:
        pair_id: the pair.
        group: what it shares with the pairs of its fold.
        gold: its label.
        answer: the label that the members find most likely together.
        score: the mean probability that they give the gold label.
        right: which members find the gold label most likely.
    """

    pair_id: str
    group: str
    gold: LabelSet
    answer: LabelSet
    score: float
    right: tuple[bool, ...]

    @property
    def guessable(self) -> bool:
        """Whether the ensemble's answer is the gold label."""
        return self.answer == self.gold


class Training(NamedTuple):
    """What the ensemble learnt from, if that is not the corpus itself.

    Attributes:
        corpora: their names.
        pairs: how many pairs were learnt from.
        shared: pairs left out because the corpus has the same premise and hypothesis.
        other: pairs left out because the corpus has no pair with their label.
        skipped: pairs left out for other reasons.
    """

    corpora: tuple[str, ...]
    pairs: int
    shared: int
    other: int
    skipped: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Guessability:
    """The guesses about a corpus.

    Attributes:
        corpus: its name.
        pairs: how many pairs it has.
        labels: the labels that occur, in the order E, N, C.
        guesses: one per pair that has a label, in the order of the corpus.
        skipped: pairs without a guess, by reason.
        folds: how many folds, or None if the ensemble learnt elsewhere.
        training: what it learnt from elsewhere, or None.
        seed: of folds and training.
    """

    corpus: str
    pairs: int
    labels: tuple[LabelSet, ...]
    guesses: tuple[Guess, ...]
    skipped: Mapping[str, int]
    folds: int | None
    training: Training | None
    seed: int


class _Lesson(NamedTuple):
    """A hypothesis to learn from: its place in the order of learning, its text and the number of its label."""

    place: str
    hypothesis: str
    label: int


class _Usable(NamedTuple):
    """The pairs that can be guessed or learnt from, with their label in the partition that is compared."""

    pairs: list[Pair]
    golds: list[LabelSet]
    skipped: Counter[str]


def guessability(
    source: PairSource,
    train: Sequence[PairSource] = (),
    *,
    folds: int = FOLDS,
    seed: int = 0,
    progress: Progress = lambda done, total: None,
) -> Guessability:
    """Measure how far the label of each pair can be guessed from its hypothesis.

    Args:
        source: the pairs.
        train: what the ensemble learns from; without it, the pairs of the other folds.
        folds: how many folds.
        seed: of folds and training.
        progress: is told how many of how many steps are done.
    """
    partition = source.partition
    for other in train:
        partition = partition.join(other.partition)
    every = list(source.pairs())
    usable = _usable(every, partition)
    labels = tuple(sorted(set(usable.golds), key=lambda gold: LETTERS.index(str(gold)[0])))
    if len(labels) < 2:
        names = f"only {labels[0]}" if labels else "none"
        raise DataError(f"{source.name}: there is nothing to guess: of two or more labels, the pairs have {names}.")
    # In an order that depends on ids alone, because the members learn from one pair after the other.
    order = sorted(range(len(usable.pairs)), key=lambda place: digest(str(seed), usable.pairs[place].id))
    codes = {gold: number for number, gold in enumerate(labels)}
    steps = _Steps(progress, len(MEMBERS) * (1 if train else folds))
    if train:
        shares, training = _from_elsewhere(usable, order, train, partition, codes, seed, source.name, steps)
    else:
        shares, training = _cross_validated(usable, order, codes, folds, seed, source.name, steps), None
    guesses = _guesses(usable, shares, labels, codes)
    skipped = {reason: number for reason, number in usable.skipped.items() if number}
    return Guessability(source.name, len(every), labels, guesses, skipped, None if train else folds, training, seed)


class _Steps:
    """Counts the members that have been trained."""

    def __init__(self, progress: Progress, total: int) -> None:
        self._progress, self._total, self._done = progress, total, 0
        progress(0, total)

    def advance(self) -> None:
        self._done += 1
        self._progress(self._done, self._total)


def _usable(pairs: Iterable[Pair], partition: Partition) -> _Usable:
    usable = _Usable([], [], Counter())
    for pair in pairs:
        gold = None if pair.gold is None else partition.coarsen(pair.gold)
        if gold is None:
            usable.skipped[UNLABELLED] += 1
        elif gold not in partition.blocks:
            usable.skipped[OPEN] += 1
        elif not pair.hypothesis.strip():
            usable.skipped[EMPTY] += 1
        else:
            usable.pairs.append(pair)
            usable.golds.append(gold)
    return usable


def _cross_validated(
    usable: _Usable,
    order: Sequence[int],
    codes: Mapping[LabelSet, int],
    folds: int,
    seed: int,
    name: str,
    steps: _Steps,
) -> Shares:
    """Return the probabilities that each member gives each pair from the other folds: members, pairs, labels."""
    import numpy as np

    counts = Counter(usable.golds)
    _require_enough(
        {gold: counts[gold] for gold in codes}, f"{name} has", "Train the ensemble on another corpus (--train)."
    )
    groups = fold_groups(usable.pairs)
    fold_of = deal_folds(groups, folds, seed)
    if len(fold_of) < folds:
        raise DataError(
            f"{name}: its pairs share {len(fold_of)} premises, too few for {folds} folds of pairs that do not. "
            "Train the ensemble on another corpus (--train)."
        )
    labels = np.array([codes[usable.golds[place]] for place in order], dtype=np.int64)
    fold = np.array([fold_of[groups[place]] for place in order], dtype=np.int64)
    texts = [usable.pairs[place].hypothesis for place in order]
    # Which words there are is read from all texts, but nothing about their labels.
    described = features(texts, texts)
    shares = np.zeros((len(MEMBERS), len(order), len(codes)))
    for number in range(folds):
        asked = fold == number
        if len(np.unique(labels[~asked])) < 2:
            raise DataError(f"{name}: without the pairs of one fold, all others have one label. Use fewer folds.")
        learnt, rest = described.rows(~asked), described.rows(asked)
        for place in range(len(MEMBERS)):
            shares[place, asked] = guess(MEMBERS[place], learnt, labels[~asked], rest, len(codes), seed)
            steps.advance()
    return _unsorted(shares, order)


def _from_elsewhere(
    usable: _Usable,
    order: Sequence[int],
    train: Sequence[PairSource],
    partition: Partition,
    codes: Mapping[LabelSet, int],
    seed: int,
    name: str,
    steps: _Steps,
) -> tuple[Shares, Training]:
    """Return the same, from pairs of other corpora, and what was learnt from."""
    import numpy as np

    held = {same_texts(pair) for pair in usable.pairs}
    lessons: list[_Lesson] = []
    shared = other = 0
    skipped: Counter[str] = Counter()
    for source in train:
        part = _usable(source.pairs(), partition)
        skipped += part.skipped
        for pair, gold in zip(part.pairs, part.golds, strict=True):
            if gold not in codes:
                other += 1
            elif same_texts(pair) in held:
                shared += 1
            else:
                lessons.append(_Lesson(digest(str(seed), pair.id), pair.hypothesis, codes[gold]))
    names = tuple(source.name for source in train)
    counts = Counter(lesson.label for lesson in lessons)
    hint = f"{shared:,} pairs are also in {name} and not learnt from." if shared else "Name a larger corpus."
    _require_enough({gold: counts[code] for gold, code in codes.items()}, f"{', '.join(names)} can teach", hint)
    lessons.sort()
    labels = np.array([lesson.label for lesson in lessons], dtype=np.int64)
    known = [lesson.hypothesis for lesson in lessons]
    learnt: Features = features(known, known)
    asked = features([usable.pairs[place].hypothesis for place in order], known)
    shares = np.zeros((len(MEMBERS), len(order), len(codes)))
    for place, member in enumerate(MEMBERS):
        shares[place] = guess(member, learnt, labels, asked, len(codes), seed)
        steps.advance()
    return _unsorted(shares, order), Training(names, len(lessons), shared, other, dict(skipped))


def _require_enough(counts: Mapping[LabelSet, int], what: str, hint: str) -> None:
    if min(counts.values()) < LEAST_PAIRS:
        shown = ", ".join(f"{label} {number:,}" for label, number in counts.items())
        raise DataError(
            f"{what} too few pairs to tell how far labels can be guessed ({shown}): at least {LEAST_PAIRS} per label "
            f"are needed. {hint}"
        )


def _unsorted(shares: Shares, order: Sequence[int]) -> Shares:
    import numpy as np

    back = np.empty_like(shares)
    back[:, np.array(order, dtype=np.int64)] = shares
    return back


def _guesses(
    usable: _Usable, shares: Shares, labels: Sequence[LabelSet], codes: Mapping[LabelSet, int]
) -> tuple[Guess, ...]:
    import numpy as np

    gold = np.array([codes[label] for label in usable.golds], dtype=np.int64)
    mean = shares.mean(axis=0)
    answers = mean.argmax(axis=1)
    scores = mean[np.arange(len(gold)), gold]
    right = shares.argmax(axis=2) == gold
    return tuple(
        Guess(
            pair.id,
            pair.group or pair.id,
            usable.golds[place],
            labels[int(answers[place])],
            float(scores[place]),
            tuple(bool(each) for each in right[:, place]),
        )
        for place, pair in enumerate(usable.pairs)
    )
