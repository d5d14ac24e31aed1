"""The shapes of the documents behind ``nliprobe compare`` and ``nliprobe gate``; they are written as JSON unchanged."""

from __future__ import annotations

from typing import Final, Literal, TypedDict

from nliprobe.analysis.documents import Ends
from nliprobe.analysis.failures import Failure
from nliprobe.analysis.integrity import Integrity

COMPARE_SCHEMA: Final = "nliprobe/compare/4"
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


Verdict = Literal["better", "not_worse", "inferior", "undecided"]


class MarginTest(TypedDict):
    """Whether the right side is worse than the left by no more than a margin: a one-sided test over groups.

    ``p`` is small if it is not worse by more than the margin, ``p_inferior`` if it is; both have their own correction
    over all comparisons of the document. ``bound`` is how low the difference may be, one-sided and by itself.
    ``verdict`` is *better* by the two-sided test of the comparison, else by these two, and *undecided* if a run is
    not whole.
    """

    margin: float
    bound: float
    p: float
    p_holm: float
    p_inferior: float
    p_inferior_holm: float
    verdict: Verdict


class Difference(TypedDict):
    """How often both sides are right on the same cases.

    ``p`` is the sign-flip test over groups, which is the exact McNemar test where every group is one case; ``p_holm``
    and ``p_bh`` correct it for all comparisons of the document. ``p_holm`` decides whether a side is called better.
    ``ci95_family`` are intervals that hold together for all comparisons. ``detectable`` is the smallest true difference
    that such a test finds in 80 of 100 samples like this, ``detectable_family`` the same at the strictest level that
    Holm's correction may ask for; None if none can be found. Both rest on ``design_effect`` (how much the cases of a
    group go together) and ``degrees`` of freedom.
    """

    n: int
    groups: int
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
    design_effect: float | None
    degrees: float | None
    detectable: float | None
    detectable_family: float | None
    margin: MarginTest | None


class Comparison(Difference):
    """Both sides on the same cases of one corpus and probe, by gold labels or by what the cases expect.

    ``left_out`` counts the cases that say nothing about one side at least; of these, ``unchanged_left`` and
    ``unchanged_right`` count those that a side reads exactly like their base. ``constant`` is what the best constant
    answer to these cases gets; None where they are not compared by gold labels.
    """

    corpus: str
    probe: str
    kind: Literal["gold", "expects"]
    partition: str
    constant: float | None
    only_left: int
    only_right: int
    altered: int
    uncertain: int
    unanswered_left: int
    unanswered_right: int
    left_out: int
    unchanged_left: int
    unchanged_right: int
    fixed_examples: list[Flip]
    broken_examples: list[Flip]


class Overall(Difference):
    """Both sides on all cases of a family of probes (``rows`` for ``rows.delete`` and the like) and all corpora.

    Cases count alike, so that large probes count more; groups are those of all its probes. The correction is over all
    overall comparisons of the document.
    """

    family: str
    kind: Literal["gold", "expects"]
    places: int


class SideComparison(TypedDict):
    """Two systems that were compared: the first, left, is the one before."""

    left: SideHead
    right: SideHead
    differences: list[str]
    notes: list[str]
    comparisons: list[Comparison]


class ComparedSystem(SideHead):
    """A system under the name that it has in the document: its own, with the run's where two systems share one."""

    name: str


class ComparedPair(TypedDict):
    """Two systems of the document, by their names; differences are right minus left."""

    left: str
    right: str
    comparisons: list[Comparison]
    overall: list[Overall]


class Separation(TypedDict):
    """Which systems one corpus and probe tells apart.

    ``rates`` are shares of right answers, or of expectations kept, averaged over the pairs that a system is in.
    ``letters``: systems that share a letter are not told apart; None if not all of them were compared with each other.
    """

    corpus: str
    probe: str
    kind: Literal["gold", "expects"]
    compared: int
    told_apart: int
    smallest_p: float | None
    rates: dict[str, float]
    letters: dict[str, str] | None


class CompareDocument(TypedDict):
    """What ``nliprobe compare --format json`` writes: two or more systems, and every pair of them that was compared.

    With a ``reference``, every other system is compared with it alone. ``separations`` come with the corpora and probes
    that tell most pairs apart first.
    """

    schema: Literal["nliprobe/compare/4"]
    systems: list[ComparedSystem]
    reference: str | None
    margin: float | None
    differences: list[str]
    notes: list[str]
    pairs: list[ComparedPair]
    separations: list[Separation]


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
