"""Failing cases: what was asked, what was answered, and what would have been right, for people to read."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, TypedDict

from nliprobe.analysis.broken import Broken, answers_before, bases_of, broken_cases
from nliprobe.analysis.cases import NONE, Cases, RunData, SystemAnswers, read_run
from nliprobe.analysis.expected import allowed_labels, expected_words
from nliprobe.analysis.matching import read_some
from nliprobe.analysis.outcomes import BETWEEN
from nliprobe.task.case import IDENTITY
from nliprobe.task.labels import SETS, LabelSet
from nliprobe.task.rule_forms import read_rule

if TYPE_CHECKING:
    import numpy as np
    import polars as pl
    from numpy.typing import NDArray

    from nliprobe.store.run import RunFolder

# Enough to see a pattern; a report of every failure of a large run would be too long to open.
SHOWN = 40
_COLUMNS = ("case_id", "pair_id", "bases", "gold", "expects", "edits", "certainty")


class Original(TypedDict):
    """The pair that another pair was made from by its corpus, and the answer to it."""

    pair_id: str
    premise: str
    hypothesis: str
    answer: str | None


class Failure(TypedDict):
    """One case whose gold label or expectation is broken.

    ``allowed`` are the labels that would have been right. If a broken rule looks at more than labels, ``expected`` says
    in words what it asks for; ``certainty`` says how sure that is. Probabilities of E, N, C are given if some rule of
    the run looks at them. ``original`` is given for a pair that its corpus made from another one.
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
    import polars as pl

    data = read_run(run) if data is None else data
    parts: list[pl.DataFrame] = []
    totals: list[dict[str, str | int]] = []
    for system in data.systems:
        broken = broken_cases(data, system)
        totals += _totals(data, system.name, broken)
        chosen = broken.where(first_of_each(data.cases, broken.rows, shown))
        parts.append(_answered(data, system, chosen))
    if not parts:
        return Failures(shown=[], totals=[])
    return Failures(shown=_detailed(run, pl.concat(parts)), totals=totals)


