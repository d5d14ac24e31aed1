"""Whether a corpus holds what it should, and which corpora are there."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from nliprobe.base.errors import NliprobeError
from nliprobe.base.hashing import digest
from nliprobe.corpora import CORPORA
from nliprobe.corpora._fields import premise_text
from nliprobe.task.labels import LabelSet
from nliprobe.task.sources import Source
from nliprobe.task.table import Table


@dataclass(frozen=True, slots=True)
class CheckReport:
    """What was found in a corpus.

    Attributes:
        name: corpus and split.
        pairs: how many pairs were read.
        expected: how many there should be, or none where nobody knows.
        labels: pairs by gold label.
        unlabelled: pairs without a gold label.
        tables: distinct tables; two with different names count twice even where they hold the same.
        duplicates: contents (premise and hypothesis) that occur more than once.
        conflicts: contents that occur with different gold labels.
        problems: what is wrong, a sentence each; empty when all is well.
    """

    name: str
    pairs: int
    expected: int | None
    labels: Mapping[str, int]
    unlabelled: int
    tables: int
    duplicates: int
    conflicts: int
    problems: tuple[str, ...]


class Available(NamedTuple):
    """A split of a corpus and the folder it was found in, or none."""

    corpus: str
    split: str
    folder: Path | None


def check_corpus(corpus: Source) -> CheckReport:
    """Read a whole corpus and compare it with what it should hold.

    An error in the files ends the reading and becomes a problem of the report, with the pairs read so far.
    """
    labels: Counter[str] = Counter()
    golds: dict[str, set[LabelSet | None]] = {}
    times: Counter[str] = Counter()
    premises: dict[int, tuple[object, str]] = {}
    tables: set[tuple[str, str]] = set()
    problems: list[str] = []
    try:
        for pair in corpus.pairs():
            labels[str(pair.gold) if pair.gold is not None else ""] += 1
            # Tables are hashed once, not once a pair; the object is kept so that its address stays its own.
            known = premises.get(id(pair.premise)) if isinstance(pair.premise, Table) else None
            premise = known[1] if known else digest(premise_text(pair.premise))
            if isinstance(pair.premise, Table):
                premises[id(pair.premise)] = (pair.premise, premise)
                tables.add((pair.group, premise))
            content = digest(premise, pair.hypothesis)
            times[content] += 1
            golds.setdefault(content, set()).add(pair.gold)
    except NliprobeError as error:
        problems.append(str(error))
    unlabelled = labels.pop("", 0)
    pairs = times.total()
    expected = corpus.expected
    if not problems:
        problems += _differences(corpus.name, pairs, expected.pairs, "pairs")
        problems += _differences(corpus.name, unlabelled, expected.unlabelled, "pairs without a label")
    return CheckReport(
        name=corpus.name,
        pairs=pairs,
        expected=expected.pairs,
        labels=dict(sorted(labels.items())),
        unlabelled=unlabelled,
        tables=len(tables),
        duplicates=sum(count > 1 for count in times.values()),
        conflicts=sum(len(found) > 1 for found in golds.values()),
        problems=tuple(problems),
    )


def availability(roots: Sequence[Path]) -> list[Available]:
    """Every split of every corpus, with the folder that holds it."""
    return [Available(name, split, kind.located(split, roots)) for name, kind in CORPORA for split in kind.splits]


def _differences(name: str, found: int, expected: int | None, what: str) -> list[str]:
    if expected is None or found == expected:
        return []
    return [f"{name} has {found:,} {what} where {expected:,} are expected."]
