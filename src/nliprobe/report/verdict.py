"""The verdict: what a run shows about each system, in sentences that claim no more than its numbers carry.

A gain over the controls is claimed by the p-value that is corrected for all gains of the run. What is said about
accuracies and about probes rests on intervals that hold together for all of them (Bonferroni), so that the largest of
many numbers is not mistaken for a finding.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from nliprobe.analysis.averages import probe_averages
from nliprobe.analysis.documents import LEVEL, Ends, Gain, ScoreEntry, ShowDocument
from nliprobe.report.words import PREMISES, between, blind, percent, sentences
from nliprobe.task.case import IDENTITY

# A gain that is surely above MUCH is a clear use of the premise; one that is surely below is little, if any.
MUCH = 0.05
# Prohibited changes are mentioned if they are surely above this share of cases.
BREAKS = 0.02
# A system keeps a probe's rules "in nearly all cases" only if prohibited changes are surely below this share.
NEARLY_NONE = 0.05


class _Probe(NamedTuple):
    """The prohibited changes of one system under one probe: where, how often, and within what bounds."""

    name: str
    corpora: str
    rate: float
    ci95: Ends
    low: float
    high: float


def verdicts(document: ShowDocument) -> list[str]:
    """Write what a run shows about each system, a few sentences per system; controls come last.

    A run that is unfinished or was read in part supports no verdict.
    """
    if document["run"]["integrity"]["state"] != "complete":
        return []
    systems = document["run"]["systems"]
    unseeing = blind(systems)
    written = [_about(document, item["name"]) for item in systems if item["name"] not in unseeing]
    written += [
        f"{item['name']} answers {item['constant']} to every case: it serves as a control."
        for item in systems
        if item["constant"] and item["premise"] not in PREMISES
    ]
    return [text for text in written if text]


def _about(document: ShowDocument, system: str) -> str:
    parts = [part for part in (_accuracy(document, system), *_use(document, system), *_rules(document, system)) if part]
    first, *others = parts or [""]
    return " ".join([f"{system}: {first}.", *sentences(others)]) if parts else ""


def _accuracy(document: ShowDocument, system: str) -> str:
    """Say where the accuracy is not above that of a constant answer."""
    asked = [entry for entry in document["scores"] if entry["probe"] == IDENTITY]
    low = [entry for entry in asked if entry["system"] == system and not _above_constant(entry, len(asked))]
    places = ", ".join(
        f"{entry['corpus']} ({percent(entry['accuracy'])} %, a constant answer {percent(_constant(entry))} %)"
        for entry in low
    )
    return f"its accuracy is not shown to be above that of a constant answer on {places}" if places else ""


def _constant(entry: ScoreEntry) -> float | None:
    return None if entry["constant"] is None else entry["constant"]["accuracy"]


def _above_constant(entry: ScoreEntry, family: int) -> bool:
    constant = _constant(entry)
    if constant is None or entry["accuracy"] is None:
        return True
    ends = _together(entry["accuracy"], entry["ci95"], entry["groups"], family)
    return ends is not None and ends[0] > constant


def _use(document: ShowDocument, system: str) -> list[str]:
    """Say where a system is shown to use the premise, and where not."""
    gains = [gain for gain in document["gains"] if gain["system"] == system]
    if not gains:
        scores = [item for item in document["scores"] if item["system"] == system and item["probe"] == IDENTITY]
        places = ", ".join(f"{percent(item['accuracy'])} % on {item['corpus']}" for item in scores)
        return [f"it is right in {places} (no control without premise to compare with)"] if places else []
    if not _guesses(document):
        return _against_constants(gains)
    better = [gain for gain in gains if gain["p_holm"] < LEVEL and gain["gain"] > 0]
    worse = [gain for gain in gains if gain["p_holm"] < LEVEL and gain["gain"] < 0]
    unshown = [gain for gain in gains if gain["p_holm"] >= LEVEL]
    # Bounds below a few points show that there is little to gain; wide ones show nothing.
    little = [gain for gain in unshown if _bounds(document, gain)[1] <= MUCH]
    wide = [gain for gain in unshown if gain not in little]
    clearly = all(_bounds(document, gain)[0] > MUCH for gain in better)
    phrases = (
        (f"it {'clearly uses' if clearly else 'uses'} the premise on", better),
        ("it is worse than the best control without premise on", worse),
        ("it gains little or nothing from the premise on", little),
        ("no gain from the premise can be shown on", wide),
    )
    return [f"{phrase} {', '.join(map(_place, some))}" for phrase, some in phrases if some]


def _guesses(document: ShowDocument) -> bool:
    """Tell whether some system without premise answers more than one label, as one must that reads hypotheses."""
    return any(item["premise"] in PREMISES and not item["constant"] for item in document["run"]["systems"])


def _against_constants(gains: Sequence[Gain]) -> list[str]:
    """Say what gains over constants alone show: hypotheses can be told apart without any premise, too."""
    better = [gain for gain in gains if gain["p_holm"] < LEVEL and gain["gain"] > 0]
    above = f"it is better than a constant answer on {', '.join(map(_place, better))}, but " if better else ""
    return [f"{above}no control that reads hypotheses alone was asked, so that no use of the premise can be shown"]


def _rules(document: ShowDocument, system: str) -> list[str]:
    """Say which probes' rules are surely broken, which surely kept, and which of neither can be said."""
    probes = _probes(document, system)
    broken = sorted((probe for probe in probes if probe.low > BREAKS), key=lambda probe: -probe.rate)
    kept = [probe for probe in probes if probe not in broken and probe.high < NEARLY_NONE]
    unknown = [probe for probe in probes if probe not in broken and probe not in kept]
    phrases = (
        ("it changes its answer where it must not after", broken),
        ("it keeps the rules in nearly all cases of", kept),
        ("it cannot be told how well it keeps the rules of", unknown),
    )
    return [f"{phrase} {', '.join(map(_rate, some))}" for phrase, some in phrases if some]


