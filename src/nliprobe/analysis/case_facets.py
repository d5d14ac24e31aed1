"""The facets of failing cases, as a page filters by them: each distinct set of values stands once."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from nliprobe.analysis.matching import read_some

if TYPE_CHECKING:
    import polars as pl

    from nliprobe.store.run import RunFolder

# A facet with more values, such as a number of words, is no use in a list to choose from.
MOST_VALUES = 300


class FacetColumns(NamedTuple):
    """Values of facets, and which case and pair has which.

    Attributes:
        values: names and values, in the order of names.
        sets: the distinct sets of values, as places in ``values``; the first is the empty one.
        cases: per case, the place of its own set in ``sets``.
        pairs: per pair, the same.
        left_out: the names of facets with too many values.
    """

    values: list[tuple[str, str]]
    sets: list[list[int]]
    cases: list[int]
    pairs: list[int]
    left_out: list[str]


def facet_columns(run: RunFolder, cases: pl.DataFrame, pairs: pl.DataFrame) -> FacetColumns:
    """Tabulate the facets of some cases and of their pairs.

    Args:
        run: the run folder.
        cases: with a column ``case_id``.
        pairs: with a column ``pair_id``.
    """
    import polars as pl

    facets = read_some(run, "facets", pairs["pair_id"], ("pair_id", "case_id", "name", "value"))
    own = pl.col("case_id").is_null() | pl.col("case_id").is_in(cases["case_id"].implode())
    facets = facets.filter(own).unique(maintain_order=True)
    sizes = facets.group_by("name").agg(pl.col("value").n_unique().alias("n"))
    left_out = sizes.filter(pl.col("n") > MOST_VALUES)["name"].sort().to_list()
    facets = facets.filter(~pl.col("name").is_in(left_out))
    values = facets.select("name", "value").unique().sort("name", "value").with_row_index("number")
    facets = facets.join(values, on=["name", "value"])
    sets: dict[tuple[int, ...], int] = {(): 0}
    of_pairs = _numbered(facets.filter(pl.col("case_id").is_null()), "pair_id", pairs["pair_id"], sets)
    of_cases = _numbered(facets.filter(pl.col("case_id").is_not_null()), "case_id", cases["case_id"], sets)
    return FacetColumns(
        values.select("name", "value").rows(), [list(one) for one in sets], of_cases, of_pairs, left_out
    )


def _numbered(facets: pl.DataFrame, key: str, ids: pl.Series, sets: dict[tuple[int, ...], int]) -> list[int]:
    """Return the number of each id's set of values; sets that are new are added."""
    import polars as pl

    own = facets.group_by(key).agg(pl.col("number").unique().sort())
    held = pl.DataFrame({key: ids}).join(own, on=key, how="left", maintain_order="left")["number"].to_list()
    return [0 if item is None else sets.setdefault(tuple(item), len(sets)) for item in held]
