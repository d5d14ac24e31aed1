"""Sources of pairs that users ask for by name, and views of them.

One registry holds corpora, checklists, template files and what plugins add. A view is a part of a source, under a name
and a digest of its own; its pairs keep their ids.
"""

from __future__ import annotations

import heapq
from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import ClassVar, TypeVar

from nliprobe.base.errors import DataError, NotFoundError, UsageError
from nliprobe.base.files import data_roots
from nliprobe.base.hashing import digest
from nliprobe.base.limited import exists
from nliprobe.base.registry import Registry, Spec
from nliprobe.task.labels import THREE_WAY, Partition
from nliprobe.task.pair import Pair
from nliprobe.task.source import PairSource, Source, Split
from nliprobe.task.where import Condition, Matcher, parse_where


class NamedSource(Source):
    """A kind of source that is registered under a name, with its title, origin, licence and splits."""

    corpus_name: ClassVar[str]
    title: ClassVar[str]
    home: ClassVar[str]
    licence: ClassVar[str]
    splits: ClassVar[Mapping[str, Split]] = {}
    gold_partition: ClassVar[Partition] = THREE_WAY
    # What ``nliprobe show`` breaks its accuracies down by: facets, or several of them with commas between.
    breakdowns: ClassVar[tuple[str, ...]] = ()
    # What the user writes after the name: ``file:PATH``.
    argument: ClassVar[str] = ""
    # Whether it draws its pairs itself: then ``seed=`` is the seed of its draws, not of ``sample=``.
    seeded: ClassVar[bool] = False
    # Whether ``evidence=`` and ``facets=`` can be parameters of its own: then it attaches both from elsewhere itself.
    own_attached: ClassVar[bool] = False

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

    @property
    def report_by(self) -> tuple[str, ...]:
        """The facets that its class names."""
        return self.breakdowns


ViewT = TypeVar("ViewT", bound="View")


class View(Source):
    """A part of a source, chosen by parameters that are written after the source's name."""

    # Whether it adds something that the source does not have.
    attaches: ClassVar[bool] = False

    def __init__(self, whole: PairSource, *params: str) -> None:
        self.whole = whole
        self._params = params

    @property
    def name(self) -> str:
        """The source's name and the parameters: ``snli/dev?limit=100``."""
        return f"{self.whole.name}{'&' if '?' in self.whole.name else '?'}{'&'.join(self._params)}"

    @property
    def partition(self) -> Partition:
        """The partition of the source."""
        return self.whole.partition

    @property
    def report_by(self) -> tuple[str, ...]:
        """The facets that the source names."""
        return self.whole.report_by if isinstance(self.whole, Source) else ()

    @property
    def executable(self) -> bool:  # type: ignore[override]  # read-only where it depends on parameters
        """Whether pairs of the source may carry programs."""
        return isinstance(self.whole, Source) and self.whole.executable

    def files(self) -> list[Path]:
        """Return the files of the source."""
        return self.whole.files() if isinstance(self.whole, Source) else []

    def digest(self) -> str:
        """Return a hash of the source and the parameters."""
        return digest(self.whole.digest(), *self._params)

    @abstractmethod
    def pairs(self) -> Iterator[Pair]:
        """Yield the chosen pairs in the order of the source."""

    def _at_most(self, n: int) -> Split:
        total = self.whole.expected.pairs if isinstance(self.whole, Source) else None
        return Split(None if total is None else min(total, n), None)


class Attached(View):
    """The pairs of a source with something from elsewhere, which a text names.

    Args:
        whole: the source.
        key: the parameter that names it.
        text: what is attached.
    """

    attaches = True

    def __init__(self, whole: PairSource, key: str, text: str) -> None:
        # A text with parameters of its own is quoted, so that the name can be read back.
        super().__init__(whole, str(Spec("x", "", ((key, text),))).partition("?")[2])

    @property
    def expected(self) -> Split:
        """As many pairs as the source has."""
        return self.whole.expected if isinstance(self.whole, Source) else Split(None, None)


class Limited(View):
    """The first pairs of a source; the rest is not parsed."""

    def __init__(self, whole: PairSource, limit: int) -> None:
        super().__init__(whole, f"limit={limit}")
        self.limit = limit

    @property
    def expected(self) -> Split:
        """As many pairs as the limit, or all if the source has fewer."""
        return self._at_most(self.limit)

    def pairs(self) -> Iterator[Pair]:
        """Yield the first pairs."""
        return islice(self.whole.pairs(), self.limit)


