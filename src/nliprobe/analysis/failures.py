"""Failing cases: what was asked, what was answered, and what would have been right, for people to read."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, TypedDict

from nliprobe.analysis.broken import bases_of, broken_cases
from nliprobe.analysis.case_columns import UNMET, WRONG, CaseColumns, FoundCases, case_columns, columns_of
from nliprobe.analysis.cases import NONE, RunData, read_run
from nliprobe.analysis.expected import expected_words
from nliprobe.analysis.outcomes import BETWEEN
from nliprobe.task.case import IDENTITY
from nliprobe.task.labels import SETS
from nliprobe.task.rule_forms import read_rule

if TYPE_CHECKING:
    import numpy as np
    import polars as pl
    from numpy.typing import NDArray

    from nliprobe.store.run import RunFolder

# Enough to see a pattern on a console.
SHOWN = 40


class Original(TypedDict):
    """The pair that another pair was made from by its corpus, and the answer to it."""

    pair_id: str
    premise: str
    hypothesis: str
    answer: str | None


class Failure(TypedDict):
    """One case whose gold label or expectation is broken.

    ``answer`` is empty if there was none; ``allowed`` are the labels that would have been right. If a broken rule looks
    at more than labels, ``expected`` says in words what it asks for; ``certainty`` says how sure that is. Probabilities
    of E, N, C are given if the system gave them. ``original`` is given for a pair that its corpus made from another
    one.
    """

    system: str
    corpus: str
    probe: str
    case_id: str
    pair_id: str
    kind: str
    premise: str
    hypothesis: str
    edits: str | None
    gold: str | None
    before: str | None
    answer: str
    allowed: str
    expected: str
    certainty: str
    shares_before: list[float] | None
    shares: list[float] | None
    original: Original | None


class Failures(TypedDict):
    """Some failing cases of each system, corpus and probe, and how many there are."""

    shown: list[Failure]
    totals: list[dict[str, str | int]]


def failures(run: RunFolder, *, shown: int = SHOWN, data: RunData | None = None) -> Failures:
    """Gather failing cases: at most ``shown`` of each system, corpus and probe.

    Case ids are hashes, so the first ones in their order are a random sample, the same for every system: where
    two systems fail on the same case, both failures are shown. ``data`` is the run, if it has been read already.
    """
    columns = case_columns(run, read_run(run) if data is None else data, each=shown)
    cases = columns.cases
    names, corpora, probes = (cases[name].to_list() for name in ("case_id", "corpus", "probe"))

    def place(number: int) -> tuple[int, int, int, str]:
        case = int(columns.case[number])
        return int(columns.system[number]), corpora[case], probes[case], names[case]

    order = sorted(range(len(columns.case)), key=place)
    return Failures(shown=[failure_at(columns, number) for number in order], totals=columns.totals)


def describe_cases(run: RunFolder, data: RunData, system: str, ids: pl.Series, *, by_gold: bool) -> list[Failure]:
    """Describe some cases of a system as failing ones, in the order of their ids.

    Args:
        run: the run folder.
        data: the run, as it was read.
        system: the name of the system.
        ids: the ids of the cases.
        by_gold: whether they fail by their gold label, else by what they expect.
    """
    import numpy as np

    number = [item.name for item in data.systems].index(system)
    rows = np.flatnonzero(data.cases.ids.is_in(ids.implode()).to_numpy())
    broken = broken_cases(data, data.systems[number])
    unmet = np.isin(rows, broken.rows[broken.unmet])
    marks = np.full(len(rows), WRONG) if by_gold else np.where(unmet, UNMET, 0)
    columns = columns_of(run, data, FoundCases(np.full(len(rows), number), rows, marks), [])
    described = [failure_at(columns, place) for place in range(len(columns.case))]
    return sorted(described, key=lambda item: item["case_id"])


def failure_at(columns: CaseColumns, number: int) -> Failure:
    """Return one of the failures of a run with all that is known about it."""
    system, place = int(columns.system[number]), int(columns.case[number])
    case = columns.cases.row(place, named=True)
    pair = columns.pairs.row(case["pair"], named=True)
    unmet = bool(columns.marks[number] & UNMET)
    probe = columns.probes[case["probe"]]
    answer = str(SETS[int(columns.answers[system, place])])
    shares = columns.shares[system, place]
    before = before_words(int(columns.before[system, place]))
    return Failure(
        system=columns.systems[system],
        corpus=columns.corpora[case["corpus"]],
        probe=probe,
        case_id=case["case_id"],
        pair_id=pair["pair_id"],
        kind=pair["kind"],
        premise=pair["premise"],
        hypothesis=pair["hypothesis"],
        edits=case["edits"],
        gold=pair["gold"],
        # A pair that is only wrong is not compared with anything, whatever its corpus made it from.
        before=before if unmet or probe != IDENTITY else None,
        answer=answer,
        allowed=str(SETS[int(columns.allowed[number])]),
        expected=expected_words(read_rule(columns.rules[case["rule"]])) if unmet else "",
        certainty=case["certainty"],
        shares_before=_shares(shares[:3]),
        shares=_shares(shares[3:]),
        original=None if case["base"] == NONE else _original(columns, case["base"], before),
    )


def before_words(code: int) -> str | None:
    """Write the answers to the bases of a case: ``E``, or for two bases ``E, C``; None if there are none."""
    return BETWEEN.join(str(SETS[mask]) for mask in bases_of(code)) or None


def _original(columns: CaseColumns, pair: int, answer: str | None) -> Original:
    row = columns.pairs.row(pair, named=True)
    return Original(pair_id=row["pair_id"], premise=row["premise"], hypothesis=row["hypothesis"], answer=answer)


def _shares(row: NDArray[np.float32]) -> list[float] | None:
    shares = [round(float(share), 6) for share in row]
    return None if any(math.isnan(share) for share in shares) else shares
