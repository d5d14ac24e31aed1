"""Turn spec strings and objects into corpora, suites and systems, and open all of them before anything is trained."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from nliprobe.api.sources import open_source
from nliprobe.api.systems import GivenSystem
from nliprobe.base.errors import DataError, UsageError
from nliprobe.engine.stages import Shard, read_shard, shards
from nliprobe.models import MODELS
from nliprobe.models.predictions import AskedCase, Predictions
from nliprobe.models.system import System, SystemSpec, check_names
from nliprobe.models.trained_record import NAME as TRAINED
from nliprobe.models.trained_record import is_trained
from nliprobe.probes.suite import Suite
from nliprobe.represent.controls import Control
from nliprobe.task.case import IDENTITY
from nliprobe.task.source import PairSource


@dataclass(frozen=True)
class Request:
    """What a user asks for: systems and corpora as spec strings or as objects, probes as spec strings.

    ``labels`` replaces the ``labels`` of every system, and the doctor does not overrule it. ``represent``,
    ``premise`` and ``train_premise`` are used for systems that do not say their own. Without ``doctor`` no system is
    examined, and every report says so.
    """

    on: Sequence[str | PairSource]
    systems: Sequence[str | GivenSystem] = ()
    probes: Sequence[str] = ("gold",)
    train: Sequence[str | PairSource] = ()
    root: Path | None = None
    seed: int = 0
    labels: str = ""
    represent: str | None = None
    premise: str | None = None
    train_premise: str | None = None
    doctor: bool = True

    def suite(self) -> Suite:
        """Build the suite: corpora times probes."""
        return Suite.build(open_sources(self.on, self.root), self.probes, self.seed)

    def training(self) -> list[PairSource]:
        """Open the splits to learn from."""
        return open_sources(self.train, self.root)

    def build_systems(self, training: Sequence[PairSource]) -> list[System]:
        """Build the systems; their fingerprints depend on what they learn from."""
        digests = {source.name: source.digest() for source in training}
        built: list[System] = []
        for asked in self.systems:
            if isinstance(asked, str):
                specs = expand_seeds(SystemSpec.parse(asked))
                built += [System.build(self._with_defaults(spec), seed=self.seed, train=digests) for spec in specs]
            else:
                spec, model = asked.build(self.labels)
                spec = self._with_views(spec, learns=model.trainable)
                built.append(System.build(spec, seed=self.seed, train=digests, model=model))
        check_names(built)
        return built

    def _with_defaults(self, spec: SystemSpec) -> SystemSpec:
        spec = replace(spec, labels=self.labels or spec.labels)
        return self._with_views(spec, learns=MODELS.get(spec.model.name).trainable)

    def _with_views(self, spec: SystemSpec, *, learns: bool) -> SystemSpec:
        return replace(
            spec,
            represent=spec.represent or self.represent,
            control=spec.control or (Control.parse(self.premise) if self.premise else None),
            train_control=spec.train_control
            or (Control.parse(self.train_premise) if self.train_premise and learns else None),
        )


def open_sources(wanted: Sequence[str | PairSource], root: Path | None = None) -> list[PairSource]:
    """Open the corpora that spec strings name; what is a source of pairs already stays as it is."""
    return [open_source(item, root) if isinstance(item, str) else item for item in wanted]


def expand_seeds(spec: SystemSpec) -> list[SystemSpec]:
    """Return the systems that a spec means: one per seed for the folder of a network trained with several seeds."""
    folder = Path(spec.model.argument)
    if spec.model.name != "trained" or is_trained(folder):
        return [spec]
    seeds = sorted(
        (path.parent for path in folder.glob(f"seed-*/{TRAINED}")), key=lambda path: (len(path.name), path.name)
    )
    if not seeds:
        return [spec]
    family = spec.family or spec.name
    return [
        replace(
            spec,
            model=replace(spec.model, argument=str(path)),
            given_name=f"{spec.name} {path.name}",
            family=family,
        )
        for path in seeds
    ]


def check_sources(sources: Sequence[PairSource]) -> None:
    """Read the first pair of every source."""
    for source in sources:
        if next(iter(source.pairs()), None) is None:
            raise DataError(f"{source.name} holds no pairs.")


def check_distinct(sources: Sequence[PairSource]) -> None:
    """Refuse parts of one corpus that share a pair: a run holds each pair once, and could not be read.

    Only sources of one name can share one, because ids begin with it; others are not read for this.
    """
    named: dict[str, list[PairSource]] = {}
    for source in sources:
        named.setdefault(source.name.partition("?")[0], []).append(source)
    for parts in named.values():
        seen: dict[str, int] = {}
        for place, part in enumerate(parts if len(parts) > 1 else ()):
            for pair in part.pairs():
                first = seen.setdefault(pair.id, place)
                if first != place:
                    raise UsageError(
                        f"'{parts[first].name}' and '{part.name}' both hold the pair '{pair.id:.80}', and a run holds "
                        "each pair once. Choose parts that do not overlap, or make a run of each."
                    )


def check_systems(systems: Sequence[System], suite: Suite | None = None) -> None:
    """Let every model find what it needs, and match files of answers with the cases of the suite."""
    for system in systems:
        system.model.check()
    answered = [(system, system.model) for system in systems if isinstance(system.model, Predictions)]
    if suite is None or not answered:
        return
    # Cases are made once for all files, which may be dozens.
    for shard in shards(suite, pools=any(system.reader.needs_pool for system, _ in answered)):
        for system, model in answered:
            model.notice(_asked_cases(system, shard))
    for _, model in answered:
        model.settle()


def _asked_cases(system: System, shard: Shard) -> Iterator[AskedCase]:
    for corpus, case, asked in zip(shard.corpora, shard.cases, read_shard(system, shard), strict=True):
        what = "pairs" if case.probe == IDENTITY else f"cases of {case.probe}"
        yield AskedCase(f"{what} of {corpus}", asked, case.gold, case.probe == IDENTITY, corpus)
