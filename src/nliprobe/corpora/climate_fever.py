"""Climate-FEVER: claims about the climate, each with five labelled sentences of Wikipedia (Diggelmann et al. 2020)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from nliprobe.base.errors import DataError, did_you_mean
from nliprobe.base.records.files import guess_format
from nliprobe.base.records.read import RecordFile
from nliprobe.corpora import CORPORA
from nliprobe.corpora._parts import text_of, value_of
from nliprobe.corpora.base import Corpus, Split
from nliprobe.task.evidence import Evidence, Grade
from nliprobe.task.labels import C, E, LabelSet, N
from nliprobe.task.pair import Facet, Pair
from nliprobe.task.units import Sentences

_GOLDS = {"SUPPORTS": E, "REFUTES": C, "NOT_ENOUGH_INFO": N}
_DISPUTED = "DISPUTED"
# The copies on the hub hold codes in this order; only claims can be disputed.
_LABELS = (*_GOLDS, _DISPUTED)
_SENTENCES = 5


class _Sentence(NamedTuple):
    text: str
    label: str
    article: str
    votes: str


@CORPORA.register("climate-fever")
class ClimateFever(Corpus):
    """Climate-FEVER: claims about the climate and sentences of Wikipedia that people labelled one by one.

    ``claims`` has one pair per claim: its five sentences, joined by spaces, are the premise. A claim that some
    sentences support and others refute (DISPUTED) has no gold label. The evidence of a supported or refuted claim is
    the sentences with the claim's own label, each of which suffices alone. ``sentences`` has one pair per sentence.
    """

    corpus_name = "climate-fever"
    title = "Climate-FEVER: claims about the climate, with five labelled sentences each"
    home = "https://github.com/tdiggelm/climate-fever-dataset"
    licence = "none stated"
    splits = {"claims": Split(1_535, 154), "sentences": Split(7_675)}
    folders = ("climate_fever", "climate-fever", "climate-fever-dataset")

    @classmethod
    def wanted(cls, split: str) -> Sequence[Sequence[str]]:
        """Name one file, or the shards from the hub; both splits are read from the same."""
        official = ["climate-fever.jsonl", "dataset/climate-fever.jsonl", "climate-fever.jsonl.gz"]
        return [[*official, "data/test-*.parquet", "default/test-*.parquet", "test-*.parquet"]]

    def pairs(self) -> Iterator[Pair]:
        """Yield the pairs in the order of the files."""
        seen: dict[str, str] = {}
        for path in self.files():
            file = RecordFile(path, guess_format(path))
            for number, record in file.records():
                place = file.where(number)
                name = _name(value_of(record, "claim_id", file, number), place)
                if name in seen:
                    raise DataError(f"{place}: the claim id '{name}' is already that of {seen[name]}.")
                seen[name] = place
                claim = text_of(record, "claim", "claim", file, number)
                label = _label(value_of(record, "claim_label", file, number), f"{place}, the claim's label")
                sentences = _sentences(value_of(record, "evidences", file, number), place)
                _agree(label, sentences, place)
                if self.split == "claims":
                    yield self._whole(name, claim, label, sentences)
                else:
                    yield from self._single(name, claim, label, sentences)

    def _whole(self, name: str, claim: str, label: str, sentences: Sequence[_Sentence]) -> Pair:
        evidence = None
        if label in ("SUPPORTS", "REFUTES"):
            units = tuple(place for place, sentence in enumerate(sentences) if sentence.label == label)
            evidence = Evidence(units, Grade.GOLD, alone=True)
        articles = dict.fromkeys(sentence.article for sentence in sentences)
        facets = [Facet("claim_label", label), Facet("votes", _least_agreed(sentences))]
        passage = Sentences.of([sentence.text for sentence in sentences])
        return Pair(
            f"{self.name}/{name}",
            passage.premise,
            claim,
            _gold(label),
            name,
            evidence,
            facets=(*facets, *(Facet("article", article) for article in articles)),
            sentences=passage.spans,
        )

    def _single(self, name: str, claim: str, label: str, sentences: Sequence[_Sentence]) -> Iterator[Pair]:
        for place, sentence in enumerate(sentences):
            facets = (Facet("claim_label", label), Facet("votes", sentence.votes), Facet("article", sentence.article))
            yield Pair(f"{self.name}/{name}/{place}", sentence.text, claim, _gold(sentence.label), name, facets=facets)


def _gold(label: str) -> LabelSet | None:
    return _GOLDS.get(label)


def _name(value: object, place: str) -> str:
    name = "" if value is None else str(value).strip()
    if not name:
        raise DataError(f"{place}: the claim id is empty.")
    return name


def _label(value: object, place: str, known: Sequence[str] = _LABELS) -> str:
    """Return a label by its name; the copies on the hub hold its code."""
    if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < len(known):
        return known[value]
    if isinstance(value, str) and value in known:
        return value
    raise DataError(f"{place} is {value!r:.60}. {did_you_mean(str(value), known)}")


def _sentences(value: object, place: str) -> list[_Sentence]:
    if not isinstance(value, list) or len(value) != _SENTENCES:
        what = f"{len(value)} of them" if isinstance(value, list) else "no list"
        raise DataError(f"{place}: 'evidences' should be the claim's {_SENTENCES} sentences, and is {what}.")
    return [_sentence(item, f"{place}, sentence {number}") for number, item in enumerate(value, 1)]


def _sentence(item: object, place: str) -> _Sentence:
    if not isinstance(item, Mapping):
        raise DataError(f"{place}: expected an object with evidence, evidence_label, article and votes.")
    for key in ("evidence", "evidence_label", "article"):
        if key not in item:
            raise DataError(f"{place}: the field '{key}' is missing.")
    text = item["evidence"]
    if not isinstance(text, str) or not text.strip():
        raise DataError(f"{place}: the text is empty.")
    label = _label(item["evidence_label"], f"{place}: the label", tuple(_GOLDS))
    return _Sentence(text, label, str(item["article"]), _votes(item))


def _votes(item: Mapping[str, object]) -> str:
    """Return how far people agreed on a sentence; where they did not, its label is NOT_ENOUGH_INFO."""
    votes = item.get("votes")
    counts = Counter(str(vote) for vote in votes if vote) if isinstance(votes, list) else Counter[str]()
    if not counts:
        return "not given"
    first, *rest = [times for _, times in counts.most_common(2)]
    return "unanimous" if not rest else "majority" if first > rest[0] else "tie"


def _least_agreed(sentences: Sequence[_Sentence]) -> str:
    order = ("not given", "tie", "majority", "unanimous")
    return min((sentence.votes for sentence in sentences), key=order.index)


def _agree(label: str, sentences: Sequence[_Sentence], place: str) -> None:
    """Refuse a claim whose label does not follow from those of its sentences: its evidence would be wrong."""
    decided = sorted({sentence.label for sentence in sentences} - {"NOT_ENOUGH_INFO"})
    expected = _DISPUTED if len(decided) > 1 else decided[0] if decided else "NOT_ENOUGH_INFO"
    if label != expected:
        raise DataError(f"{place}: the claim's label is {label}, but those of its sentences make it {expected}.")