class Skipped(View):
    """The pairs of a source after the first ones, so that a split without a dev part can be cut in two."""

    def __init__(self, whole: PairSource, skip: int) -> None:
        super().__init__(whole, f"skip={skip}")
        self.skip = skip

    @property
    def expected(self) -> Split:
        """As many pairs as are left."""
        total = self.whole.expected.pairs if isinstance(self.whole, Source) else None
        return Split(None if total is None else max(0, total - self.skip), None)

    def pairs(self) -> Iterator[Pair]:
        """Yield the pairs after the first ones; a source without any is an error."""
        rest = islice(self.whole.pairs(), self.skip, None)
        first = next(rest, None)
        if first is None:
            raise UsageError(f"{self.whole.name} has no more than {self.skip:,} pairs: skip={self.skip} leaves none.")
        yield first
        yield from rest


class Sampled(View):
    """A sample without replacement: the pairs with the smallest hash(seed, id), which depends on nothing else.

    A larger sample with the same seed includes the smaller ones. A pair made from others is drawn with them.
    """

    def __init__(self, whole: PairSource, size: int, seed: int = 0, *, seed_key: str = "seed") -> None:
        super().__init__(whole, f"sample={size}", f"{seed_key}={seed}")
        self.size = size
        self.seed = seed

    @property
    def expected(self) -> Split:
        """As many pairs as are drawn, or all if the source has fewer."""
        return self._at_most(self.size)

    def digest(self) -> str:
        """Return a hash of the source, the size and the seed, whatever the seed's parameter is called."""
        return digest(self.whole.digest(), f"sample={self.size}", f"seed={self.seed}")

    def pairs(self) -> Iterator[Pair]:
        """Yield the drawn pairs in the order of the source, holding no more of them than the sample's size."""
        families = _Families()
        heap = self._drawn(families)
        if families.joined:
            # Pairs were taken for strangers until a later one was made from both: now their family is known.
            heap = self._drawn(families)
        bases = _BaseCheck(self.name)
        for _, _, pair in sorted(heap, key=lambda item: -item[1]):
            yield bases.checked(pair)

    def _drawn(self, families: _Families) -> list[tuple[int, int, Pair]]:
        # The largest hash is on top and is replaced by smaller ones; among equal hashes, the later pair is on top.
        heap: list[tuple[int, int, Pair]] = []
        for place, pair in enumerate(self.whole.pairs()):
            item = (-int(digest(str(self.seed), families.of(pair)), 16), -place, pair)
            if len(heap) < self.size:
                heapq.heappush(heap, item)
            elif item[:2] > heap[0][:2]:
                heapq.heapreplace(heap, item)
        return heap


class _Families:
    """Names pairs that were made from one another by the first of them; ``joined`` if a pair joined two families."""

    def __init__(self) -> None:
        self.joined = False
        self._roots: dict[str, str] = {}

    def of(self, pair: Pair) -> str:
        if not pair.bases:
            return self._root(pair.id)
        root, *others = dict.fromkeys(self._root(base) for base in pair.bases)
        for other in others:
            self.joined = True
            self._roots[other] = root
        if root != pair.id:
            self._roots[pair.id] = root
        return root

    def _root(self, name: str) -> str:
        while name in self._roots:
            name = self._roots[name]
        return name


class Filtered(View):
    """The pairs of a source that meet conditions on their facets and gold labels."""

    def __init__(self, whole: PairSource, conditions: Sequence[Condition]) -> None:
        super().__init__(whole, f"where={'+'.join(map(str, conditions))}")
        self.conditions = tuple(conditions)

    def pairs(self) -> Iterator[Pair]:
        """Yield the pairs that meet all conditions; if there are none, the error names the values there are."""
        matcher, bases = Matcher(self.conditions, self.whole.name), _BaseCheck(self.name)
        for pair in self.whole.pairs():
            if matcher.matches(pair):
                yield bases.checked(pair)
        matcher.require_any()


class _BaseCheck:
    """Refuses a pair that must be compared with another pair which the view leaves out."""

    def __init__(self, view: str) -> None:
        self._view = view
        self._ids: set[str] = set()

    def checked(self, pair: Pair) -> Pair:
        missing = next((base for base in pair.bases if base not in self._ids), None)
        if missing is not None:
            raise DataError(
                f"{self._view} has the pair {pair.id} but leaves out {missing}, from which it was made. "
                "Choose by something that both have."
            )
        self._ids.add(pair.id)
        return pair


# The packages are named, not imported: each registers its own sources, and asking for one imports only that one.
SOURCES: Registry[NamedSource] = Registry(
    "corpus", "nliprobe.corpora", "nliprobe.templates", "nliprobe.templates.tables"
)

