"""All failing cases of a run, column by column: what a page needs to show, filter and search a hundred thousand.

Failures are the rows; cases, pairs and premises stand once and are referred to by number.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from nliprobe.analysis.broken import Broken, answers_before, bases_of, broken_cases, first_of_each, strata
from nliprobe.analysis.case_facets import FacetColumns, facet_columns
from nliprobe.analysis.cases import NONE, NOT_ASKED, Cases, RunData
from nliprobe.analysis.expected import allowed_labels
from nliprobe.analysis.matching import read_probabilities, read_some
from nliprobe.task.labels import SETS, LabelSet

if TYPE_CHECKING:
    import numpy as np
    import polars as pl
    from numpy.typing import NDArray

    from nliprobe.store.run import RunFolder

# So many failures fit into a file that opens at once; of more, a sample is kept.
MOST = 100_000
# Marks of a failure: the answer is not the gold label; what the case expects is broken.
WRONG, UNMET = 1, 2
# A case that the system was not asked, among answers.
UNASKED = NOT_ASKED
_PAIR = ("pair_id", "kind", "premise", "hypothesis", "gold", "group")


@dataclass(frozen=True)
class CaseColumns:
    """Failing cases of a run: failures that refer to cases, which refer to pairs.

    Attributes:
        systems: what the numbers in ``system`` stand for.
        corpora: what the numbers of corpora in ``cases`` stand for.
        probes: what the numbers of probes in ``cases`` stand for.
        rules: what the numbers of rules in ``cases`` stand for.
        totals: how many failures each system has on each corpus and probe.
        most: how many cases of each corpus and probe are kept, if not all of them are.
        system: per failure, who failed.
        case: per failure, its place in ``cases``.
        marks: per failure, WRONG, UNMET or both.
        allowed: per failure, the mask of the labels that would have been right; 0 if labels do not say it.
        confidence: per failure, the probability of the answer; NaN if the system gave none.
        cases: per case, the columns case_id, corpus, probe, pair, rule, base (the pair that this one was made from
            by its corpus, or NONE), edits and certainty.
        pairs: per pair, the columns pair_id, kind, premise, hypothesis, gold and group.
        answers: per system and case, the mask of the answer, or UNASKED.
        before: per system and case, the answers to its bases, as :func:`answers_before` gives them.
        shares: per system and case, the probabilities of E, N, C before and after, or NaN.
        facets: which case and pair has which values of facets.
    """

    systems: tuple[str, ...]
    corpora: tuple[str, ...]
    probes: tuple[str, ...]
    rules: tuple[str, ...]
    totals: list[dict[str, str | int]]
    most: int | None
    system: NDArray[np.int64]
    case: NDArray[np.int64]
    marks: NDArray[np.int64]
    allowed: NDArray[np.int64]
    confidence: NDArray[np.float32]
    cases: pl.DataFrame
    pairs: pl.DataFrame
    answers: NDArray[np.uint8]
    before: NDArray[np.uint8]
    shares: NDArray[np.float32]
    facets: FacetColumns


class FoundCases(NamedTuple):
    """Failures, one per system and case: who failed, the row of the case in the run, and the marks."""

    system: NDArray[np.int64]
    rows: NDArray[np.int64]
    marks: NDArray[np.int64]

    def take(self, places: NDArray[np.int64]) -> FoundCases:
        """Return some of them, by their places."""
        return FoundCases(self.system[places], self.rows[places], self.marks[places])


def case_columns(run: RunFolder, data: RunData, *, limit: int = MOST, each: int | None = None) -> CaseColumns:
    """Gather the failing cases of a run, the most confident failures first.

    Args:
        run: the run folder.
        data: the run as :func:`nliprobe.analysis.cases.read_run` gives it.
        limit: how many failures are kept. Of more than that, the first cases of each corpus and probe in the order of
            their ids, which are hashes: a random sample, in which small groups are whole.
        each: how many failures of each system, corpus and probe are kept instead, if that is given.
    """
    found = [broken_cases(data, system) for system in data.systems]
    totals = [
        item for system, broken in zip(data.systems, found, strict=True) for item in _totals(data, system.name, broken)
    ]
    most = None
    if each is not None:
        found = [broken.where(first_of_each(data.cases, broken.rows, each)) for broken in found]
    elif sum(len(broken.rows) for broken in found) > limit:
        most, found = _sampled(data.cases, found, limit)
    return columns_of(run, data, _joined(found), totals, most)


def columns_of(
    run: RunFolder, data: RunData, failed: FoundCases, totals: list[dict[str, str | int]], most: int | None = None
) -> CaseColumns:
    """Gather what is known about some cases of a run, the most confident answers first.

    Args:
        run: the run folder.
        data: the run as :func:`nliprobe.analysis.cases.read_run` gives it.
        failed: which cases of which systems.
        totals: how many there are in all.
        most: how many cases of each corpus and probe were kept, if not all.
    """
    import numpy as np

    rows = np.unique(failed.rows)
    shares = _shares(run, data, rows)
    answers = np.array([system.answers[rows] for system in data.systems], dtype=np.uint8).reshape(
        len(data.systems), len(rows)
    )
    place = np.searchsorted(rows, failed.rows)
    confidence = _confidence(answers[failed.system, place], shares[failed.system, place, 3:])
    ranks = data.cases.ids.gather(rows).rank("dense").to_numpy()
    # Those without a probability come last.
    order = np.lexsort((failed.system, ranks[place], -np.nan_to_num(confidence, nan=-1.0)))
    failed, confidence, place = failed.take(order), confidence[order], place[order]
    # Cases are numbered as they appear, so that what is shown first lies together.
    _, first = np.unique(place, return_index=True)
    cases = place[np.sort(first)]
    number = np.empty(len(rows), dtype=np.int64)
    number[cases] = np.arange(len(cases))
    rows = rows[cases]
    before = np.array([answers_before(data.cases, system, rows) for system in data.systems], dtype=np.uint8)
    frame, pairs = _frames(run, data, rows)
    return CaseColumns(
        systems=tuple(system.name for system in data.systems),
        corpora=data.cases.corpora,
        probes=data.cases.probes,
        rules=data.cases.rule_texts,
        totals=totals,
        most=most,
        system=failed.system,
        case=number[place],
        marks=failed.marks,
        allowed=_allowed(data, failed, answers[failed.system, place]),
        confidence=confidence,
        cases=frame,
        pairs=pairs,
        answers=answers[:, cases],
        before=before.reshape(len(data.systems), len(rows)),
        shares=shares[:, cases],
        facets=facet_columns(run, frame, pairs),
    )


def _totals(data: RunData, system: str, broken: Broken) -> list[dict[str, str | int]]:
    """Count the failures of a system by corpus and probe."""
    import numpy as np

    cases = data.cases
    places, counts = np.unique(strata(cases, broken.rows), return_counts=True)
    return [
        {
            "system": system,
            "corpus": cases.corpora[place // len(cases.probes)],
            "probe": cases.probes[place % len(cases.probes)],
            "n": count,
        }
        for place, count in zip(places.tolist(), counts.tolist(), strict=True)
    ]


def _sampled(cases: Cases, found: Sequence[Broken], limit: int) -> tuple[int, list[Broken]]:
    """Keep so many cases of each corpus and probe that their failures are at most ``limit``, and say how many.

    What every system makes of a case is kept with it.
    """
    import numpy as np

    rows, failing = np.unique(np.concatenate([broken.rows for broken in found]), return_counts=True)
    order = np.lexsort((cases.ids.gather(rows).rank("ordinal").to_numpy(), strata(cases, rows)))
    groups = strata(cases, rows[order])
    _, first, inverse = np.unique(groups, return_index=True, return_inverse=True)
    rank = np.empty(len(rows), dtype=np.int64)
    rank[order] = np.arange(len(rows)) - first[inverse]
    # The failures that are kept if so many cases of each are.
    sums = np.cumsum(np.bincount(rank, weights=failing))
    most = max(int(np.searchsorted(sums, limit, side="right")), 1)
    chosen = np.flatnonzero(rank < most)
    if failing[chosen].sum() > limit:
        # Even one case of each is too much, so that some have none.
        chosen = chosen[cases.ids.gather(rows[chosen]).arg_sort().to_numpy()]
        chosen = chosen[np.cumsum(failing[chosen]) <= limit]
    kept = rows[chosen]
    return most, [broken.where(np.isin(broken.rows, kept, assume_unique=True)) for broken in found]


def _joined(found: Sequence[Broken]) -> FoundCases:
    import numpy as np

    nothing = np.empty(0, dtype=np.int64)
    system = np.repeat(np.arange(len(found)), [len(broken.rows) for broken in found])
    marks = [broken.wrong * WRONG + broken.unmet * UNMET for broken in found]
    rows = np.concatenate([nothing, *(broken.rows for broken in found)])
    return FoundCases(system, rows, np.concatenate([nothing, *marks]).astype(np.int64))


def _shares(run: RunFolder, data: RunData, rows: NDArray[np.int64]) -> NDArray[np.float32]:
    """Read the probabilities of some cases and their bases: per system and case, E, N, C before and after.

    A case with several bases has none before.
    """
    import numpy as np

    shares = np.empty((len(data.systems), len(rows), 6), dtype=np.float32)
    base = data.cases.base[rows]
    for number, system in enumerate(data.systems):
        given = system.probabilities
        given = read_probabilities(run, data.cases.ids, system.name) if given is None else given
        shares[number, :, :3] = np.where((base == NONE)[:, None], np.nan, given[base])
        shares[number, :, 3:] = given[rows]
    return shares


def _confidence(answers: NDArray[np.uint8], shares: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the probability of each answer: of a set of labels, that of all of them."""
    import numpy as np

    letters = ((answers[:, None] >> np.arange(3)) & 1).astype(np.float32)
    confidence: NDArray[np.float32] = (letters * shares).sum(axis=1, dtype=np.float32)
    return confidence


