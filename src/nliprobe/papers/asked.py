"""Make the cases that answers are about again, and give them to analysis as if they came from a run."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from nliprobe.base.hashing import digest
from nliprobe.corpora.base import data_roots
from nliprobe.task.case import IDENTITY, Case, Certainty, Skip
from nliprobe.task.pair import Pair
from nliprobe.task.rule_forms import rule_text

if TYPE_CHECKING:
    from nliprobe.analysis.cases import Cases, RunData
    from nliprobe.papers.probe_answers import Answers
    from nliprobe.represent.reader import Reader
    from nliprobe.task.labels import Partition

_CERTAINTIES = tuple(Certainty)


@dataclass
class Made:
    """The cases that one probe makes of a corpus, column by column.

    Attributes:
        ids: the ids of the cases.
        bases: the ids of the cases that each is derived from.
        pair: the place of the source pair in the corpus.
        gold: masks of label sets, 0 where there is no gold.
        expects: the rule of each case as text, or nothing.
        certainty: places in ``Certainty``.
        sizes: how many cases each pair of the corpus has.
        inputs: the ids of what a model reads for each case, if a representation was named.
    """

    ids: list[str] = field(default_factory=list)
    bases: list[tuple[str, ...]] = field(default_factory=list)
    pair: array[int] = field(default_factory=lambda: array("q"))
    gold: array[int] = field(default_factory=lambda: array("B"))
    expects: list[str] = field(default_factory=list)
    certainty: array[int] = field(default_factory=lambda: array("B"))
    sizes: list[int] = field(default_factory=list)
    inputs: list[str] = field(default_factory=list)

    def add(self, case: Case, place: int, reader: Reader | None) -> None:
        """Add a case of the pair at a place, and what is read for it."""
        self.ids.append(case.id)
        self.bases.append(case.bases)
        self.pair.append(place)
        self.gold.append(0 if case.gold is None else case.gold.mask)
        self.expects.append("" if case.expects is None else rule_text(case.expects))
        self.certainty.append(_CERTAINTIES.index(case.certainty))
        self.sizes[place] += 1
        if reader is not None:
            self.inputs.append(reader.read(case).id)

    @property
    def digest(self) -> str:
        """The digest over the ids of all cases."""
        return digest(*self.ids)


@dataclass(frozen=True)
class MadeCorpus:
    """A corpus with the cases that some probes make of it; the first probe is gold.

    ``digest`` is that of the corpus, ``suite`` the hash of the suite of these probes on it.
    """

    name: str
    digest: str
    suite: str
    partition: str
    pairs: tuple[Pair, ...]
    probes: dict[str, Made]

    def judged(self, probe: str, rules: Sequence[str]) -> MadeCorpus:
        """Return the same cases with other, certain rules for those of a probe; cases without a rule do not count."""
        certain = array("B", [_CERTAINTIES.index(Certainty.CERTAIN)] * len(rules))
        other = replace(self.probes[probe], expects=list(rules), certainty=certain)
        return replace(self, probes={**self.probes, probe: other})


def make_cases(
    corpus: str, probes: Sequence[str], root: Path | None, represent: str = "", premise: str = "full"
) -> MadeCorpus:
    """Make the cases of some probes on a corpus, once per process; ``gold`` is always among them.

    With a representation they come with the ids of what a model reads, for answers that are matched by these; a
    premise control changes what that is.
    """
    return _make_cases(corpus, tuple(probes), tuple(data_roots(root)), root, represent, premise)


@cache
def _make_cases(
    corpus: str, probes: tuple[str, ...], roots: tuple[Path, ...], root: Path | None, represent: str, premise: str
) -> MadeCorpus:
    from nliprobe.api.sources import open_source
    from nliprobe.probes.suite import Suite
    from nliprobe.represent.controls import Control
    from nliprobe.represent.reader import Reader, build_representation
    from nliprobe.task.source import Pool

    reader = Reader(build_representation(represent), Control.parse(premise), seed=0, keyed=False) if represent else None
    source = open_source(corpus, root)
    if reader is not None:
        reader.enter(Pool.of(source) if reader.needs_pool else None)
    suite = Suite.build([source], probes)
    pairs: list[Pair] = []
    made = {probe.spec: Made() for probe in suite.probes}
    for _, case in suite.items(source, Pool.of(source) if suite.needs_pool else None):
        if isinstance(case, Skip):
            continue
        if case.probe == IDENTITY:
            pairs.append(case.source)
            for column in made.values():
                column.sizes.append(0)
        made[case.probe].add(case, len(pairs) - 1, reader)
    return MadeCorpus(source.name, source.digest(), suite.hash, str(source.partition), tuple(pairs), made)


def asked_run(answers: Answers, corpora: Sequence[MadeCorpus]) -> RunData:
    """Return the answers of all seeds to some corpora as the data of a run, with a system per seed.

    What was asked about other cases than those made here is refused.
    """
    import numpy as np

    from nliprobe.analysis.cases import RunData, SystemAnswers
    from nliprobe.task.labels import THREE_WAY, LabelSet

    letters = dict(zip(answers.seeds, _letters(answers, corpora), strict=True))
    cases = run_cases(corpora)
    masks = {letter: LabelSet.of(letter).mask for letter in "ENC"}
    systems = []
    for seed, text in letters.items():
        answered = np.array([masks.get(letter, 0) for letter in text], dtype=np.uint8)
        unchanged = answered == 0
        answered[unchanged] = answered[cases.base[unchanged]]
        systems.append(SystemAnswers(f"seed {seed}", THREE_WAY, answers.premise, answered, unchanged))
    return RunData(cases, tuple(systems), partitions(corpora))


def partitions(corpora: Sequence[MadeCorpus]) -> dict[str, Partition]:
    """Return the labels that corpora tell apart, by their names."""
    from nliprobe.task.labels import Partition

    return {corpus.name: Partition.parse(corpus.partition) for corpus in corpora}


def run_cases(corpora: Sequence[MadeCorpus]) -> Cases:
    """Return the cases of some corpora as analysis reads those of a run: corpus by corpus, probe by probe."""
    import numpy as np
    import polars as pl

    from nliprobe.analysis.cases import NONE, Cases

    parts = [
        (number, corpus, probe, made) for number, corpus in enumerate(corpora) for probe, made in corpus.probes.items()
    ]
    probes = list(dict.fromkeys(probe for _, _, probe, _ in parts))
    ids = [name for _, _, _, made in parts for name in made.ids]
    bases = [names for _, _, _, made in parts for names in made.bases]
    rules = [text for _, _, _, made in parts for text in made.expects]
    rule_texts = [text for text in dict.fromkeys(rules) if text]
    numbers = {text: place for place, text in enumerate(rule_texts)} | {"": NONE}
    rows = {name: row for row, name in enumerate(ids)}
    lengths = [len(made.ids) for _, _, _, made in parts]
    starts = np.cumsum([0, *(len(corpus.pairs) for corpus in corpora)])
    pair = np.concatenate([np.asarray(made.pair, dtype=np.int64) + starts[number] for number, _, _, made in parts])
    groups: dict[str, int] = {}
    of_pair = np.array(
        [groups.setdefault(one.group or one.id, len(groups)) for corpus in corpora for one in corpus.pairs]
    )
    base, first, second = (
        np.array([rows[names[place]] if len(names) == number else NONE for names in bases], dtype=np.int64)
        for number, place in ((1, 0), (2, 0), (2, 1))
    )
    return Cases(
        tuple(corpus.name for corpus in corpora),
        tuple(probes),
        tuple(rule_texts),
        pl.Series("case_id", ids),
        corpus=np.repeat([number for number, _, _, _ in parts], lengths).astype(np.int32),
        probe=np.repeat([probes.index(probe) for _, _, probe, _ in parts], lengths).astype(np.int32),
        gold=np.concatenate([np.asarray(made.gold, dtype=np.uint8) for _, _, _, made in parts]),
        expects=np.array([numbers[text] for text in rules], dtype=np.int32),
        certainty=np.concatenate([np.asarray(made.certainty, dtype=np.uint8) for _, _, _, made in parts]),
        base=base,
        first=first,
        second=second,
        pair=pair,
        group=of_pair[pair],
    )


def _letters(answers: Answers, corpora: Sequence[MadeCorpus]) -> list[str]:
    """Return the letters of each seed for all cases."""
    words = [
        answers.to(corpus.name, probe, made.digest, made.sizes)
        for corpus in corpora
        for probe, made in corpus.probes.items()
    ]
    return ["".join("".join(of_probe[seed]) for of_probe in words) for seed in range(len(answers.seeds))]
