"""Sources of pairs that users ask for by name: one registry for corpora, checklists, template files and plugins."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from nliprobe.base.errors import NotFoundError, UsageError
from nliprobe.base.files import data_roots
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

_SEED, _SAMPLE_SEED = "seed", "sample_seed"


def open_source(text: str, root: Path | None = None) -> Source:
    """Find the source of pairs that a spec string names, ready to be read.

    Args:
        text: a corpus and its split (which may be left out where there is only one), ``file:PATH``, ``checklist``,
            ``templates:PATH`` or a name that a plugin registers. All of them take the parameters ``where=name:value``
            (keep pairs by facet or label), then ``sample=N`` with ``seed=S`` (draw from those), then ``limit=N``.
        root: the folder above the corpora; by default, the folders of NLIPROBE_DATA are searched.
    """
    spec = Spec.parse(text, verbatim=("where",))
    kind = _kind(spec)
    own_params = {} if not kind.seeded else dict(spec.params)
    keys = ["where", "sample", "limit", _SAMPLE_SEED] + ([] if kind.seeded else [_SEED])
    chosen, rest = spec.take(*keys)
    if not chosen:
        return kind.from_spec(rest, data_roots(root))
    if "sample" in chosen and _SEED in own_params and _SAMPLE_SEED not in chosen:
        raise UsageError(
            f"'{spec.name}' draws its examples by 'seed', and a sample of them has a seed of its own: "
            f"name it with {_SAMPLE_SEED}=S."
        )
    return _view(kind.from_spec(rest, data_roots(root)), chosen, _SAMPLE_SEED if kind.seeded else _SEED)


def split_names(text: str, root: Path | None = None) -> list[str]:
    """Return the names of all available splits of a corpus named without one; return any other text as it is."""
    if any(mark in text for mark in "/:?"):
        return [text]
    kind = _kind(Spec.parse(text))
    available = [split for split in kind.splits if kind.located(split, data_roots(root)) is not None]
    # If none is available, opening the first one says which files are needed and where they come from.
    return [f"{text}/{split}" for split in available or list(kind.splits)[:1]] or [text]


def _kind(spec: Spec) -> type[NamedSource]:
    try:
        return SOURCES.get(spec.name.partition("/")[0])
    except NotFoundError:
        if Path(spec.name).exists():
            raise UsageError(f"'{spec.name}' is a file, not the name of a corpus: write file:{spec.name}.") from None
        raise


def _view(whole: Source, chosen: Mapping[str, str], seed_key: str) -> Source:
    """Apply the conditions first, then the sample, then the limit."""
    from nliprobe.task.views import Filtered, Limited, Sampled
    from nliprobe.task.where import parse_where

    name = whole.name.partition("?")[0]
    seeds = [chosen[key] for key in (_SEED, _SAMPLE_SEED) if key in chosen]
    if len(seeds) > 1:
        raise UsageError(f"'{name}' is given the seed of its sample twice: as {_SEED} and as {_SAMPLE_SEED}.")
    if seeds and "sample" not in chosen:
        raise UsageError(f"'{name}' is given a seed but nothing to draw: add sample=N.")
    source = whole
    if "where" in chosen:
        source = Filtered(source, parse_where(chosen["where"], name))
    if "sample" in chosen:
        seed = _number(seeds[0], f"{name}?{seed_key}", "a whole number", least=0) if seeds else 0
        size = _number(chosen["sample"], f"{name}?sample", "a number of pairs, at least 1", least=1)
        source = Sampled(source, size, seed, seed_key=seed_key)
    if "limit" in chosen:
        limit = _number(chosen["limit"], f"{name}?limit", "a number of pairs, at least 1", least=1)
        source = Limited(source, limit)
    return source


def _number(text: str, place: str, what: str, *, least: int) -> int:
    if not text.isascii() or not text.isdigit() or int(text) < least:
        raise UsageError(f"'{place}' should be {what}, not '{text}'.")
    return int(text)