_SEED, _SAMPLE_SEED = "seed", "sample_seed"
_EVIDENCE, _FACETS = "evidence", "facets"


def open_source(text: str, root: Path | None = None) -> Source:
    """Find the source of pairs that a spec string names, ready to be read.

    Args:
        text: a corpus and its split (which may be left out where there is only one), ``file:PATH``, ``checklist``,
            ``templates:PATH`` or a name that a plugin registers. All of them take the parameters ``evidence=NAME``
            (attach evidence), ``facets=FILE`` (attach facets by pair id), ``where=name:value`` (keep pairs by facet or
            label), then ``sample=N`` with ``seed=S`` (draw from those), then ``skip=N``, then ``limit=N``.
        root: the folder above the corpora; by default, the folders of NLIPROBE_DATA are searched.
    """
    spec = Spec.parse(text, verbatim=("where",))
    kind = _kind(spec)
    own_params = {} if not kind.seeded else dict(spec.params)
    keys = ["where", "sample", "skip", "limit", _SAMPLE_SEED] + ([] if kind.seeded else [_SEED])
    attached, rest = spec.take(*([] if kind.own_attached else [_EVIDENCE, _FACETS]))
    chosen, rest = rest.take(*keys)

    def whole() -> Source:
        source, roots = kind.from_spec(rest, data_roots(root)), data_roots(root)
        return _with_attached(source, attached, roots)

    if not chosen:
        return whole()
    if "sample" in chosen and _SEED in own_params and _SAMPLE_SEED not in chosen:
        raise UsageError(
            f"'{spec.name}' draws its examples by 'seed', and a sample of them has a seed of its own: "
            f"name it with {_SAMPLE_SEED}=S."
        )
    return _view(whole(), chosen, _SAMPLE_SEED if kind.seeded else _SEED)


def split_names(text: str, root: Path | None = None) -> list[str]:
    """Return the names of all available splits of a corpus named without one; return any other text as it is."""
    if any(mark in text for mark in "/:?"):
        return [text]
    kind = _kind(Spec.parse(text))
    available = [split for split in kind.splits if kind.located(split, data_roots(root)) is not None]
    # If none is available, opening the first one says which files are needed and where they come from.
    return [f"{text}/{split}" for split in available or list(kind.splits)[:1]] or [text]


def view_behind(source: PairSource, kind: type[ViewT]) -> ViewT | None:
    """Return the first view of a kind behind a source's views, or None if there is none."""
    while isinstance(source, View):
        if isinstance(source, kind):
            return source
        source = source.whole
    return None


def origin(source: PairSource) -> PairSource:
    """Return the source behind all views."""
    while isinstance(source, View):
        source = source.whole
    return source


def is_published(source: PairSource) -> bool:
    """Tell whether pairs are known by the name of their corpus, so that nothing about them had to be guessed.

    Pairs to which evidence or facets are attached are not: something must be said about these.
    """
    while isinstance(source, View):
        if source.attaches:
            return False
        source = source.whole
    return isinstance(source, NamedSource) and not source.argument


def _kind(spec: Spec) -> type[NamedSource]:
    try:
        return SOURCES.get(spec.name.partition("/")[0])
    except NotFoundError:
        if exists(Path(spec.name)):
            raise UsageError(f"'{spec.name}' is a file, not the name of a corpus: write file:{spec.name}.") from None
        raise


def _with_attached(source: Source, attached: Mapping[str, str], roots: Sequence[Path]) -> Source:
    """Attach evidence first, then facets."""
    if _EVIDENCE in attached:
        from nliprobe.task.evidenced import attach_evidence

        source = attach_evidence(source, attached[_EVIDENCE], roots)
    if _FACETS in attached:
        from nliprobe.task.faceted import attach_facets

        source = attach_facets(source, attached[_FACETS])
    return source


def _view(whole: Source, chosen: Mapping[str, str], seed_key: str) -> Source:
    """Apply the conditions first, then the sample, then leave out the first, then apply the limit."""
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
    if "skip" in chosen:
        source = Skipped(source, _number(chosen["skip"], f"{name}?skip", "a number of pairs, at least 1", least=1))
    if "limit" in chosen:
        limit = _number(chosen["limit"], f"{name}?limit", "a number of pairs, at least 1", least=1)
        source = Limited(source, limit)
    return source


def _number(text: str, place: str, what: str, *, least: int) -> int:
    if not text.isascii() or not text.isdigit() or int(text) < least:
        raise UsageError(f"'{place}' should be {what}, not '{text}'.")
    return int(text)
