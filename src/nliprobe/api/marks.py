"""How far raters agree on the rows that matter, from files of marks to the document ``nliprobe/marks/1``."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TypedDict

from nliprobe.base.errors import UsageError
from nliprobe.base.files import data_roots
from nliprobe.corpora.marks import is_marks, open_marks
from nliprobe.people.clean_marks import CleanedMarks, CleaningRule, clean_marks
from nliprobe.people.marks import Averages, MarksAgreement, RaterQuality, marks_agreement
from nliprobe.people.marks_files import write_evidence, write_wanting
from nliprobe.stats.matches import Matches, Measure, PooledMatches
from nliprobe.task.marks import MarkedPair, majority_of, merge_marks

SCHEMA = "nliprobe/marks/1"


class MeasureDocument(TypedDict):
    """A measure with its 95 % interval over tables (or raters) and the number of things it rests on."""

    value: float | None
    ci95: list[float] | None
    n: int


class ScoresDocument(TypedDict):
    """Precision, recall and F1 of marks against a majority."""

    precision: MeasureDocument
    recall: MeasureDocument
    f1: MeasureDocument


class ConstantDocument(TypedDict):
    """What a rater gets who marks everything."""

    precision: float | None
    recall: float | None
    f1: float | None


class KappaDocument(TypedDict):
    """Fleiss' kappa per pair: the average, its interval, its standard deviation, and the pairs by bucket."""

    mean: float | None
    ci95: list[float] | None
    n: int
    sd: float | None
    buckets: dict[str, int]


class MarkerDocument(TypedDict):
    """One rater against the majority of all raters, and against that of the others."""

    rater: str
    pairs: int
    nothing: int
    all: ScoresDocument
    others: ScoresDocument
    undecided: int


class SetDocument(TypedDict):
    """The agreement on one set of marks, before or after cleaning."""

    pairs: int
    tables: int
    ratings: int
    raters: int
    over_raters: ScoresDocument
    over_raters_others: ScoresDocument
    over_pairs: ScoresDocument
    pooled: ScoresDocument
    everything: ConstantDocument
    kappa: KappaDocument
    ratings_per_pair: dict[str, int]
    identical: dict[str, int]
    distribution: dict[str, dict[str, int]]
    by_rater: list[MarkerDocument]


class NamedPairDocument(TypedDict):
    """A pair, by what the files say about it."""

    pair: str
    table: str
    hypothesis: str
    ratings: int
    reason: str


class DroppedRaterDocument(TypedDict):
    """A rater who was left out, with the value of the measure that decided."""

    rater: str
    value: float | None
    pairs: int


class RuleDocument(TypedDict):
    """Who is left out, and which pairs need new marks."""

    below: float | None
    measure: str
    against: str
    least: int
    outside: bool


class ReleasedDocument(TypedDict):
    """How the majority that the files give compares with the one computed here."""

    given: int
    equal: int
    different: list[str]


class MarksDocument(TypedDict):
    """What ``nliprobe data agreement --format json`` writes for marks; ``marks.schema.json`` explains every field."""

    schema: str
    files: list[str]
    rule: RuleDocument
    released: ReleasedDocument
    ties: list[NamedPairDocument]
    silent: list[str]
    before: SetDocument
    after: SetDocument | None
    dropped: list[DroppedRaterDocument]
    marks_left_out: int
    settled: int
    to_mark: list[NamedPairDocument]
    notes: list[str]


def are_marks(texts: Sequence[str]) -> bool:
    """Tell whether spec strings name files of marks rather than of ratings; both at once is an error."""
    kinds = [is_marks(text) for text in texts]
    if any(kinds) and not all(kinds):
        marks, others = texts[kinds.index(True)], texts[kinds.index(False)]
        raise UsageError(f"'{marks}' holds marks of rows and '{others}' does not: measure them one after the other.")
    return all(kinds)


def marks(
    texts: Sequence[str],
    root: Path | None = None,
    *,
    rule: CleaningRule | None = None,
    export: Path | None = None,
    to_mark: Path | None = None,
) -> MarksDocument:
    """Read files of marks, put them together, clean them, and measure agreement before and after.

    Args:
        texts: files with their columns after ``?``, or ``infotabs/train-sample`` for the released sample; the marks of
            one pair in several files are put together.
        root: the folder above the corpora.
        rule: who is left out, and which pairs need new marks.
        export: where to write the evidence of the pairs whose raters decide.
        to_mark: where to write the pairs that need new marks.
    """
    rule = rule or CleaningRule()
    if rule.below is not None and not 0 <= rule.below <= 1:
        raise UsageError(f"Raters are left out below a number from 0 to 1, not {rule.below}.")
    if rule.least < 1:
        raise UsageError("A pair needs at least one rater.")
    files = [open_marks(text, data_roots(root)) for text in texts]
    pairs = merge_marks([file.pairs for file in files])
    cleaned = clean_marks(pairs, rule)
    if export is not None:
        write_evidence(export, cleaned.settled)
    if to_mark is not None:
        write_wanting(to_mark, cleaned.wanting)
    before = marks_agreement(pairs, outside=rule.outside)
    return {
        "schema": SCHEMA,
        "files": [file.name for file in files],
        "rule": {
            "below": rule.below,
            "measure": rule.measure.value,
            "against": rule.against.value,
            "least": rule.least,
            "outside": rule.outside,
        },
        "released": _released(pairs),
        "ties": [
            _named(item.pair, len(item.pair.marks), ", ".join(item.pair.bit_name(place) for place in item.tied))
            for item in before.pairs
            if item.tied
        ],
        "silent": list(cleaned.silent),
        "before": set_document(before),
        "after": set_document(marks_agreement(cleaned.pairs, outside=rule.outside)) if cleaned.flagged else None,
        "dropped": [
            {"rater": item.rater, "value": item.value, "pairs": item.quality.pairs} for item in cleaned.flagged
        ],
        "marks_left_out": cleaned.marks_left_out,
        "settled": len(cleaned.settled),
        "to_mark": [_named(item.pair, item.ratings, item.reason) for item in cleaned.wanting],
        "notes": _notes(before, cleaned, rule),
    }


