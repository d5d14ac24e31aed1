"""SNLI: sentence pairs over image captions (Bowman et al. 2015)."""

from __future__ import annotations

import re
from collections.abc import Sequence

from nliprobe.base.records.read import Record
from nliprobe.corpora import CORPORA
from nliprobe.corpora._sentences import SentenceCorpus, official_names
from nliprobe.corpora.base import Split

# A pair's id consists of the caption's id, the writer's number and the label asked for: 4705552913.jpg#2 r1 n.
_PAIR_ID = re.compile(r"(.+)r\d+[a-z]")
_HUB_NAMES = {"train": "train", "dev": "validation", "test": "test"}


@CORPORA.register("snli")
class Snli(SentenceCorpus):
    """SNLI: sentence pairs about image captions.

    It is read as its authors publish it (JSON lines, text), as CSV, or as Parquet files from the hub.
    ``train-100k`` and ``train-25k`` are two public selections from the training pairs.
    """

    corpus_name = "snli"
    title = "Stanford NLI: inference over image captions"
    home = "https://nlp.stanford.edu/projects/snli/"
    licence = "CC BY-SA 4.0"
    splits = {
        "train": Split(550_152, 785),
        "dev": Split(10_000, 158),
        "test": Split(10_000, 176),
        "train-100k": Split(99_890),
        "train-25k": Split(24_980),
    }
    folders = ("snli", "snli_1.0", "snli/snli_1.0")

    @classmethod
    def wanted(cls, split: str) -> Sequence[Sequence[str]]:
        """Name one file, or the shards from the hub."""
        if split == "train-100k":
            return [official_names("snli_1.0_train_100k")]
        if split == "train-25k":
            return [["train_subset_25k.jsonl", "train_subset_25k.jsonl.gz"]]
        shards = [f"{folder}/{_HUB_NAMES[split]}-*.parquet" for folder in ("plain_text", "data")]
        return [official_names(f"snli_1.0_{split}") + shards]

    def group_of(self, record: Record, name: str, premise: str) -> str:
        """Return the caption's id from its column or from the pair's id, else a hash of the premise."""
        return caption(record, name) or super().group_of(record, name, premise)


def caption(record: Record, name: str) -> str:
    """Return the id of a pair's caption from its column or from the pair's id; empty if neither has it."""
    caption_id = record.get("captionID")
    if caption_id:
        return str(caption_id)
    match = _PAIR_ID.fullmatch(name)
    return match[1] if match else ""
