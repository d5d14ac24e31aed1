"""The examination of a system: the order of its labels, its habits, and whether the answers are steady.

A permuted label map is the most common silent failure of the field: accuracy falls from 84 % to 7 %. Some obvious
pairs, the same number for each label, show it at once, because a good model answers them right under only one order of
its labels.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import islice
from typing import NamedTuple

from nliprobe.base.errors import ModelError, option
from nliprobe.base.seeds import draws
from nliprobe.engine.ask import Caches
from nliprobe.engine.doctor.habits import Asked, Label, habits
from nliprobe.engine.doctor.interview import Interview
from nliprobe.engine.doctor.orders import best_order, corrected_map
from nliprobe.engine.doctor.pairs import (
    SENTENCES,
    TABLES,
    first_pairs,
    kind_of,
    more_pairs,
    other_premise,
    spread,
)
from nliprobe.engine.doctor.steadiness import unsteady
from nliprobe.models.system import System
from nliprobe.represent.controls import Control
from nliprobe.represent.reader import Reader
from nliprobe.store.verdict import Verdict
from nliprobe.task.case import Input, Prediction
from nliprobe.task.labels import LabelSet, Partition
from nliprobe.task.pair import Pair
from nliprobe.task.source import PairSource, Pool

# Pairs that are asked with another premise: three answers that differ from the rest are enough to be no chance.
TURNED = 15
# Labelled pairs on which a file of answers is checked; with this many a wrong order is noticed.
_SAMPLE = 300
# Pairs that are read to draw them; more would only take time.
_LOOKED_AT = 250_000


def examine_system(
    system: System,
    sources: Sequence[PairSource],
    prepare: Callable[[System], None],
    caches: Caches,
    training: Sequence[PairSource] = (),
) -> Verdict:
    """Examine one system; answers known already are not asked for again.

    Args:
        system: whom to examine.
        sources: the corpora it will be asked about.
        prepare: trains or loads its model.
        caches: the answers that systems have given before.
        training: what it learns from.
    """
    if system.model.keyed:
        # A second copy answers, because the first counts which of its answers are used, and these do not count.
        asked = system.again()
        return examine_file(Interview(asked, None, prepare), _sample(sources, asked.reader, asked.model.partition))
    if system.spec.control is not Control.FULL:
        return Verdict("not asked", findings=("It does not see the premise, so its answers show nothing.",))
    if system.model.trainable:
        # What it learns decides how finely it tells labels apart.
        prepare(system)
    interview = Interview(system, caches.of(system), prepare)
    kind = kind_of(training if system.model.trainable else sources)
    if kind is not None:
        return examine(interview, kind)
    try:
        return examine(interview, SENTENCES)
    except ModelError as error:
        # It may read nothing but tables.
        try:
            return examine(interview, TABLES)
        except ModelError:
            raise error from None


def refuse_permuted(system: System, verdict: Verdict) -> None:
    """Refuse a system with labels in the wrong order, and name the right one."""
    if verdict.status == "permuted":
        raise ModelError(
            f"The doctor stops {system.name}. {verdict.findings[0]} Say labels={verdict.labels} in the system, "
            f"or keep the order as it is with {option('labels')}."
        )


def examine_file(interview: Interview, sample: Sequence[Pair]) -> Verdict:
    """Judge answers that are looked up by labelled pairs of the corpus: no others are known."""
    if not sample:
        return Verdict("not asked", findings=("Its answers are looked up, and no labelled pair is at hand.",))
    answers = interview.ask([interview.system.reader.read_pair(pair) for pair in sample])
    verdict = _judge(sample, [answer.label for answer in answers], interview.system, "labelled pairs")
    return replace(verdict, asked=interview.asked, premises="corpus")


def examine(interview: Interview, kind: str = SENTENCES) -> Verdict:
    """Ask a system about obvious pairs, and return what its answers show.

    More pairs are asked only if another order of the labels fits the first answers better than the declared one.

    Args:
        interview: asks the system.
        kind: whether premises are ``sentences`` or ``tables``.
    """
    system, partition = interview.system, interview.system.model.partition
    read = system.reader.read_pair
    answered: list[Answered] = []

    def ask(pairs: Sequence[Pair]) -> list[Label]:
        inputs = [read(pair) for pair in pairs]
        answered.append(Answered(pairs, inputs, interview.ask(inputs)))
        return answered[-1].labels

    judged = ask_until_clear(ask, partition, kind, doubt=not _learnt_here(system))
    verdict = _judge(judged.pairs, judged.labels, system, "unmistakable pairs")
    pairs, inputs, answers = answered[0]
    places = spread(range(len(pairs)), TURNED)
    others = interview.ask([read(other_premise(pairs, place)) for place in places])
    turned = [(answers[place].label, other.label) for place, other in zip(places, others, strict=True)]
    named = [
        *habits(Asked(inputs, [pair.group for pair in pairs], answered[0].labels), turned),
        *unsteady(interview, inputs, answers),
    ]
    return replace(
        verdict,
        findings=(*verdict.findings, *(habit.finding for habit in named)),
        asked=interview.asked,
        premises=kind,
        habits=tuple(habit.name for habit in named),
    )


class Answered(NamedTuple):
    """Pairs as they were asked, and the answers to them."""

    pairs: Sequence[Pair]
    inputs: Sequence[Input]
    answers: Sequence[Prediction]

    @property
    def labels(self) -> list[Label]:
        """The labels that were given."""
        return [answer.label for answer in self.answers]


class Judged(NamedTuple):
    """The pairs that decide about the order of labels, and the labels they were given."""

    pairs: Sequence[Pair]
    labels: Sequence[Label]


def ask_until_clear(
    ask: Callable[[Sequence[Pair]], list[Label]], partition: Partition, kind: str = SENTENCES, *, doubt: bool = True
) -> Judged:
    """Ask the first pairs, and more of them if another order of the labels fits the answers better.

    Args:
        ask: returns the labels that a system gives to pairs.
        partition: how finely it tells labels apart.
        kind: whether premises are ``sentences`` or ``tables``.
        doubt: whether its labels can be in another order at all.
    """
    pairs = first_pairs(partition, kind)
    labels = ask(pairs)
    order = best_order(pairs, labels, partition)
    if not doubt or order.best == order.declared:
        return Judged(pairs, labels)
    more = more_pairs(partition, kind)
    return Judged((*pairs, *more), [*labels, *ask(more)])


def _learnt_here(system: System) -> bool:
    """Tell whether nliprobe has trained the model: then its labels are in the order of those it learnt."""
    return system.model.trainable or system.model.learnt_view is not None


def _judge(pairs: Sequence[Pair], labels: Sequence[Label], system: System, what: str) -> Verdict:
    """Return the verdict on the order of the labels."""
    partition, order = system.model.partition, best_order(pairs, labels, system.model.partition)
    verdict = Verdict("ok", order.declared, order.n, partition=str(partition))
    if order.is_wrong and not _learnt_here(system):
        right = corrected_map(system.spec.labels, order.meaning)
        finding = (
            f"Its labels are in another order than declared: it answers {order.declared} of {order.n} {what} right, "
            f"and {order.best} with labels={right}."
        )
        return replace(verdict, status="permuted", labels=right, right_then=order.best, findings=(finding,))
    if order.is_weak:
        finding = (
            f"It answers {order.declared} of {order.n} {what} right, and a constant answer "
            f"{round(order.guessed * order.n)}"
        )
        finding += "." if _learnt_here(system) else ": too few to tell whether its labels are in order."
        return replace(verdict, status="weak", findings=(finding,))
    return verdict


def _sample(sources: Sequence[PairSource], reader: Reader, partition: Partition) -> list[Pair]:
    """Draw labelled pairs of the first corpus that tells all labels of a system apart, and prepare the reader for it.

    Each label has the same number of pairs, drawn from the whole corpus: its first pairs may all be of one kind.
    """
    for source in sources:
        if _tells_apart(source.partition, partition):
            reader.enter(Pool.of(source) if reader.needs_pool else None)
            return _of_each_label(source, partition)
    return []


def _tells_apart(corpus: Partition, system: Partition) -> bool:
    """Tell whether every gold label of a corpus belongs to one block of a system at most, and every block has some."""
    inside = all(any(gold <= block for block in system.blocks) or not gold & system.labels for gold in corpus.blocks)
    return inside and all(block & corpus.labels for block in system.blocks)


def _of_each_label(source: PairSource, partition: Partition) -> list[Pair]:
    """Draw a sample with one reservoir per block of the partition, from at most ``_LOOKED_AT`` pairs."""
    random = draws(0, "doctor", source.name)
    reservoirs: dict[LabelSet, list[Pair]] = {block: [] for block in partition.blocks}
    seen = dict.fromkeys(partition.blocks, 0)
    for pair in islice(source.pairs(), _LOOKED_AT):
        block = partition.coarsen(pair.gold) if pair.gold is not None else None
        if block is None or block not in reservoirs:
            continue
        seen[block] += 1
        reservoir = reservoirs[block]
        if len(reservoir) < _SAMPLE // len(partition.blocks):
            reservoir.append(pair)
        elif (place := random.randrange(seen[block])) < len(reservoir):
            reservoir[place] = pair
    return [pair for reservoir in reservoirs.values() for pair in reservoir]
