"""The verdict: what a run shows about each system, in sentences that claim no more than its numbers carry.

What may be claimed is decided in :mod:`nliprobe.report.claims`.
"""

from __future__ import annotations

from collections.abc import Sequence

from nliprobe.analysis.documents import LEVEL, Gain, ShowDocument
from nliprobe.report.claims import (
    ProbeClaim,
    above_constant,
    constant_share,
    gain_bounds,
    identity_scores,
    probe_claims,
    reads_hypotheses,
)
from nliprobe.report.grades import MUCH
from nliprobe.report.words import PREMISES, between, blind, percent, sentences


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
    low = [
        entry
        for entry in identity_scores(document)
        if entry["system"] == system and not above_constant(document, entry)
    ]
    places = ", ".join(
        f"{entry['corpus']} ({percent(entry['accuracy'])} %, a constant answer {percent(constant_share(entry))} %)"
        for entry in low
    )
    return f"its accuracy is not shown to be above that of a constant answer on {places}" if places else ""


def _use(document: ShowDocument, system: str) -> list[str]:
    """Say where a system is shown to use the premise, and where not."""
    gains = [gain for gain in document["gains"] if gain["system"] == system]
    if not gains:
        scores = [item for item in identity_scores(document) if item["system"] == system]
        places = ", ".join(f"{percent(item['accuracy'])} % on {item['corpus']}" for item in scores)
        return [f"it is right in {places} (no control without premise to compare with)"] if places else []
    if not reads_hypotheses(document):
        return _against_constants(gains)
    better = [gain for gain in gains if gain["p_holm"] < LEVEL and gain["gain"] > 0]
    worse = [gain for gain in gains if gain["p_holm"] < LEVEL and gain["gain"] < 0]
    unshown = [gain for gain in gains if gain["p_holm"] >= LEVEL]
    # Bounds below a few points show that there is little to gain; wide ones show nothing.
    little = [gain for gain in unshown if gain_bounds(document, gain)[1] <= MUCH]
    wide = [gain for gain in unshown if gain not in little]
    clearly = all(gain_bounds(document, gain)[0] > MUCH for gain in better)
    phrases = (
        (f"it {'clearly uses' if clearly else 'uses'} the premise on", better),
        ("it is worse than the best control without premise on", worse),
        ("it gains little or nothing from the premise on", little),
        ("no gain from the premise can be shown on", wide),
    )
    return [f"{phrase} {', '.join(map(_place, some))}" for phrase, some in phrases if some]


def _against_constants(gains: Sequence[Gain]) -> list[str]:
    """Say what gains over constants alone show: hypotheses can be told apart without any premise, too."""
    better = [gain for gain in gains if gain["p_holm"] < LEVEL and gain["gain"] > 0]
    above = f"it is better than a constant answer on {', '.join(map(_place, better))}, but " if better else ""
    return [f"{above}no control that reads hypotheses alone was asked, so that no use of the premise can be shown"]


def _rules(document: ShowDocument, system: str) -> list[str]:
    """Say which probes' rules are surely broken, which surely kept, and which of neither can be said."""
    probes = probe_claims(document, [system])
    broken = sorted((probe for probe in probes if probe.broken), key=lambda probe: -probe.rate)
    kept = [probe for probe in probes if probe.kept]
    unknown = [probe for probe in probes if not probe.broken and not probe.kept]
    phrases = (
        ("it changes its answer where it must not after", broken),
        ("it keeps the rules in nearly all cases of", kept),
        ("it cannot be told how well it keeps the rules of", unknown),
    )
    return [f"{phrase} {', '.join(map(_rate, some))}" for phrase, some in phrases if some]


def _place(gain: Gain) -> str:
    interval = "no interval" if gain["ci95"] is None else f"95 % interval {between(gain['ci95'], sign=True)}"
    return f"{gain['corpus']} ({100 * gain['gain']:+.1f} points, {interval})"


def _rate(probe: ProbeClaim) -> str:
    interval = "no interval" if probe.ci95 is None else f"95 % interval {between(probe.ci95)}"
    return f"{probe.name} on {' and '.join(probe.corpora)} ({percent(probe.rate)} % of cases, {interval})"
