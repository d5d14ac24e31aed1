"""Adversarial NLI: three rounds of pairs written against a model in the loop (Nie et al. 2020)."""

from __future__ import annotations

from collections.abc import Sequence

from nliprobe.corpora import CORPORA
from nliprobe.corpora._sentences import SentenceCorpus
from nliprobe.corpora.base import Split


@CORPORA.register("anli")
class Anli(SentenceCorpus):
    """ANLI: three rounds of sentence pairs written against a model in the loop.

    It is read as its authors publish it, with a folder per round, or as Parquet files from the hub.
    """

    corpus_name = "anli"
    title = "Adversarial NLI, rounds 1 to 3"
    home = "https://github.com/facebookresearch/anli"
    licence = "CC BY-NC 4.0"
    splits = {
        "r1-train": Split(16_946),
        "r1-dev": Split(1_000),
        "r1-test": Split(1_000),
        "r2-train": Split(45_460),
        "r2-dev": Split(1_000),
        "r2-test": Split(1_000),
        "r3-train": Split(100_459),
        "r3-dev": Split(1_200),
        "r3-test": Split(1_200),
    }
    folders = ("anli", "anli_v1.0", "anli/anli_v1.0")
    facet_columns = ("genre", "tag")

    @classmethod
    def wanted(cls, split: str) -> Sequence[Sequence[str]]:
        """Name one file, or the shards from the hub."""
        round_, _, part = split.partition("-")
        official = [f"{round_.upper()}/{part}{suffix}" for suffix in (".jsonl", ".jsonl.gz")]
        return [[*official, f"plain_text/{part}_{round_}-*.parquet"]]
