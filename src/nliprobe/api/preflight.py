"""Opening everything that a request names before anything is trained or asked, so that a mistake costs no training."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from nliprobe.base.errors import DataError
from nliprobe.engine.stages import read_shard, shards
from nliprobe.models.predictions import AskedCase, Predictions
from nliprobe.models.system import System
from nliprobe.probes.suite import Suite
from nliprobe.task.case import IDENTITY
from nliprobe.task.source import PairSource


def check_sources(sources: Sequence[PairSource]) -> None:
    """Read the first pair of every source."""
    for source in sources:
        if next(iter(source.pairs()), None) is None:
            raise DataError(f"{source.name} holds no pairs.")


def check_systems(systems: Sequence[System], suite: Suite | None = None) -> None:
    """Let every model find what it needs, and match files of answers with the cases of the suite."""
    for system in systems:
        system.model.check()
    for system in systems:
        if suite is not None and isinstance(system.model, Predictions):
            system.model.meet(_asked_cases(system, suite))


def _asked_cases(system: System, suite: Suite) -> Iterator[AskedCase]:
    for shard in shards(suite, pools=system.reader.needs_pool):
        inputs = read_shard(system, shard)
        for corpus, case, asked in zip(shard.corpora, shard.cases, inputs, strict=True):
            what = "pairs" if case.probe == IDENTITY else f"cases of {case.probe}"
            yield AskedCase(f"{what} of {corpus}", asked, case.gold, case.probe == IDENTITY, corpus)
