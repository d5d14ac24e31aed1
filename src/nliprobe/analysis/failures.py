"""Failing cases: what was asked, what was answered, and what would have been right, for people to read."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, TypedDict

from nliprobe.analysis.cases import NONE, Cases, read_cases
from nliprobe.analysis.expected import allowed_labels, expected_words
from nliprobe.analysis.matching import read_probabilities, read_some
from nliprobe.analysis.outcomes import BETWEEN, case_outcomes
from nliprobe.task.case import IDENTITY
from nliprobe.task.labels import LabelSet
from nliprobe.task.outcomes import Outcome
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

    ``answer`` is empty if there was none; ``allowed`` are the labels that would have been right. If a broken rule looks
    at more than labels, ``expected`` says in words what it asks for; ``certainty`` says how sure that is. Probabilities
    of E, N, C are given if some rule of the run looks at them. ``original`` is given for a pair that its corpus made
    from another one.
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


def failures(run: RunFolder, *, shown: int = SHOWN, cases: Cases | None = None) -> Failures:
    """Gather failing cases: at most ``shown`` of each system, corpus and probe.

    Case ids are hashes, so the first ones in their order are a random sample, the same for every system: where
    two systems fail on the same case, both failures are shown. ``cases`` are those of the run, if they have been read
    already.
    """
    import polars as pl

    cases = read_cases(run) if cases is None else cases
    parts: list[pl.DataFrame] = []
    totals: list[dict[str, str | int]] = []
    for item in run.systems:
        name = item.name
        broken = _broken(case_outcomes(run, name, cases)).with_columns(system=pl.lit(name))
        counts = broken.group_by("corpus", "probe", maintain_order=True).len("n")
        totals += [{"system": name, **row} for row in counts.iter_rows(named=True)]
        chosen = broken.sort("case_id").group_by("corpus", "probe", maintain_order=True).head(shown)
        parts.append(_with_shares(run, chosen, name, cases))
    if not parts:
        return Failures(shown=[], totals=[])
    return Failures(shown=_detailed(run, pl.concat(parts)), totals=totals)


def describe_cases(run: RunFolder, system: str, ids: pl.Series, cases: Cases, *, by_gold: bool) -> list[Failure]:
    """Describe some cases of a system as failing ones, in the order of their ids.

    Args:
        run: the run folder.
        system: the name of the system.
        ids: the ids of the cases.
        cases: the cases of the run.
        by_gold: whether they fail by their gold label, else by what they expect.
    """
    import polars as pl

    found = case_outcomes(run, system, cases).filter(pl.col("case_id").is_in(ids.implode())).sort("case_id")
    broken = Outcome.BROKEN.value
    unmet = pl.lit(False) if by_gold else pl.col("expects").cast(pl.String) == broken
    told = found.with_columns(wrong=pl.lit(by_gold), unmet=unmet, system=pl.lit(system)).drop("gold", "expects")
    return _detailed(run, _with_shares(run, told, system, cases))


def _broken(outcomes: pl.DataFrame) -> pl.DataFrame:
    import polars as pl

    broken = Outcome.BROKEN.value
    # A derived case shows what it expects; accuracy on derived cases is in the scores.
    wrong = (pl.col("probe") == IDENTITY) & (pl.col("gold").cast(pl.String) == broken)
    unmet = pl.col("expects").cast(pl.String) == broken
    return outcomes.filter(wrong | unmet).with_columns(wrong=wrong, unmet=unmet).drop("gold", "expects")


def _with_shares(run: RunFolder, chosen: pl.DataFrame, system: str, cases: Cases) -> pl.DataFrame:
    """Add the probabilities before and after, if the run has rules that look at them."""
    import polars as pl

    kind = pl.List(pl.Float64)
    if not cases.weighs:
        return chosen.with_columns(shares_before=pl.lit(None, kind), shares=pl.lit(None, kind))
    probabilities = read_probabilities(run, cases.ids, system)
    places = pl.DataFrame({"case_id": cases.ids}).with_row_index("row")
    rows = chosen.join(places, on="case_id", how="left", maintain_order="left")["row"].to_list()
    bases = [int(cases.base[row]) for row in rows]
    before = [None if row == NONE else _shares(probabilities[row]) for row in bases]
    after = [_shares(probabilities[row]) for row in rows]
    return chosen.with_columns(pl.Series("shares_before", before, dtype=kind), pl.Series("shares", after, dtype=kind))


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
            answer=row["answer"] or "",
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
        return row["gold"] or ""
    if not row["unmet"]:
        return ""
    before = [LabelSet.of(letters) for letters in row["base"].split(BETWEEN)] if row["base"] else []
    allowed = allowed_labels(read_rule(row["expects"]), before)
    return "" if set(row["answer"]) & set(allowed) else allowed
