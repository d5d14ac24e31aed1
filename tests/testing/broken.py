"""Deliberately broken objects: for each rule of a contract, at least one that breaks it."""

from __future__ import annotations

import itertools
import pickle
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import ClassVar, Self

from nliprobe.base.files import read_json, write_json
from nliprobe.base.registry import Spec
from nliprobe.models import Model
from nliprobe.models.base import Example, Trainable
from nliprobe.probes import Probe
from nliprobe.represent import Representation
from nliprobe.task.about import About
from nliprobe.task.case import Case, Input, Prediction, Skip, Status, identity_case
from nliprobe.task.edits import Edit
from nliprobe.task.labels import LabelMap, LabelSet
from nliprobe.task.pair import Pair
from nliprobe.task.relations import SAME, Relation
from nliprobe.task.rules import And
from nliprobe.task.source import Pool
from nliprobe.task.table import Row, Table

E = LabelSet.of("E")
_numbers = itertools.count()


@dataclass(frozen=True)
class GoodProbe(Probe):
    """Keeps the contract; the others break one rule each."""

    about: ClassVar[About] = About("A mark is added.", "It reads marks.")

    def made(self, pair: Pair) -> Case:
        hypothesis = pair.hypothesis + "!"
        return self.case(pair, (Edit("hypothesis.replace", before=pair.hypothesis, after=hypothesis),), expects=SAME)

    def cases(self, pair: Pair, pool: Pool | None) -> Iterator[Case | Skip]:
        yield self.made(pair)


class SaysNothing(GoodProbe):
    def cases(self, pair: Pair, pool: Pool | None) -> Iterator[Case | Skip]:
        if isinstance(pair.premise, str):
            yield self.made(pair)


class SkipsWithoutReason(GoodProbe):
    def cases(self, pair: Pair, pool: Pool | None) -> Iterator[Case | Skip]:
        yield Skip(self.spec, " ")


class Forgets(GoodProbe):
    spec = cached_property(lambda _: "broken?no=such")


class CountsCalls(GoodProbe):
    def cases(self, pair: Pair, pool: Pool | None) -> Iterator[Case | Skip]:
        yield self.made(pair)._replace(id=f"{pair.id}{next(_numbers)}")


class Remembers(GoodProbe):
    def cases(self, pair: Pair, pool: Pool | None) -> Iterator[Case | Skip]:
        before = self.__dict__.setdefault("seen", [])
        yield self.made(pair)._replace(id=f"{pair.id} after {len(before)}")
        before.append(pair.id)


class DrawsSecretly(GoodProbe):
    def cases(self, pair: Pair, pool: Pool | None) -> Iterator[Case | Skip]:
        yield self.made(pair)._replace(id=f"{pair.id} of {len(pool.premises) if pool else 0}")


class SameIds(GoodProbe):
    def cases(self, pair: Pair, pool: Pool | None) -> Iterator[Case | Skip]:
        yield from (self.made(pair), self.made(pair))


class OneIdForAll(GoodProbe):
    def cases(self, pair: Pair, pool: Pool | None) -> Iterator[Case | Skip]:
        yield self.made(pair)._replace(id="x")


class OtherSource(GoodProbe):
    def cases(self, pair: Pair, pool: Pool | None) -> Iterator[Case | Skip]:
        yield self.made(pair)._replace(source=replace(pair))


class LaterBase(GoodProbe):
    def cases(self, pair: Pair, pool: Pool | None) -> Iterator[Case | Skip]:
        last = identity_case(pair)
        yield self.made(pair)._replace(bases=(f"{last.id} later",))


class WrongEdits(GoodProbe):
    def cases(self, pair: Pair, pool: Pool | None) -> Iterator[Case | Skip]:
        yield self.made(pair)._replace(hypothesis=pair.hypothesis + "?")


class ChangesNothing(GoodProbe):
    def cases(self, pair: Pair, pool: Pool | None) -> Iterator[Case | Skip]:
        yield self.made(pair)._replace(hypothesis=pair.hypothesis, edits=())


