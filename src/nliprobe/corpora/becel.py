"""BECEL: pairs made from other pairs so that the answers to both must be consistent (Jang et al. 2022)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from nliprobe.base.errors import DataError
from nliprobe.base.hashing import digest
from nliprobe.base.records.columns import column
from nliprobe.base.records.read import Format, Quotes, Record, RecordFile
from nliprobe.corpora import CORPORA
from nliprobe.corpora._parts import Golds, PairIds, facets_of, text_of, value_of
from nliprobe.corpora.base import Corpus, Split
from nliprobe.task.labels import THREE_WAY, LabelMap, LabelSet, Partition
from nliprobe.task.pair import Facet, Pair
from nliprobe.task.relations import SAME, SWAPPED, Relation

_PREMISES = ("premise", "sentence1")
_HYPOTHESES = ("hypothesis", "sentence2")
_NEGATED = ("hypothesis_neg", "sentence2_neg")
_PARAPHRASED = ("hypothesis_paraphrase", "sentence2_paraphrase")
# In the transitive set, 3 stands for "not entailed" and 4 for "not contradicted"; no released row has 4.
_SNLI_LABELS = LabelMap({"0": "E", "1": "N", "2": "C", "3": "NC", "4": "EN"})
_RTE_LABELS = LabelMap({"0": "E", "1": "NC"})
_TWO_WAY = Partition.parse("E|NC")
_TRANSITIVE = "snli-transitive"
_FILES = {"negation": "negational", "paraphrase": "semantic"}

# "not H" is decided by what follows about H.
NEGATED = Relation.of({"E": "C", "N": "N", "C": "E"})
# With an antonym in place of a word, both statements cannot be true, but both can be false.
CONTRARY = Relation.of({"E": "C", "N": "NC"})
# RTE says only that the negated hypothesis is not entailed.
NOT_ENTAILED = Relation.of({"E": "NC"})
# What (P, A) and (P, B) say about (A, B). If A entails B, then what entails A entails B, and what contradicts B
# contradicts A. If A contradicts B, then what entails one of them contradicts the other.
CHAINED = Relation.of({"EE": "EN", "EN": "N", "EC": "NC", "NE": "EN", "NC": "NC"}, arity=2)


class _Texts(NamedTuple):
    """The premise, the hypothesis and the gold label of a pair."""

    premise: str
    hypothesis: str
    gold: LabelSet | None


class _Derived(NamedTuple):
    """A pair made from another one, the rule over the answers to both, and the facets of the new pair."""

    original: _Texts
    made: _Texts
    expects: Relation
    facets: tuple[Facet, ...]


@CORPORA.register("becel")
class Becel(Corpus):
    """BECEL: consistency sets over SNLI test and RTE; every pair comes before the pairs that were made from it.

    A pair made from others has them as bases, the released gold label, and a rule over the answers. The rule is what
    follows by logic; the label is the release's, also where logic does not give it. The facet ``version`` says what a
    pair is: *original*, *negated*, *paraphrased*, *switched* or *chained*.

    - ``paraphrase`` (``semantic.tsv``): the hypothesis in other words. The answer must stay the same.
    - ``negation`` (``negational.tsv``): only pairs labelled E. The facet ``negation`` says what was done: *negation*
      and *rm_negation* (a *not* comes or goes: E becomes C, C becomes E, N stays) or *antonym* (E becomes C, and N does
      not become E). RTE does not tell N from C, and a spelling checker has changed names in about a third of its
      negated hypotheses (*Rob-Vel* became *Novel*), so its rule is only that what was entailed no longer is.
    - ``symmetric``: the texts of a pair change places. The file holds the switched pair only; its original is the same
      row read backwards, which is a pair of SNLI test (all but one, which differs by a stroke) or of RTE *train*.
      SNLI's are all C, which holds both ways. RTE's are all *not E*, which need not hold both ways.
    - ``transitive``: two pairs of SNLI with one premise give a pair of their hypotheses. ``originated_idx`` counts the
      rows of ``test.tsv`` from 0. From N and C follows *not E* (1,658 pairs with gold NC). From C and E the release
      concludes C (717 pairs), which is mostly true but does not follow: *a dog sleeps* contradicts *a cat sleeps* and
      entails *an animal sleeps*. No rule is broken there as long as both answers before are C and E.
    """

    corpus_name = "becel"
    title = "BECEL: consistency under negation, paraphrase, symmetry and transitivity"
    home = "https://github.com/MJ-Jang/BECEL"
    licence = "none stated (SNLI: CC BY-SA 4.0)"
    splits = {
        "snli-negation": Split(4_058),
        "snli-paraphrase": Split(8_812),
        "snli-symmetric": Split(6_474),
        _TRANSITIVE: Split(6_712),
        "rte-negation": Split(281),
        "rte-paraphrase": Split(496),
        "rte-symmetric": Split(2_480),
    }
    folders = ("becel", "BECEL/data", "BECEL")

    @classmethod
    def wanted(cls, split: str) -> Sequence[Sequence[str]]:
        """Name the file of a set; the transitive set also needs the test pairs."""
        corpus, _, kind = split.partition("-")
        wanted = [[f"{corpus}/{_FILES.get(kind, kind)}.tsv"]]
        return [*wanted, [f"{corpus}/test.tsv"]] if split == _TRANSITIVE else wanted

    @property
    def partition(self) -> Partition:
        """E, N and C in SNLI; E or not in RTE."""
        return _TWO_WAY if self._is_rte else THREE_WAY

    @property
    def _is_rte(self) -> bool:
        return self.split.startswith("rte-")

    def pairs(self) -> Iterator[Pair]:
        """Yield the pairs made from others in the order of the file, each after its bases, which come once each."""
        golds = Golds(_RTE_LABELS if self._is_rte else _SNLI_LABELS, self.partition)
        return self._chained(golds) if self.split == _TRANSITIVE else self._from_one(golds)

    def _from_one(self, golds: Golds) -> Iterator[Pair]:
        ids = PairIds(self.name)
        originals: dict[tuple[str, str], Pair] = {}
        file = _file(self.files_at(0)[0])
        for number, record in file.records():
            row = self._derived(record, golds, file, number)
            premise, hypothesis, gold = row.original
            base = originals.get((premise, hypothesis))
            if base is None:
                name, facets = ids.content(premise, hypothesis), (Facet("version", "original"),)
                base = Pair(name, premise, hypothesis, gold, digest(premise), facets=facets)
                originals[premise, hypothesis] = base
                yield base
            elif base.gold != gold:
                raise DataError(
                    f"{file.where(number)}: the original pair has the label {gold}, but {base.gold} in a row above."
                )
            index = str(record.get("index", "")).strip()
            made = row.made
            yield Pair(
                ids.official(index) if index else ids.content(made.premise, made.hypothesis),
                made.premise,
                made.hypothesis,
                made.gold,
                base.group,
                facets=row.facets,
                bases=(base.id,),
                expects=row.expects,
            )

    def _derived(self, record: Record, golds: Golds, file: RecordFile, number: int) -> _Derived:
        row = _texts(record, golds, file, number)
        kind = self.split.partition("-")[2]
        if kind == "symmetric":
            # The label of a row is that of both pairs.
            original = _Texts(row.hypothesis, row.premise, row.gold)
            return _Derived(original, row, SWAPPED, (Facet("version", "switched"),))
        if kind == "paraphrase":
            text = _text(record, _PARAPHRASED, "paraphrase", file, number)
            return _Derived(row, row._replace(hypothesis=text), SAME, (Facet("version", "paraphrased"),))
        text = _text(record, _NEGATED, "negated hypothesis", file, number)
        gold = golds.read(value_of(record, "neg_label", file, number), file, number)
        tag = facets_of({"negation": record.get("tag")}, ["negation"])
        exact = any(facet.value in ("negation", "rm_negation") for facet in tag)
        expects = NOT_ENTAILED if self._is_rte else NEGATED if exact else CONTRARY
        return _Derived(row, _Texts(row.premise, text, gold), expects, (Facet("version", "negated"), *tag))

    def _chained(self, golds: Golds) -> Iterator[Pair]:
        ids = PairIds(self.name)
        tests = self._tests(golds)
        yielded: dict[int, Pair] = {}
        file = _file(self.files_at(0)[0])
        for number, record in file.records():
            row = _texts(record, golds, file, number)
            rows = self._originals(record, row, tests, file, number)
            bases: list[Pair] = []
            for place in rows:
                if place not in yielded:
                    premise, hypothesis, gold = tests[place]
                    name, facets = ids.official(f"test-{place}"), (Facet("version", "original"),)
                    yielded[place] = Pair(name, premise, hypothesis, gold, digest(premise), facets=facets)
                    yield yielded[place]
                bases.append(yielded[place])
            before = ", ".join(str(base.gold) for base in bases)
            yield Pair(
                ids.official(text_of(record, "index", "index", file, number)),
                row.premise,
                row.hypothesis,
                row.gold,
                bases[0].group,
                facets=(Facet("version", "chained"), Facet("before", before)),
                bases=tuple(base.id for base in bases),
                expects=CHAINED,
            )

    def _tests(self, golds: Golds) -> list[_Texts]:
        file = _file(self.files_at(1)[0])
        return [_texts(record, golds, file, number) for number, record in file.records()]

    def _originals(
        self, record: Record, row: _Texts, tests: Sequence[_Texts], file: RecordFile, number: int
    ) -> tuple[int, int]:
        """Return the two rows of the test pairs that a row names, which must have one premise and its hypothesis."""
        place, cell = file.where(number), str(value_of(record, "originated_idx", file, number))
        pieces = cell.split("|")
        if len(pieces) != 2 or not all(piece.strip().isdecimal() for piece in pieces):
            raise DataError(f"{place}: 'originated_idx' should hold two row numbers such as 12|11, not '{cell:.60}'.")
        first, second = (int(piece) for piece in pieces)
        if max(first, second) >= len(tests):
            raise DataError(f"{place}: there is no row {max(first, second):,} in test.tsv, which has {len(tests):,}.")
        if tests[first].premise != tests[second].premise or tests[second].hypothesis != row.hypothesis:
            raise DataError(
                f"{place}: the rows {first:,} and {second:,} of test.tsv are not those that this pair was made from "
                f"(counted from 0, without the header). Get both files from the same release: {self.home}."
            )
        return first, second


def _file(path: Path) -> RecordFile:
    # Unlike most files with tabs, these were written with quotes around fields that hold quotes.
    return RecordFile(path, Format.TSV, "\t", Quotes.CHECKED)


def _texts(record: Record, golds: Golds, file: RecordFile, number: int) -> _Texts:
    premise, hypothesis = (
        _text(record, names, what, file, number)
        for names, what in ((_PREMISES, "premise"), (_HYPOTHESES, "hypothesis"))
    )
    return _Texts(premise, hypothesis, golds.read(value_of(record, "label", file, number), file, number))


def _text(record: Record, names: Sequence[str], what: str, file: RecordFile, number: int) -> str:
    return text_of(record, column(record, names, file.where(number)), what, file, number)
