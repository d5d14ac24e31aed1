"""The shapes of the documents behind ``nliprobe compare`` and ``nliprobe gate``; they are written as JSON unchanged."""

from __future__ import annotations

from typing import Final, Literal, TypedDict

from nliprobe.analysis.documents import Ends
from nliprobe.analysis.failures import Failure
from nliprobe.analysis.integrity import Integrity

COMPARE_SCHEMA: Final = "nliprobe/compare/2"
GATE_SCHEMA: Final = "nliprobe/gate/2"


class SideHead(TypedDict):
    """One side of a comparison: a system of a run."""

    folder: str
    system: str
    partition: str
    status: str | None
    suite: str | None
    integrity: Integrity


class FlipSide(TypedDict):
    """The answers of one side: before the edit, if there was one, and to the case itself; and what was allowed.

    ``allowed`` are labels. If a rule looks at more than labels, ``expected`` says in words what it asks for.
    """

    before: str | None
    answer: str | None
    allowed: str
    expected: str


class Flip(TypedDict):
    """A case that one side has right and the other wrong."""

    case_id: str
    pair_id: str
    hypothesis: str
    edits: str | None
    left: FlipSide
    right: FlipSide


class Comparison(TypedDict):
    """Both sides on the same cases of one corpus and probe, by gold labels or by what the cases expect.

    ``p`` is the sign-flip test over groups, which is the exact McNemar test where every group is one case; ``p_holm``
    and ``p_bh`` correct it for all comparisons of the document. ``p_holm`` decides whether a side is called better.
    ``ci95_family`` are intervals that hold together for all comparisons.
    ``left_out`` counts the cases that say nothing about one side at least; of these, ``unchanged_left`` and
    ``unchanged_right`` count those that a side reads exactly like their base.
    """

    corpus: str
    probe: str
    kind: Literal["gold", "expects"]
    partition: str
    n: int
    groups: int
    only_left: int
    only_right: int
    altered: int
    uncertain: int
    unanswered_left: int
    unanswered_right: int
    left_out: int
    unchanged_left: int
    unchanged_right: int
    left: float | None
    right: float | None
    difference: float | None
    ci95: Ends
    ci95_family: Ends
    fixed: int
    broken: int
    p: float | None
    p_holm: float | None
    p_bh: float | None
    fixed_examples: list[Flip]
    broken_examples: list[Flip]


class CompareDocument(TypedDict):
    """What ``nliprobe compare --format json`` writes."""

    schema: Literal["nliprobe/compare/2"]
    left: SideHead
    right: SideHead
    differences: list[str]
    notes: list[str]
    comparisons: list[Comparison]


class GateCheck(TypedDict):
    """One requirement of a gate, and whether the run meets it.

    ``value`` and ``ci95`` are those of the metric itself, or of the difference from the baseline if ``kind`` compares.
    ``constant`` is what the best constant answer gets, for accuracies.
    ``bound`` is the number that decided: an end of the interval at ``level``, or the value itself if that is null.
    ``cases`` are some of those that speak against the system, if they were asked for and the check failed.
    """

    name: str
    system: str
    corpus: str | None
    probe: str | None
    facet: str | None
    capability: str | None
    metric: str | None
    kind: Literal["at_least", "at_most", "not_worse", "non_inferior", "better_by", "missing", "new", "suite", "damaged"]
    n: int | None
    groups: int | None
    value: float | None
    ci95: Ends
    constant: float | None
    level: float | None
    bound: float | None
    limit: float | None
    passed: bool
    reason: str
    cases: list[Failure]


class Suggestion(TypedDict):
    """How many cases a check would need for a margin, from what varies in this run.

    ``reach`` is how far the deciding bound lies from the value now; ``n_needed`` and ``groups_needed`` are for a bound
    that lies no farther than ``margin``. Null where nothing varies or there is no interval; ``reason`` says so.
    """

    name: str
    margin: float
    level: float
    n: int
    groups: int
    reach: float | None
    n_needed: int | None
    groups_needed: int | None
    reason: str


class GateDocument(TypedDict):
    """What ``nliprobe gate --format json`` writes."""

    schema: Literal["nliprobe/gate/2"]
    passed: bool
    run: SideHead
    baseline: SideHead | None
    contract: str | None
    correction: Literal["holm", "none"] | None
    checks: list[GateCheck]
    suggestions: list[Suggestion]
    notes: list[str]


def suite_check(name: str, system: str, kind: Literal["suite", "damaged"], reason: str) -> GateCheck:
    """Return the failed check of a run that cannot be decided about: a gate that checked nothing must not pass."""
    return GateCheck(
        name=name,
        system=system,
        corpus=None,
        probe=None,
        facet=None,
        capability=None,
        metric=None,
        kind=kind,
        n=None,
        groups=None,
        value=None,
        ci95=None,
        constant=None,
        level=None,
        bound=None,
        limit=None,
        passed=False,
        reason=reason,
        cases=[],
    )
