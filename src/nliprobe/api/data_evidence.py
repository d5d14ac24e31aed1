"""What is known about the evidence of corpora, from spec strings to the document ``nliprobe/data-evidence/1``."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TypedDict

from nliprobe.api.marks import MeasureDocument, ScoresDocument, measure_document, scores_document
from nliprobe.base.errors import DataError, UsageError
from nliprobe.base.files import data_roots
from nliprobe.corpora.evidence.counts import NeededUnits, needed_units
from nliprobe.corpora.evidence.quality import EvidenceQuality, attached_name, evidence_quality, silver_quality
from nliprobe.task.evidence import GRADE_WORDS, Grade
from nliprobe.task.evidenced import attach_evidence, attached_evidence
from nliprobe.task.source import Source
from nliprobe.task.sources import open_source

SCHEMA = "nliprobe/data-evidence/1"
# What a corpus itself says, rather than evidence that is attached.
OWN = "own"


class CoverageDocument(TypedDict):
    """How many pairs have evidence, and what could not be used."""

    pairs: int
    with_evidence: int
    units: int
    unmatched: int
    dropped: dict[str, int]


class NeededDocument(TypedDict):
    """What the hypotheses of one label need."""

    label: str
    pairs: int
    groups: int
    mean: float
    units: dict[str, int]
    outside: MeasureDocument
    several: MeasureDocument
    none: MeasureDocument


class LimitsDocument(TypedDict):
    """Precision and recall that sets of the same sizes could have."""

    precision: float | None
    recall: float | None


class QualityDocument(TypedDict):
    """One kind of evidence compared with another, over the pairs that have both."""

    name: str
    against: str
    grade: str
    pairs: int
    groups: int
    uncovered: int
    scores: ScoresDocument
    exact: MeasureDocument
    best: LimitsDocument
    random: LimitsDocument


class CorpusEvidenceDocument(TypedDict):
    """The evidence of one corpus."""

    name: str
    grade: str
    meaning: str
    coverage: CoverageDocument
    needed: list[NeededDocument]
    quality: list[QualityDocument]
    notes: list[str]


class DataEvidenceDocument(TypedDict):
    """What ``nliprobe data evidence --format json`` writes; ``data-evidence.schema.json`` explains every field."""

    schema: str
    corpora: list[CorpusEvidenceDocument]


def data_evidence(texts: Sequence[str], root: Path | None = None, *, against: str = "") -> DataEvidenceDocument:
    """Count the evidence of corpora, and measure how good it is.

    Args:
        texts: corpora with evidence, their own or attached: ``infotabs/alpha1?evidence=edit``.
        root: the folder above the corpora.
        against: other evidence to compare with, such as ``edit``, or ``own`` for that of the corpus itself; without
            it, silver evidence is compared with people's evidence wherever that is on this machine.
    """
    return {"schema": SCHEMA, "corpora": [_corpus(open_source(text, root), root, against) for text in texts]}


def _corpus(source: Source, root: Path | None, against: str) -> CorpusEvidenceDocument:
    pairs = list(source.pairs())
    grades = {pair.evidence.grade for pair in pairs if pair.evidence is not None}
    if not grades:
        raise DataError(f"{source.name} has no evidence. Attach some, for example {source.name}?evidence=lexical.")
    if len(grades) > 1:
        raise DataError(f"{source.name} has evidence of several grades, which are never mixed: {', '.join(grades)}.")
    [grade] = grades
    attached = attached_evidence(source)
    name = attached_name(attached.name) if attached is not None else "its own evidence"
    if against == OWN:
        if attached is None:
            raise UsageError(f"{source.name} has only its own evidence: attach some that can be compared with it.")
        words = f"the own evidence of {attached.whole.name}"
        quality = [evidence_quality(pairs, attached.whole.pairs(), name=name, against=words)]
    elif against:
        other = attach_evidence(source, against, data_roots(root))
        words = f"{against} evidence of {source.name.partition('?')[0]}"
        quality = [evidence_quality(pairs, other.pairs(), name=name, against=words)]
    else:
        quality = list(silver_quality(name, root)) if grade is Grade.SILVER and attached is not None else []
    notes = [item.sentence() for item in quality]
    if grade is Grade.SILVER and not quality:
        notes.append(f"The quality of '{name}' is not measured here.")
    dropped = {} if attached is None else dict(attached.evidence.coverage(pairs).dropped)
    known = [pair.evidence for pair in pairs if pair.evidence is not None]
    return {
        "name": source.name,
        "grade": grade.value,
        "meaning": GRADE_WORDS[grade],
        "coverage": {
            "pairs": len(pairs),
            "with_evidence": len(known),
            "units": sum(len(evidence.units) for evidence in known),
            # Entries may belong to pairs that a view leaves out, so they are looked for in all of them.
            "unmatched": 0 if attached is None else attached.coverage().unmatched,
            "dropped": dropped,
        },
        "needed": [_needed(label, item) for label, item in needed_units(pairs).items()],
        "quality": [_quality(item) for item in quality],
        "notes": notes,
    }


def _needed(label: str, item: NeededUnits) -> NeededDocument:
    return {
        "label": label,
        "pairs": item.pairs,
        "groups": item.groups,
        "mean": item.mean,
        "units": {str(number): pairs for number, pairs in item.units.items()},
        "outside": measure_document(item.outside),
        "several": measure_document(item.several),
        "none": measure_document(item.none),
    }


def _quality(item: EvidenceQuality) -> QualityDocument:
    return {
        "name": item.name,
        "against": item.against,
        "grade": item.grade.value,
        "pairs": item.pairs,
        "groups": item.groups,
        "uncovered": item.uncovered,
        "scores": scores_document(item.scores),
        "exact": measure_document(item.exact),
        "best": {"precision": item.ceiling.precision, "recall": item.ceiling.recall},
        "random": {"precision": item.chance, "recall": item.chance_recall},
    }
