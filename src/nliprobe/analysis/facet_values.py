"""Which cases of a run have which value of a facet: one that a corpus gives, a computed one, or several crossed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

from nliprobe.analysis.cases import NONE, RunData
from nliprobe.base.errors import NotFoundError, did_you_mean
from nliprobe.task.labels import LETTERS, SETS
from nliprobe.task.where import LABEL

if TYPE_CHECKING:
    import numpy as np
    import polars as pl
    from numpy.typing import NDArray

    from nliprobe.store.run import RunFolder

# Facets that are computed: the number of values of another one, and the number of evidence rows.
COUNT, ROWS = "n:", "rows"
CROSS = ","


class Members(NamedTuple):
    """The columns ``row`` and ``value``, one line per case and value, and all values in the order of reports."""

    frame: pl.DataFrame
    values: tuple[str, ...]


def facet_names(run: RunFolder) -> list[str]:
    """List the facets that a run can be broken down by, the computed ones last."""
    names = [str(name) for name in run.read("facets", ["name"])["name"].unique(maintain_order=True)]
    pairs = run.read("pairs", ["evidence", "gold"])
    rows = [ROWS] if ROWS not in names and not pairs["evidence"].is_null().all() else []
    labels = [LABEL] if not pairs["gold"].is_null().all() else []
    return [*(name for name in names if name != LABEL), *(f"{COUNT}{name}" for name in names), *rows, *labels]


def facet_members(run: RunFolder, data: RunData, facet: str) -> Members:
    """Tabulate which case has which value of a facet, each once; a case without a value is left out.

    Args:
        run: the run folder.
        data: the run as :func:`read_run` gives it.
        facet: a name, or several with commas between them: then a value is a value of each.
    """
    import polars as pl

    facets = run.read("facets").select("pair_id", "case_id", "name", "value").unique(maintain_order=True)
    names = [facet] if (facets["name"] == facet).any() else [name.strip() for name in facet.split(CROSS)]
    members, *others = [_members(run, data, facets, name) for name in names]
    for other in others:
        joined = members.frame.join(other.frame, on="row", suffix="_of_other")
        frame = joined.select("row", pl.concat_str("value", "value_of_other", separator=f"{CROSS} ").alias("value"))
        crossed = [f"{one}{CROSS} {two}" for one in members.values for two in other.values]
        there = set(frame["value"].unique().to_list())
        members = Members(frame, tuple(value for value in crossed if value in there))
    if members.frame.is_empty():
        raise NotFoundError(f"No pair of the run {run.path} has all of the facets {', '.join(names)}.")
    return members


def rows_by_value(members: Members) -> dict[str, NDArray[np.int64]]:
    """Return the rows of the cases with each value."""
    frame = members.frame
    return {value: frame.filter(frame["value"] == value)["row"].to_numpy() for value in members.values}


def ordered_values(counts: Mapping[str, int], facet: str) -> tuple[str, ...]:
    """Order the values of a facet: gold labels as always, numbers by size, others by how many cases have them."""
    if facet == LABEL:
        return tuple(sorted(counts, key=lambda value: [LETTERS.index(letter) for letter in value]))
    if all(value.isdecimal() for value in counts):
        return tuple(sorted(counts, key=int))
    return tuple(sorted(counts, key=lambda value: (-counts[value], value)))


def case_pairs(data: RunData) -> pl.DataFrame:
    """Tabulate the pair of each case, both by their numbers."""
    import numpy as np
    import polars as pl

    return pl.DataFrame({"row": np.arange(len(data.cases.pair), dtype=np.int64), "pair": data.cases.pair})


def new_cases(data: RunData) -> NDArray[np.bool_]:
    """Mark the pairs of their own that probes made: their answers are compared with nothing but their gold label."""
    cases = data.cases
    bound = (cases.expects != NONE) | (cases.base != NONE) | cases.as_they_are
    new: NDArray[np.bool_] = ~bound & (cases.gold != 0)
    return new


def _members(run: RunFolder, data: RunData, facets: pl.DataFrame, facet: str) -> Members:
    import polars as pl

    having = _having(run, facets, facet)
    if having.is_empty():
        names = facet_names(run)
        raise NotFoundError(f"No pair of the run {run.path} has the facet '{facet}'. {did_you_mean(facet, names)}")
    numbers = run.read("pairs", ["pair_id"]).with_row_index("pair").with_columns(pl.col("pair").cast(pl.Int64))
    # A facet of a pair holds for every case made from it; a facet of a case holds for that case only.
    of_pairs = having.filter(pl.col("case_id").is_null()).join(numbers, on="pair_id").join(case_pairs(data), on="pair")
    ids = pl.DataFrame({"case_id": data.cases.ids}).with_row_index("row").with_columns(pl.col("row").cast(pl.Int64))
    of_cases = having.filter(pl.col("case_id").is_not_null()).join(ids, on="case_id")
    both = pl.concat([of_pairs.select("row", "value"), of_cases.select("row", "value")]).unique().sort("row", "value")
    if facet == LABEL:
        both = _with_own_labels(both, data)
    counts = {str(value): int(n) for value, n in both["value"].value_counts().iter_rows()}
    return Members(both, ordered_values(counts, facet))


def _with_own_labels(labels: pl.DataFrame, data: RunData) -> pl.DataFrame:
    """Give new pairs their own gold label in the place of that of the pair whose sentence they use."""
    import numpy as np
    import polars as pl

    rows = np.flatnonzero(new_cases(data))
    own = [str(SETS[mask]) for mask in data.cases.gold[rows]]
    others = labels.filter(~labels["row"].is_in(rows.tolist()))
    return pl.concat([others, pl.DataFrame({"row": rows, "value": own}, schema=labels.schema)]).sort("row", "value")


def _having(run: RunFolder, facets: pl.DataFrame, facet: str) -> pl.DataFrame:
    """Return the pairs and cases that have a facet, given or computed, with its values."""
    import polars as pl

    if facet == LABEL:
        # As in where=: the name always means the gold label of the pair; new pairs have their own.
        pairs = run.read("pairs", ["pair_id", "gold"]).filter(pl.col("gold").is_not_null())
        return _of_pairs(pairs.select("pair_id", pl.col("gold").alias("value")))
    having = facets.filter(pl.col("name") == facet)
    of = facet.removeprefix(COUNT)
    if having.is_empty() and facet != of:
        counted = facets.filter((pl.col("name") == of) & pl.col("case_id").is_null())
        return _of_pairs(counted.group_by("pair_id", maintain_order=True).agg(pl.len().cast(pl.String).alias("value")))
    if having.is_empty() and facet == ROWS:
        pairs = run.read("pairs", ["pair_id", "evidence"]).filter(pl.col("evidence").is_not_null())
        return _of_pairs(pairs.select("pair_id", pl.col("evidence").list.len().cast(pl.String).alias("value")))
    return having


def _of_pairs(values: pl.DataFrame) -> pl.DataFrame:
    import polars as pl

    return values.with_columns(pl.lit(None, dtype=pl.String).alias("case_id"))
