"""How far an exported model gives the answers of its original, and how fast both are."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Sequence
from itertools import chain
from typing import NamedTuple

from nliprobe.api.export_documents import AgreementDocument
from nliprobe.base.errors import DataError, ModelError
from nliprobe.base.hashing import digest
from nliprobe.engine.ask import Failures, ask
from nliprobe.models.system import System
from nliprobe.task.case import Input, Prediction, Status
from nliprobe.task.source import PairSource, Pool

# Asked before the time is taken: loading and the first calls are slower.
_WARM_UP = 8


class AskedPair(NamedTuple):
    """What both models read, and what it shares with others: its table or caption."""

    input: Input
    group: str


def sample_inputs(system: System, sources: Sequence[PairSource], count: int) -> list[AskedPair]:
    """Draw pairs by a hash of their ids, and return what a system reads of them, each distinct input once."""
    asked: dict[str, tuple[str, AskedPair]] = {}
    for source in sources:
        system.reader.enter(Pool.of(source) if system.reader.needs_pool else None)
        for pair in source.pairs():
            read = system.reader.read_pair(pair)
            asked.setdefault(read.id, (digest("export", pair.id), AskedPair(read, pair.group or pair.id)))
    if not asked:
        raise DataError(f"{', '.join(source.name for source in sources)} holds no pairs to compare answers on.")
    return [pair for _, pair in sorted(asked.values(), key=lambda item: item[0])][:count]


def measure(
    original: System, exported: System, pairs: Sequence[AskedPair], names: Sequence[str], threads: int
) -> AgreementDocument:
    """Ask both the same inputs.

    Args:
        original: what was exported.
        exported: what came of it.
        pairs: what both read.
        names: of the corpora that these come from.
        threads: how many threads both use.

    Raises:
        ModelError: there is no pair that both answer.
    """
    import numpy as np

    from nliprobe.stats.grouped import group_sums, share_interval

    inputs = [pair.input for pair in pairs]
    first, first_rate = _ask(original, inputs)
    second, second_rate = _ask(exported, inputs)
    both = [
        (one, two, pair.group)
        for one, two, pair in zip(first, second, pairs, strict=True)
        if one.status is Status.OK and two.status is Status.OK
    ]
    if not both:
        raise ModelError(f"{original.name} and what was exported from it answer no pair in common.")
    same = np.array([one.label == two.label for one, two, _ in both])
    _, clusters = np.unique([group for _, _, group in both], return_inverse=True)
    interval = share_interval(*group_sums(same, clusters.astype(np.int64)))
    [(usual, most)] = Counter(str(one.label) for one, _, _ in both).most_common(1)
    differences = list(chain.from_iterable(_differences(one, two) for one, two, _ in both))
    return AgreementDocument(
        on=list(names),
        n=len(both),
        unanswered=len(pairs) - len(both),
        same=int(same.sum()),
        rate=float(same.mean()),
        ci95=None if interval is None else [interval.low, interval.high],
        constant=most / len(both),
        constant_answer=usual,
        mean_difference=float(np.mean(differences)) if differences else None,
        largest_difference=float(np.max(differences)) if differences else None,
        threads=threads,
        original_per_second=first_rate,
        exported_per_second=second_rate,
    )


def _ask(system: System, inputs: Sequence[Input]) -> tuple[list[Prediction], float]:
    """Return the answers, and how many came per second."""
    ask(system, inputs[:_WARM_UP], None, lambda count: None, Failures())
    start = time.perf_counter()
    answers = ask(system, inputs, None, lambda count: None, Failures()).answers
    return [answers[item.id] for item in inputs], len(inputs) / (time.perf_counter() - start)


def _differences(one: Prediction, two: Prediction) -> list[float]:
    """Return how far the probabilities of each label are apart."""
    pairs = zip(one.probabilities or (), two.probabilities or (), strict=False)
    return [abs(a - b) for a, b in pairs if a is not None and b is not None]
