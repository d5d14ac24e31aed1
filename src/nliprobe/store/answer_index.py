"""Answers in memory, found by the keys of their inputs: 26 bytes each, in few sorted runs however many were added."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from nliprobe.base.errors import StoreError
from nliprobe.store.frames import input_keys
from nliprobe.task.case import Prediction, Shares, Status
from nliprobe.task.labels import SETS

if TYPE_CHECKING:
    import numpy as np
    import polars as pl
    from numpy.typing import NDArray

    Codes = NDArray[np.uint8]
    Places = NDArray[np.int64]

_SHARES = ("p_e", "p_n", "p_c")
_LABELS = (None, *SETS[1:])
_STATUSES = tuple(Status)
# The answers that have neither probabilities nor a text, by their codes.
_ALONE = {
    (label, status): Prediction(_LABELS[label], None, _STATUSES[status])
    for label in range(len(_LABELS))
    for status in range(len(_STATUSES))
}


class _Run(NamedTuple):
    """Answers in the order of their keys; each part is a column, and one that holds nothing is not kept.

    ``label`` and ``status`` are places in :data:`_LABELS` and :data:`_STATUSES`. A probability that is not known is not
    a number.
    """

    high: NDArray[np.uint64]
    low: NDArray[np.uint32]
    label: Codes
    status: Codes
    shares: NDArray[np.float32] | None
    raw: NDArray[np.object_] | None

    def at(self, places: NDArray[np.int64]) -> _Run:
        """Return some of the answers."""
        return _Run(*(None if part is None else part[places] for part in self))  # type: ignore[arg-type]

    def predictions(self) -> list[Prediction]:
        """Return the answers as a model gives them."""
        label, status = self.label.tolist(), self.status.tolist()
        if self.shares is None and self.raw is None:
            return [_ALONE[codes] for codes in zip(label, status, strict=True)]
        labels, states = [_LABELS[code] for code in label], [_STATUSES[code] for code in status]
        raws = [None] * len(labels) if self.raw is None else self.raw.tolist()
        if self.shares is None:
            return list(map(Prediction, labels, [None] * len(labels), states, raws))
        shares: list[Shares | None] = list(zip(*self.shares.T.tolist(), strict=True))
        for place, (p_e, p_n, p_c) in _rows_with_gaps(self.shares):
            shares[place] = None if p_e is p_n is p_c is None else (p_e, p_n, p_c)
        return list(map(Prediction, labels, shares, states, raws))


class AnswerIndex:
    """Looks answers up. Each run is at least twice as long as the next, so that a look-up visits few of them.

    Of several answers to one input, the one that was added first counts.
    """

    def __init__(self) -> None:
        self._runs: list[_Run] = []

    def __len__(self) -> int:
        return sum(len(run.high) for run in self._runs)

    def add(self, frame: pl.DataFrame) -> None:
        """Add the answers of a frame of the cache, whose keys are in order."""
        run = _run_of(frame)
        if not len(run.high):
            return
        self._runs.append(run)
        while len(self._runs) > 1 and len(self._runs[-2].high) < 2 * len(self._runs[-1].high):
            later, earlier = self._runs.pop(), self._runs.pop()
            self._runs.append(_merged(earlier, later))

    def get(self, ids: Sequence[str]) -> dict[str, Prediction]:
        """Return the known answers by input id."""
        answers: dict[str, Prediction] = {}
        for run, places, found in self._hits(ids):
            answers.update(zip([ids[place] for place in found.tolist()], run.at(places).predictions(), strict=True))
        return answers

    def holds(self, ids: Sequence[str]) -> bool:
        """Tell whether all inputs have an answer that did not fail; faster than to :meth:`get` the answers."""
        import numpy as np

        known, failed = np.zeros(len(ids), dtype=bool), _STATUSES.index(Status.FAILED)
        for run, places, found in self._hits(ids):
            known[found] = run.status[places] != failed
        return bool(known.all())

    def _hits(self, ids: Sequence[str]) -> Iterator[tuple[_Run, Places, Places]]:
        """Yield where answers are: the run, places in it, and the places of their ids; what is yielded last counts."""
        import numpy as np

        if not ids or not self._runs:
            return
        high, low = input_keys(ids)
        # In the order of the keys, a look-up in a long run stays near the last one.
        order = np.argsort(high)
        high, low = high[order], low[order]
        for run in reversed(self._runs):
            places = np.searchsorted(run.high, high).clip(max=len(run.high) - 1)
            # The first 64 bits hardly ever collide; where they do, the last 32 differ and it counts as a miss.
            hits = np.flatnonzero((run.high[places] == high) & (run.low[places] == low))
            if len(hits):
                yield run, places[hits], order[hits]


def _run_of(frame: pl.DataFrame) -> _Run:
    import numpy as np
    import polars as pl

    if any(frame[name].has_nulls() for name in ("status", "high", "low")):
        raise StoreError("A file of the cache holds answers without a status or a key.")
    label, status = pl.Enum([str(item) for item in SETS if item]), pl.Enum([item.value for item in Status])
    try:
        labels, states = frame["label"].cast(label), frame["status"].cast(status)
    except pl.exceptions.PolarsError as error:
        raise StoreError("A file of the cache holds unknown labels or statuses.") from error
    high, low = frame["high"].to_numpy(), frame["low"].to_numpy()
    if (high[1:] < high[:-1]).any() or (low >> np.uint64(32)).any():
        raise StoreError("The keys of a file of the cache are not sorted, or not those of inputs.")
    shares = frame.select(_SHARES)
    none = all(column.null_count() == frame.height for column in shares)
    return _Run(
        high,
        low.astype(np.uint32),
        (labels.to_physical().cast(pl.UInt8) + 1).fill_null(0).to_numpy(),
        states.to_physical().cast(pl.UInt8).to_numpy(),
        None if none else shares.fill_null(float("nan")).to_numpy(),
        None if frame["raw"].null_count() == frame.height else np.array(frame["raw"].to_list(), dtype=object),
    )


def _merged(earlier: _Run, later: _Run) -> _Run:
    """Return the answers of both; of two to one input, the earlier."""
    import numpy as np

    high = np.concatenate([earlier.high, later.high])
    low = np.concatenate([earlier.low, later.low])
    # Two sorted runs are merged and not sorted again, and equal keys stay in their order.
    order = np.argsort(high, kind="stable")
    high, low = high[order], low[order]
    again = np.flatnonzero((high[1:] == high[:-1]) & (low[1:] == low[:-1])) + 1
    if len(again):
        kept = np.ones(len(high), dtype=bool)
        kept[again] = False
        order, high, low = order[kept], high[kept], low[kept]
    return _Run(
        high,
        low,
        np.concatenate([earlier.label, later.label])[order],
        np.concatenate([earlier.status, later.status])[order],
        _all_shares(earlier, later, order),
        _all_raw(earlier, later, order),
    )


def _all_shares(earlier: _Run, later: _Run, order: NDArray[np.int64]) -> NDArray[np.float32] | None:
    import numpy as np

    if earlier.shares is None and later.shares is None:
        return None
    parts = [
        np.full((len(run.high), len(_SHARES)), np.nan, dtype=np.float32) if run.shares is None else run.shares
        for run in (earlier, later)
    ]
    return np.concatenate(parts)[order]


def _all_raw(earlier: _Run, later: _Run, order: NDArray[np.int64]) -> NDArray[np.object_] | None:
    import numpy as np

    if earlier.raw is None and later.raw is None:
        return None
    parts = [np.full(len(run.high), None, dtype=object) if run.raw is None else run.raw for run in (earlier, later)]
    return np.concatenate(parts)[order]


def _rows_with_gaps(shares: NDArray[np.float32]) -> Iterator[tuple[int, list[float | None]]]:
    """Yield the places of answers without all three probabilities, with those that there are."""
    import numpy as np

    unknown = np.isnan(shares)
    for place in np.flatnonzero(unknown.any(axis=1)).tolist():
        known = zip(shares[place].tolist(), unknown[place].tolist(), strict=True)
        yield place, [None if missing else share for share, missing in known]
