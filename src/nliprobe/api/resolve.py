"""From spec strings to corpora, suites and systems."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from nliprobe.corpora.open import open_corpus
from nliprobe.models.system import System, SystemSpec, check_names
from nliprobe.probes.suite import Suite
from nliprobe.task.source import PairSource


@dataclass(frozen=True)
class Request:
    """What a user asks for: systems, corpora and probes as spec strings.

    ``label_map`` stands for the ``labels`` of every system, and is believed even where the doctor doubts it.
    """

    on: Sequence[str]
    systems: Sequence[str] = ()
    probes: Sequence[str] = ("gold",)
    train: Sequence[str] = ()
    root: Path | None = None
    seed: int = 0
    label_map: str = ""

    def suite(self) -> Suite:
        """The suite: corpora times probes."""
        return Suite.build([open_corpus(text, self.root) for text in self.on], self.probes, self.seed)

    def training(self) -> list[PairSource]:
        """The splits to learn from."""
        return [open_corpus(text, self.root) for text in self.train]

    def build_systems(self, training: Sequence[PairSource]) -> list[System]:
        """The systems; their fingerprints know what they learn from."""
        digests = {source.name: source.digest() for source in training}
        specs = [SystemSpec.parse(text) for text in self.systems]
        if self.label_map:
            specs = [replace(spec, labels=self.label_map) for spec in specs]
        built = [System.build(spec, seed=self.seed, train=digests) for spec in specs]
        check_names(built)
        return built