def _totals(data: RunData, system: str, broken: Broken) -> list[dict[str, str | int]]:
    """Count failing cases by corpus and probe."""
    import numpy as np

    cases = data.cases
    places, counts = np.unique(_strata(cases, broken.rows), return_counts=True)
    return [
        {
            "system": system,
            "corpus": cases.corpora[place // len(cases.probes)],
            "probe": cases.probes[place % len(cases.probes)],
            "n": count,
        }
        for place, count in zip(places.tolist(), counts.tolist(), strict=True)
    ]


def _strata(cases: Cases, rows: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return a number per case for its corpus and probe."""
    import numpy as np

    strata: NDArray[np.int64] = cases.corpus[rows].astype(np.int64) * len(cases.probes) + cases.probe[rows]
    return strata


def first_of_each(cases: Cases, rows: NDArray[np.int64], most: int) -> NDArray[np.int64]:
    """Choose the first cases of each corpus and probe in the order of their ids; return their places in ``rows``."""
    import numpy as np
    import polars as pl

    frame = pl.DataFrame({"stratum": _strata(cases, rows), "case_id": cases.ids.gather(rows)}).with_row_index("place")
    chosen = frame.sort("case_id").group_by("stratum", maintain_order=True).head(most)
    return chosen["place"].to_numpy().astype(np.int64)


def _answered(data: RunData, system: SystemAnswers, broken: Broken) -> pl.DataFrame:
    """Put failing cases into a frame, with the answers before and after."""
    import numpy as np
    import polars as pl

    cases, rows = data.cases, broken.rows
    letters = [str(item) for item in SETS]
    before = [BETWEEN.join(letters[mask] for mask in bases_of(code)) for code in _codes(cases, system, rows)]
    frame = pl.DataFrame(
        {
            "case_id": cases.ids.gather(rows),
            "corpus": pl.Series(cases.corpora, dtype=pl.String).gather(cases.corpus[rows]),
            "probe": pl.Series(cases.probes, dtype=pl.String).gather(cases.probe[rows]),
            "base": pl.Series([words or None for words in before], dtype=pl.String),
            "answer": pl.Series([letters[mask] or None for mask in system.answers[rows].tolist()], dtype=pl.String),
            "wrong": broken.wrong,
            "unmet": broken.unmet,
            "system": pl.Series([system.name] * len(rows), dtype=pl.String),
        }
    )
    # Probabilities are shown if rules look at them, which is why they failed.
    kind, shares = pl.List(pl.Float64), system.probabilities if cases.weighs else None
    if shares is None:
        return frame.with_columns(shares_before=pl.lit(None, kind), shares=pl.lit(None, kind))
    old = [None if row == NONE else _shares(shares[row]) for row in np.asarray(cases.base[rows]).tolist()]
    new = [_shares(row) for row in shares[rows]]
    return frame.with_columns(pl.Series("shares_before", old, dtype=kind), pl.Series("shares", new, dtype=kind))


def _codes(cases: Cases, system: SystemAnswers, rows: NDArray[np.int64]) -> list[int]:
    codes: list[int] = answers_before(cases, system, rows).tolist()
    return codes


def _shares(row: NDArray[np.float32]) -> list[float] | None:
    shares = [round(float(share), 6) for share in row]
    return None if any(math.isnan(share) for share in shares) else shares


def _detailed(run: RunFolder, broken: pl.DataFrame) -> list[Failure]:
    cases = read_some(run, "cases", broken["case_id"], _COLUMNS)
    texts = read_some(run, "pairs", cases["pair_id"], ["pair_id", "kind", "premise", "hypothesis", "gold"])
    pairs = texts.rename({"gold": "pair_gold"})
    joined = broken.join(cases, on="case_id", how="left", maintain_order="left").join(
        pairs, on="pair_id", how="left", maintain_order="left"
    )
    originals = _originals(run, joined)
    return [
        Failure(
            system=row["system"],
            corpus=row["corpus"],
            probe=row["probe"],
            case_id=row["case_id"],
            pair_id=row["pair_id"],
            kind=row["kind"],
            premise=row["premise"],
            hypothesis=row["hypothesis"],
            edits=row["edits"],
            gold=row["pair_gold"],
            # A pair that is only wrong is not compared with anything, whatever its corpus made it from.
            before=row["base"] if row["unmet"] or row["probe"] != IDENTITY else None,
            answer=row["answer"],
            allowed=_allowed(row),
            expected=expected_words(read_rule(row["expects"])) if row["unmet"] else "",
            certainty=row["certainty"],
            shares_before=row["shares_before"],
            shares=row["shares"],
            original=originals.get((row["system"], row["case_id"])),
        )
        for row in joined.iter_rows(named=True)
    ]


def _originals(run: RunFolder, broken: pl.DataFrame) -> dict[tuple[str, str], Original]:
    """Read the pairs that failing pairs were made from, by system and case."""
    import polars as pl

    made = broken.filter((pl.col("probe") == IDENTITY) & (pl.col("bases").list.len() == 1))
    made = made.select("system", "case_id", "base", pl.col("bases").list.first().alias("base_id"))
    if made.is_empty():
        return {}
    cases = read_some(run, "cases", made["base_id"], ["case_id", "pair_id"]).rename({"case_id": "base_id"})
    pairs = read_some(run, "pairs", cases["pair_id"], ["pair_id", "premise", "hypothesis"])
    joined = made.join(cases, on="base_id").join(pairs, on="pair_id")
    return {
        (row["system"], row["case_id"]): Original(
            pair_id=row["pair_id"], premise=row["premise"], hypothesis=row["hypothesis"], answer=row["base"]
        )
        for row in joined.iter_rows(named=True)
    }


def _allowed(row: dict[str, str]) -> str:
    """Return the labels that would have been right, or nothing if the answer is one of them."""
    if row["wrong"]:
        return row["gold"]
    before = [LabelSet.of(letters) for letters in row["base"].split(BETWEEN)] if row["base"] else []
    allowed = allowed_labels(read_rule(row["expects"]), before)
    return "" if set(row["answer"]) & set(allowed) else allowed
