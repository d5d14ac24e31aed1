"""The nearest vectors by cosine: exact, by one product with all of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Vectors = NDArray[np.float32]

# Vectors that are compared at once: 256 kB of cosines per question, and no copy of a large pool.
_AT_ONCE = 1 << 16
# Cosines in single precision differ by less than that from exact ones; those that agree in so many digits are equal.
_DOUBT = 1e-5
_DIGITS = 6


class Nearest(NamedTuple):
    """The places of the nearest vectors and their cosines, the nearest first; of equal ones the earlier place first."""

    places: list[int]
    cosines: list[float]


def unit_length(vectors: Vectors) -> Vectors:
    """Return vectors of length 1 with the same directions; one of zeros has no direction and stays.

    Raises:
        ValueError: a vector holds something that is not a finite number.
    """
    import numpy as np

    if not np.isfinite(vectors).all():
        raise ValueError("a vector holds numbers that are not finite")
    lengths = np.linalg.norm(vectors.astype(np.float64), axis=1, keepdims=True)
    return (vectors / np.where(lengths == 0, 1, lengths)).astype(np.float32)


def nearest(pool: Vectors, asked: Vectors, count: int, left_out: NDArray[np.bool_] | None = None) -> list[Nearest]:
    """Find the nearest vectors of a pool to each vector that is asked for.

    Args:
        pool: vectors of length 1, one per row.
        asked: vectors of length 1, one per row.
        count: how many neighbours each gets; fewer if the pool holds fewer.
        left_out: which vectors of the pool are nobody's neighbours.
    """
    import numpy as np

    if count < 1:
        raise ValueError(f"{count} neighbours")
    chosen: list[list[NDArray[np.int64]]] = [[] for _ in asked]
    for start in range(0, len(pool), _AT_ONCE):
        cosines = asked @ pool[start : start + _AT_ONCE].T
        if left_out is not None:
            cosines[:, left_out[start : start + _AT_ONCE]] = -np.inf
        for places, row in zip(chosen, cosines, strict=True):
            places.append(start + _candidates(row, count))
    return [
        _first(pool, vector, np.concatenate(places) if places else np.empty(0, dtype=np.int64), count)
        for vector, places in zip(asked, chosen, strict=True)
    ]


def _candidates(cosines: Vectors, count: int) -> NDArray[np.int64]:
    """Return the places that may be among the nearest ones; products in single precision leave some in doubt."""
    import numpy as np

    bound = -np.inf
    if len(cosines) > count:
        bound = float(np.partition(cosines, len(cosines) - count)[len(cosines) - count]) - _DOUBT
    return np.flatnonzero((cosines >= bound) & (cosines > -np.inf))


def _first(pool: Vectors, vector: Vectors, places: NDArray[np.int64], count: int) -> Nearest:
    """Rank candidates by cosines in double precision, so that neither blocks nor threads decide about ties."""
    import numpy as np

    exact = np.round(pool[places].astype(np.float64) @ vector.astype(np.float64), _DIGITS)
    order = np.lexsort((places, -exact))[:count]
    return Nearest(places[order].tolist(), exact[order].tolist())
