"""Pairs of runs, an earlier and a later one, for every situation a gate can meet."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from tests.analysis.runs import Asked, derived, pair, write_run

from nliprobe.store.run import RunFolder
from nliprobe.task.case import Case
from nliprobe.task.pair import Facet

N = 120
PAIRS = [pair(f"p{number:03d}", "E", group=f"t{number // 2}") for number in range(N)]
DELETED = [derived(f"d{number:03d}", source) for number, source in enumerate(PAIRS)]
MOVED = [
    derived(f"m{number:03d}", source, probe="rows.permute", relation="E>E N>N C>C")
    for number, source in enumerate(PAIRS)
]
SUITE: dict[str, object] = {
    "hash": "first",
    "seed": 0,
    "corpora": [{"name": "x/dev", "digest": "d", "partition": "E|N|C"}],
    "probes": [{"spec": spec, "name": spec, "version": 1} for spec in ("gold", "rows.delete")],
}


class Situation(NamedTuple):
    """Two runs, and what the gate must say of the later one."""

    before: RunFolder
    after: RunFolder
    code: int
    # Metric, probe, kind and whether it passes, check by check.
    checks: Sequence[tuple[str | None, str | None, str, bool]]
    # How the suites differ, as the gate notes it.
    notes: Sequence[str] = ()
    # The contract that is checked instead of every probe, if there is one.
    contract: str = ""


def wrong(cases: Sequence[Case], numbers: range) -> dict[str, str | None]:
    """Right answers, except to some numbers: N to a pair, which is not gold; C after an edit, which E>EN forbids."""
    return {
        case.id: ("N" if case.probe == "gold" else "C") if number in numbers else "E"
        for number, case in enumerate(cases)
    }


def a_run(folder: Path, cases: Sequence[Case], answers: Mapping[str, str | None], **suite: object) -> RunFolder:
    return write_run(folder, {"x/dev": cases}, [Asked("m", answers)], shard=50, suite={**SUITE, **suite})


def situation(name: str, folder: Path) -> Situation:
    """Build one of the twelve situations; before, the first 30 pairs are answered wrongly."""
    usual = [*PAIRS, *DELETED]
    answers = {**wrong(PAIRS, range(30)), **wrong(DELETED, range(30, 60))}
    before = a_run(folder, usual, answers)
    gold, kept = ("accuracy", "gold", "not_worse"), ("holds", "rows.delete", "not_worse")
    passing = [(*gold, True), (*kept, True)]
    if name == "better":
        return Situation(before, a_run(folder, usual, {**answers, **wrong(PAIRS, range(5))}), 0, passing)
    if name == "worse":
        worse = a_run(folder, usual, {**answers, **wrong(PAIRS, range(60))})
        return Situation(before, worse, 3, [(*gold, False), (*kept, True)])
    if name == "equal":
        return Situation(before, a_run(folder, usual, answers), 0, passing)
    if name == "noisy":
        # 5 fixed and 9 broken: 3 points below, which is chance (p = 0.42).
        return Situation(before, a_run(folder, usual, {**answers, **wrong(PAIRS, range(5, 39))}), 0, passing)
    if name == "missing probe":
        return Situation(
            before, a_run(folder, PAIRS, answers), 3, [(*gold, True), ("holds", "rows.delete", "missing", False)]
        )
    if name == "new probe":
        more = a_run(folder, [*usual, *MOVED], {**answers, **wrong(MOVED, range(0))})
        return Situation(before, more, 0, [*passing, ("holds", "rows.permute", "new", True)])
    if name == "fewer cases":
        return Situation(before, a_run(folder, [*PAIRS[:80], *DELETED[:80]], answers), 0, passing)
    if name == "other label order":
        # The model is the same, but somebody exchanged its labels E and C.
        permuted = {case: {"E": "C", "C": "E"}.get(answer or "", answer) for case, answer in answers.items()}
        return Situation(before, a_run(folder, usual, permuted), 3, [(*gold, False), (*kept, True)])
    if name == "other suite version":
        probes = [{"spec": spec, "name": spec, "version": 1 + (spec != "gold")} for spec in ("gold", "rows.delete")]
        again = [derived(f"v{number:03d}", source) for number, source in enumerate(PAIRS)]
        after = a_run(
            folder, [*PAIRS, *again], {**answers, **wrong(again, range(30, 60))}, probes=probes, hash="second"
        )
        notes = ["The version of the probe rows.delete differs: 1 left, 2 right."]
        return Situation(before, after, 3, [(*gold, True), ("holds", "rows.delete", "missing", False)], notes)
    if name == "other seed":
        after = a_run(folder, [*PAIRS, *DELETED[:80]], answers, seed=7, hash="second")
        return Situation(before, after, 0, passing, ["The seeds differ: 0 left, 7 right."])
    if name == "empty facet":
        # Every pair has a genre, but no case of rows.delete was made from a letter.
        pairs = [pair(f"p{n:03d}", "E", f"t{n // 2}", facets=[Facet("genre", "letter" if n < 30 else "fiction")])
                 for n in range(N)]  # fmt: skip
        deleted = [derived(f"d{n:03d}", source) for n, source in enumerate(pairs) if n >= 30]
        after = a_run(folder, [*pairs, *deleted], answers)
        return Situation(before, after, 3, [("prohibited", "rows.delete", "at_most", False)], contract=EMPTY_FACET)
    assert name == "corrupt run"
    damaged = a_run(folder, usual, answers)
    damaged.shard("predictions/folder-0", 1).write_bytes(b"PAR1 torn")
    return Situation(before, damaged, 1, [])


EMPTY_FACET = """contract: 2
checks:
  - {corpus: x/dev, probe: rows.delete, facet: genre=letter, metric: prohibited, at_most: 0.9}
"""
SITUATIONS = (
    "better", "worse", "equal", "noisy", "missing probe", "new probe", "fewer cases", "other label order",
    "other suite version", "other seed", "empty facet", "corrupt run",
)  # fmt: skip
