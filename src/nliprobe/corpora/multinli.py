"""MultiNLI: sentence pairs from ten genres (Williams et al. 2018)."""

from __future__ import annotations

from collections.abc import Sequence

from nliprobe.base.records.read import Record
from nliprobe.corpora import CORPORA
from nliprobe.corpora._sentences import SentenceCorpus, official_names
from nliprobe.corpora.base import Split

_HUB_NAMES = {"train": "train", "dev-matched": "validation_matched", "dev-mismatched": "validation_mismatched"}
# The hub's copy leaves out the 185 and 168 pairs without a majority.
_HUB_PAIRS = {"dev-matched": 9_815, "dev-mismatched": 9_832}


@CORPORA.register("multinli")
class MultiNli(SentenceCorpus):
    """MultiNLI: sentence pairs from ten genres of written and spoken English.

    It is read as its authors publish it (JSON lines, text), as CSV, or as Parquet files from the hub. 27 ids of the
    mismatched pairs occur twice; the second pair gets ``#2``. ``train-20k`` is a public tokenised sample of the
    training pairs.
    """

    corpus_name = "multinli"
    title = "MultiNLI: inference in ten genres of written and spoken English"
    home = "https://cims.nyu.edu/~sbowman/multinli/"
    licence = "OANC and Creative Commons, by genre"
    splits = {
        "train": Split(392_702),
        "dev-matched": Split(10_000, 185),
        "dev-mismatched": Split(10_000, 168),
        "train-20k": Split(20_000),
    }
    folders = ("multinli", "multinli_1.0", "multinli/multinli_1.0", "multi_nli")
    facet_columns = ("genre",)

    @classmethod
    def wanted(cls, split: str) -> Sequence[Sequence[str]]:
        """Name one file, or the shards from the hub."""
        if split == "train-20k":
            return [["nyu_hw_mnli_train.tsv"]]
        shards = [f"{folder}/{_HUB_NAMES[split]}-*.parquet" for folder in ("data", "default")]
        return [official_names(f"multinli_1.0_{split.replace('-', '_')}") + shards]

    @property
    def expected(self) -> Split:
        """How many pairs the files should hold; the hub's copy has only labelled pairs."""
        if self.split in _HUB_PAIRS and self.files_at(0)[0].suffix == ".parquet":
            return Split(_HUB_PAIRS[self.split])
        return self.splits[self.split]

    def group_of(self, record: Record, name: str, premise: str) -> str:
        """Return the prompt if it is named, else the premise."""
        return str(record.get("promptID") or "") or super().group_of(record, name, premise)
