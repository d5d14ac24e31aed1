"""``weather``: six pairs that come with the plugin, as an example of a corpus."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path

from nliprobe.corpora import CORPORA, Corpus
from nliprobe.corpora.base import Split
from nliprobe.task.labels import LabelSet
from nliprobe.task.pair import Pair


@CORPORA.register("weather")
class Weather(Corpus):
    """A JSON line per pair; pairs with the same premise are one group."""

    corpus_name = "weather"
    title = "pairs about the weather"
    home = "the example plugin"
    licence = "Apache-2.0"
    splits = {"test": Split(pairs=6)}
    folders = ("weather",)
    shipped = Path(__file__).with_name("weather")

    @classmethod
    def wanted(cls, split: str) -> Sequence[Sequence[str]]:
        """Name the one file of a split."""
        return [[f"{split}.jsonl"]]

    def pairs(self) -> Iterator[Pair]:
        """Yield the pairs in the order of the file."""
        [path] = self.files_at(0)
        for line in path.read_text(encoding="utf-8").splitlines():
            item = json.loads(line)
            pair_id, gold = f"{self.name}/{item['id']}", LabelSet.of(item["label"])
            yield Pair(pair_id, item["premise"], item["hypothesis"], gold, item["premise"])
