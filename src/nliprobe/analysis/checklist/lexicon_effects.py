"""Lexicon effects: does the accuracy on a template depend on which profession, adjective or gender was drawn?

Only distinct examples count: a system answers a repeated one the same way, so repeating it proves nothing. Examples
with different gold labels are not compared: if a value decides the label, its effect is that of the label.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from nliprobe.analysis.checklist.documents import Cell, Effect, ValueRate
from nliprobe.task.labels import SETS

if TYPE_CHECKING:
    import numpy as np
    import polars as pl
    from numpy.typing import NDArray

    from nliprobe.analysis.checklist.cases import Answered, ChecklistCases

VALUE, GENDER = "value:", "gender:"
# The pseudo-placeholder under which genders are compared, and the gender of names of several.
BY_GENDER, MIXED = "gender", "mixed"
# A value with fewer distinct examples says too little to be compared.
ENOUGH = 20
# What one test is about.
_TEST = ("unit", "gold", "name")
# The level at which the number of permutations must be able to show an effect after the correction, with tenfold room.
_LEVEL, _ROOM, _MOST = 0.05, 10, 200_000


class _Tested(NamedTuple):
    """Counts that one test compares."""

    unit: int
    gold: str
    placeholder: str
    values: list[str]
    n: NDArray[np.int64]
    right: NDArray[np.int64]
    left_out: int
    genders: dict[str, dict[str, Cell]]


def drawn_values(checklist: ChecklistCases) -> pl.DataFrame:
    """Tabulate the values drawn for each distinct example: columns place (of its first case), unit, gold, name, value.

    The gender of the example is a value with the name ``gender``: that of all its names, or mixed.
    """
    import numpy as np
    import polars as pl

    _, first = np.unique(checklist.own_text, return_index=True)
    first = np.sort(first)
    cases = pl.DataFrame(
        {
            "place": first,
            "pair": checklist.pairs[first],
            "unit": checklist.unit[first],
            "gold": checklist.gold[first],
        }
    )
    named = checklist.facets.filter(pl.col("name").str.starts_with(VALUE)).with_columns(
        pl.col("name").str.strip_prefix(VALUE)
    )
    genders = (
        checklist.facets.filter(pl.col("name").str.starts_with(GENDER))
        .group_by("pair")
        .agg(
            pl.lit(BY_GENDER).alias("name"),
            pl.when(pl.col("value").n_unique() == 1)
            .then(pl.col("value").first())
            .otherwise(pl.lit(MIXED))
            .alias("value"),
        )
    )
    both = pl.concat([named.select("pair", "name", "value"), genders.select("pair", "name", "value")])
    return cases.join(both, on="pair", how="inner").select("place", *_TEST, "value")


def lexicon_effects(checklist: ChecklistCases, given: Answered, drawn: pl.DataFrame, *, seed: int) -> list[Effect]:
    """Test for each template and placeholder whether accuracy depends on the value, the widest range first.

    Args:
        checklist: the cases of templates.
        given: the answers of one system.
        drawn: what :func:`drawn_values` gives.
        seed: of the permutations.
    """
    from nliprobe.stats.intervals import wilson_many
    from nliprobe.stats.paired import benjamini_hochberg
    from nliprobe.stats.permutation import permutation_p, spread_statistic

    tests = list(_tests(given, drawn))
    draws = _exceedances(checklist, given, tests, seed)
    pvalues = [permutation_p(*draw) for draw in draws]
    effects: list[Effect] = []
    for test, (_, permutations), p, q in zip(tests, draws, pvalues, benjamini_hochberg(pvalues), strict=True):
        unit = checklist.units[test.unit]
        lows, highs = wilson_many(test.right, test.n)
        values = [
            ValueRate(
                value=value,
                n=int(n),
                correct=int(right),
                accuracy=int(right) / int(n),
                ci95=[float(low), float(high)],
                genders=test.genders.get(value, {}),
            )
            for value, n, right, low, high in zip(test.values, test.n, test.right, lows, highs, strict=True)
        ]
        values.sort(key=lambda item: (item["accuracy"], item["value"]))
        effects.append(
            Effect(
                system=given.name,
                template=unit.template,
                gold=test.gold,
                placeholder=test.placeholder,
                values=values,
                left_out=test.left_out,
                range=values[-1]["accuracy"] - values[0]["accuracy"],
                statistic=float(spread_statistic(test.right, test.n)),
                permutations=permutations,
                p=p,
                q=q,
            )
        )
    return sorted(effects, key=lambda item: (-item["range"], item["p"], item["template"], item["placeholder"]))


def _tests(given: Answered, drawn: pl.DataFrame) -> Iterator[_Tested]:
    """Yield what can be compared: placeholders with at least two values that have enough examples."""
    import polars as pl

    place = drawn["place"].to_numpy()
    judged = drawn.with_columns(
        pl.Series("asked", given.asked[place]), pl.Series("right", given.right[place].astype("int64"))
    ).filter(pl.col("asked"))
    counts = judged.group_by(*_TEST, "value").agg(pl.len().alias("n"), pl.col("right").sum())
    enough = counts.filter(pl.col("n") >= ENOUGH).sort(*_TEST, "value")
    all_values = {tuple(key): n for *key, n in counts.group_by(_TEST).len().iter_rows()}
    genders = _by_gender(judged, enough)
    for key, values in enough.group_by(_TEST, maintain_order=True):
        unit, gold, name = key
        if len(values) >= 2:
            yield _Tested(
                unit=int(str(unit)),
                gold=str(SETS[int(str(gold))]),
                placeholder=str(name),
                values=values["value"].to_list(),
                n=values["n"].cast(pl.Int64).to_numpy(),
                right=values["right"].to_numpy(),
                left_out=all_values[key] - len(values),
                genders=genders.get(key, {}),
            )


def _by_gender(judged: pl.DataFrame, enough: pl.DataFrame) -> dict[tuple[object, ...], dict[str, dict[str, Cell]]]:
    """Count the examples of each test by value and gender."""
    import polars as pl

    gender = judged.filter(pl.col("name") == BY_GENDER).select("place", pl.col("value").alias("gender"))
    cells = (
        judged.filter(pl.col("name") != BY_GENDER)
        .join(enough, on=[*_TEST, "value"], how="semi")
        .join(gender, on="place")
        .group_by(*_TEST, "value", "gender")
        .agg(pl.len().alias("n"), pl.col("right").sum())
        .sort(*_TEST, "value", "gender")
    )
    by_test: dict[tuple[object, ...], dict[str, dict[str, Cell]]] = {}
    for *key, value, gender_of, n, right in cells.iter_rows():
        by_test.setdefault(tuple(key), {}).setdefault(value, {})[gender_of] = Cell(n=n, correct=right)
    return by_test


def _exceedances(checklist: ChecklistCases, given: Answered, tests: list[_Tested], seed: int) -> list[tuple[int, int]]:
    """Count the exceedances of each test, and the permutations they are counted in.

    With few permutations and many tests, a single effect could never remain after the correction. So the tests that no
    permutation reached are repeated with as many as the correction needs: the fewer they are, the more each gets.
    """
    from nliprobe.stats.draws import generator
    from nliprobe.stats.permutation import PERMUTATIONS, permutation_exceedances

    def draw(test: _Tested, permutations: int, *names: str) -> tuple[int, int]:
        unit = checklist.units[test.unit]
        of = (unit.template, test.gold, test.placeholder)
        random = generator(seed, "effects", given.name, *of, *names)
        return permutation_exceedances(test.right, test.n, random, permutations), permutations

    counts = [draw(test, PERMUTATIONS) for test in tests]
    unreached = [place for place, (count, _) in enumerate(counts) if count == 0]
    if unreached:
        needed = min(_MOST, round(_ROOM * len(tests) / (_LEVEL * len(unreached))))
        if needed > PERMUTATIONS:
            for place in unreached:
                counts[place] = draw(tests[place], needed, "again")
    return counts
