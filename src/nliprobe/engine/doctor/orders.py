"""Which order of its labels suits a system's answers best, and whether that is evidence against the declared one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import permutations
from math import factorial
from typing import NamedTuple

from nliprobe.stats.binomial import binomial_tail
from nliprobe.task.labels import NAMES, LabelMap, LabelSet, Partition
from nliprobe.task.pair import Pair

# An order is called wrong if another one makes this share of the answers right, all labels weighted alike, …
GOOD = 0.65
# … that much more than the declared one …
CLEARLY = 0.25
# … and if neither guessing nor an equally good declared order would give such answers more often than this, however
# many orders are tried. docs/guide/doctor.md has the simulation.
LEVEL = 0.005
# Right answers that guessing gives more often than this do not show that a system's labels are in order.
WEAK = 0.05

Meaning = Mapping[LabelSet, LabelSet]


class Order(NamedTuple):
    """How well the declared order of the labels and the best one explain the answers.

    Attributes:
        n: labelled pairs.
        declared: right answers in the declared order.
        best: right answers in the best order.
        meaning: what each label means in the best order.
        guessed: the best constant answer's share of right answers, which no guessing exceeds on average.
        share_declared: the share of right answers in the declared order, labels weighted alike.
        share_best: the same in the best order.
        p_chance: how often guessing gives so many right answers in any other order.
        p_declared: how often the best order would be so much better if the declared one were as good.
    """

    n: int
    declared: int
    best: int
    meaning: Meaning
    guessed: float
    share_declared: float
    share_best: float
    p_chance: float
    p_declared: float

    @property
    def is_wrong(self) -> bool:
        """Whether another order is so much better, on such evidence, that the declared one must be a mistake."""
        clear = self.share_best >= GOOD and self.share_best - self.share_declared >= CLEARLY
        return clear and self.p_chance <= LEVEL and self.p_declared <= LEVEL

    @property
    def is_weak(self) -> bool:
        """Whether the answers do not show that the declared order is right."""
        return self.best > self.declared or binomial_tail(self.declared, self.n, self.guessed) > WEAK


class _Cell(NamedTuple):
    """A kind of answer to a kind of pair, which is counted; both are coarsened to blocks of the partition."""

    answer: LabelSet
    gold: LabelSet


def best_order(pairs: Sequence[Pair], answers: Sequence[LabelSet | None], partition: Partition) -> Order:
    """Find the order of a system's labels under which most answers are right, by trying all.

    Two exact tests say whether it is really better. The first compares it with guessing: whatever labels a system
    prefers, its guesses are right no more often than the best constant answer, and the tail of the binomial
    distribution bounds the rest. The second compares it with the declared order on the pairs that only one of the two
    makes right (the sign test). Both are corrected for the number of orders that are tried (Bonferroni).
    """
    # A corpus has many pairs and few labels, so equal ones are counted before they are looked at.
    kinds = Counter((answer, pair.gold) for pair, answer in zip(pairs, answers, strict=True) if pair.gold is not None)
    return _order_of(frozenset(kinds.items()), partition)


@lru_cache(maxsize=65_536)  # most systems of a simulation answer like one before
def _order_of(kinds: frozenset[tuple[tuple[LabelSet | None, LabelSet], int]], partition: Partition) -> Order:
    blocks = partition.blocks
    counts: Counter[_Cell] = Counter()
    sizes: Counter[LabelSet] = Counter()
    for (answer, gold), number in kinds:
        sizes[partition.coarsen(gold)] += number
        if answer:
            counts[_Cell(partition.coarsen(answer), partition.coarsen(gold))] += number
    n = sizes.total()
    guessed = max(sum(size for gold, size in sizes.items() if block <= gold) for block in blocks) / n if n else 0.0
    as_declared: Meaning = dict(zip(blocks, blocks, strict=True))
    declared = _right(counts, as_declared)
    best, meaning = declared, as_declared
    for order in permutations(blocks):
        other: Meaning = dict(zip(blocks, order, strict=True))
        right = _right(counts, other)
        if right.total() > best.total():
            best, meaning = right, other
    tried = factorial(len(blocks)) - 1
    only_best = sum(number for cell, number in best.items() if cell not in declared)
    only_declared = sum(number for cell, number in declared.items() if cell not in best)
    return Order(
        n,
        declared.total(),
        best.total(),
        meaning,
        guessed,
        _share(declared, sizes),
        _share(best, sizes),
        min(1.0, tried * binomial_tail(best.total(), n, guessed)),
        min(1.0, tried * binomial_tail(only_best, only_best + only_declared, 0.5)),
    )


def _right(counts: Counter[_Cell], meaning: Meaning) -> Counter[_Cell]:
    """Return the answers that are right if each label of the system means what ``meaning`` says."""
    right = {cell: number for cell, number in counts.items() if meaning.get(cell.answer, cell.answer) <= cell.gold}
    return Counter(right)


def _share(right: Counter[_Cell], sizes: Counter[LabelSet]) -> float:
    """Return the mean over gold labels of the share of right answers."""
    by_gold: Counter[LabelSet] = Counter()
    for cell, number in right.items():
        by_gold[cell.gold] += number
    return sum(by_gold[gold] / size for gold, size in sizes.items()) / len(sizes) if sizes else 0.0


def corrected_map(declared: str, meaning: Meaning) -> str:
    """Return the corrected label map, written as the user would write it.

    >>> swapped = {LabelSet.of("E"): LabelSet.of("C"), LabelSet.of("C"): LabelSet.of("E")}
    >>> corrected_map("contradiction,entailment,neutral", swapped)
    'entailment,contradiction,neutral'
    """
    if not declared:
        return ";".join(f"{_name(answer)}:{_name(label)}" for answer, label in meaning.items())
    codes = LabelMap.parse(declared).codes
    fixed = {code: meaning.get(label, label) for code, label in codes.items()}
    if ":" in declared:
        return ";".join(f"{code}:{_name(label)}" for code, label in fixed.items())
    return ",".join(_name(fixed[str(index)]) for index in range(len(fixed)))


def _name(labels: LabelSet) -> str:
    return NAMES[str(labels)] if len(labels) == 1 else "not_entailment"
