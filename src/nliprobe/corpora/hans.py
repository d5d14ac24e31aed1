"""HANS: pairs on which syntactic heuristics fail (McCoy et al. 2019)."""

from __future__ import annotations

from collections.abc import Sequence

from nliprobe.corpora import CORPORA
from nliprobe.corpora._sentences import SentenceCorpus
from nliprobe.corpora.base import Split
from nliprobe.task.labels import LabelMap, Partition


@CORPORA.register("hans")
class Hans(SentenceCorpus):
    """HANS: 30,000 sentence pairs on which three syntactic heuristics fail.

    The evaluation set has 30 subcases of 1,000 pairs each, labelled as entailment or not.
    """

    corpus_name = "hans"
    title = "HANS: lexical overlap, subsequence and constituent heuristics"
    home = "https://github.com/tommccoy1/hans"
    licence = "MIT"
    splits = {"evaluation": Split(30_000)}
    folders = ("hans",)
    gold_partition = Partition.parse("E|NC")
    facet_columns = ("heuristic", "subcase", "template")
    breakdowns = ("heuristic,label", "subcase")
    labels = LabelMap()

    @classmethod
    def wanted(cls, split: str) -> Sequence[Sequence[str]]:
        """Name one file."""
        return [[f"heuristics_evaluation_set{suffix}" for suffix in (".txt", ".tsv", ".jsonl")]]
