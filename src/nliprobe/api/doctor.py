"""Examining systems before they are used."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import islice

from nliprobe.api.resolve import Request
from nliprobe.base.errors import ModelError, option
from nliprobe.base.seeds import draws
from nliprobe.engine.ask import ask_known
from nliprobe.engine.caches import Caches
from nliprobe.engine.doctor import Verdict, examine
from nliprobe.models.system import System
from nliprobe.represent.reader import Reader
from nliprobe.task.labels import LabelSet
from nliprobe.task.pair import Pair
from nliprobe.task.partitions import THREE_WAY
from nliprobe.task.prediction import Input, Prediction
from nliprobe.task.source import PairSource, Pool
from nliprobe.training.fit import make_ready

# Labelled pairs on which a file of answers is checked; with this many a wrong order is noticed.
_SAMPLE = 300
# Pairs that are read to draw them; more would only take time.
_LOOKED_AT = 250_000


def doctor(request: Request) -> dict[str, Verdict]:
    """Examine the systems of a request, and return the verdicts by the names of the systems."""
    training = request.training()
    sources = request.suite().sources if request.on else ()

    def prepare(system: System) -> None:
        make_ready(system, training)

    systems = request.build_systems(training)
    caches = Caches()
    try:
        return {system.name: examine_system(system, sources, prepare, caches) for system in systems}
    finally:
        for system in systems:
            system.model.close()


def examine_system(
    system: System, sources: Sequence[PairSource], prepare: Callable[[System], None], caches: Caches
) -> Verdict:
    """Examine one system; answers known already are not asked for again."""
    asked = system
    if system.model.keyed:
        # A second copy answers, because the first counts which of its answers are used, and these do not count.
        asked = system.again()
    cache = None if system.model.keyed else caches.of(system)

    def ask(inputs: Sequence[Input]) -> Sequence[Prediction]:
        return ask_known(asked, inputs, cache, prepare)

    return examine(asked, ask, _sample(sources, asked.reader) if system.model.keyed else ())


def refuse_permuted(system: System, verdict: Verdict) -> None:
    """Refuse a system with labels in the wrong order, and name the right one."""
    if verdict.status == "permuted":
        raise ModelError(
            f"The doctor stops {system.name}. {verdict.findings[0]} Say labels={verdict.labels} in the system, "
            f"or keep the order as it is with {option('label-map')}."
        )


def _sample(sources: Sequence[PairSource], reader: Reader) -> list[Pair]:
    """Draw labelled pairs of the first corpus that tells all three labels apart, and prepare the reader for it.

    Each label has the same number of pairs, drawn from the whole corpus: its first pairs may all be of one kind.
    """
    for source in sources:
        if source.partition == THREE_WAY:
            reader.enter(Pool.of(source) if reader.needs_pool else None)
            return _of_each_label(source)
    return []


def _of_each_label(source: PairSource) -> list[Pair]:
    """Draw a sample with one reservoir per label, from at most ``_LOOKED_AT`` pairs."""
    random = draws(0, "doctor", source.name)
    reservoirs: dict[LabelSet, list[Pair]] = {}
    seen: dict[LabelSet, int] = {}
    for pair in islice(source.pairs(), _LOOKED_AT):
        if pair.gold is None:
            continue
        seen[pair.gold] = seen.get(pair.gold, 0) + 1
        reservoir = reservoirs.setdefault(pair.gold, [])
        if len(reservoir) < _SAMPLE // 3:
            reservoir.append(pair)
        elif (place := random.randrange(seen[pair.gold])) < len(reservoir):
            reservoir[place] = pair
    return [pair for reservoir in reservoirs.values() for pair in reservoir]
