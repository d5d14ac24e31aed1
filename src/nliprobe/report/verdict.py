"""The verdict: what a run shows about each system, in sentences made from its numbers."""

from __future__ import annotations

from nliprobe.analysis.averages import probe_averages
from nliprobe.analysis.documents import Gain, ShowDocument
from nliprobe.report.words import blind, percent

# A gain whose interval reaches LITTLE or below cannot be told from none; one that lies above MUCH is a clear use.
LITTLE, MUCH = 0.0, 0.05
# Prohibited changes are mentioned if their interval lies above this share.
BREAKS = 0.02


def verdicts(document: ShowDocument) -> list[str]:
    """Write one sentence per system that sees its premise."""
    unseeing = blind(document["run"]["systems"])
    readers = [item["name"] for item in document["run"]["systems"] if item["name"] not in unseeing]
    return [sentence for sentence in (_sentence(document, name) for name in readers) if sentence]


def _sentence(document: ShowDocument, system: str) -> str:
    parts = [part for part in (_use(document, system), _breaks(document, system)) if part]
    return f"{system} {', and '.join(parts)}." if parts else ""


def _use(document: ShowDocument, system: str) -> str:
    gains = [gain for gain in document["gains"] if gain["system"] == system]
    if not gains:
        scores = [item for item in document["scores"] if item["system"] == system and item["probe"] == "gold"]
        places = ", ".join(f"{percent(item['accuracy'])} % on {item['corpus']}" for item in scores)
        return f"is right in {places} (no system without premise to compare with)" if places else ""
    without = [gain for gain in gains if _low(gain) <= LITTLE]
    much = [gain for gain in gains if _low(gain) > MUCH]
    numbers = "; ".join(f"{gain['corpus']} {_points(gain)}" for gain in gains)
    if len(without) == len(gains):
        word = "is no better with its premise than the best system that never sees one"
    elif without:
        word = "uses the premise only in part of the corpora"
    elif len(much) == len(gains):
        word = "clearly uses the premise"
    else:
        word = "gains little from the premise"
    return f"{word} ({numbers})"


def _breaks(document: ShowDocument, system: str) -> str:
    broken = []
    averages = [item for item in probe_averages(document) if item.system == system]
    for item in averages:
        rate, ends = item.broken["rate"], item.broken["ci95"]
        if rate is not None and ends is not None and ends[0] > BREAKS:
            broken.append((rate, item.probe))
    if not broken:
        asked = [item for item in averages if item.broken["rate"] is not None]
        return "keeps the rules of every probe in nearly all cases" if asked else ""
    broken.sort(reverse=True)
    listed = ", ".join(f"{probe} in {percent(rate)} % of cases" for rate, probe in broken)
    return f"changes its answer where it must not: {listed}"


def _low(gain: Gain) -> float:
    return gain["ci95"][0] if gain["ci95"] is not None else gain["gain"]


def _points(gain: Gain) -> str:
    value = f"{100 * gain['gain']:+.1f} points"
    if gain["ci95"] is None:
        return value
    low, high = gain["ci95"]
    return f"{value}, 95 % interval {100 * low:+.1f} to {100 * high:+.1f}"
