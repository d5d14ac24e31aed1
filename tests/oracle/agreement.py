"""Comparing answers with the labels of cases that probes make from executable pairs, probe by probe."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import TypeAlias

from nliprobe.probes.suite import Suite
from nliprobe.represent.struct import Struct
from nliprobe.task.case import Case
from nliprobe.task.source import Pool
from nliprobe.task.sources import open_source
from nliprobe.task.table import Table

# Every probe that gives a label to pairs with a program; deletions are exhaustive.
PROBES = (
    "rows.delete",
    "rows.insert",
    "rows.update",
    "rows.permute",
    "rows.compose?ops=insert+delete",
    "rows.compose?ops=insert+delete-relevant",
    "rows.compose?ops=update+delete+permute",
    "rows.compose?ops=insert+update+delete-irrelevant+permute",
    "counterfactual.flip",
    "counterfactual.relocate",
    "counterfactual.retitle",
)
# What a model is: the struct text of a table and a hypothesis become E, N or C.
Answer: TypeAlias = Callable[[str, str], str]
_SHOWN = 5


@dataclass
class Tally:
    """How often answers are the label of a case, per probe.

    Attributes:
        cases: how many cases each probe gave.
        agreed: how many answers were the label.
        moves: how often a pair's label became a case's, such as EN.
        unlabelled: how many cases have no label.
        differing: the first cases on which they differ, as a reader needs them.
    """

    cases: Counter[str] = field(default_factory=Counter)
    agreed: Counter[str] = field(default_factory=Counter)
    moves: Counter[str] = field(default_factory=Counter)
    unlabelled: Counter[str] = field(default_factory=Counter)
    differing: list[str] = field(default_factory=list)

    @property
    def share(self) -> float:
        """The share of all cases on which answer and label agree."""
        return self.agreed.total() / self.cases.total()

    def add(self, case: Case, text: str, said: str) -> None:
        """Count one answer."""
        if case.gold is None:
            self.unlabelled[case.probe] += 1
            return
        self.cases[case.probe] += 1
        self.moves[f"{case.source.gold}{case.gold}"] += 1
        if said == str(case.gold):
            self.agreed[case.probe] += 1
        elif len(self.differing) < _SHOWN:
            self.differing.append(
                f"{case.source.id}, {case.probe}: {text} → {case.hypothesis} "
                f"The label is {case.gold}, the answer {said}."
            )


def cases_of(source: str, probes: Sequence[str], seed: int = 0) -> Iterator[Case]:
    """Yield the cases of a source, each pair as it is first."""
    pairs = open_source(source)
    suite = Suite.build([pairs], probes, seed)
    for _, case in suite.items(pairs, Pool.of(pairs)):
        if isinstance(case, Case):
            yield case


def compare(cases: Iterator[Case], *models: Answer) -> list[Tally]:
    """Let models answer cases, and count how often each of them gives the label."""
    struct = Struct()
    tallies = [Tally() for _ in models]
    for case in cases:
        assert isinstance(case.premise, Table)
        text = "".join(struct.segments(case.premise, case.hypothesis))
        for tally, model in zip(tallies, models, strict=True):
            tally.add(case, text, model(text, case.hypothesis))
    return tallies


def random_answer(seed: int) -> Answer:
    """Return a model that draws its answers."""
    random = Random(seed)
    return lambda table, hypothesis: random.choice("ENC")


def blind_answer(learnt_from: Iterator[Case]) -> Answer:
    """Return the model that does best on cases it learns from without reading a table.

    It knows of each kind of sentence (its words, without names and numbers) which label is the most frequent.
    """
    labels: dict[str, Counter[str]] = {}
    for case in learnt_from:
        if case.gold is not None:
            labels.setdefault(_kind(case.hypothesis), Counter())[str(case.gold)] += 1
    best = {kind: count.most_common(1)[0][0] for kind, count in labels.items()}
    return lambda table, hypothesis: best.get(_kind(hypothesis), "N")


def _kind(hypothesis: str) -> str:
    first, *words = hypothesis.rstrip(".").split()
    return " ".join([first.casefold(), *[word for word in words if word.islower()]])
