"""How good silver evidence is: a program's guess compared with people's marks or edits of the same pairs."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from nliprobe.base.errors import NliprobeError
from nliprobe.base.files import data_roots
from nliprobe.corpora.evidence.counts import share_of
from nliprobe.stats.matches import Matches, Measure, PooledMatches, pooled_matches
from nliprobe.task.evidence import Grade
from nliprobe.task.evidenced import unit_count
from nliprobe.task.pair import Pair
from nliprobe.task.sources import open_source


@dataclass(frozen=True, slots=True)
class EvidenceQuality:
    """One kind of evidence compared with another, over the pairs that have both.

    Attributes:
        name: the evidence that is judged.
        against: what it is compared with.
        grade: the grade of what it is compared with.
        pairs: pairs with both and at least one unit in what it is compared with.
        groups: the tables or passages that they are about.
        uncovered: pairs with a unit in what it is compared with, but without the evidence that is judged.
        scores: precision, recall and F1 over all units.
        exact: the share of pairs in which both name the same units.
        ceiling: what the best sets of the same sizes would get; sets of 4 rows cannot be precise where 1 is needed.
        chance: the precision of sets of the same sizes drawn at random; their recall is ``chance_recall``.
        chance_recall: the recall of such sets.
    """

    name: str
    against: str
    grade: Grade
    pairs: int
    groups: int
    uncovered: int
    scores: PooledMatches
    exact: Measure
    ceiling: Matches
    chance: float | None
    chance_recall: float | None

    def sentence(self) -> str:
        """Say in one sentence how far the evidence can be trusted."""
        if not self.pairs:
            return f"No pair has both {self.name} and {self.against}."
        return (
            f"Against {self.against} ({self.pairs:,} pairs in {self.groups:,} groups), '{self.name}' has precision "
            f"{_shown(self.scores.precision)} and recall {_shown(self.scores.recall)}, and names exactly the same "
            f"units in {_shown(self.exact)} of the pairs; random sets of the same sizes have precision "
            f"{100 * (self.chance or 0):.0f} % and recall {100 * (self.chance_recall or 0):.0f} %."
        )


def evidence_quality(judged: Iterable[Pair], reference: Iterable[Pair], *, name: str, against: str) -> EvidenceQuality:
    """Compare the evidence of pairs with other evidence of the same pairs, which are recognised by their ids.

    Args:
        judged: the pairs with the evidence that is judged.
        reference: the pairs with what it is compared with.
        name: what the first is called in reports.
        against: what the second is called.
    """
    known = {pair.id: pair.evidence for pair in judged}
    matches: list[Matches] = []
    best: list[Matches] = []
    groups: list[str] = []
    hits_by_chance = 0.0
    uncovered = 0
    grade = Grade.GOLD
    for pair in reference:
        if pair.evidence is None or not pair.evidence.units:
            continue
        grade = pair.evidence.grade
        evidence = known.get(pair.id)
        if evidence is None:
            uncovered += 1
            continue
        wanted, chosen = len(pair.evidence.units), len(evidence.units)
        matches.append(Matches.of(evidence.units, pair.evidence.units))
        shared = min(wanted, chosen)
        best.append(Matches(shared, chosen - shared, wanted - shared))
        hits_by_chance += wanted * chosen / unit_count(pair)
        groups.append(pair.group or pair.id)
    scores = pooled_matches(matches, groups)
    ceiling = Matches(*(sum(item[place] for item in best) for place in range(3)))
    return EvidenceQuality(
        name=name,
        against=against,
        grade=grade,
        pairs=len(matches),
        groups=len(set(groups)),
        uncovered=uncovered,
        scores=scores,
        exact=share_of([not item.extra and not item.missed for item in matches], groups),
        ceiling=ceiling,
        chance=hits_by_chance / ceiling.chosen if ceiling.chosen else None,
        chance_recall=hits_by_chance / ceiling.wanted if ceiling.wanted else None,
    )


class _Reference(NamedTuple):
    """Pairs whose evidence comes from people."""

    corpus: str
    evidence: str

    @property
    def words(self) -> str:
        return f"{self.evidence} evidence of {self.corpus}"


_REFERENCES = (_Reference("infotabs/alpha1", "edit"), _Reference("infotabs/train-sample", "gold"))


def silver_quality(name: str, root: Path | None = None) -> tuple[EvidenceQuality, ...]:
    """Measure a kind of silver evidence wherever people's evidence is on this machine.

    Args:
        name: such as ``lexical`` or ``ranking-4``.
        root: the folder above the corpora; by default, the folders of NLIPROBE_DATA are searched.
    """
    return _silver_quality(name, root, tuple(data_roots(root)))


@lru_cache(maxsize=32)
def _silver_quality(name: str, root: Path | None, roots: tuple[Path, ...]) -> tuple[EvidenceQuality, ...]:
    """Measure it once per process and folders, which NLIPROBE_DATA may change."""
    measured: list[EvidenceQuality] = []
    for reference in _REFERENCES:
        try:
            judged = list(open_source(f"{reference.corpus}?evidence={name}", root).pairs())
            wanted = list(open_source(f"{reference.corpus}?evidence={reference.evidence}", root).pairs())
        except NliprobeError:
            # It is not here, or there is no such evidence for these pairs: nothing can be measured.
            continue
        quality = evidence_quality(judged, wanted, name=name, against=reference.words)
        if quality.pairs:
            measured.append(quality)
    return tuple(measured)


def silver_note(name: str, root: Path | None = None) -> str:
    """Return what must be said wherever results on silver evidence are shown: how good that evidence is.

    Args:
        name: the evidence, such as ``lexical``, or a source that has it: ``infotabs/dev?evidence=ranking-4``.
        root: the folder above the corpora; by default, the folders of NLIPROBE_DATA are searched.
    """
    kind = attached_name(name)
    measured = () if kind.startswith("file") else silver_quality(kind, root)
    if not measured:
        return f"The evidence '{kind}' is a program's guess (silver); its quality is not measured here."
    return " ".join(["Silver evidence is a program's guess.", *(quality.sentence() for quality in measured)])


def attached_name(source: str) -> str:
    """Return the name of the evidence that is attached to a source, or the text itself if it names no source.

    >>> attached_name("infotabs/dev?evidence=ranking-4&limit=5"), attached_name("lexical")
    ('ranking-4', 'lexical')
    """
    pieces = source.partition("?")[2].split("&")
    return next((piece.partition("=")[2] for piece in pieces if piece.startswith("evidence=")), source)


def _shown(measure: Measure) -> str:
    if measure.value is None:
        return "–"
    ends = "" if measure.ci95 is None else f" ({100 * measure.ci95.low:.0f} to {100 * measure.ci95.high:.0f})"
    return f"{100 * measure.value:.0f} %{ends}"
