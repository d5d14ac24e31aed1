"""The corpus ``builtin``: tables, sentences and passages written for this package, with evidence and twins."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path

from nliprobe.corpora import CORPORA, Corpus
from nliprobe.corpora.base import Split
from nliprobe.task.evidence import Evidence
from nliprobe.task.labels import LabelSet
from nliprobe.task.pair import Facet, Pair
from nliprobe.task.table import table_from_mapping
from nliprobe.task.units import Sentences

FOLDER = Path(__file__).parent
# The dev splits hold every third premise of the sentences, and the second twin pair of each category of tables.
_DEV_EVERY = 3


@CORPORA.register("builtin")
class Builtin(Corpus):
    """A small corpus in the package: 48 infoboxes, half of them fictional twins, 142 sentences and 12 passages.

    A category has one table and its twin in each split; ``tables-all`` has both splits together, for probes that take
    rows or values from another table of the category.
    """

    corpus_name = "builtin"
    title = "The built-in corpus"
    home = "the package itself"
    licence = "Apache-2.0"
    folders = ("builtin",)
    shipped = FOLDER.parent
    version = 2  # 2: evidence says whether knowledge from outside the table is needed
    splits = {
        "tables-train": Split(216),
        "tables-dev": Split(216),
        "tables-all": Split(432),
        "sentences-train": Split(285),
        "sentences-dev": Split(141),
        "passages-dev": Split(72),
    }

    @classmethod
    def wanted(cls, split: str) -> Sequence[Sequence[str]]:
        """Name the files in the package."""
        kind = split.partition("-")[0]
        return [[f"{kind}/*.json" if kind == "tables" else f"{kind}/*.jsonl"]]

    def pairs(self) -> Iterator[Pair]:
        """Yield the pairs of the split."""
        kinds = {"tables": self._table_pairs, "sentences": self._sentence_pairs, "passages": self._passage_pairs}
        yield from kinds[self.split.partition("-")[0]]()

    def _table_pairs(self) -> Iterator[Pair]:
        for path in self.files():
            for content in json.loads(path.read_text(encoding="utf-8")):
                if not self._holds(dev=content["id"][-2] == "2"):
                    continue
                table = table_from_mapping(content["rows"], title=content["title"], category=content["category"])
                places = {row.key: index for index, row in enumerate(table.rows)}
                for item in content["hypotheses"]:
                    facets = [Facet("category", content["category"]), Facet("table", content["id"])]
                    facets += [Facet("fictional", "yes" if content["fictional"] else "no"), Facet("twin", item["twin"])]
                    facets += [Facet("reasoning", kind) for kind in item["reasoning"]]
                    yield Pair(
                        f"{self.name}/{item['id']}",
                        table,
                        item["text"],
                        LabelSet.of(item["label"]),
                        # A table and its fictional twin share their rows' keys and their hypotheses: one group.
                        content["id"][:-1],
                        Evidence(
                            tuple(sorted(places[key] for key in item["evidence"])),
                            outside="subjective_oot" in item["reasoning"],
                        ),
                        facets=tuple(facets),
                    )

    def _sentence_pairs(self) -> Iterator[Pair]:
        for path in self.files():
            for line in path.read_text(encoding="utf-8").splitlines():
                item = json.loads(line)
                group, _, _ = item["id"].rpartition("-")
                if not self._holds(dev=int(group.rpartition("-")[2]) % _DEV_EVERY == 0):
                    continue
                facets = [Facet("style", path.stem)] + [Facet("reasoning", kind) for kind in item["reasoning"]]
                facets += [Facet("twin", item["twin"])] if item["twin"] else []
                yield Pair(
                    f"{self.name}/{item['id']}",
                    item["premise"],
                    item["hypothesis"],
                    LabelSet.of(item["label"]),
                    group,
                    facets=tuple(facets),
                )

    def _passage_pairs(self) -> Iterator[Pair]:
        for path in self.files():
            for line in path.read_text(encoding="utf-8").splitlines():
                content = json.loads(line)
                passage = Sentences.of(content["sentences"], content["gap"])
                for item in content["hypotheses"]:
                    facets = [Facet("topic", content["topic"])] + [
                        Facet("reasoning", kind) for kind in item["reasoning"]
                    ]
                    yield Pair(
                        f"{self.name}/{item['id']}",
                        passage.premise,
                        item["text"],
                        LabelSet.of(item["label"]),
                        content["id"],
                        Evidence(tuple(item["evidence"]), alone=item["alone"]),
                        facets=tuple(facets),
                        sentences=passage.spans,
                    )

    def _holds(self, *, dev: bool) -> bool:
        part = self.split.rpartition("-")[2]
        return part == "all" or (part == "dev") == dev
