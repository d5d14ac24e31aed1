"""Count the pairs of a source in one reading, for its check, its statistics and its validation."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Self

from nliprobe.base.errors import NliprobeError
from nliprobe.base.halves import REPLACEMENT
from nliprobe.base.hashing import digest
from nliprobe.corpora._parts import premise_text
from nliprobe.task.labels import LabelSet
from nliprobe.task.pair import Pair, Premise
from nliprobe.task.source import PairSource
from nliprobe.task.table import Table


@dataclass(frozen=True, slots=True)
class ReadPremise:
    """A premise with its text and its hash, computed once for consecutive pairs."""

    premise: Premise
    text: str
    id: str


@dataclass(slots=True)
class Content:
    """How often a premise with a hypothesis occurs, its first two pairs, and its distinct gold labels."""

    first: str
    golds: tuple[LabelSet | None, ...]
    n: int = 1
    second: str = ""

    def add(self, pair: Pair) -> None:
        """Count another pair with this content."""
        self.n += 1
        self.second = self.second or pair.id
        if pair.gold not in self.golds:
            self.golds += (pair.gold,)


class Census:
    """The counts that every document about a source needs; subclasses count more in the same reading.

    Attributes:
        name: the source's name.
        labels: pairs by gold label; the empty label means that there is none.
        contents: the distinct contents by hash, in the order of the source.
        tables: the distinct tables; equal tables of different groups count separately.
        replaced: pairs with a character that could not be read (U+FFFD): half of one, or one in another encoding.
        error: the error that ended the reading before the end of the source, or None.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self.labels: Counter[str] = Counter()
        self.contents: dict[str, Content] = {}
        self.tables: dict[tuple[str, str], Table] = {}
        self.replaced = 0
        self.error: NliprobeError | None = None
        self._last: ReadPremise | None = None
        # The golds of contents that occur with one label are a few tuples, which millions of contents share.
        self._alone: dict[LabelSet | None, tuple[LabelSet | None, ...]] = {}

    @classmethod
    def of(cls, source: PairSource, also: Callable[[Pair], None] | None = None) -> Self:
        """Read a source from end to end, or up to the first error in it; ``also`` is given each pair, too."""
        census = cls(source.name)
        try:
            for pair in source.pairs():
                census.add(pair)
                if also is not None:
                    also(pair)
        except NliprobeError as error:
            census.error = error
        return census

    @property
    def pairs(self) -> int:
        """How many pairs were read."""
        return self.labels.total()

    @property
    def unlabelled(self) -> int:
        """How many pairs have no gold label."""
        return self.labels[""]

    @property
    def labelled(self) -> Counter[str]:
        """Pairs by gold label, without the unlabelled ones."""
        return Counter({label: n for label, n in self.labels.items() if label})

    @property
    def duplicates(self) -> int:
        """How many contents occur more than once."""
        return sum(content.n > 1 for content in self.contents.values())

    @property
    def conflicts(self) -> int:
        """How many contents occur with different gold labels; a missing label differs from all others."""
        return sum(len(content.golds) > 1 for content in self.contents.values())

    def add(self, pair: Pair) -> None:
        """Count one pair."""
        premise = self._read(pair.premise)
        label = "" if pair.gold is None else str(pair.gold)
        self.labels[label] += 1
        self.replaced += has_replaced(pair, premise.text)
        if isinstance(pair.premise, Table):
            self.tables[pair.group, premise.id] = pair.premise
        key = digest(premise.id, pair.hypothesis)
        content = self.contents.get(key)
        if content is None:
            self.contents[key] = Content(pair.id, self._alone.setdefault(pair.gold, (pair.gold,)))
        else:
            content.add(pair)
        self.count(pair, label, premise)

    def count(self, pair: Pair, label: str, premise: ReadPremise) -> None:
        """Count more about a pair; consecutive pairs of one premise share the object ``premise``."""

    def _read(self, premise: Premise) -> ReadPremise:
        last = self._last
        # Pairs of one premise are mostly consecutive, so only the last premise is worth keeping.
        if last is None or (last.premise is not premise and last.premise != premise):
            text = premise_text(premise)
            last = self._last = ReadPremise(premise, text, digest(text))
        return last


def has_replaced(pair: Pair, premise_text: str) -> bool:
    """Tell whether a character of a pair could not be read, in its texts, its id or its facets."""
    return (
        REPLACEMENT in premise_text
        or REPLACEMENT in pair.hypothesis
        or REPLACEMENT in pair.id
        or any(REPLACEMENT in facet.value or REPLACEMENT in facet.name for facet in pair.facets)
    )
