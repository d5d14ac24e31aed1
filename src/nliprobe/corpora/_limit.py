"""The first pairs of a corpus: a quick look at anything."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path

from nliprobe.base.errors import UsageError
from nliprobe.base.hashing import digest
from nliprobe.corpora.base import Corpus, Split
from nliprobe.task.pair import Pair
from nliprobe.task.partitions import Partition


class Limited(Corpus):
    """A corpus cut after its first pairs, which keep their ids; name and digest tell that it is cut."""

    splits = {}
    folders = ()

    def __init__(self, whole: Corpus, limit: int) -> None:
        super().__init__(whole.split, whole.folder)
        self.whole = whole
        self.limit = limit

    @classmethod
    def wanted(cls, split: str) -> Sequence[Sequence[str]]:
        """Nothing of its own."""
        return []

    @property
    def name(self) -> str:
        """The corpus's name and the limit: ``snli/dev?limit=100``."""
        return f"{self.whole.name}?limit={self.limit}"

    @property
    def partition(self) -> Partition:
        """The corpus's own."""
        return self.whole.partition

    @property
    def expected(self) -> Split:
        """As many pairs as the limit says, or all where the corpus has fewer."""
        total = self.whole.expected.pairs
        return Split(None if total is None else min(total, self.limit), None)

    def files(self) -> list[Path]:
        """The corpus's own."""
        return self.whole.files()

    def digest(self) -> str:
        """A hash of the corpus and the limit."""
        return digest(self.whole.digest(), f"limit={self.limit}")

    def pairs(self) -> Iterator[Pair]:
        """The first pairs."""
        return islice(self.whole.pairs(), self.limit)


def parse_limit(text: str, corpus: str) -> int:
    """Read the value of ``limit=``."""
    if not text.isascii() or not text.isdigit() or int(text) == 0:
        raise UsageError(f"'{corpus}?limit' should be a number of pairs, at least 1, not '{text}'.")
    return int(text)
