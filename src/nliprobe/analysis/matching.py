"""Reads answers and texts of a run by the ids of its cases, shard by shard."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from nliprobe.task.case import TEXT_DIGITS

if TYPE_CHECKING:
    import numpy as np
    import polars as pl
    from numpy.typing import NDArray

    from nliprobe.store.run import RunFolder

SHARES = ("p_e", "p_n", "p_c")


class Matched(NamedTuple):
    """Some answers, and the rows of the cases they answer."""

    rows: slice | NDArray[np.int64]
    answers: pl.DataFrame


def matched(run: RunFolder, ids: pl.Series, system: str, columns: Sequence[str]) -> Iterator[Matched]:
    """Yield the answers of a system with the rows they belong to; answers to no case of the run are left out.

    Args:
        run: the run folder.
        ids: the ids of its cases, in order.
        system: the name of the system.
        columns: what to read of each answer besides the id of its case.
    """
    import numpy as np
    import polars as pl

    strays: list[pl.DataFrame] = []
    offset = 0
    for shard in run.shards(run.system(system).predictions, ["case_id", *columns]):
        expected = ids.slice(offset, len(shard))
        # Shards of answers are written along with those of cases, so ids nearly always line up; else they are joined.
        if len(expected) == len(shard) and (expected == shard["case_id"]).all():
            yield Matched(slice(offset, offset + len(shard)), shard)
        else:
            strays.append(shard)
        offset += len(shard)
    if strays:
        rows = pl.DataFrame({"case_id": ids}).with_row_index("row")
        joined = pl.concat(strays).join(rows, on="case_id", how="inner")
        yield Matched(joined["row"].to_numpy().astype(np.int64), joined)


def read_probabilities(run: RunFolder, ids: pl.Series, system: str) -> NDArray[np.float32]:
    """Read the probabilities of E, N and C that a system gave, a row per case; NaN if it gave none."""
    import numpy as np

    probabilities = np.full((len(ids), 3), np.nan, dtype=np.float32)
    for rows, answers in matched(run, ids, system, SHARES):
        for place, name in enumerate(SHARES):
            probabilities[rows, place] = answers[name].to_numpy()
    return probabilities


def read_unchanged(run: RunFolder, ids: pl.Series, base: NDArray[np.int64], system: str) -> NDArray[np.bool_]:
    """Mark the cases that a system reads exactly like the case they are derived from: their edit does not reach it.

    Texts are compared by the ids of their inputs, whatever key a look-up adds to them. A case without base, with
    several bases, or that was not asked together with its base is not marked.

    Args:
        run: the run folder.
        ids: the ids of its cases, in order.
        base: the row of the only base of each case, or a negative number.
        system: the name of the system.
    """
    import numpy as np

    texts = np.zeros(len(ids), dtype=np.uint64)
    asked = np.zeros(len(ids), dtype=bool)
    for rows, answers in matched(run, ids, system, ["input_id"]):
        texts[rows] = answers["input_id"].str.slice(0, TEXT_DIGITS).hash().to_numpy()
        asked[rows] = True
    unchanged: NDArray[np.bool_] = (base >= 0) & asked & asked[base] & (texts == texts[base])
    return unchanged


def read_some(run: RunFolder, folder: str, ids: pl.Series, columns: Sequence[str]) -> pl.DataFrame:
    """Read the rows of a folder whose id is among some ids; the id is the first of the columns."""
    import polars as pl

    wanted = pl.col(columns[0]).is_in(ids.unique().implode())
    return pl.concat([shard.filter(wanted) for shard in run.shards(folder, columns)])