class WrongArity(GoodProbe):
    def cases(self, pair: Pair, pool: Pool | None) -> Iterator[Case | Skip]:
        yield self.made(pair)._replace(expects=Relation.of({}, arity=2))


class UnstorableRule(GoodProbe):
    def cases(self, pair: Pair, pool: Pool | None) -> Iterator[Case | Skip]:
        # Written, a single part is that part.
        yield self.made(pair)._replace(expects=And((SAME,)))


class SilentAboutItself(GoodProbe):
    about: ClassVar[About] = About("", "It reads marks.")


class ComparesWithNothing(GoodProbe):
    def cases(self, pair: Pair, pool: Pool | None) -> Iterator[Case | Skip]:
        yield self.made(pair)._replace(bases=(), expects=SAME)


class ExpectsNothing(GoodProbe):
    def cases(self, pair: Pair, pool: Pool | None) -> Iterator[Case | Skip]:
        yield self.made(pair)._replace(expects=None)


class EmptiesPool(GoodProbe):
    needs_pool: ClassVar[bool] = True

    def cases(self, pair: Pair, pool: Pool | None) -> Iterator[Case | Skip]:
        assert pool is not None
        assert isinstance(pool.premises, dict)
        pool.premises.pop(next(iter(pool.premises), ""), None)
        yield self.made(pair)


PROBES: list[tuple[str, type[Probe]]] = [
    ("cases or a reason", SaysNothing),
    ("a Skip says why", SkipsWithoutReason),
    ("spec round trip", Forgets),
    ("deterministic", CountsCalls),
    ("order independent", Remembers),
    ("declares its pool", DrawsSecretly),
    ("unique ids", SameIds),
    ("unique ids", OneIdForAll),
    ("owner", OtherSource),
    ("bases first", LaterBase),
    ("edits reproduce the case", WrongEdits),
    ("something changes", ChangesNothing),
    ("expects what its bases allow", WrongArity),
    ("rules survive being stored", UnstorableRule),
    ("about itself", SilentAboutItself),
    ("expects what its bases allow", ComparesWithNothing),
    ("something is expected", ExpectsNothing),
    ("no mutation", EmptiesPool),
]


class GoodRepresentation(Representation):
    """Keeps the contract."""

    def line(self, row: Row) -> str:
        return f"{row.key}={row.values} "

    def segments(self, table: Table, hypothesis: str) -> tuple[str, ...]:
        return (table.title, *(self.line(row) for row in table.rows))


class GivesList(GoodRepresentation):
    def segments(self, table: Table, hypothesis: str) -> tuple[str, ...]:
        return list(super().segments(table, hypothesis))  # type: ignore[return-value]


class FailsOnColumns(GoodRepresentation):
    def segments(self, table: Table, hypothesis: str) -> tuple[str, ...]:
        assert not table.columns
        return super().segments(table, hypothesis)


class KeepsFirst(GoodRepresentation):
    def __init__(self) -> None:
        self.kept: dict[str, tuple[str, ...]] = {}

    def segments(self, table: Table, hypothesis: str) -> tuple[str, ...]:
        return self.kept.setdefault(table.title, super().segments(table, hypothesis))


class FirstValueOnly(GoodRepresentation):
    def line(self, row: Row) -> str:
        return f"{row.key}={row.values[0]} "


class SecretlyReadsHypothesis(GoodRepresentation):
    reads_hypothesis: ClassVar[bool] = False

    def segments(self, table: Table, hypothesis: str) -> tuple[str, ...]:
        return (*super().segments(table, hypothesis), hypothesis)


REPRESENTATIONS: list[tuple[str, type[Representation]]] = [
    ("declares that it reads the hypothesis", SecretlyReadsHypothesis),
    ("segments are texts", GivesList),
    ("segments are texts", FailsOnColumns),
    ("deterministic, warm or cold", KeepsFirst),
    ("differing rows differ", FirstValueOnly),
]


