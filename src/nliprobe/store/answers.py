"""The columns of answers, the same in runs and in the cache: one place that says their names and types.

Labels and the status are text, which Parquet keeps as a dictionary: 100,000 answers take no more bytes than as numbers,
and any tool reads them. Probabilities have 32 bits: softmax outputs differ by more than that between two batch sizes,
and a run has the same numbers whether its answers are fresh or come from the cache.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from nliprobe.task.labels import SETS
from nliprobe.task.prediction import Prediction, Status

if TYPE_CHECKING:
    import polars as pl

COLUMNS = ("label", "p_e", "p_n", "p_c", "status", "raw")
_LABELS = {str(item): item for item in SETS if item}
_STATUSES = {item.value: item for item in Status}


def answer_schema() -> dict[str, pl.DataType | type[pl.DataType]]:
    """Return the types of the columns of answers."""
    import polars as pl

    shares = dict.fromkeys(COLUMNS[1:4], pl.Float32)
    return {"label": pl.String, **shares, "status": pl.String, "raw": pl.String}


def answer_columns(answers: Sequence[Prediction]) -> list[Sequence[object]]:
    """Return answers as columns, in the order of :func:`answer_schema`."""
    shares = [answer.probabilities or (None, None, None) for answer in answers]
    return [
        [None if answer.label is None else str(answer.label) for answer in answers],
        *([item[place] for item in shares] for place in range(3)),
        [answer.status.value for answer in answers],
        [answer.raw for answer in answers],
    ]


def to_prediction(row: Mapping[str, object]) -> Prediction:
    """Return the answer that a row holds; columns of which nothing was ever kept may be missing."""
    p_e, p_n, p_c, raw = row.get("p_e"), row.get("p_n"), row.get("p_c"), row.get("raw")
    known = isinstance(p_e, float) and isinstance(p_n, float) and isinstance(p_c, float)
    return Prediction(
        _LABELS.get(str(row.get("label"))),
        (p_e, p_n, p_c) if known else None,  # type: ignore[arg-type]
        _STATUSES.get(str(row.get("status")), Status.FAILED),
        raw if isinstance(raw, str) else None,
    )
