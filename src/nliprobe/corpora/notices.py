"""Say what is doubtful about a user's own pairs before a number is made from them: labels, classes, quotes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path

from nliprobe.base.records.layout import layout_of
from nliprobe.base.records.read import Format, Quotes
from nliprobe.corpora._choice import Columns
from nliprobe.corpora.file import FileCorpus
from nliprobe.corpora.held import HeldPairs
from nliprobe.task.evidence import Grade
from nliprobe.task.evidenced import attached_evidence
from nliprobe.task.faceted import attached_facets
from nliprobe.task.labels import Partition
from nliprobe.task.pair import Pair
from nliprobe.task.source import PairSource
from nliprobe.task.sources import origin


def source_notices(source: PairSource, pairs: Iterable[Pair] | None = None) -> list[str]:
    """Return what a user should know about pairs or facets of their own, one sentence per doubt.

    Args:
        source: the pairs, perhaps a view of them.
        pairs: what the source yields, if it has been read already.
    """
    doubts = Doubts(source)
    if doubts.any:
        for pair in source.pairs() if pairs is None else pairs:
            doubts.add(pair)
    return doubts.notices()


def evidence_notices(source: PairSource, root: Path | None = None) -> list[str]:
    """Return what must be known about the evidence of a source: how good silver is, and what could not be used.

    Args:
        source: the pairs, perhaps a view of them.
        root: the folder above the corpora, where people's evidence is looked for.
    """
    from nliprobe.corpora.evidence.quality import attached_name, silver_note

    attached = attached_evidence(source)
    if attached is None:
        whole = origin(source)
        if isinstance(whole, FileCorpus) and whole.options.grade == Grade.SILVER:
            return [silver_note(f"file:{whole.path.name}")]
        return []
    coverage = attached.evidence.coverage(source.pairs())
    notices = [
        f"The evidence of {number:,} pairs is not used: {reason}." for reason, number in coverage.dropped.items()
    ]
    if attached.evidence.grade is Grade.SILVER:
        notices.append(silver_note(attached_name(attached.name), root))
    return notices


class Doubts:
    """Counts what is doubtful about a user's own pairs, pair by pair; published corpora leave no doubt.

    Facets that are attached to pairs of any kind are looked at when the doubts are asked for.
    """

    def __init__(self, source: PairSource) -> None:
        whole = origin(source)
        self._source = source
        self._own = whole if isinstance(whole, FileCorpus | HeldPairs) else None
        self._labels: Counter[str] = Counter()
        self._plain_quotes: bool | None = None if isinstance(whole, FileCorpus) else False
        self._quoted = 0

    @property
    def any(self) -> bool:
        """Whether there is anything to count."""
        return self._own is not None

    def add(self, pair: Pair) -> None:
        """Count one pair."""
        self._labels["" if pair.gold is None else str(pair.gold)] += 1
        if self._plain_quotes is None:
            self._plain_quotes = isinstance(self._own, FileCorpus) and _quotes_are_plain(self._own)
        if self._plain_quotes:
            self._quoted += _is_enclosed(pair.premise) or _is_enclosed(pair.hypothesis)

    def notices(self) -> list[str]:
        """Return one sentence per doubt."""
        attached = attached_facets(self._source)
        notices = [] if attached is None else attached.coverage().notices()
        if self._own is None:
            return notices
        labels = Counter(self._labels)
        unlabelled = labels.pop("", 0)
        notices += self._own.notices()
        if unlabelled and not labels:
            notices += no_label(self._source)
        elif labels:
            notices += label_notices(labels, self._source.partition)
        if self._quoted:
            notices.append(
                f"In {self._quoted:,} pairs a text stands between quotes and has its own quotes doubled, as CSV writes "
                "them. It is read as it is; add quoting=1 if the file was written like that."
            )
        return notices


def no_label(source: PairSource) -> list[str]:
    """Return the notice about pairs without a label; who said that they have none needs no notice."""
    columns = taken_columns(source)
    if columns is not None and columns.declined:
        return []
    taken = "" if columns is None else f" Taken: {columns}. Name the label with label=COLUMN, or say label=none."
    return [f"No pair has a label: accuracy cannot be computed, only what changes under edits.{taken}"]


def taken_columns(source: PairSource) -> Columns | None:
    """Return what the columns of a user's own pairs were taken for, or None for other sources."""
    whole = origin(source)
    return whole.taken() if isinstance(whole, FileCorpus | HeldPairs) else None


def label_notices(labels: Mapping[str, int], partition: Partition) -> list[str]:
    """Return what is odd about the labels that occur: a class without pairs, or labels that name several classes.

    >>> label_notices({"E": 10, "N": 12}, Partition.parse("E|N|C"))
    ['No pair is labelled C, though E|N|C is told apart. If that is meant, declare it: partition=E|NC.']
    """
    notices: list[str] = []
    seen = {letter for label in labels for letter in label}
    absent = [str(block) for block in partition.blocks if not seen & set(block)]
    if absent:
        meant = {"EN": "E|NC", "EC": "E|C"}.get("".join(letter for letter in "ENC" if letter in seen))
        hint = f" If that is meant, declare it: partition={meant}." if meant else ""
        notices.append(f"No pair is labelled {' or '.join(absent)}, though {partition} is told apart.{hint}")
    blocks = [set(block) for block in partition.blocks]
    coarse = {label: n for label, n in labels.items() if not any(set(label) <= block for block in blocks)}
    if coarse:
        counts = ", ".join(f"{label} {n:,}" for label, n in sorted(coarse.items()))
        meant = " Declare it: partition=E|NC." if set(coarse) == {"NC"} and set(labels) == {"E", "NC"} else ""
        notices.append(f"Some labels leave open what {partition} tells apart: {counts}.{meant}")
    return notices


def _quotes_are_plain(corpus: FileCorpus) -> bool:
    return any(
        file.format is Format.TSV
        and (file.quotes or layout_of(file.path, tabs=True, encoding=file.encoding).quotes) is Quotes.OFF
        for file in corpus.records
    )


def _is_enclosed(text: object) -> bool:
    if not isinstance(text, str) or len(text) < 2 or not (text[0] == text[-1] == '"'):
        return False
    inside = text[1:-1]
    return '""' in inside and '"' not in inside.replace('""', "")