class GoodModel(Model):
    """Keeps the contract."""

    @classmethod
    def from_spec(cls, spec: Spec, labels: LabelMap | None) -> Self:
        return cls()

    def fingerprint(self) -> str | None:
        return "good"

    def predict(self, inputs: Sequence[Input]) -> Sequence[Prediction]:
        return [Prediction(E) for _ in inputs]


class NewFingerprint(GoodModel):
    def fingerprint(self) -> str | None:
        return str(next(_numbers))


class AlwaysAnswers(GoodModel):
    def predict(self, inputs: Sequence[Input]) -> Sequence[Prediction]:
        return [Prediction(E)] * max(1, len(inputs))


class OneShort(GoodModel):
    def predict(self, inputs: Sequence[Input]) -> Sequence[Prediction]:
        return [Prediction(E) for _ in inputs[1:]] or [Prediction(E)] * len(inputs)


class LabelledFailure(GoodModel):
    def predict(self, inputs: Sequence[Input]) -> Sequence[Prediction]:
        return [Prediction(E, status=Status.FAILED) for _ in inputs]


class Logits(GoodModel):
    def predict(self, inputs: Sequence[Input]) -> Sequence[Prediction]:
        return [Prediction(E, (3.0, -1.0, 0.5)) for _ in inputs]


class LooksAtPlace(GoodModel):
    def predict(self, inputs: Sequence[Input]) -> Sequence[Prediction]:
        return [Prediction(LabelSet.of("ENC"[place % 3])) for place in range(len(inputs))]


class CountsSegments(GoodModel):
    additive = True

    def predict(self, inputs: Sequence[Input]) -> Sequence[Prediction]:
        return [Prediction(LabelSet.of("EC"[len(item.segments) > 20])) for item in inputs]


class FailsForEver(GoodModel):
    """One control character, and it never answers again."""

    failed = False

    def predict(self, inputs: Sequence[Input]) -> Sequence[Prediction]:
        self.failed = self.failed or any("\x00" in item.hypothesis for item in inputs)
        if self.failed:
            raise ValueError("no such character")
        return super().predict(inputs)


class ClosesOnce(GoodModel):
    closed = False

    def close(self) -> None:
        if self.closed:
            raise RuntimeError("already closed")
        self.closed = True


class GoodTrainable(GoodModel, Trainable):
    """Keeps the contract: remembers the first hypothesis's length."""

    length = 0

    def fit(self, examples: Sequence[Example]) -> None:
        self.length = len(examples[0].input.hypothesis)

    def predict(self, inputs: Sequence[Input]) -> Sequence[Prediction]:
        return [Prediction(LabelSet.of("ENC"[self.length and 1 + len(x.hypothesis) % 2])) for x in inputs]

    def save(self, folder: Path) -> None:
        write_json(folder / "model.json", {"length": self.length})

    def load(self, folder: Path) -> None:
        self.length = int(str(read_json(folder / "model.json")["length"]))


class LoadsNothing(GoodTrainable):
    def load(self, folder: Path) -> None:
        pass


class Pickles(GoodTrainable):
    def save(self, folder: Path) -> None:
        super().save(folder)
        (folder / "model.pkl").write_bytes(pickle.dumps(self.length))


class PicklesSecretly(GoodTrainable):
    def save(self, folder: Path) -> None:
        super().save(folder)
        (folder / "vocabulary.txt").write_bytes(pickle.dumps(self.length))


MODELS: list[tuple[str, type[Model]]] = [
    ("stable fingerprint", NewFingerprint),
    ("no inputs, no answers", AlwaysAnswers),
    ("one valid answer each", OneShort),
    ("one valid answer each", LabelledFailure),
    ("one valid answer each", Logits),
    ("order independent", LooksAtPlace),
    ("additive models may be cut", CountsSegments),
    ("failures stay alone", FailsForEver),
    ("closes twice", ClosesOnce),
    ("saved and loaded the same", LoadsNothing),
    ("nothing pickled", Pickles),
    ("nothing pickled", PicklesSecretly),
]
