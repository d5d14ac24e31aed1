"""Sources of pairs that users ask for by name: one registry for corpora, checklists, template files and plugins."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from nliprobe.base.registry import Registry
from nliprobe.base.spec import Spec
from nliprobe.task.pair import Pair
from nliprobe.task.partitions import THREE_WAY, Partition


@dataclass(frozen=True, slots=True)
class Split:
    """How many pairs and how many unlabelled pairs a split should hold; None where this is not known."""

    pairs: int | None = None
    unlabelled: int | None = 0


class Source(ABC):
    """A :class:`PairSource` that can also list its files and say how many pairs it should hold."""

    @property
    @abstractmethod
    def name(self) -> str:
        """The name in reports, as users write it: ``infotabs/dev``."""

    @property
    @abstractmethod
    def partition(self) -> Partition:
        """How finely the gold labels are told apart."""

    @property
    def expected(self) -> Split:
        """How many pairs it should hold; not known by default."""
        return Split(None, None)

    @abstractmethod
    def files(self) -> list[Path]:
        """Return every file that the pairs are made from."""

    @abstractmethod
    def digest(self) -> str:
        """Return a hash of everything that the pairs are made from, without making them."""

    @abstractmethod
    def pairs(self) -> Iterator[Pair]:
        """Yield the pairs in the same order at every call, and parse only as many as are asked for."""


class NamedSource(Source):
    """A kind of source that is registered under a name, with its title, origin, licence and splits."""

    corpus_name: ClassVar[str]
    title: ClassVar[str]
    home: ClassVar[str]
    licence: ClassVar[str]
    splits: ClassVar[Mapping[str, Split]] = {}
    gold_partition: ClassVar[Partition] = THREE_WAY
    # What the user writes after the name: ``file:PATH``.
    argument: ClassVar[str] = ""
    # Whether it draws its pairs itself: then ``seed=`` is the seed of its draws, not of ``sample=``.
    seeded: ClassVar[bool] = False

    @classmethod
    @abstractmethod
    def from_spec(cls, spec: Spec, roots: Sequence[Path]) -> Source:
        """Open what a spec string asks for; ``roots`` are the folders above the corpora."""

    @classmethod
    def located(cls, split: str, roots: Sequence[Path]) -> Path | None:
        """Return the folder that holds a split, or None if it is not on this machine."""
        return None

    @property
    def partition(self) -> Partition:
        """How finely the gold labels are told apart."""
        return self.gold_partition


# The packages are named, not imported: each registers its own sources, and asking for one imports only that one.
SOURCES: Registry[NamedSource] = Registry("corpus", "nliprobe.corpora", "nliprobe.templates")
