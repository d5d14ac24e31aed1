"""The names and types of the columns of answers, which are the same in runs and in the cache.

Labels and the status are text, which Parquet stores as a dictionary and any tool can read: 100,000 answers of the cache
take 1.27 MB, compared with 1.25 MB as numbers. Probabilities have 32 bits (2.4 MB, compared with 3.5 MB for 64 bits):
padding alone changes the sixth digit, and a run has the same numbers whether its answers are new or from the cache.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from nliprobe.base.errors import StoreError
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


def to_predictions(rows: pl.DataFrame) -> list[Prediction]:
    """Return the answers that some rows hold; a column that never had a value may be missing."""
    nothing = [None] * rows.height
    label, p_e, p_n, p_c, status, raw = (rows[name].to_list() if name in rows.columns else nothing for name in COLUMNS)
    shares = [None if None in item else item for item in zip(p_e, p_n, p_c, strict=True)]
    try:
        return [
            Prediction(None if letters is None else _LABELS[letters], share, _STATUSES[state], text)
            for letters, share, state, text in zip(label, shares, status, raw, strict=True)
        ]
    except KeyError as error:
        raise StoreError(f"An answer has {error} where a label or a status should be. Make it again.") from error
