"""The contract that every corpus keeps."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from itertools import islice

from nliprobe.corpora import Corpus
from nliprobe.task.labels import LabelSet, Partition
from nliprobe.task.pair import Pair
from nliprobe.task.source import Source, Split
from nliprobe.task.sources import NamedSource
from nliprobe.task.table import Table
from nliprobe.testing._rules import Promise, require

# Pairs read per split: enough to meet every form that a file has, without reading a large corpus to its end.
READ = 2000
# Larger corpora are not digested twice.
DIGESTED_BYTES = 32_000_000


@dataclass(frozen=True)
class Declared:
    """A corpus class, under the name it is registered by."""

    name: str
    kind: type[NamedSource]


@dataclass(frozen=True)
class OpenSplit:
    """One split that is on this machine; ``open_`` opens it again."""

    open_: Callable[[], Source]

    @cached_property
    def corpus(self) -> Source:
        """The open split."""
        return self.open_()

    @cached_property
    def pairs(self) -> list[Pair]:
        """The first pairs of the split."""
        return list(islice(self.corpus.pairs(), READ))


def _metadata(at: Declared) -> None:
    require(at.kind.corpus_name == at.name, f"it is registered as '{at.name}' but calls itself '{at.kind.corpus_name}'")
    for field in ("title", "home", "licence"):
        value = getattr(at.kind, field, None)
        require(isinstance(value, str) and value.strip(), f"it does not declare its {field}")
    require(isinstance(at.kind.gold_partition, Partition), "its gold_partition is not a Partition")


def _splits(at: Declared) -> None:
    for name, split in at.kind.splits.items():
        require(name and not set(name) & set("/:?&=, "), f"the split name {name!r} cannot be used in a spec string")
        require(isinstance(split, Split), f"the split {name} is not a Split")
        if issubclass(at.kind, Corpus):
            wanted = at.kind.wanted(name)
            require(wanted and all(alternatives for alternatives in wanted), f"it wants no files for the split {name}")
            require(at.kind.folders, "it does not say what its folder is called")


def _ids(at: OpenSplit) -> None:
    require(at.pairs, "it has no pairs")
    ids = [pair.id for pair in at.pairs]
    require(len(set(ids)) == len(ids), "two pairs have the same id")
    # What is drawn anew for each number or seed keeps the ids of its templates, whatever its name says.
    name = at.corpus.name
    start = f"{name}/" if isinstance(at.corpus, Corpus) else name.partition("?")[0].partition("/")[0]
    require(all(one.startswith(start) for one in ids), f"an id does not start with {start}")


def _texts(at: OpenSplit) -> None:
    for pair in at.pairs:
        has_words = isinstance(pair.hypothesis, str) and pair.hypothesis.strip()
        require(has_words, f"the hypothesis of {pair.id} is empty or no text")
        fine = bool(pair.premise.rows) if isinstance(pair.premise, Table) else bool(pair.premise.strip())
        require(fine, f"the premise of {pair.id} is empty")


def _golds(at: OpenSplit) -> None:
    labels = at.corpus.partition.labels
    for pair in at.pairs:
        if pair.gold is not None:
            fine = isinstance(pair.gold, LabelSet) and pair.gold and pair.gold <= labels
            require(fine, f"the gold {pair.gold} of {pair.id} is not in {at.corpus.partition}")


def _sentences(at: OpenSplit) -> None:
    for pair in at.pairs:
        if pair.sentences:
            require(isinstance(pair.premise, str), f"{pair.id} has sentences but no text")
            places = [0, *(place for span in pair.sentences for place in span), len(str(pair.premise))]
            require(places == sorted(places), f"{pair.id} has sentences that are not parts of its premise, in order")


def _evidence(at: OpenSplit) -> None:
    for pair in at.pairs:
        if pair.evidence is not None:
            named = isinstance(pair.premise, Table) or bool(pair.sentences)
            require(named, f"{pair.id} has evidence, but neither a table nor sentences that its corpus gives")
            size = len(pair.premise.rows) if isinstance(pair.premise, Table) else len(pair.sentences)
            fine = all(unit < size for unit in pair.evidence.units)
            require(fine, f"{pair.id} has evidence in a unit that is not there")


def _twice(at: OpenSplit) -> None:
    require(list(islice(at.corpus.pairs(), READ)) == at.pairs, "a second reading gives other pairs")
    require(list(islice(at.open_().pairs(), READ)) == at.pairs, "opened again, it gives other pairs")


def _digest(at: OpenSplit) -> None:
    if sum(path.stat().st_size for path in at.corpus.files()) <= DIGESTED_BYTES:
        first = at.corpus.digest()
        require(isinstance(first, str) and first, "the digest is not a text")
        require(first == at.corpus.digest() == at.open_().digest(), "the digest changes from call to call")


DECLARED: tuple[Promise[Declared], ...] = (Promise("metadata", _metadata), Promise("splits", _splits))
RULES: tuple[Promise[OpenSplit], ...] = (
    Promise("unique ids", _ids),
    Promise("texts", _texts),
    Promise("gold within the partition", _golds),
    Promise("sentences are parts of the premise", _sentences),
    Promise("evidence is there", _evidence),
    Promise("two readings agree", _twice),
    Promise("stable digest", _digest),
)
