"""Deliberately broken corpora: for each rule of the contract, at least one that breaks it."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from nliprobe.corpora import Corpus
from nliprobe.corpora.base import Split
from nliprobe.task.evidence import Evidence
from nliprobe.task.labels import LabelSet, Partition
from nliprobe.task.pair import Pair
from nliprobe.task.table import Row, Table

_numbers = itertools.count()
TABLE = Table("t", (Row("k", ("v",)),))


class GoodCorpus(Corpus):
    """Keeps the contract: beside its code it finds this very file."""

    corpus_name = "broken"
    title = "A corpus for tests"
    home = "here"
    licence = "Apache-2.0"
    splits = {"dev": Split(2)}
    folders = ("broken",)
    shipped = Path(__file__).parent

    @classmethod
    def wanted(cls, split: str) -> Sequence[Sequence[str]]:
        return [[Path(__file__).name]]

    def pairs(self) -> Iterator[Pair]:
        yield Pair("broken/dev/1", TABLE, "one", LabelSet.of("E"), evidence=Evidence((0,)))
        yield Pair("broken/dev/2", "text", "two", LabelSet.of("C"))


class NoLicence(GoodCorpus):
    licence = ""


class OtherName(GoodCorpus):
    corpus_name = "whole"


class OddSplit(GoodCorpus):
    splits = {"dev/1": Split(2)}


class SameIds(GoodCorpus):
    def pairs(self) -> Iterator[Pair]:
        return (replace(pair, id="broken/dev/1") for pair in super().pairs())


class ForeignIds(GoodCorpus):
    def pairs(self) -> Iterator[Pair]:
        return (replace(pair, id=pair.id.removeprefix("broken/")) for pair in super().pairs())


class EmptyTexts(GoodCorpus):
    def pairs(self) -> Iterator[Pair]:
        return (replace(pair, hypothesis=" ") for pair in super().pairs())


class OtherLabels(GoodCorpus):
    gold_partition = Partition.parse("E|N")


class WrongEvidence(GoodCorpus):
    def pairs(self) -> Iterator[Pair]:
        return (replace(pair, evidence=Evidence((1,))) for pair in super().pairs())


class WrongSentences(GoodCorpus):
    def pairs(self) -> Iterator[Pair]:
        return (replace(pair, sentences=((0, 9),) if pair.premise == "text" else ()) for pair in super().pairs())


class Changing(GoodCorpus):
    def pairs(self) -> Iterator[Pair]:
        return (replace(pair, hypothesis=f"{next(_numbers)}") for pair in super().pairs())


class NewDigest(GoodCorpus):
    def digest(self) -> str:
        return str(next(_numbers))


CORPORA: list[tuple[str, type[Corpus]]] = [
    ("metadata", NoLicence),
    ("metadata", OtherName),
    ("splits", OddSplit),
    ("unique ids", SameIds),
    ("unique ids", ForeignIds),
    ("texts", EmptyTexts),
    ("gold within the partition", OtherLabels),
    ("sentences are parts of the premise", WrongSentences),
    ("evidence is there", WrongEvidence),
    ("two readings agree", Changing),
    ("stable digest", NewDigest),
]
