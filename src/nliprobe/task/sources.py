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
    """What a split should hold: its number of pairs and of unlabelled ones; none where nobody can know."""

    pairs: int | None = None
    unlabelled: int | None = 0


class Source(ABC):
    """Something that pairs are read from, whole or seen through a view; it is a :class:`PairSource`."""

    @property
    @abstractmethod
    def name(self) -> str:
        """What reports call it, as users write it: ``infotabs/dev``."""

    @property
    @abstractmethod
    def partition(self) -> Partition:
        """How finely the gold labels are told apart."""

    @property
    def expected(self) -> Split:
        """What it should hold; by default nobody knows."""
        return Split(None, None)

    @abstractmethod
    def files(self) -> list[Path]:
        """Every file the pairs are made from."""

    @abstractmethod
    def digest(self) -> str:
        """A hash of everything the pairs are made from, known without making them."""

    @abstractmethod
    def pairs(self) -> Iterator[Pair]:
        """The pairs, one at a time and in the same order at every call; what is not asked for is not parsed."""


class NamedSource(Source):
    """A kind of source that is registered under a name, with what it says about itself."""

    corpus_name: ClassVar[str]
    title: ClassVar[str]
    home: ClassVar[str]
    licence: ClassVar[str]
    splits: ClassVar[Mapping[str, Split]] = {}
    gold_partition: ClassVar[Partition] = THREE_WAY
    # What the user writes after the name: ``file:PATH``.
    argument: ClassVar[str] = ""
    # Whether it draws its pairs itself, so that ``seed=`` is the seed of its draws and not that of ``sample=``.
    seeded: ClassVar[bool] = False

    @classmethod
    @abstractmethod
    def from_spec(cls, spec: Spec, roots: Sequence[Path]) -> Source:
        """Open what a spec string asks for; ``roots`` are the folders above the corpora."""

    @classmethod
    def located(cls, split: str, roots: Sequence[Path]) -> Path | None:
        """Return the folder that holds a split, or none where it is not on this machine."""
        return None

    @property
    def partition(self) -> Partition:
        """How finely the gold labels are told apart."""
        return self.gold_partition


# Rooms are named and not imported: each registers its own, and asking for one source imports that source only.
SOURCES: Registry[NamedSource] = Registry("corpus", "nliprobe.corpora", "nliprobe.templates")
