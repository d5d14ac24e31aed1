"""SNLI-hard: the test pairs that a hypothesis-only model gets wrong (Gururangan et al. 2018)."""

from __future__ import annotations

from collections.abc import Sequence

from nliprobe.base.records.read import Record
from nliprobe.corpora import CORPORA
from nliprobe.corpora._sentences import SentenceCorpus, official_names
from nliprobe.corpora.base import Split
from nliprobe.corpora.snli import caption


@CORPORA.register("snli-hard")
class SnliHard(SentenceCorpus):
    """SNLI-hard: the test pairs of SNLI that a hypothesis-only model gets wrong."""

    corpus_name = "snli-hard"
    title = "SNLI-hard: test pairs that cannot be guessed from the hypothesis"
    home = "https://nlp.stanford.edu/projects/snli/snli_1.0_test_hard.jsonl"
    licence = "CC BY-SA 4.0"
    splits = {"test": Split(3_261)}
    folders = ("snli_hard", "snli-hard", "snli", "snli_1.0")

    @classmethod
    def wanted(cls, split: str) -> Sequence[Sequence[str]]:
        """Name one file."""
        return [official_names("snli_1.0_test_hard")]

    def group_of(self, record: Record, name: str, premise: str) -> str:
        """Return the caption's id, as in SNLI."""
        return caption(record, name) or super().group_of(record, name, premise)
