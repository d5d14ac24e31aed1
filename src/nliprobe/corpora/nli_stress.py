"""The released stress tests for NLI, made from MultiNLI and from maths questions (Naik et al. 2018)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from nliprobe.base.hashing import digest
from nliprobe.base.records.read import Record
from nliprobe.corpora import CORPORA
from nliprobe.corpora._sentences import SentenceCorpus
from nliprobe.corpora.base import Split
from nliprobe.task.pair import Facet

_NUMERICAL = "numerical"


class _Test(NamedTuple):
    """One test of the release.

    Attributes:
        folder: its folder in the archive.
        stem: the name of its files before the genres and the suffix.
        sizes: how many pairs its matched and mismatched files hold; None where no source says it.
        edit: how words are misspelt, for the four tests of spelling.
    """

    folder: str
    stem: str
    sizes: tuple[int | None, int | None]
    edit: str = ""


_TESTS = {
    "antonymy": _Test("Antonym", "antonym", (1_561, 1_734)),
    "length": _Test("Length_Mismatch", "length_mismatch", (9_815, 9_832)),
    "negation": _Test("Negation", "negation", (9_815, 9_832)),
    "overlap": _Test("Word_Overlap", "taut2", (9_815, 9_832)),
    "spelling": _Test("Spelling_Error", "dev_gram_swap", (None, None), "swap"),
    "spelling-keyboard": _Test("Spelling_Error", "dev_gram_keyboard", (None, None), "keyboard"),
    "spelling-content": _Test("Spelling_Error", "dev_gram_contentword_swap_perturbed", (8_243, None), "content word"),
    "spelling-function": _Test("Spelling_Error", "dev_gram_functionword_swap_perturbed", (None, None), "function word"),
}
_GENRES = ("matched", "mismatched")


def _splits() -> dict[str, Split]:
    splits = {
        f"{name}-{genres}": Split(size)
        for name, test in _TESTS.items()
        for genres, size in zip(_GENRES, test.sizes, strict=True)
    }
    return splits | {_NUMERICAL: Split(7_596)}


@CORPORA.register("nli-stress")
class NliStress(SentenceCorpus):
    """The released stress tests: antonymy, numerical reasoning, word overlap, negation, length and spelling.

    All files of the release are read by their official names, loose or in the folders of the archive. What they hold:

    - *Antonymy* (all C): the sentence is the premise or the hypothesis of the MultiNLI pair that the id names, and it
      comes once per word replaced. Thus ids repeat (1,561 pairs have 1,142 ids; the second pair gets ``#2``), and
      pairs with the same id are one group. Antonyms are not inflected: *citizens* becomes *noncitizen*.
    - *Numerical*: three pairs per maths question, in this order: E (the quantity widened), N (the E pair swapped) and C
      (another quantity). The text file has neither ids nor genres, and its tokenised text lies in the columns for
      parses. 643 of the 7,596 pairs repeat an earlier one word for word, and the 2,532 triples have 1,889 distinct
      questions; all pairs of a question are one group.
    - The others are MultiNLI dev pairs with something added or misspelt, under the ids of those pairs; pairs with the
      same premise are one group. Of the test ``spelling`` (adjacent letters swapped), public copies of the mismatched
      file may hold its first 1,000 pairs only, so no number of pairs is expected of it.

    No cell is empty, no pair has two labels, and no premise equals its hypothesis in the files that were looked at:
    antonymy, numerical, and 1,000 pairs of spelling.
    """

    corpus_name = "nli-stress"
    title = "Stress tests: antonymy, numbers, word overlap, negation, length, spelling"
    home = "https://abhilasharavichander.github.io/NLI_StressTest/"
    licence = "as MultiNLI: OANC and Creative Commons, by genre"
    splits = _splits()
    folders = ("nli_stress", "nli-stress", "StressTests", "Stress Tests", "Stress_Tests")
    premise_columns = ("sentence1", "sentence1_binary_parse")
    hypothesis_columns = ("sentence2", "sentence2_binary_parse")
    facet_columns = ("genre",)

    @classmethod
    def wanted(cls, split: str) -> Sequence[Sequence[str]]:
        """Name one file, in the folder of its test or loose."""
        if split == _NUMERICAL:
            folder, stem = "Numerical_Reasoning", "multinli_0.9_quant_hard"
        else:
            name, _, genres = split.rpartition("-")
            folder, stem = _TESTS[name].folder, f"multinli_0.9_{_TESTS[name].stem}_{genres}"
        return [[f"{place}{stem}{suffix}" for suffix in (".jsonl", ".txt") for place in (f"{folder}/", "")]]

    def group_of(self, record: Record, name: str, premise: str) -> str:
        """Return the sentence that the pair was made from: it is the hypothesis of a neutral numerical pair."""
        if self.split == _NUMERICAL:
            swapped = str(record.get("gold_label", "")).strip().lower() == "neutral"
            text = next((str(record[column]) for column in self.hypothesis_columns if column in record), premise)
            return digest(text if swapped else premise)
        # The ids of antonymy name the pair that the sentence was taken from; elsewhere they are one per pair.
        return name if name and self.split.startswith("antonymy") else super().group_of(record, name, premise)

    def facets_of_split(self) -> tuple[Facet, ...]:
        """Return the test, how words are misspelt in it, and whether its genres are those of the training data."""
        if self.split == _NUMERICAL:
            return (Facet("test", _NUMERICAL),)
        name, _, genres = self.split.rpartition("-")
        edit = _TESTS[name].edit
        test = (Facet("test", name.partition("-")[0]), Facet("genres", genres))
        return (*test, Facet("edit", edit)) if edit else test
