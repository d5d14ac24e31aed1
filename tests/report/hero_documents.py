"""Documents that hold just what the answer of a page is decided from, with numbers as a test wants them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple, cast

from nliprobe.analysis.documents import Ends, ShowDocument
from nliprobe.report.subjects import Subject

MODEL = Subject("m", ("m",))
GROUPS = 10_000


class OnCorpus(NamedTuple):
    """What a system gets on one corpus: accuracy and gain with their 95 % intervals, and the corrected p-value."""

    accuracy: float
    accuracy_ends: Ends
    gain: float
    gain_ends: Ends
    p_holm: float
    constant: float | None = 1 / 3
    groups: int = GROUPS


def document(
    corpora: Mapping[str, OnCorpus],
    broken: Mapping[str, tuple[float, float]] | None = None,
    *,
    control: bool = True,
    state: str = "complete",
) -> ShowDocument:
    """Build the parts of a document that claims are made from.

    Args:
        corpora: what the system gets, by corpus.
        broken: the bounds of the share of prohibited changes, by probe.
        control: whether a system without premise reads the hypotheses.
        state: of the run.
    """
    systems = [{"name": "m", "premise": "full", "constant": None, "family": None}]
    systems += [{"name": "b", "premise": "none", "constant": None, "family": None}] if control else []
    scores = [
        {
            "system": "m", "corpus": name, "probe": "gold", "accuracy": item.accuracy, "ci95": item.accuracy_ends,
            "groups": item.groups, "constant": None if item.constant is None else {"accuracy": item.constant},
        }
        for name, item in corpora.items()
    ]  # fmt: skip
    gains = [
        {
            "system": "m", "corpus": name, "gain": item.gain, "ci95": item.gain_ends, "groups": item.groups,
            "p_holm": item.p_holm, "accuracy": item.accuracy,
        }
        for name, item in corpora.items()
    ]  # fmt: skip
    transitions = [{"system": "m", "probe": probe, "corpus": "c", "n": 500, "groups": GROUPS} for probe in broken or {}]
    averages = [
        {
            "system": "m", "probe": probe, "prohibited_overall": {"rate": (low + high) / 2, "ci95": [low, high]},
            "changed": {}, "prohibited_likely": {},
        }
        for probe, (low, high) in (broken or {}).items()
    ]  # fmt: skip
    run = {"systems": systems, "integrity": {"state": state}}
    parts = {"run": run, "scores": scores, "gains": gains, "transitions": transitions, "expectations": []}
    return cast(ShowDocument, {**parts, "transition_averages": averages})