def _probes(document: ShowDocument, system: str) -> list[_Probe]:
    averages = [item for item in probe_averages(document) if item.broken["rate"] is not None]
    judged = [entry for entry in (*document["transitions"], *document["expectations"]) if entry["n"]]
    probes: list[_Probe] = []
    for item in averages:
        rate, ends = item.broken["rate"], item.broken["ci95"]
        if item.system != system or rate is None:
            continue
        same = [entry for entry in judged if (entry["system"], entry["probe"]) == (system, item.probe)]
        bounds = _together(rate, ends, min(entry["groups"] for entry in same), len(averages)) or [0.0, 1.0]
        corpora = " and ".join(entry["corpus"] for entry in same)
        probes.append(_Probe(item.probe, corpora, rate, ends, bounds[0], bounds[1]))
    return probes


def _bounds(document: ShowDocument, gain: Gain) -> list[float]:
    """Return bounds of a gain that hold together with those of all gains of the run."""
    return _together(gain["gain"], gain["ci95"], gain["groups"], len(document["gains"])) or [-1.0, 1.0]


def _together(value: float, ends: Ends, groups: int, family: int) -> Ends:
    """Widen an interval so that all of a family hold together."""
    from nliprobe.stats.grouped import simultaneous
    from nliprobe.stats.intervals import Interval

    return None if ends is None else list(simultaneous(value, Interval(*ends), groups, family))


def _place(gain: Gain) -> str:
    interval = "no interval" if gain["ci95"] is None else f"95 % interval {between(gain['ci95'], sign=True)}"
    return f"{gain['corpus']} ({100 * gain['gain']:+.1f} points, {interval})"


def _rate(probe: _Probe) -> str:
    interval = "no interval" if probe.ci95 is None else f"95 % interval {between(probe.ci95)}"
    return f"{probe.name} on {probe.corpora} ({percent(probe.rate)} % of cases, {interval})"
