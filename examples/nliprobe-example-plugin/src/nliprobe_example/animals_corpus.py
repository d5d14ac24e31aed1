"""``animals``: six pairs about animals that come with the plugin."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from nliprobe.base.records.files import Format, RecordFile
from nliprobe.corpora import CORPORA, Corpus
from nliprobe.corpora.base import Split
from nliprobe.task.labels import LabelSet
from nliprobe.task.pair import Facet, Pair


@CORPORA.register("animals")
class Animals(Corpus):
    """Six pairs about two animals, each with the facet ``animal``."""

    corpus_name = "animals"
    title = "Sentences about animals"
    home = "the example plugin"
    licence = "Apache-2.0"
    splits = {"dev": Split(6)}
    folders = ("animals",)
    shipped = Path(__file__).parent  # without it, the folder is looked for below NLIPROBE_DATA

    @classmethod
    def wanted(cls, split: str) -> Sequence[Sequence[str]]:
        """One file."""
        return [[f"{split}.tsv"]]

    def pairs(self) -> Iterator[Pair]:
        """The pairs, line by line; pairs of one premise depend on one another."""
        for _, record in RecordFile(self.found(0)[0], Format.TSV).records():
            name, premise, hypothesis, label, animal = map(str, record.values())
            facets = (Facet("animal", animal),)
            yield Pair(f"{self.name}/{name}", premise, hypothesis, LabelSet.of(label), premise, facets=facets)