def set_document(agreement: MarksAgreement) -> SetDocument:
    """Return the agreement on one set of marks as documents have it."""
    kappa, constant = agreement.kappa, agreement.everything
    return {
        "pairs": len(agreement.pairs),
        "tables": len({item.pair.group for item in agreement.pairs}),
        "ratings": agreement.ratings,
        "raters": len(agreement.raters),
        "over_raters": scores_document(agreement.by_rater),
        "over_raters_others": scores_document(agreement.by_rater_others),
        "over_pairs": scores_document(agreement.by_pair),
        "pooled": scores_document(agreement.micro),
        "everything": _constant(constant),
        "kappa": {
            "mean": kappa.value,
            "ci95": _ends(kappa),
            "n": kappa.n,
            "sd": agreement.kappa_spread,
            "buckets": agreement.kappa_buckets(),
        },
        "ratings_per_pair": {str(number): pairs for number, pairs in agreement.ratings_per_pair().items()},
        "identical": {str(number): pairs for number, pairs in agreement.identical_marks().items()},
        "distribution": agreement.distribution(),
        "by_rater": [_marker(item) for item in agreement.raters],
    }


def _marker(item: RaterQuality) -> MarkerDocument:
    return {
        "rater": item.rater,
        "pairs": item.pairs,
        "nothing": item.nothing,
        "all": scores_document(item.all_pooled),
        "others": scores_document(item.others_pooled),
        "undecided": item.undecided,
    }


def scores_document(scores: Averages | PooledMatches) -> ScoresDocument:
    """Return precision, recall and F1 as documents have them."""
    return {
        "precision": measure_document(scores.precision),
        "recall": measure_document(scores.recall),
        "f1": measure_document(scores.f1),
    }


def measure_document(measure: Measure) -> MeasureDocument:
    """Return a measure as documents have it."""
    return {"value": measure.value, "ci95": _ends(measure), "n": measure.n}


def _ends(measure: Measure) -> list[float] | None:
    return None if measure.ci95 is None else [measure.ci95.low, measure.ci95.high]


def _constant(matches: Matches) -> ConstantDocument:
    return {"precision": matches.precision, "recall": matches.recall, "f1": matches.f1}


def _named(pair: MarkedPair, ratings: int, reason: str) -> NamedPairDocument:
    return {
        "pair": pair.id,
        "table": pair.table,
        "hypothesis": pair.hypothesis,
        "ratings": ratings,
        "reason": reason,
    }


def _released(pairs: Sequence[MarkedPair]) -> ReleasedDocument:
    given = [pair for pair in pairs if pair.released]
    different = [pair.name for pair in given if _bits(pair) != pair.released]
    return {"given": len(given), "equal": len(given) - len(different), "different": different}


def _bits(pair: MarkedPair) -> str:
    most = majority_of(pair.marks)
    return "".join("1" if place in most.units else "0" for place in range(pair.units)) + str(int(most.outside))


def _notes(before: MarksAgreement, cleaned: CleanedMarks, rule: CleaningRule) -> list[str]:
    nothing = sum(item.nothing for item in before.raters)
    few = [item.quality for item in cleaned.flagged if item.quality.pairs < FEW]
    sentences = [
        (
            len(cleaned.silent),
            f"{', '.join(cleaned.silent)} never marked anything: neither a row nor knowledge from outside.",
        ),
        (nothing, f"On {nothing:,} of {before.ratings:,} occasions a rater marked nothing at all; such marks count."),
        (
            len(few),
            f"{', '.join(item.rater for item in few)} marked fewer than {FEW} pairs: their measures say little.",
        ),
        (
            int(rule.below is not None),
            f"A rater is left out if {rule.measure.value} against the majority of {rule.against.value} raters is below "
            f"{rule.below}. Raters are judged once, by all marks: those that are left are not judged again.",
        ),
    ]
    return [text for number, text in sentences if number]


# A rater's measures over fewer pairs than this hardly tell a bad rater from an unlucky one.
FEW = 20