def _allowed(data: RunData, failed: FoundCases, answers: NDArray[np.uint8]) -> NDArray[np.int64]:
    """Return the masks of the labels that would have been right; 0 if the answer is one of them."""
    import numpy as np

    cases, known = data.cases, dict[tuple[int, int], int]()
    allowed = np.empty(len(answers), dtype=np.int64)
    before = np.empty(len(answers), dtype=np.int64)
    for number, system in enumerate(data.systems):
        own = failed.system == number
        before[own] = answers_before(cases, system, failed.rows[own])
    rules = cases.expects[failed.rows].tolist()
    for place, key in enumerate(zip(rules, before.tolist(), strict=True)):
        if key not in known:
            known[key] = _right(data, *key)
        allowed[place] = known[key]
    allowed = np.where(allowed & answers, 0, allowed)
    return np.where(failed.marks & WRONG, cases.gold[failed.rows], allowed)


def _right(data: RunData, rule: int, before: int) -> int:
    if rule == NONE:
        return 0
    labels = allowed_labels(data.cases.rules[rule], [SETS[mask] for mask in bases_of(before)])
    return LabelSet.of(labels).mask


def _frames(run: RunFolder, data: RunData, rows: NDArray[np.int64]) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Read some cases and their pairs; both in the order in which they appear."""
    import numpy as np
    import polars as pl

    cases = data.cases
    base = np.where(cases.as_they_are[rows] & (cases.base[rows] != NONE), cases.pair[cases.base[rows]], NONE)
    numbers = np.stack([cases.pair[rows], base], axis=1).ravel()
    numbers = numbers[numbers != NONE]
    known, first = np.unique(numbers, return_index=True)
    order = numbers[np.sort(first)]
    place = np.full(int(known.max(initial=0)) + 1, NONE, dtype=np.int64)
    place[order] = np.arange(len(order))
    names = run.read("pairs", ["pair_id"])["pair_id"].gather(order)
    pairs = pl.DataFrame({"pair_id": names}).join(
        read_some(run, "pairs", names, _PAIR), on="pair_id", how="left", maintain_order="left"
    )
    frame = pl.DataFrame(
        {
            "case_id": cases.ids.gather(rows),
            "corpus": cases.corpus[rows],
            "probe": cases.probe[rows],
            "pair": place[cases.pair[rows]],
            "rule": cases.expects[rows],
            "base": np.where(base == NONE, NONE, place[base]),
        }
    )
    texts = read_some(run, "cases", frame["case_id"], ("case_id", "edits", "certainty"))
    return frame.join(texts, on="case_id", how="left", maintain_order="left"), pairs
