"""A small suite and small systems for the tests of the engine."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from nliprobe.api.run import describe_system
from nliprobe.base.hashing import digest
from nliprobe.base.registry import Spec
from nliprobe.models.base import Model
from nliprobe.models.origin import Origin
from nliprobe.models.system import System, SystemSpec
from nliprobe.probes.suite import Suite
from nliprobe.represent.controls import Control
from nliprobe.represent.reader import Reader, build_representation
from nliprobe.store.record import RunRecord, SuiteRecord
from nliprobe.store.run import RunFolder
from nliprobe.task.case import Input, Prediction
from nliprobe.task.labels import SETS, THREE_WAY, LabelMap, Partition
from nliprobe.task.pair import Pair
from nliprobe.task.table import Row, Table

LABELS = (SETS[1], SETS[2], SETS[4])


@dataclass(frozen=True)
class Source:
    """A split in memory: tables of some rows, three hypotheses each."""

    name: str = "fake/dev"
    tables: int = 12
    partition: Partition = THREE_WAY

    def digest(self) -> str:
        return digest(self.name, str(self.tables))

    def pairs(self) -> Iterator[Pair]:
        for number in range(self.tables):
            rows = tuple(Row(f"key {k}", (f"value {number} {k}",)) for k in range(2 + number % 5))
            table = Table(f"Table {number}", rows)
            for k in range(3):
                yield Pair(f"{self.name}/{number}-{k}", table, f"hypothesis {k}", LABELS[k], f"T{number}")


class Hasher(Model):
    """Answers by a hash of what it reads, and counts how often it was asked."""

    batch = 16

    def __init__(self, version: str | None = "1") -> None:
        self.asked: list[str] = []
        self._version = version

    @classmethod
    def from_spec(cls, spec: Spec, labels: LabelMap | None) -> Self:
        return cls()

    def fingerprint(self) -> str | None:
        return self._version

    def origin(self) -> Origin:
        """Nothing: subclasses that fail stand for the same model on a bad day."""
        return Origin()

    def predict(self, inputs: Sequence[Input]) -> Sequence[Prediction]:
        self.asked += [item.id for item in inputs]
        return [Prediction(LABELS[int(item.id, 16) % 3]) for item in inputs]


def system(model: Model, text: str = "fake") -> System:
    spec = SystemSpec.parse(text)
    control = spec.control or Control.FULL
    reader = Reader(build_representation(spec.represent or "para"), control, seed=0, keyed=model.keyed)
    return System(spec, model, reader, {})


def suite(*probes: str, tables: int = 12) -> Suite:
    return Suite.build([Source(tables=tables)], probes or ("gold", "rows.delete", "rows.permute"))


def folder(path: Path, *systems: System) -> RunFolder:
    record = RunRecord("0.1.0", "3.11", "2024-01-01T00:00:00Z", SuiteRecord("abc", 0, (), ()), 20)
    return RunFolder.create(path, record, [describe_system(item) for item in systems])
