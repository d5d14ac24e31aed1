"""Arrays to which values are added."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Value = TypeVar("Value", bound=np.generic)


def with_room(values: NDArray[Value], size: int) -> NDArray[Value]:
    """Return an array of at least this size that begins with the same values; it grows by half, so copies are few."""
    import numpy as np

    if size <= len(values):
        return values
    larger = np.empty((max(size, len(values) * 3 // 2), *values.shape[1:]), values.dtype)
    larger[: len(values)] = values
    return larger
