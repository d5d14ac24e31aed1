"""Suites: the probes applied to the corpora, among them always ``gold``, which asks each pair as it is.

The hash of a suite is known before anything is generated.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

from nliprobe.base.errors import NotFoundError, UsageError, option
from nliprobe.base.hashing import digest
from nliprobe.base.registry import Spec
from nliprobe.probes import PROBES, Probe
from nliprobe.task.about import About
from nliprobe.task.case import IDENTITY, IDENTITY_VERSION, Case, Skip, identity_case
from nliprobe.task.labels import ANY, LabelSet
from nliprobe.task.pair import Pair
from nliprobe.task.relations import Relation
from nliprobe.task.source import PairSource, Pool, Source


def build_probe(text: str, seed: int = 0) -> Probe:
    """Build the probe that a spec string describes."""
    spec = Spec.parse(text)
    kind = PROBES.get(spec.name)
    if spec.argument:
        raise UsageError(f"The probe '{spec.name}' takes parameters after '?', not ':{spec.argument}'.")
    return spec.build(kind, name=spec.name, seed=seed)


def probe_specs(texts: Iterable[str]) -> Iterator[str]:
    """Yield spec strings of probes; the name of a family stands for all of it: ``stress`` for every ``stress.*``."""
    for text in texts:
        members = []
        if not set(text) & set(".?:"):
            try:
                PROBES.get(text)
            except NotFoundError:
                members = [name for name in PROBES.names() if name.startswith(f"{text}.")]
        yield from members or [text]


@PROBES.register("gold")
@dataclass(frozen=True)
class Gold(Probe):
    """Ask the pair as it is.

    The answer is compared with the label. All other cases derive from these, so every suite has them.
    """

    about: ClassVar[About] = About(
        "Each pair is asked as it is.",
        "The answer is not the gold label, or breaks what its corpus expects compared with another pair.",
    )
    version: ClassVar[int] = IDENTITY_VERSION

    def cases(self, pair: Pair, pool: Pool | None) -> Iterator[Case | Skip]:
        """Yield the pair itself."""
        yield identity_case(pair)


@dataclass(frozen=True)
class Suite:
    """The cases to ask: every pair as it is, and every case that the probes derive from it.

    ``gold`` is always among the probes, because derived cases are judged against the answer to the pair itself.
    """

    sources: Sequence[PairSource]
    probes: Sequence[Probe]
    seed: int = 0

    @classmethod
    def build(cls, sources: Sequence[PairSource], probes: Sequence[str], seed: int = 0) -> Suite:
        """Build a suite from spec strings, or names of families of probes; one named twice is an error."""
        built = [build_probe(text, seed) for text in probe_specs(probes)]
        if not any(probe.name == IDENTITY for probe in built):
            built.insert(0, build_probe(IDENTITY, seed))
        built.sort(key=lambda probe: probe.name != IDENTITY)
        for kind, names in (("probe", [probe.spec for probe in built]), ("corpus", [item.name for item in sources])):
            twice = {name for name in names if names.count(name) > 1}
            if twice:
                raise UsageError(f"The {kind} '{min(twice)}' is named twice.")
        if not sources:
            raise UsageError(
                f"There is no corpus to run on: name one with {option('on')}, "
                f"for example {option('on', 'builtin/sentences-dev')}."
            )
        return cls(sources, built, seed)

    @cached_property
    def digests(self) -> dict[str, str]:
        """The digest of each source by its name; computed once, because large corpora take a while."""
        return {source.name: source.digest() for source in self.sources}

    @cached_property
    def description(self) -> dict[str, object]:
        """Everything that determines the cases; pools are made from the corpora, so their digests cover them."""
        return {
            "seed": self.seed,
            "corpora": [
                {"name": item.name, "digest": self.digests[item.name], "partition": str(item.partition)}
                | ({"programs": _programs_version()} if isinstance(item, Source) and item.executable else {})
                for item in self.sources
            ],
            "probes": [
                {"spec": probe.spec, "name": probe.name, "version": probe.version}
                | ({"reads": probe.reads} if probe.reads else {})
                for probe in self.probes
            ],
        }

    @cached_property
    def hash(self) -> str:
        """The hash that identifies the suite."""
        return digest(json.dumps(self.description, sort_keys=True))

    @property
    def needs_pool(self) -> bool:
        """Whether some probe draws from the other premises of a split."""
        return any(probe.needs_pool for probe in self.probes)

    def items(self, source: PairSource, pool: Pool | None) -> Iterator[tuple[str, Case | Skip]]:
        """Yield the cases of one split with its name, pair by pair, each pair as it is first.

        A reason why a pair gives no case is in the place of the case.
        """
        name, probes = source.name, self.probes
        labels = source.partition.labels
        all_labels = labels == ANY
        for pair in source.pairs():
            for probe in probes:
                if probe.reads_evidence and pair.evidence is None:
                    yield name, probe.skip("nobody marked the evidence of the pair")
                    continue
                for case in probe.cases(pair, pool):
                    yield name, case if all_labels else _sayable(case, labels)


def _programs_version() -> str:
    """Return the version of what decides the label of a pair with a program; most suites never ask for it."""
    from nliprobe.templates.tables.operations import programs_version

    return programs_version()


def _sayable(case: Case | Skip, labels: LabelSet) -> Case | Skip:
    """Return a case that expects no label which its corpus does not have: one of E and C never expects N."""
    if isinstance(case, Skip):
        return case
    if case.gold is not None and not case.gold & labels:
        case = case._replace(gold=None)
    if not isinstance(case.expects, Relation) or case.expects.arity != 1:
        return case
    return case._replace(expects=case.expects.among(labels))
