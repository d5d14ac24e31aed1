"""Columns of shards as small integers: label sets as masks, names by their numbers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from nliprobe.base.errors import StoreError
from nliprobe.task.labels import SETS

if TYPE_CHECKING:
    import polars as pl

    from nliprobe.store.run import RunFolder


def masks(labels: pl.Series) -> pl.Series:
    """Translate label sets as runs write them into their masks; 0 stands for none."""
    import polars as pl

    # The position of a label set in SETS is its mask, so the number of the category is the mask.
    try:
        return labels.cast(pl.Enum([str(item) for item in SETS])).to_physical().cast(pl.UInt8).fill_null(0)
    except pl.exceptions.PolarsError as error:
        known = [str(item) for item in SETS]
        wrong = labels.filter(labels.is_not_null() & ~labels.is_in(known)).to_list()[:1]
        raise StoreError(f"The run holds {wrong[0] if wrong else labels.dtype!r}, which is not a label set.") from error


def base_ids(bases: pl.Series, place: int, *, of: int) -> pl.Series:
    """Return the id of one base of each case that has so many."""
    import polars as pl

    so_many = bases.list.len() == of
    return pl.select(pl.when(so_many).then(bases.list.get(place, null_on_oob=True)).otherwise(None)).to_series()


def numbers(texts: pl.Series, known: dict[str, int]) -> pl.Series:
    """Number texts by their first appearance in the run."""
    import polars as pl

    for text in texts.drop_nulls().unique(maintain_order=True):
        known.setdefault(text, len(known))
    return texts.replace_strict(known, return_dtype=pl.Int32) if known else texts.cast(pl.Int32)


def places(texts: pl.Series, names: Sequence[str], run: RunFolder) -> pl.Series:
    """Return the place of each text in a list that must hold them all."""
    import polars as pl

    known = [str(name) for name in names]
    try:
        return texts.cast(pl.Enum(known)).to_physical()
    except pl.exceptions.PolarsError as error:
        unknown = texts.filter(~texts.is_in(known))[0]
        expected = f"expected one of {', '.join(known)}"
        raise StoreError(f"The run {run.path} has cases of the {texts.name} '{unknown}': {expected}.") from error
