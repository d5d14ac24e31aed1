"""What may be claimed of a system: by corrected p-values, and by bounds that hold together for the whole run.

A gain over the controls is claimed by the p-value that is corrected for all gains of the run. What is said about
accuracies and about probes rests on intervals that hold together for all of them (Bonferroni), so that the largest of
many numbers is not mistaken for a finding.
"""

from __future__ import annotations

from collections.abc import Sequence
from statistics import mean
from typing import NamedTuple

from nliprobe.analysis.averages import probe_averages
from nliprobe.analysis.documents import LEVEL, Ends, Gain, ScoreEntry, ShowDocument
from nliprobe.report.grades import BREAKS, HALF, MUCH, NEARLY_NONE
from nliprobe.report.words import PREMISES
from nliprobe.task.case import IDENTITY


class ProbeClaim(NamedTuple):
    """The prohibited changes of a system under one probe: where, how often, and within what bounds.

    Of a family, ``rate`` is the mean of the ``seeds``, and the bounds are the widest of theirs.
    """

    name: str
    corpora: tuple[str, ...]
    rate: float
    ci95: Ends
    low: float
    high: float
    seeds: tuple[float, ...] = ()

    @property
    def broken(self) -> bool:
        """Whether the rule is surely broken more than now and then."""
        return self.low > BREAKS

    @property
    def kept(self) -> bool:
        """Whether the rule is surely kept in nearly all cases."""
        return not self.broken and self.high < NEARLY_NONE


class CorpusClaim(NamedTuple):
    """What may be claimed about the use of the premise on one corpus.

    Attributes:
        corpus: the corpus.
        above: the accuracy is surely above that of a constant answer.
        shown: the gain over the best control is shown, and the accuracy above a constant answer as well.
        clear: the gain is shown and surely above :data:`MUCH`.
        little: the gain is surely no larger than MUCH.
        small: it is little, or surely no larger than half of the points that are surely above a constant answer.
        worse: the system is shown to be worse than the control.
    """

    corpus: str
    above: bool
    shown: bool
    clear: bool
    little: bool
    small: bool
    worse: bool


def corpus_claims(document: ShowDocument, systems: Sequence[str]) -> list[CorpusClaim]:
    """Return what holds for every one of some systems (the seeds of a family, or one system), corpus by corpus."""
    claims: dict[str, list[CorpusClaim]] = {}
    for entry in identity_scores(document):
        if entry["system"] in systems:
            claims.setdefault(entry["corpus"], []).append(_claim(document, entry))
    return [
        CorpusClaim(corpus, *(all(parts) for parts in list(zip(*same, strict=True))[1:]))
        for corpus, same in claims.items()
    ]


def _claim(document: ShowDocument, entry: ScoreEntry) -> CorpusClaim:
    above = above_constant(document, entry)
    names = (entry["system"], entry["corpus"])
    gain = next((item for item in document["gains"] if (item["system"], item["corpus"]) == names), None)
    if gain is None:
        return CorpusClaim(entry["corpus"], above, False, False, False, False, False)
    low, high = gain_bounds(document, gain)
    shown = above and gain["p_holm"] < LEVEL and gain["gain"] > 0
    little = high <= MUCH
    return CorpusClaim(
        entry["corpus"],
        above,
        shown,
        shown and low > MUCH,
        little,
        little or high <= HALF * _surely_above(document, entry),
        gain["p_holm"] < LEVEL and gain["gain"] < 0,
    )


def identity_scores(document: ShowDocument) -> list[ScoreEntry]:
    """Return the scores on pairs as they are."""
    return [entry for entry in document["scores"] if entry["probe"] == IDENTITY]


def constant_share(entry: ScoreEntry) -> float | None:
    """Return what the best constant answer gets."""
    return None if entry["constant"] is None else entry["constant"]["accuracy"]


def above_constant(document: ShowDocument, entry: ScoreEntry) -> bool:
    """Tell whether an accuracy is surely above that of the best constant answer, or there is none to compare with."""
    if constant_share(entry) is None or entry["accuracy"] is None:
        return True
    return _surely_above(document, entry) > 0


def _surely_above(document: ShowDocument, entry: ScoreEntry) -> float:
    """Return how far an accuracy is above that of the best constant answer at least; 0 if that is not known."""
    constant = constant_share(entry)
    if constant is None or entry["accuracy"] is None:
        return 0.0
    ends = _together(entry["accuracy"], entry["ci95"], entry["groups"], len(identity_scores(document)))
    return 0.0 if ends is None else ends[0] - constant


def reads_hypotheses(document: ShowDocument) -> bool:
    """Tell whether some system without premise answers more than one label, as one must that reads hypotheses."""
    return any(item["premise"] in PREMISES and not item["constant"] for item in document["run"]["systems"])


def gain_bounds(document: ShowDocument, gain: Gain) -> list[float]:
    """Return bounds of a gain that hold together with those of all gains of the run."""
    return _together(gain["gain"], gain["ci95"], gain["groups"], len(document["gains"])) or [-1.0, 1.0]


def probe_claims(document: ShowDocument, systems: Sequence[str]) -> list[ProbeClaim]:
    """Return how often the rule of each probe is broken, averaged over corpora, with bounds for the whole run.

    Args:
        document: the run.
        systems: one system, or the seeds of a family, for every one of which a claim must hold.
    """
    claims: dict[str, list[ProbeClaim]] = {}
    for system in systems:
        for claim in _system_claims(document, system):
            claims.setdefault(claim.name, []).append(claim)
    return [_combined(same) if len(systems) > 1 else same[0] for same in claims.values()]


def _combined(same: Sequence[ProbeClaim]) -> ProbeClaim:
    rates = tuple(claim.rate for claim in same)
    low, high = min(claim.low for claim in same), max(claim.high for claim in same)
    return ProbeClaim(same[0].name, same[0].corpora, mean(rates), None, low, high, rates)


def _system_claims(document: ShowDocument, system: str) -> list[ProbeClaim]:
    averages = [item for item in probe_averages(document) if item.broken["rate"] is not None]
    judged = [entry for entry in (*document["transitions"], *document["expectations"]) if entry["n"]]
    claims: list[ProbeClaim] = []
    for item in averages:
        rate, ends = item.broken["rate"], item.broken["ci95"]
        if item.system != system or rate is None:
            continue
        same = [entry for entry in judged if (entry["system"], entry["probe"]) == (system, item.probe)]
        bounds = _together(rate, ends, min(entry["groups"] for entry in same), len(averages)) or [0.0, 1.0]
        corpora = tuple(entry["corpus"] for entry in same)
        claims.append(ProbeClaim(item.probe, corpora, rate, ends, bounds[0], bounds[1]))
    return claims


def _together(value: float, ends: Ends, groups: int, family: int) -> Ends:
    """Widen an interval so that all of a family hold together."""
    from nliprobe.stats.grouped import simultaneous
    from nliprobe.stats.intervals import Interval

    return None if ends is None else list(simultaneous(value, Interval(*ends), groups, family))
