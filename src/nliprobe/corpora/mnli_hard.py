"""MultiNLI-hard: the dev pairs that a hypothesis-only model gets wrong (Karimi Mahabadi et al. 2020)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import zip_longest

from nliprobe.base.errors import DataError
from nliprobe.base.hashing import digest
from nliprobe.base.records.read import Format, RecordFile
from nliprobe.base.records.text import read_lines
from nliprobe.corpora import CORPORA
from nliprobe.corpora._parts import Golds, PairIds
from nliprobe.corpora.base import Corpus, Split
from nliprobe.task.labels import LabelMap
from nliprobe.task.pair import Facet, Pair

_FOLDERS = {"matched": "MNLIMatchedHardWithHardTest", "mismatched": "MNLIMismatchedHardWithHardTest"}
# One line per pair in each: premises, hypotheses and labels.
_FILES = ("s1.test", "s2.test", "labels.test")


@CORPORA.register("mnli-hard")
class MnliHard(Corpus):
    """MultiNLI-hard: the dev pairs of MultiNLI that a hypothesis-only model gets wrong.

    Three files of equally many lines hold premises, hypotheses and labels. The texts are those of MultiNLI dev,
    tokenised, and every label is that of the dev pair. There are neither ids nor genres, so pairs are named by their
    content; one pair of ``mismatched`` comes twice. In four pairs the hypothesis equals the premise.
    """

    corpus_name = "mnli-hard"
    title = "MultiNLI-hard: dev pairs that cannot be guessed from the hypothesis"
    home = "https://github.com/rabeehk/robust-nli"
    licence = "as MultiNLI: OANC and Creative Commons, by genre"
    splits = {"matched": Split(4_573), "mismatched": Split(4_530)}
    folders = ("mnli_hard", "mnli-hard", "robust-nli/data/datasets")

    @classmethod
    def wanted(cls, split: str) -> Sequence[Sequence[str]]:
        """Name three files, in a folder with the name of the split or of the authors' archive."""
        return [[f"{folder}/{name}" for folder in (split, _FOLDERS[split])] for name in _FILES]

    def pairs(self) -> Iterator[Pair]:
        """Yield the pairs in the order of the lines; files of different lengths are an error."""
        ids, golds = PairIds(self.name), Golds(LabelMap(), self.partition)
        paths = self.files()
        labels = RecordFile(paths[2], Format.TSV)
        for lines in zip_longest(*(read_lines(path) for path in paths)):
            texts: list[str] = []
            for path, line in zip(paths, lines, strict=True):
                if line is None:
                    raise self._unequal()
                if not line[1].strip():
                    raise DataError(f"{path}, line {line[0]}: the line is empty. Expected one line per pair.")
                texts.append(line[1])
            premise, hypothesis, label = texts
            yield Pair(
                ids.content(premise, hypothesis),
                premise,
                hypothesis,
                golds.read(label, labels, lines[2][0]),
                digest(premise),
                facets=(Facet("genres", self.split),),
            )

    def _unequal(self) -> DataError:
        counts = ", ".join(f"{path} has {sum(1 for _ in read_lines(path)):,}" for path in self.files())
        return DataError(
            f"The files of {self.name} have different numbers of lines: {counts}. Line n of each belongs to pair n, so "
            f"none can be read; get them again from {self.home}."
        )
